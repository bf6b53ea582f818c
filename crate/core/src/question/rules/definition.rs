//! "A trait is a ...", "Cargo is the ...", "Slices are a ..." : what is it?

use super::{Context, add, without_introduction};
use crate::question::{
    Question, QuestionType,
    passage::{Word, range_of},
    subject::subject,
};

/// Words after "is" that make it a definition rather than a remark.
const DEFINING: &[&str] =
    &["a", "an", "the", "one", "rust's", "basically", "essentially", "simply", "another"];

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let words = without_introduction(sentence);
        let Some(at) = words.iter().take(8).position(is_copula) else { continue };
        if !words[..at].iter().all(|word| word.after.is_empty()) || !defines(&words[at..]) {
            continue;
        }
        if let Some(subject) = subject(context, &words[..at], false) {
            let is_topic = words[..at].iter().any(|word| context.is_topic(&word.lower()));
            let confidence = if is_topic { 0.92 } else { 0.86 };
            let question = format!("What {} {}?", subject.be(), subject.text);
            add(candidates, QuestionType::Factual, confidence, range_of(sentence), question);
        }
    }
}

fn is_copula(word: &Word) -> bool {
    ["is", "are", "means", "refers"].iter().any(|copula| word.is(copula))
}

/// Whether "is ..." goes on as a definition does, and not as "is the same" or "is a good idea" do.
fn defines(words: &[Word]) -> bool {
    let is = |at: usize, accepted: &[&str]| {
        words.get(at).is_some_and(|word| accepted.iter().any(|other| word.is(other)))
    };
    if is(0, &["refers"]) {
        return is(1, &["to"]);
    }
    if is(0, &["means"]) {
        return false;
    }
    let is_remark = is(
        2,
        &[
            "same", "good", "bad", "common", "great", "result", "case", "reason", "way", "bit", "little",
            "lot", "only", "most",
        ],
    ) && !is(2, &["way"]);
    words.len() > 4 && is(1, DEFINING) && !is_remark
}
