//! Diversify: a first page that does not say the same thing twice.
//!
//! Takes the fused (or reranked) list and gives it in another order (`reorder`, maximum marginal relevance, where the
//! request asks for it), and folds documents that would show the same text as a better one under that one
//! (`collapse`, always, unless the request forbids it). Several chunks of one document never compete: a document is
//! one hit, its further sections stand below it.

mod duplicates;
mod mmr;

pub(crate) use duplicates::{Shown, collapse};
pub use mmr::{Diversified, DiversifyRequest};
pub(crate) use mmr::{explain, reorder};
