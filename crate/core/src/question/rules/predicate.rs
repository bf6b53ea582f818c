//! Statements asked for their subject: "It prevents data races" asks what prevents data races.
//!
//! The subject may be anything, a pronoun too, because the question leaves it out. So these reach sentences that
//! lean on the one before, which the other rules pass over.

use super::{Context, add, clauses, statement::is_predicate};
use crate::question::{
    Question,
    QuestionType::{Factual, Troubleshooting},
    clause::{Clause, Finite, clause, predicate},
    grammar::{Table, is_plural, table},
    passage::{Word, range_of},
    phrase::{Tail, tail},
    subject::subject,
};
use std::sync::LazyLock;

/// Verbs that say nothing with "what" before them, and copulas.
static EMPTY: Table = LazyLock::new(|| {
    table("mean look seem appear happen need begin start stop end follow belong work depend get go come make")
});

/// Words behind "it is" that judge what comes: "it is possible to ...".
static JUDGING: Table = LazyLock::new(|| {
    table(
        "possible impossible important necessary common useful helpful good better best worth recommended likely \
         easy hard difficult idiomatic clear true false sufficient called known expected considered assumed \
         reserved intended designed meant supposed legal illegal valid invalid safe unsafe sound unsound able \
         unable",
    )
});

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        if sentence.last().is_some_and(|word| word.after.contains('?')) {
            continue;
        }
        let main = clauses(sentence).filter_map(|words| stated(context, words));
        if let Some(question) = fate(context, sentence) {
            add(candidates, Factual, 0.57, range_of(sentence), question);
        }
        for clause in main.chain(relatives(sentence)).map(Clause::singular) {
            let Some(tail) = tail(context, clause.rest) else { continue };
            if !says_enough(&clause, &tail) {
                continue;
            }
            let question = format!("What {}{}?", clause.stated(), tail.text);
            let is_trouble = ["fails", "panics", "error"].iter().any(|word| question.contains(word));
            let question_type = if is_trouble { Troubleshooting } else { Factual };
            // "the" may point at something that only the chunk names.
            let confidence = if tail.text.split(' ').any(|word| word == "the") { 0.46 } else { 0.54 };
            add(candidates, question_type, confidence, range_of(sentence), question);
        }
    }
}

/// The predicate of a main clause whose subject is a thing.
fn stated<'a>(context: &Context, words: &'a [Word]) -> Option<Clause<'a>> {
    const PRONOUNS: &[&str] = &["it", "this", "they", "these"];
    if PRONOUNS.iter().any(|pronoun| words[0].is(pronoun)) && words[0].after.is_empty() {
        return predicate(&words[1..]);
    }
    clause(context, words).filter(|clause| !clause.is_to_reader())
}

/// "A file that cannot be read is reported": what happens to a file that cannot be read?
fn fate(context: &Context, sentence: &[Word]) -> Option<String> {
    let that = sentence.iter().take(5).position(|word| word.is("that") && word.after.is_empty())?;
    let thing = subject(context, &sentence[..that], false).filter(|thing| !thing.text.starts_with("the "))?;
    let rest = sentence.get(that + 1..)?;
    let clause = predicate(rest)?;
    let tail = tail(context, clause.rest).filter(|tail| tail.is_whole)?;
    let main =
        rest.get(rest.len() - clause.rest.len() + tail.end..).filter(|_| !has_comma(&clause, &tail))?;
    predicate(main)?;
    Some(format!("What happens to {} that {}{}?", thing.text, clause.stated(), tail.text))
}

fn has_comma(clause: &Clause, tail: &Tail) -> bool {
    clause.rest[..tail.end].last().is_some_and(|last| !last.after.is_empty())
}

/// The predicates of "a check that prevents ..." and "..., which allows ...".
fn relatives(sentence: &[Word]) -> impl Iterator<Item = Clause<'_>> {
    sentence.windows(2).enumerate().filter_map(|(at, pair)| {
        let is_relative = pair[1].is("that") || pair[1].is("which");
        let is_noun = pair[0].is_code || pair[0].text.len() > 3 && !pair[0].text.ends_with("ing");
        let rest = sentence.get(at + 2..)?;
        // A verb in the singular is one; in the plural it may be a noun: "so that functions return".
        let is_verb =
            rest.first()?.lower().ends_with('s') || ["are", "can"].iter().any(|verb| rest[0].is(verb));
        let is_noun_phrase = is_plural(&rest[0].lower()) && rest.get(1)?.lower().ends_with('s');
        (is_relative && is_noun && is_verb && !is_noun_phrase && pair[1].after.is_empty())
            .then(|| predicate(rest))?
    })
}

fn says_enough(clause: &Clause, tail: &Tail) -> bool {
    let words = tail.text.split(' ').count();
    let Some(first) = clause.rest.first() else { return false };
    let says = match &clause.finite {
        Finite::Be(_) => {
            let is_place = ["about", "in", "on", "at", "of", "for", "to", "from", "with"]
                .iter()
                .any(|word| first.is(word));
            words > 2
                && !is_place
                && (first.lower().ends_with("ed") || words > 3)
                && !JUDGING.contains(first.lower().as_str())
        }
        Finite::Modal(modal) => *modal != "will" && words > 2,
        Finite::HaveTo(_) => words > 2,
        Finite::Do(_, base) => words > 1 && !EMPTY.contains(base.as_str()) && base != "have",
    };
    says && tail.is_whole && is_predicate(clause, tail)
}
