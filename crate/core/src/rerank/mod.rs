//! Reranking: the first candidates again, read together with the query.
//!
//! Fusion compares terms and vectors that were made apart from each other. A cross-encoder reads the query and a
//! passage at once, which is slower by orders of magnitude and judges better; so it gets the first candidates only,
//! and only when it was asked for. The stage does not run it:
//!
//! ```text
//! search(request with `rerank`)                 -> response in fused order, with the passages to score
//! the caller scores them, as many as time allows   (`within_budget`, or a worker's own loop)
//! search(request with `rerank` and the scores)  -> response in its final order
//! ```
//!
//! What was not scored keeps its fused order behind what was: a search that runs out of time is never worse than
//! arbitrary. The second search repeats the first one's stages, some milliseconds beside seconds of scoring, and in
//! exchange nothing is kept between them: an index that is mounted or replaced meanwhile does no harm, since
//! passages are named by the file that they come from.

mod budget;
mod order;
mod passage;

pub use budget::{Budgeted, within_budget};
pub use order::Reranked;
pub(crate) use order::{explain, reorder};
pub use passage::Passage;
pub(crate) use passage::passages;

use serde::{Deserialize, Serialize};

/// Candidates for each hit that is asked for.
const FACTOR: usize = 10;
/// Most documents that give passages, whatever is asked for.
const MOST_CANDIDATES: usize = 100;

/// A search that is reranked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RerankRequest {
    /// Documents that give passages: 1 to 100. 0, the default, stands for ten times the request's `limit`. More
    /// find what fusion ranked low and take as much longer.
    pub candidates: usize,
    /// Passages of each document, its best chunks by fusion: 1 to 10, default 2. The best one counts.
    pub chunks_per_document: usize,
    /// What the passage's relevance counts in the final score: 0 (the fused order) to 1 (the relevance alone),
    /// default 0.3; the fused score counts the rest. A relevance is mostly near 0 or near 1, so a third of it is enough
    /// to move a document by many ranks, and where the model is sure of nothing the fused order stays.
    pub weight: f32,
    /// The passages' scores, in any order; passages may be missing. Without any, the response has the passages.
    pub scores: Vec<PassageScore>,
}

impl Default for RerankRequest {
    fn default() -> Self {
        Self { candidates: 0, chunks_per_document: 2, weight: 0.3, scores: Vec::new() }
    }
}

impl RerankRequest {
    /// Documents that give passages for a response of `limit` hits.
    fn depth(&self, limit: usize) -> usize {
        let wanted = if self.candidates == 0 { limit.saturating_mul(FACTOR) } else { self.candidates };
        wanted.clamp(1, MOST_CANDIDATES)
    }
}

/// How well a passage answers the query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PassageScore {
    /// The [`Passage::id`].
    pub id: String,
    /// 0 (not at all) to 1 (fully).
    pub relevance: f32,
}

/// Reads passages together with a query.
pub trait Reranker {
    /// The relevance of each passage, 0 to 1, in the order of the passages.
    ///
    /// # Errors
    /// When the model or the service behind it fails; never because of what a text contains.
    fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError>;
}

/// A reranker gave no scores.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RerankError {
    /// The model failed.
    #[error("reranking failed: {0}; check the weights with `querent model verify`")]
    Model(String),
    /// The service could not be asked.
    #[error("the rerank endpoint {url}: {reason}; check the address, the key and the network")]
    Endpoint {
        /// Its address.
        url: String,
        /// What happened.
        reason: String,
    },
    /// What came back are not the passages' scores.
    #[error("reranking: expected {expected}, got {got}; use a reranker that scores every passage once")]
    Reply {
        /// What scores have to be.
        expected: String,
        /// What they are.
        got: String,
    },
}
