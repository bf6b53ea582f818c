//! The query transformer: other ways of asking for the same.
//!
//! ```text
//! query, analysis -> transform_query (rules)                                  -> variations
//! query, analysis -> transform_prompt -> a model -> variations_from_reply     -> variations
//! variations -> one search each -> fuse_variations                            -> hits
//! ```
//!
//! The query as it was typed is always the first variation, and it leads: the others may move a document up or down
//! among its neighbours, and add what the query did not find, but they cannot put a document before one that the query
//! itself finds much better ([`VARIATION_SHARE`]). So a model that is silly costs little, and one that is slow costs its
//! time limit.
//!
//! Not a part of [`crate::engine::Engine::search`]: a variation is a search of its own, and whoever wants some runs them.

mod by_model;
mod fuse;
#[cfg(test)]
mod tests;

pub use by_model::{TRANSFORM_PROMPT_VERSION, transform_prompt, transform_schema, variations_from_reply};
pub use fuse::{VARIATION_SHARE, Varied, fuse_variations};

use super::QueryAnalysis;

/// Variations of a query by default, the query itself included.
pub const MAX_VARIATIONS: usize = 3;

/// Up to `max_variations` ways to ask for `query`, in order of priority, the query itself first (so at least one): what
/// its analysis says that a search for a subject may stand for. A question stands for itself.
///
/// ```
/// use querent_core::query::{QueryAnalysis, transform::transform_query};
///
/// let variations = transform_query("trait objects", &QueryAnalysis::new("trait objects"), 3);
/// assert_eq!(variations, ["trait objects", "What is trait objects?", "How do I use trait objects?"]);
/// ```
pub fn transform_query(query: &str, analysis: &QueryAnalysis, max_variations: usize) -> Vec<String> {
    let others = analysis.questions.iter().take(max_variations.saturating_sub(1)).cloned();
    std::iter::once(query.to_owned()).chain(others).collect()
}
