//! "the difference between X and Y", "Unlike X, Y ...", "use X instead of Y", "X depends on Y".

use super::{Context, add, without_introduction};
use crate::question::{
    Question, QuestionType,
    grammar::base_of_third_person,
    passage::{Word, range_of},
    subject::{Subject, subject},
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let question = difference(context, sentence)
            .or_else(|| unlike(context, sentence))
            .or_else(|| instead(context, sentence))
            .or_else(|| relation(context, sentence));
        if let Some((question, confidence)) = question {
            add(candidates, QuestionType::Relationship, confidence, range_of(sentence), question);
        }
    }
}

/// "What is the difference between X and Y?"
pub(super) fn difference_question(one: &Subject, other: &Subject) -> String {
    format!("What is the difference between {} and {}?", one.text, other.text)
}

fn find(words: &[Word], texts: &[&str]) -> Option<usize> {
    words.windows(texts.len()).position(|window| window.iter().zip(texts).all(|(word, text)| word.is(text)))
}

/// The longest subject that starts at `words[0]` and ends where its clause does.
fn subject_at<'a>(context: &Context, words: &'a [Word]) -> Option<(Subject, &'a [Word])> {
    // The first word is no verb, though it may look like one: "processes", "types".
    let end = words.iter().enumerate().find_map(|(at, word)| match word {
        word if at > 0 && is_clause_verb(word) => Some(at),
        word => (!word.after.is_empty()).then_some(at + 1),
    });
    let end = end.unwrap_or(words.len());
    subject(context, &words[..end], false).map(|subject| (subject, &words[end..]))
}

fn is_clause_verb(word: &Word) -> bool {
    let lower = word.lower();
    let auxiliaries =
        ["is", "are", "can", "has", "have", "does", "do", "will", "must", "should", "may", "was"];
    !word.is_code && (auxiliaries.contains(&lower.as_str()) || base_of_third_person(&lower).is_some())
}

fn difference(context: &Context, words: &[Word]) -> Option<(String, f32)> {
    let at = find(words, &["difference", "between"]).or_else(|| find(words, &["differences", "between"]))?;
    let rest = &words[at + 2..];
    let and = rest.iter().position(|word| word.is("and"))?;
    let (other, _) = subject_at(context, &rest[and + 1..])?;
    let one = subject(context, &rest[..and], false)?;
    Some((difference_question(&one, &other), 0.8))
}

fn unlike(context: &Context, words: &[Word]) -> Option<(String, f32)> {
    if !words.first()?.is("unlike") {
        return None;
    }
    let comma = words.iter().position(|word| word.after.starts_with(','))?;
    let other = subject(context, &words[1..=comma], false)?;
    let (one, rest) = subject_at(context, &words[comma + 1..])?;
    (!rest.is_empty())
        .then(|| (format!("How {} {} different from {}?", one.be(), one.text, other.text), 0.72))
}

fn instead(context: &Context, words: &[Word]) -> Option<(String, f32)> {
    let verb = words.iter().position(|word| word.is("use") || word.is("using"))?;
    let at = verb + find(&words[verb..], &["instead", "of"])?;
    let one = subject(context, &words[verb + 1..at], false)?;
    let (other, _) = subject_at(context, &words[at + 2..])?;
    Some((format!("When should I use {} instead of {}?", one.text, other.text), 0.64))
}

/// Verbs that relate two things, with the preposition after them.
const RELATIONS: &[(&str, &str)] = &[
    ("depends", "on"),
    ("depend", "on"),
    ("differs", "from"),
    ("differ", "from"),
    ("relates", "to"),
    ("relate", "to"),
];

fn relation(context: &Context, words: &[Word]) -> Option<(String, f32)> {
    let words = without_introduction(words);
    let (at, (verb, preposition)) =
        RELATIONS.iter().find_map(|pair| find(words, &[pair.0, pair.1]).map(|at| (at, pair)))?;
    let one = subject(context, &words[..at], false)?;
    let (other, _) = subject_at(context, &words[at + 2..])?;
    let base = verb.trim_end_matches('s');
    let does = one.does();
    Some((format!("How {does} {} {base} {preposition} {}?", one.text, other.text), 0.66))
}
