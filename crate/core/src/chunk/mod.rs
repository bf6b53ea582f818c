//! Chunks: what is embedded, scored and shown.
//!
//! Takes a [`Document`] and gives its text cut into chunks, each inside one section and within a limit counted
//! in the embedding model's own tokens. Promises:
//!
//! - a section with content (a span that is not a break) has chunks whose ranges, in order, cover the section's
//!   range without gap or overlap; a section without content has none;
//! - [`embedding_text`] of a chunk has no more tokens than [`ChunkSettings::max_tokens`], unless a single
//!   character has more;
//! - no cut lies inside a character.
//!
//! What neighbouring chunks share when overlap is asked for is kept apart, in [`Chunk::overlap`].
//!
//! The steps are files: `boundary` finds where a range may be cut, `merge` fills chunks with the pieces,
//! `context` shortens the heading path, `overlap` reaches back, `splitter` drives them for one section.

mod boundary;
mod context;
mod merge;
mod overlap;
mod splitter;
#[cfg(test)]
pub(crate) mod tests;

use crate::{
    document::{Document, SectionId, SpanKind},
    embedding::TokenCounter,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A piece of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The section that holds it.
    pub section: SectionId,
    /// Bytes of `Document::text`; never shared with another chunk.
    pub range: Range<usize>,
    /// Bytes before `range` that are embedded with the chunk because the chunk before ended there.
    pub overlap: usize,
    /// Bytes that the title and headings may take in [`embedding_text`]; they are shortened to fit.
    pub context: u32,
    /// Tokens of [`embedding_text`], as the counter counted them, special tokens not included.
    pub tokens: u32,
}

/// How to split. See the fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChunkSettings {
    /// Limit in tokens of a chunk with its context (title, headings) and overlap: 32 to the model's limit less
    /// its two special tokens, default 254. Small chunks point at the exact paragraph but lose what stands
    /// around it; large ones blur several subjects into one vector.
    pub max_tokens: u32,
    /// Tokens of the chunk before that are embedded again: 0 to `max_tokens / 2`, default 0. Overlap helps where
    /// sentences refer back, and costs as many tokens in every embedding.
    pub overlap_tokens: u32,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self { max_tokens: 254, overlap_tokens: 0 }
    }
}

/// Splits `document` into chunks in document order.
///
/// Cost: each stretch of text is counted about three times (as a section, as a piece, as a chunk), more often
/// only where a paragraph, then a sentence, then a word is larger than the limit. Settings outside their ranges
/// are moved into them, except that limits down to 4 are taken as they are.
pub fn split(document: &Document, counter: &dyn TokenCounter, settings: &ChunkSettings) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for section in document.sections.ids() {
        if has_content(document, section) {
            splitter::Splitter::new(document, counter, settings, section).run(&mut chunks);
        }
    }
    chunks
}

/// What is embedded for `chunk`: its heading path, `said` of its place in the document (see [`crate::enrichment`]; may be
/// empty), then its overlap and its plain text.
///
/// The heading path is the document's title and the headings down to the chunk's section, one a line, without
/// the section's own heading where the chunk's text begins with it.
pub fn embedding_text(document: &Document, chunk: &Chunk, said: &str) -> String {
    let mut path = document.heading_path(chunk.section);
    if begins_with_heading(document, chunk) {
        path.pop();
    }
    let mut text = context::shorten(&path, chunk.context as usize);
    if !said.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "\n" });
        text.push_str(said);
    }
    let start = chunk.range.start.saturating_sub(chunk.overlap);
    let plain = document.plain(start..chunk.range.end);
    let plain = plain.trim();
    if !text.is_empty() && !plain.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(plain);
    text
}

/// Whether the chunk's first words are its section's heading. Its spans do not always say so: a heading may
/// begin with code.
fn begins_with_heading(document: &Document, chunk: &Chunk) -> bool {
    let section = &document.sections[chunk.section];
    let mut spans = document.spans_in(chunk.range.clone()).filter(|(_, span)| span.kind != SpanKind::Break);
    chunk.range.start == section.range.start
        && (spans.next().is_some_and(|(_, span)| span.kind == SpanKind::Heading)
            || !section.heading.is_empty()
                && document.plain(chunk.range.clone()).trim_start().starts_with(&section.heading))
}

/// Whether anything is to be read in the section.
fn has_content(document: &Document, section: SectionId) -> bool {
    let range = document.sections[section].range.clone();
    document.spans_in(range).any(|(range, span)| span.kind != SpanKind::Break && !range.is_empty())
}
