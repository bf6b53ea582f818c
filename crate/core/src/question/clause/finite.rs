//! The finite verb of a clause, and what stands behind it.

use crate::question::{
    grammar::{Table, base_of_statement, is_only_a_verb, is_plural, is_statement_verb, is_verb, table},
    passage::Word,
};
use std::sync::LazyLock;

/// The finite verb of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::question) enum Finite {
    /// "is", "are", "was" or "were".
    Be(&'static str),
    /// A verb that stands before the subject in questions: "can", "should".
    Modal(&'static str),
    /// "has to", "must".
    HaveTo(&'static str),
    /// Any other verb: "does" or "do", and the base form.
    Do(&'static str, String),
}

/// Words beside the verb that the question does without.
static ADVERBS: Table = LazyLock::new(|| {
    table(
        "also always usually typically generally often currently automatically then still never only therefore \
     normally simply implicitly thus already sometimes",
    )
});

/// Words that begin neither an object nor a place, so that the word before them is no verb.
static NO_OBJECT: Table = LazyLock::new(|| {
    table(
        "is are was were can could will would must should may might has have does do cannot and or but that which \
     of then than it them they this these those itself themselves if when because so",
    )
});

pub(super) fn is_adverb(word: &Word) -> bool {
    !word.is_code && word.after.is_empty() && ADVERBS.contains(word.lower().as_str())
}

/// The finite verb at `words[0]`, whether it is negated, and the words that it takes.
pub(super) fn finite(words: &[Word]) -> Option<(Finite, bool, usize)> {
    let first = words.first().filter(|word| {
        let ends = words.len() == 1 || word.after.is_empty();
        !word.is_code && ends && !word.text.starts_with(char::is_uppercase)
    })?;
    let next = match words.get(1) {
        Some(next) => next,
        None => return intransitive(first),
    };
    let not = usize::from(next.is("not"));
    let lower = first.lower().replace('’', "'");
    let (verb, is_negative) = match lower.strip_suffix("n't") {
        Some("ca") => ("can", true),
        Some("wo") => ("will", true),
        Some(verb) => (verb, true),
        None if lower == "cannot" => ("can", true),
        None => (lower.as_str(), not == 1),
    };
    let used = 1 + not;
    let simple = match verb {
        "is" => Some(Finite::Be("is")),
        "are" => Some(Finite::Be("are")),
        "was" => Some(Finite::Be("was")),
        "were" => Some(Finite::Be("were")),
        "can" | "may" => Some(Finite::Modal("can")),
        "should" => Some(Finite::Modal("should")),
        "will" => Some(Finite::Modal("will")),
        "must" if is_negative => Some(Finite::Modal("can")),
        _ => None,
    };
    if let Some(finite) = simple {
        return Some((finite, is_negative, used));
    }
    match verb {
        "must" => Some((Finite::HaveTo("do"), false, 1)).filter(|_| words.len() > 1),
        "has" if next.is("to") => Some((Finite::HaveTo("does"), false, 2)),
        "have" | "need" if next.is("to") => Some((Finite::HaveTo("do"), false, 2)),
        "does" | "do" if is_negative => {
            let base = words.get(used).filter(|word| !word.is_code && is_base(word))?;
            let does = if verb == "do" { "do" } else { "does" };
            Some((Finite::Do(does, base.lower()), true, used + 1))
        }
        "has" => plain_verb("does", "have".into(), next),
        "have" => plain_verb("do", "have".into(), next),
        _ => match base_of_statement(verb) {
            Some(base) => plain_verb("does", base, next),
            None if is_statement_verb(verb) => plain_verb("do", verb.into(), next),
            None => None,
        },
    }
}

/// A verb with nothing after it: "a build script fails".
fn intransitive(word: &Word) -> Option<(Finite, bool, usize)> {
    let base = base_of_statement(&word.lower())?;
    Some((Finite::Do("does", base), false, 1))
}

fn is_base(word: &Word) -> bool {
    let lower = word.lower();
    is_statement_verb(&lower) || lower == "have"
}

/// A verb with what it is about after it.
fn plain_verb(does: &'static str, base: String, next: &Word) -> Option<(Finite, bool, usize)> {
    let lower = next.lower();
    let is_participle = base == "have" && (lower.ends_with("ed") || lower == "been");
    // "The specifics of TLS support depend on ...": with a second verb after it the first was a noun.
    let is_second_verb = is_only_a_verb(&lower) || does == "do" && is_verb(&lower);
    let may_follow = next.is_code || is_plural(&lower) || !is_second_verb;
    let is_auxiliary = lower.ends_with("n't") || lower.ends_with("n’t");
    let is_object =
        next.before.is_empty() && (next.is_code || !NO_OBJECT.contains(lower.as_str()) || lower == "that");
    (is_object && !is_auxiliary && may_follow && !is_participle).then_some((Finite::Do(does, base), false, 1))
}
