//! What the chunk's own terms have to do with its topic, for chunks that say little in a form that the other
//! rules know: narration, and sentences that lean on each other.
//!
//! The topic is the nearest heading that names a thing or a task; the terms are code and noun phrases of the
//! chunk. Such a question is weaker than one made from a statement, so it is asked only to fill up.

use super::{Context, add, generic, heading::without_number, identifier::is_name};
use crate::question::{
    Question,
    QuestionType::{Purpose, Relationship},
    casing::is_identifier,
    grammar::{base_of_gerund, base_of_third_person, is_allowed_in_subject, is_article, is_plural, is_verb},
    passage::{Word, range_of, words_of},
    phrase::action_of_gerund,
    subject::subject,
};
use std::{cmp::Reverse, collections::BTreeMap, ops::Range};

/// What a heading is about.
enum Topic {
    /// "recursive types"
    Thing(String),
    /// "adding metadata to a new crate"
    Doing(String),
}

/// A term of the chunk.
struct Term {
    text: String,
    is_plural: bool,
    is_code: bool,
    count: usize,
    range: Range<usize>,
}

/// Words of a chunk below which it is not filled up: it may well answer nothing more.
const MIN_WORDS: usize = 25;

/// Times that a term has to stand in the chunk: what is named once may stand there for any reason.
const MIN_COUNT: usize = 2;

pub(in crate::question) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    if context.sentences().map(<[Word]>::len).sum::<usize>() < MIN_WORDS {
        return;
    }
    let Some(topic) = topic(context) else { return };
    let about = match &topic {
        Topic::Thing(text) | Topic::Doing(text) => text,
    };
    let terms = terms(context, about);
    let mut terms = terms.iter().filter(|term| term.count >= MIN_COUNT);
    if let Some(term) = terms.next() {
        let does = if term.is_plural { "do" } else { "does" };
        let question = format!("What role {does} {} play in {about}?", term.text);
        add(candidates, Purpose, 0.44, term.range.clone(), question);
    }
    if let (Some(term), Topic::Thing(_)) = (terms.next(), &topic) {
        let does = if term.is_plural { "do" } else { "does" };
        let question = format!("How {does} {} relate to {about}?", term.text);
        add(candidates, Relationship, 0.42, term.range.clone(), question);
    }
}

/// The nearest heading that names a thing or a task.
fn topic(context: &Context) -> Option<Topic> {
    let own = std::iter::once(context.section.heading.as_str());
    own.chain(context.parents()).find_map(|heading| {
        let heading = without_number(heading);
        let words = words_of(heading);
        if heading.ends_with(['?', '!']) || generic::is_generic(heading) || words.len() > 8 {
            return None;
        }
        let first = words.first()?;
        let has_list = words.iter().any(|word| word.is("and") || word.is("or") || !word.after.is_empty());
        if words.len() > 1 && base_of_gerund(&first.lower()).is_some() {
            let phrase = action_of_gerund(context, &words).filter(|_| !has_list)?;
            let (_, object) = phrase.split_once(' ')?;
            return Some(Topic::Doing(format!("{} {object}", first.lower())));
        }
        let is_single_plain = words.len() == 1 && !is_identifier(first);
        subject(context, &words, true)
            .filter(|subject| subject.is_plural || !is_single_plain || context.casing.is_name(&first.text))
            .filter(|_| !has_list)
            .map(|subject| Topic::Thing(subject.text))
    })
}

/// The chunk's terms that are not in the topic's name, those that it comes back to first.
fn terms(context: &Context, about: &str) -> Vec<Term> {
    let about = about.to_lowercase();
    let mut terms: BTreeMap<String, Term> = BTreeMap::new();
    for sentence in context.sentences() {
        let mut at = 0;
        while at < sentence.len() {
            let length = term_length(sentence, at);
            let words = &sentence[at..at + length.max(1)];
            at += length.max(1);
            if length == 0 {
                continue;
            }
            let Some(subject) = subject(context, words, false) else { continue };
            let last = words[words.len() - 1].lower();
            if about.contains(last.to_lowercase().trim_end_matches('s')) {
                continue;
            }
            let term = terms.entry(subject.text.to_lowercase()).or_insert_with(|| Term {
                text: subject.text.clone(),
                is_plural: subject.is_plural,
                is_code: words.iter().any(|word| word.is_code),
                count: 0,
                range: range_of(words),
            });
            term.count += 1;
        }
    }
    let mut terms: Vec<_> = terms.into_values().collect();
    terms.sort_by_key(|term| (Reverse(term.count), !term.is_code, term.range.start));
    terms
}

/// Number of words of the term that starts at `at`; 0 where none does.
fn term_length(sentence: &[Word], at: usize) -> usize {
    let word = &sentence[at];
    let has_article = is_article(&word.lower()) && !word.is_code;
    if !has_article {
        let follows_article = at > 0 && is_article(&sentence[at - 1].lower());
        return usize::from(word.is_code && is_name(word) && word.before.is_empty() && !follows_article);
    }
    let nouns = &sentence[at + 1..sentence.len().min(at + 5)];
    let mut length = 0;
    for (index, noun) in nouns.iter().enumerate() {
        if !is_content(noun) {
            break;
        }
        length = index + 1;
        if !noun.after.is_empty() {
            break;
        }
    }
    let (Some(last), true) = (length.checked_sub(1).map(|last| &nouns[last]), length <= 3) else { return 0 };
    let next = sentence.get(at + 1 + length);
    let is_bounded = !last.after.is_empty() || next.is_none_or(is_boundary);
    let lower = last.lower();
    let is_noun = last.is_code
        || !lower.ends_with("ing") && !lower.ends_with("ed") && (is_plural(&lower) || !is_verb(&lower));
    let is_clear = length > 1 || last.is_code && is_name(last);
    if is_bounded && is_noun && is_clear { length + 1 } else { 0 }
}

fn is_content(word: &Word) -> bool {
    let lower = word.lower();
    let is_code_name = word.is_code && is_name(word);
    let is_small = [
        "of",
        "in",
        "for",
        "with",
        "on",
        "to",
        "and",
        "or",
        "at",
        "new",
        "old",
        "different",
        "entire",
        "whole",
        "current",
        "given",
        "final",
        "actual",
        "specific",
        "valid",
        "invalid",
        "default",
        "single",
        "primary",
        "original",
        "additional",
        "particular",
        "possible",
        "inside",
        "exists",
        "problem",
    ]
    .contains(&lower.as_str());
    word.before.is_empty()
        && (is_code_name
            || !word.is_code
                && lower.len() > 2
                && lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
                && is_allowed_in_subject(&lower)
                && !is_small
                && !is_article(&lower)
                && !lower.ends_with("ly"))
}

/// Words that no noun phrase holds, so that it has ended before them.
fn is_boundary(word: &Word) -> bool {
    let lower = word.lower();
    !word.is_code
        && (!is_allowed_in_subject(&lower)
            || ["of", "in", "for", "with", "on", "to", "and", "or", "at", "a", "an", "the"]
                .contains(&lower.as_str())
            || base_of_third_person(&lower).is_some() && !is_plural(&lower))
}
