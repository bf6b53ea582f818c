//! Candidates: what one list, lexical or semantic, proposes.
//!
//! Both lists have the same form, documents with their matching chunks, so that fusion does not ask where a
//! list came from. [`lexical`] finds them by terms, [`semantic`] by vectors, [`phrase`] those that a quoted phrase leaves; each says which files it needs
//! before it can answer.

mod by_document;
pub mod lexical;
pub mod phrase;
pub mod semantic;

pub(crate) use by_document::ByDocument;

use crate::{
    order::sort_by,
    segment::{ChunkId, DocumentRef},
};

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
pub(crate) fn sort_candidates(candidates: &mut Vec<DocumentScore>) {
    sort_by(candidates, |a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
}

/// Orders by score, best first; equal scores by position.
pub(crate) fn sort_chunks(chunks: &mut Vec<ChunkScore>) {
    sort_by(chunks, |a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
}

/// Adds a score to the chunk's in the list. A document has few matching chunks, so the list is searched.
pub(crate) fn add_score(chunks: &mut Vec<ChunkScore>, found: ChunkScore) {
    match chunks.iter_mut().find(|known| known.chunk == found.chunk) {
        Some(known) => known.score += found.score,
        None => chunks.push(found),
    }
}
