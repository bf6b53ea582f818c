//! Judging a ranking: nDCG, recall, precision and reciprocal rank over judged queries, with confidence intervals.
//!
//! Takes [`Judgements`] (which documents are how relevant to a query) and a [`Run`] (what a search gave), gives an
//! [`Evaluation`] of the [`Measure`]s asked for. All functions are pure. The measures are those of trec_eval and of
//! `ir_measures`, where `ndcg@10`, `ndcg-linear@10`, `recall@10`, `precision@5`, `mrr@10` and `mrr` are called
//! `nDCG(dcg='exp-log2')@10`, `nDCG@10`, `R@10`, `P@5`, `RR@10` and `RR`; tests/judge compares the two:
//!
//! - nDCG: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002, with the grade as
//!   gain or with the gain `2^grade - 1` of Burges et al., "Learning to rank using gradient descent", ICML 2005;
//! - recall, precision, reciprocal rank: Voorhees and Harman (eds.), "TREC: Experiment and Evaluation in
//!   Information Retrieval", 2005.
//!
//! A judged query that the run lacks counts 0. A query without any relevant document says nothing about a search:
//! it is left out of the means, and counted. Queries without judgements are ignored.

pub mod beir;
mod interval;
mod judgements;
mod latency;
pub mod measure;
mod run;
mod summary;

pub use interval::Interval;
pub use judgements::Judgements;
pub use latency::{Percentiles, percentiles};
pub use measure::{Gain, Measure, UnknownMeasure};
pub use run::Run;
pub use summary::{Evaluation, QueryScores, evaluate, evaluate_by, evaluate_queries};

#[cfg(test)]
mod tests;
