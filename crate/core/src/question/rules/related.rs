//! Two terms of one sentence: "`Rc` counts the references to a value on the heap" asks how the two are related.

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::Relationship,
    grammar::is_article,
    passage::range_of,
    terms::{Term, terms},
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let terms = terms(context, sentence);
        let is_clear = |term: &Term| !term.is_single() || is_notable(context, term);
        let terms: Vec<_> = terms.into_iter().filter(is_clear).collect();
        let pairs = terms.windows(2).filter(|pair| are_different(&pair[0], &pair[1]));
        let weighed = pairs.map(|pair| (pair.iter().filter(|term| is_notable(context, term)).count(), pair));
        if let Some((notable, [one, other])) = weighed.max_by_key(|(notable, _)| *notable) {
            let confidence = 0.32 + 0.05 * notable as f32;
            let question = format!("How are {} and {} related?", one.text, other.text);
            add(candidates, Relationship, confidence, range_of(sentence), question);
        }
    }
}

/// Whether the term is code, or what the headings are about.
fn is_notable(context: &Context, term: &Term) -> bool {
    term.is_code || context.is_topic(&term.head)
}

/// Whether the terms are alike enough to be asked in one question, and share no word.
fn are_different(one: &Term, other: &Term) -> bool {
    let words = |term: &Term| -> Vec<String> {
        let lower = term.text.to_lowercase();
        lower
            .split(' ')
            .filter(|word| !is_article(word))
            .map(|word| word.trim_end_matches('s').to_owned())
            .collect()
    };
    let others = words(other);
    !words(one).iter().any(|word| others.contains(word))
}
