//! What a cross-encoder reads of a chunk.

use super::RerankRequest;
use crate::{
    candidate::ChunkScore,
    fusion::Fused,
    query::SearchRequest,
    segment::{ChunkId, ChunkText, DocumentText, Missing, Segment},
};
use serde::{Deserialize, Serialize};

/// Most passages of one document.
const MOST_CHUNKS: usize = 10;
/// Documents that are read in several chunks before those behind them are read at all: two pages of results.
const BLOCK: usize = 20;

/// A text to score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passage {
    /// Names the chunk for as long as its index is mounted. Means nothing else.
    pub id: String,
    /// Title and headings on one line, then the chunk's text.
    pub text: String,
}

/// The passages of the first documents, those of the best document first: the order to score them in.
///
/// Of every [`BLOCK`] documents, all best chunks come before any second chunk: when time runs out, the first
/// documents had their turns, and the others keep their places behind them.
pub(crate) fn passages(
    request: &SearchRequest,
    fused: &[Fused],
    segments: &[&Segment],
) -> Result<Vec<Passage>, Missing> {
    let Some(rerank) = request.rerank.as_ref().filter(|rerank| rerank.scores.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut missing = Missing::default();
    let mut passages = Vec::new();
    let chunks = 0..rerank.chunks_per_document.clamp(1, MOST_CHUNKS);
    let candidates = &fused[..rerank.depth(request.limit).min(fused.len())];
    for block in candidates.chunks(BLOCK) {
        for (nth, found) in chunks.clone().flat_map(|nth| block.iter().map(move |found| (nth, found))) {
            let segment = segments[found.document.segment];
            let Some(ChunkScore { chunk, .. }) = found.chunks.get(nth) else { continue };
            let Some((document, text)) = segment.text(*chunk, &mut missing) else { continue };
            passages.push(Passage { id: passage_id(segment, *chunk), text: passage_text(document, text) });
        }
    }
    missing.or(passages)
}

/// The file that defines the chunk's segment, and the chunk.
pub(super) fn passage_id(segment: &Segment, chunk: ChunkId) -> String {
    format!("{}#{}", segment.entry().directory.name, chunk.0)
}

fn passage_text(document: &DocumentText, chunk: &ChunkText) -> String {
    let mut text = document.title.clone();
    for heading in &chunk.headings {
        text += " > ";
        text += heading;
    }
    text + "\n" + &chunk.text
}

impl RerankRequest {
    /// The same request with the scores that were found for its passages.
    #[must_use]
    pub fn with_scores(mut self, scores: Vec<super::PassageScore>) -> Self {
        self.scores = scores;
        self
    }
}
