//! From a reply to the sentences that place a chunk.

use super::prompt::EXAMPLE_REPLY;
use crate::{
    chunk::Chunk,
    document::Document,
    llm::parse_field,
    question::{by_model::vocabulary::Vocabulary, material::line},
};
use std::collections::BTreeSet;

/// Least and most words of a context.
const WORDS: std::ops::RangeInclusive<usize> = 4..=60;
/// Most bytes: scripts without spaces have few words.
const MOST_BYTES: usize = 400;
/// Sentences that are kept.
const SENTENCES: usize = 2;
/// Share of a context's words that the document has to hold: what a model adds are words that readers use; a sentence of
/// nothing else is about something else.
const LEAST_GROUNDED: f32 = 0.4;
/// Words of the example that are not the document's: one may be chance, two are not. Small models put another subject into
/// the example.
const TELLTALE: usize = 2;

/// Words by which a model speaks of itself instead of the document.
const ABOUT_ITSELF: &[&str] =
    &["i am ", "i'm ", "i cannot", "i can't", "as an ai", "sorry", "json", "language model", "instructions"];

/// Words that are in the example only.
const OF_THE_EXAMPLE: &[&str] = &["tidewater", "tide"];

/// The sentences in `reply`, which a model gave to [`context_prompt`](super::context_prompt) for `chunk`; `None` where it
/// holds none that is about the document.
pub fn context_from_reply(document: &Document, chunk: &Chunk, reply: &str) -> Option<String> {
    let said = parse_field(reply, &["context", "text", "description", "summary"])?;
    let context = sentences(&line(&said.replace('`', "")));
    let lower = context.to_lowercase();
    let words = context.split_whitespace().count();
    let is_unspaced = context.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count() > words * 8;
    let is_sized = (WORDS.contains(&words) || is_unspaced) && context.len() <= MOST_BYTES;
    if !is_sized
        || context.contains(['{', '<', '?', '？'])
        || ABOUT_ITSELF.iter().any(|words| lower.contains(words))
    {
        return None;
    }
    let vocabulary = Vocabulary::of_document(document);
    let is_copied = OF_THE_EXAMPLE.iter().any(|word| lower.contains(word) && !vocabulary.holds(word))
        || copied_words(&vocabulary, &context) >= TELLTALE;
    let is_grounded = vocabulary.grounding(&context).is_some_and(|share| share >= LEAST_GROUNDED);
    let is_said_already = document.plain(chunk.range.clone()).replace('`', "").contains(&context);
    (is_grounded && !is_copied && !is_said_already).then_some(context)
}

/// How many of the example's words stand in `context` and not in the document.
fn copied_words(vocabulary: &Vocabulary, context: &str) -> usize {
    let of_example = vocabulary.subjects(EXAMPLE_REPLY);
    let foreign = vocabulary.subjects(context).into_iter().filter(|(_, word)| !vocabulary.holds(word));
    let copied: BTreeSet<String> = foreign
        .map(|(stem, _)| stem)
        .filter(|stem| of_example.iter().any(|(known, _)| known == stem))
        .collect();
    copied.len()
}

/// The first sentences.
fn sentences(text: &str) -> String {
    let is_end = |at: usize| {
        let (before, after) = text.split_at(at);
        before.ends_with(['。', '！']) || before.ends_with(['.', '!']) && after.starts_with(' ')
    };
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|&at| is_end(at));
    let end = ends.take(SENTENCES).nth(SENTENCES - 1).unwrap_or(text.len());
    text[..end].trim().to_owned()
}
