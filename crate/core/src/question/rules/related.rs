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
        let pairs = terms.windows(2).filter(|pair| are_different(&pair[0], &pair[1]));
        let weighed = pairs.filter_map(|pair| Some((weight(context, pair)?, pair)));
        if let Some((weight, [one, other])) = weighed.max_by_key(|(weight, _)| *weight) {
            let confidence = 0.32 + 0.05 * f32::from(weight);
            let question = format!("How are {} and {} related?", one.text, other.text);
            add(candidates, Relationship, confidence, range_of(sentence), question);
        }
    }
}

/// How many of the pair are notable; `None` where both may stand there for any reason.
fn weight(context: &Context, pair: &[Term]) -> Option<u8> {
    let notable = pair.iter().filter(|term| is_notable(context, term)).count() as u8;
    let is_vague = pair.iter().all(|term| term.is_single() && !is_notable(context, term));
    (!is_vague).then_some(notable)
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
