//! Questions that a sentence holds already: "how to write a test", "this is why the build fails", "two ways to
//! share state".

use super::{
    Context, add,
    statement::{is_predicate, with_word},
};
use crate::question::{
    Question,
    QuestionType::{Process, Purpose, Troubleshooting},
    clause::{Clause, clause},
    passage::{Word, range_of},
    phrase::{action, tail},
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let source = range_of(sentence);
        for at in 1..sentence.len() {
            let (previous, word, rest) = (&sentence[at - 1], &sentence[at], &sentence[at + 1..]);
            if !word.after.is_empty() || !previous.after.is_empty() {
                continue;
            }
            let confidence = if previous.is("how") { 0.52 } else { 0.58 };
            let is_way = ["how", "way", "ways"].iter().any(|way| previous.is(way));
            if word.is("to")
                && is_way
                && let Some(phrase) = action(context, rest, false)
            {
                add(candidates, Process, confidence, source.clone(), format!("How do I {phrase}?"));
            }
            if gives_reason(previous, word)
                && let Some(question) = why(context, rest)
            {
                let question_type = if question.contains(" not ") { Troubleshooting } else { Purpose };
                add(candidates, question_type, 0.64, source.clone(), question);
            }
        }
    }
}

/// "is why", "that's why", "reason why", "reason that".
fn gives_reason(previous: &Word, word: &Word) -> bool {
    let is = |texts: &[&str]| texts.iter().any(|text| previous.is(text));
    word.is("why") && is(&["is", "that's", "that’s", "reason", "reasons"])
        || word.is("that") && is(&["reason"])
}

/// "Why does X fail?" from the clause after "why".
fn why(context: &Context, words: &[Word]) -> Option<String> {
    let clause: Clause = clause(context, words).filter(|clause| !clause.is_loose)?;
    let tail = tail(context, clause.rest).filter(|tail| tail.is_whole && is_predicate(&clause, tail))?;
    Some(with_word("Why", &clause, &tail.text))
}
