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
        composition(context, words, sentence, candidates);
        named(context, sentence, candidates);
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

/// "X consists of ...", "X is made up of ...", "X happens when ...".
fn composition(context: &Context, words: &[Word], sentence: &[Word], candidates: &mut Vec<Question>) {
    let is = |at: usize, texts: &[&str]| {
        texts
            .iter()
            .enumerate()
            .all(|(offset, text)| words.get(at + offset).is_some_and(|word| word.is(text)))
    };
    for at in 1..words.len().min(8) {
        let is_subject = || subject(context, &words[..at], false);
        let asked = if is(at, &["consists", "of"]) || is(at, &["consist", "of"]) {
            is_subject().map(|subject| format!("What {} {} consist of?", subject.does(), subject.text))
        } else if is(at + 1, &["made", "up", "of"]) || is(at + 1, &["composed", "of"]) {
            is_subject().map(|subject| format!("What {} {} made up of?", subject.be(), subject.text))
        } else if is(at + 1, &["when"]) && ["happens", "occurs"].iter().any(|verb| words[at].is(verb)) {
            let verb = words[at].lower();
            is_subject().map(|subject| format!("When does {} {}?", subject.text, verb.trim_end_matches('s')))
        } else {
            None
        };
        if let Some(question) = asked {
            add(candidates, QuestionType::Factual, 0.74, range_of(sentence), question);
        }
    }
}

/// "... is called X.", "... known as X.": a term that the sentence introduces.
fn named(context: &Context, sentence: &[Word], candidates: &mut Vec<Question>) {
    for at in 1..sentence.len().saturating_sub(1) {
        let is_naming = sentence[at].is("called") && !sentence[at - 1].is("be")
            || sentence[at].is("as") && sentence[at - 1].is("known");
        if !is_naming || !sentence[at].after.is_empty() {
            continue;
        }
        let rest = &sentence[at + 1..];
        let Some(end) = rest.iter().take(4).position(|word| !word.after.is_empty()) else { continue };
        let has_code = rest[..=end].iter().any(|word| word.is_code);
        if let Some(subject) = subject(context, &rest[..=end], false).filter(|_| !has_code) {
            let question = format!("What {} {}?", subject.be(), subject.text);
            add(candidates, QuestionType::Factual, 0.7, range_of(sentence), question);
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
