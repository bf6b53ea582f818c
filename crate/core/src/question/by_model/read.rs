//! From a reply to questions.

use super::{copied::is_copied, kind, vocabulary::Vocabulary};
use crate::{
    chunk::Chunk,
    document::Document,
    llm::{ListItem, parse_list},
    question::{
        Question, normalise_question,
        passage::{BlockKind, blocks, range_of},
        select::{best_of, is_well_formed, repeats},
    },
};
use std::ops::Range;

/// A reply that gave no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// It holds no list.
    #[error("expected a list of questions, found none")]
    NoList,
    /// Every item was dropped: no question, about something else, or copied from the prompt.
    #[error(
        "none of {items} items is a question about the text, {copied} are copied from the prompt's examples"
    )]
    NoQuestion {
        /// Items of the reply.
        items: usize,
        /// Of these, copied ones.
        copied: usize,
    },
}

/// Quality of a question none of whose words are in the text, and what it gains where all of them are.
const LEAST: f32 = 0.5;
const GROUNDED: f32 = 0.4;
/// What a question loses for each before it: models begin with what they are surest of.
const LATER: f32 = 0.01;

/// Words by which a question speaks of the text instead of its subject.
const ABOUT_THE_TEXT: &[&str] = &[
    "according to",
    "mentioned",
    "the text",
    "this text",
    "the passage",
    "the excerpt",
    "the snippet",
    "the provided",
    "the given",
    "the document ",
    "the document?",
    "the author",
    "described in",
    "the above",
];

/// Words that point at something outside the question.
const POINTING: &[&str] = &[
    "this",
    "these",
    "those",
    "it",
    "its",
    "they",
    "them",
    "their",
    "he",
    "she",
    "his",
    "her",
    "above",
    "below",
    "aforementioned",
    "former",
    "latter",
];

/// Up to `question_count` questions out of `reply`, which a model gave to
/// [`question_prompt`](super::question_prompt) for `chunk`; best first, at least one.
///
/// # Errors
/// When the reply holds no question about the chunk.
pub fn questions_from_reply(
    document: &Document,
    chunk: &Chunk,
    reply: &str,
    question_count: usize,
) -> Result<Vec<Question>, Unusable> {
    let items = parse_list(reply);
    if items.is_empty() {
        return Err(Unusable::NoList);
    }
    let vocabulary = Vocabulary::of_chunk(document, chunk);
    let mut copied = 0;
    let mut candidates = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let Some(text) = question_text(&item.text) else { continue };
        if is_copied(&text, &vocabulary) {
            copied += 1;
            continue;
        }
        candidates.extend(question(document, chunk, &vocabulary, text, item, position));
    }
    candidates
        .retain(|question: &Question| is_well_formed(question) && stands_alone(&question.question_text));
    let questions = best_of(candidates, question_count);
    if questions.is_empty() {
        return Err(Unusable::NoQuestion { items: items.len(), copied });
    }
    Ok(questions)
}

/// The question with what is to be known about it; `None` where it shares no word with the text.
fn question(
    document: &Document,
    chunk: &Chunk,
    vocabulary: &Vocabulary,
    question_text: String,
    item: &ListItem,
    position: usize,
) -> Option<Question> {
    let grounding = vocabulary.grounding(&question_text).filter(|&share| share > 0.0)?;
    let named = item.kind.as_deref().and_then(kind::type_of_name);
    Some(Question {
        question_type: named.unwrap_or_else(|| kind::type_of_form(&question_text)),
        confidence: LEAST + GROUNDED * grounding - LATER * position.min(10) as f32,
        source_mapping: source(document, chunk, vocabulary, &question_text),
        question_text,
    })
}

