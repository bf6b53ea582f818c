//! Chunks: what is embedded, scored and shown.
//!
//! Takes a [`Document`] and gives its text cut into chunks, each inside one section and within a limit counted
//! in the embedding model's own tokens. Promises that nothing is lost: the ranges of a section's chunks, in
//! order, cover the section without gap or overlap. What neighbouring chunks share when overlap is asked for is
//! kept apart, in [`Chunk::overlap`].

use crate::{
    document::{Document, SectionId},
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
pub fn split(document: &Document, counter: &dyn TokenCounter, settings: &ChunkSettings) -> Vec<Chunk> {
    let _ = (document, counter, settings);
    Vec::new()
}

/// What is embedded for `chunk`: its heading path, then its overlap and its plain text.
pub fn embedding_text(document: &Document, chunk: &Chunk) -> String {
    let _ = (document, chunk);
    String::new()
}
