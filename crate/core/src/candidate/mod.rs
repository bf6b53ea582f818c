//! Candidates: what one list, lexical or semantic, proposes.
//!
//! Both lists have the same form, documents with their matching chunks, so that fusion does not ask where a
//! list came from. [`lexical`] finds them by terms, [`semantic`] by vectors; each says which files it needs
//! before it can answer.

pub mod lexical;
pub mod semantic;

use crate::segment::{ChunkId, DocumentRef};

/// A document that a list proposes, with its chunks that matched.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentScore {
    /// The document.
    pub document: DocumentRef,
    /// The document's score; comparable within its list only.
    pub score: f32,
    /// Its chunks that matched, best first.
    pub chunks: Vec<ChunkScore>,
}

/// A chunk that matched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChunkScore {
    /// The chunk.
    pub chunk: ChunkId,
    /// The chunk's score; comparable within its list only.
    pub score: f32,
}

/// Orders by score, best first; equal scores by position.
pub(crate) fn sort_candidates(candidates: &mut [DocumentScore]) {
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
}

/// Orders by score, best first; equal scores by position.
pub(crate) fn sort_chunks(chunks: &mut [ChunkScore]) {
    chunks.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
}