/// The sentence of the chunk with most of the question's words; the whole chunk where none has any.
fn source(document: &Document, chunk: &Chunk, vocabulary: &Vocabulary, question: &str) -> Range<usize> {
    let subjects = vocabulary.subjects(question);
    let blocks = blocks(document, chunk.range.clone());
    let mut ranges: Vec<Range<usize>> = blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Code)
        .map(|block| block.range.clone())
        .collect();
    ranges.extend(blocks.iter().flat_map(|block| block.sentences().into_iter().map(range_of)));
    ranges.sort_by_key(|range| range.start);
    let held = |range: &Range<usize>| {
        let stems = vocabulary.subjects(&document.text[range.clone()]);
        subjects.iter().filter(|(stem, _)| stems.iter().any(|(other, _)| other == stem)).count()
    };
    // `max_by_key` keeps the last of equal ones; the first sentence says what the others go on with.
    let best = ranges.into_iter().rev().map(|range| (held(&range), range)).max_by_key(|(count, _)| *count);
    best.filter(|(count, _)| *count > 0).map_or_else(|| chunk.range.clone(), |(_, range)| range)
}

/// Whether the question can be understood without the chunk. Rules, which take their words from the text, have to be
/// stricter about this.
fn stands_alone(text: &str) -> bool {
    let words: Vec<_> = text.trim_end_matches(['?', '？']).split_whitespace().collect();
    let points = words.iter().any(|word| POINTING.contains(&word.to_lowercase().trim_matches(',')));
    // Full-width: a language without spaces.
    (words.len() > 2 || text.ends_with('？'))
        && !points
        && !repeats(&words)
        && !compares_a_thing_with_itself(text)
}

/// "What is the difference between a worker and a worker?"
fn compares_a_thing_with_itself(text: &str) -> bool {
    let normal = normalise_question(text);
    let sides = normal.split_once("between ").and_then(|(_, sides)| sides.split_once(" and "));
    sides.is_some_and(|(one, other)| one == other)
}

/// An item in the form of a question by rules; `None` where it is no question that can stand alone.
fn question_text(item: &str) -> Option<String> {
    let item = item.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "");
    let lower = item.to_lowercase();
    if ABOUT_THE_TEXT.iter().any(|words| lower.contains(words)) {
        return None;
    }
    let text = as_readers_ask(&item);
    let mut text = match text.strip_suffix(['?', '？']) {
        Some(_) => text,
        None if begins_as_question(&lower) => format!("{}?", text.trim_end_matches(['.', '!', ':'])),
        None => return None,
    };
    // One question: what stands before it, a remark or another question, is not shown.
    if text.matches(['?', '？']).count() > 1 {
        return None;
    }
    let first = text.chars().next()?;
    if first.is_lowercase() {
        text = first.to_uppercase().chain(text.chars().skip(1)).collect();
    }
    Some(text)
}

fn begins_as_question(lower: &str) -> bool {
    let first = lower.split(' ').next().unwrap_or_default();
    ["what", "how", "why", "when", "where", "which", "who", "can", "does", "do", "is", "are", "should"]
        .contains(&first)
}

/// "How do you change your port?" and "How to change your port?" as a reader has it: "How do I change my port?"
fn as_readers_ask(question: &str) -> String {
    let question = match question.get(..7) {
        Some(start) if start.eq_ignore_ascii_case("how to ") => &format!("How do I {}", &question[7..]),
        _ => question,
    };
    let words: Vec<&str> = question.split(' ').collect();
    let plain = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at)).copied().unwrap_or_default();
        word.trim_end_matches(['?', ',', '.']).to_lowercase()
    };
    let mut said = Vec::with_capacity(words.len());
    for (at, &word) in words.iter().enumerate() {
        let end = &word[word.trim_end_matches(['?', ',', '.']).len()..];
        let (before, after) = (plain(at.checked_sub(1)), plain(Some(at + 1)));
        said.push(match plain(Some(at)).as_str() {
            "your" => format!("my{end}"),
            "are" if after == "you" => format!("am{end}"),
            "are" if before == "you" => format!("am{end}"),
            "you" if end.is_empty() && !takes_object(&before) => "I".into(),
            "you" => format!("me{end}"),
            "you're" => format!("I'm{end}"),
            _ => word.to_owned(),
        });
    }
    said.join(" ")
}

/// Whether "you" behind `word` is not who acts.
fn takes_object(word: &str) -> bool {
    const BEFORE: &[&str] = &[
        "for", "to", "with", "let", "lets", "allow", "allows", "help", "helps", "give", "gives", "tell",
        "tells",
    ];
    BEFORE.contains(&word)
}
