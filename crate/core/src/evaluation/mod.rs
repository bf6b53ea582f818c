//! Judging a ranking: nDCG, recall, precision and reciprocal rank over judged queries.
//!
//! Takes [`Judgements`] (which documents are how relevant to a query) and a [`Run`] (what a search gave), gives an
//! [`Evaluation`]. All functions are pure. The measures are those of trec_eval and of `ir_measures`, where they are
//! called `nDCG(dcg='exp-log2')@10`, `R@10`, `R@100`, `P@5` and `RR@10`:
//!
//! - nDCG: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002, with the gain
//!   `2^grade - 1` of Burges et al., "Learning to rank using gradient descent", ICML 2005;
//! - recall, precision, reciprocal rank: Voorhees and Harman (eds.), "TREC: Experiment and Evaluation in
//!   Information Retrieval", 2005.
//!
//! A judged query that the run lacks counts 0. A query without any relevant document says nothing about a search:
//! it is left out of the means, and counted. Queries without judgements are ignored.

pub mod beir;
mod judgements;
mod latency;
pub mod measure;
mod run;
mod summary;

pub use judgements::Judgements;
pub use latency::{Percentiles, percentiles};
pub use run::Run;
pub use summary::{Evaluation, QueryScores, evaluate, evaluate_by, evaluate_queries};

#[cfg(test)]
mod tests;
