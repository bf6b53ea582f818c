//! "To do X, run ...", "You can X by ...", "If you want to X, ...", "Use Y to X": how do I X?

use super::{Context, add};
use crate::question::{
    Question, QuestionType,
    passage::{Word, range_of},
    phrase::action,
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let source = range_of(sentence);
        for (words, confidence) in actions(sentence) {
            if let Some(phrase) = action(context, words, false) {
                add(
                    candidates,
                    QuestionType::Process,
                    confidence,
                    source.clone(),
                    format!("How do I {phrase}?"),
                );
            }
        }
        if let Some(phrase) = impossibility(sentence).and_then(|words| action(context, words, false)) {
            add(candidates, QuestionType::Troubleshooting, 0.62, source, format!("Why can't I {phrase}?"));
        }
    }
}

/// The actions that the sentence tells how to do.
fn actions(words: &[Word]) -> Vec<(&[Word], f32)> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|other| other.is(word));
    let mut found = Vec::new();
    let has_comma = words.iter().take(16).any(|word| word.after.starts_with([',', ':']));
    if is(0, "to") && has_comma {
        found.push((&words[1..], 0.74));
    }
    if is(0, "in") && is(1, "order") && is(2, "to") && has_comma {
        found.push((&words[3..], 0.74));
    }
    if is(0, "if") && is(1, "you") && has_comma {
        for wish in [&["want", "to"][..], &["need", "to"], &["would", "like", "to"], &["wish", "to"]] {
            if wish.iter().enumerate().all(|(at, word)| is(at + 2, word)) {
                found.push((&words[2 + wish.len()..], 0.72));
            }
        }
    }
    if (is(0, "you") || is(0, "we")) && is(1, "can") {
        let means =
            words.iter().position(|word| ["by", "using", "with", "via"].iter().any(|means| word.is(means)));
        found.push((&words[2..], if means.is_some() { 0.68 } else { 0.5 }));
    }
    let is_means = words.len() > 4 && ["use", "run", "call", "add"].iter().any(|verb| is(0, verb));
    if is_means && let Some(to) = words.iter().take(8).position(|word| word.is("to")) {
        found.push((&words[to + 1..], 0.66));
    }
    found
}

/// What the sentence says that nobody can do.
fn impossibility(words: &[Word]) -> Option<&[Word]> {
    let at = words.iter().position(|word| ["can't", "can’t", "cannot"].iter().any(|not| word.is(not)))?;
    let who = words[..at].last()?;
    (who.is("you") || who.is("we")).then(|| &words[at + 1..])
}
