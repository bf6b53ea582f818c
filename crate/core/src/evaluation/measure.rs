//! The measures of one ranking, and their names.
//!
//! `grades` are the grades of the ranked documents, best rank first; `ideal` the grades above 0 of all judged
//! documents, the highest first. Everything lies between 0 and 1, and is 0 where nothing is relevant or `k` is 0.

use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};

/// A measure and how many of the first documents it looks at, from 1.
///
/// Its name, which [`FromStr`] reads and `Display` writes, is the measure, `@` and the number: `ndcg@10`,
/// `ndcg-linear@10`, `recall@100`, `precision@5`, `mrr@10`; `mrr` alone looks at the whole ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// See [`ndcg`].
    Ndcg(Gain, usize),
    /// See [`recall`].
    Recall(usize),
    /// See [`precision`].
    Precision(usize),
    /// See [`reciprocal_rank`]; its mean is called MRR.
    ReciprocalRank(Option<usize>),
}

/// What a document of a grade is worth to [`ndcg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gain {
    /// `2^grade - 1`: an answer is worth far more than a hint.
    Exponential,
    /// The grade.
    Linear,
}

/// A name is none of a measure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown measure {name:?}; expected ndcg@K, ndcg-linear@K, recall@K, precision@K or mrr@K with K from 1, or mrr"
)]
pub struct UnknownMeasure {
    /// What was found.
    pub name: String,
}

impl Measure {
    /// What is measured unless something else is asked for.
    pub const USUAL: [Self; 8] = [
        Self::Ndcg(Gain::Exponential, 10),
        Self::Ndcg(Gain::Linear, 10),
        Self::Recall(10),
        Self::Recall(100),
        Self::Precision(5),
        Self::Precision(10),
        Self::ReciprocalRank(Some(10)),
        Self::ReciprocalRank(None),
    ];

    /// This measure of a ranking.
    pub fn of(self, grades: &[u32], ideal: &[u32]) -> f64 {
        match self {
            Self::Ndcg(gain, k) => ndcg(grades, ideal, k, gain),
            Self::Recall(k) => recall(grades, ideal, k),
            Self::Precision(k) => precision(grades, k),
            Self::ReciprocalRank(k) => reciprocal_rank(grades, k.unwrap_or(grades.len())),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Ndcg(Gain::Exponential, k) => format!("ndcg@{k}"),
            Self::Ndcg(Gain::Linear, k) => format!("ndcg-linear@{k}"),
            Self::Recall(k) => format!("recall@{k}"),
            Self::Precision(k) => format!("precision@{k}"),
            Self::ReciprocalRank(Some(k)) => format!("mrr@{k}"),
            Self::ReciprocalRank(None) => "mrr".to_owned(),
        };
        f.pad(&name)
    }
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Self, UnknownMeasure> {
        let unknown = || UnknownMeasure { name: name.to_owned() };
        let Some((measure, k)) = name.split_once('@') else {
            return if name == "mrr" { Ok(Self::ReciprocalRank(None)) } else { Err(unknown()) };
        };
        let k = k.parse().ok().filter(|&k| k > 0).ok_or_else(unknown)?;
        match measure {
            "ndcg" => Ok(Self::Ndcg(Gain::Exponential, k)),
            "ndcg-linear" => Ok(Self::Ndcg(Gain::Linear, k)),
            "recall" => Ok(Self::Recall(k)),
            "precision" => Ok(Self::Precision(k)),
            "mrr" => Ok(Self::ReciprocalRank(Some(k))),
            _ => Err(unknown()),
        }
    }
}

impl Serialize for Measure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Gain {
    fn of(self, grade: u32) -> f64 {
        match self {
            Self::Exponential => f64::from(grade).exp2() - 1.0,
            Self::Linear => f64::from(grade),
        }
    }
}

/// Normalised discounted cumulated gain of the first `k`: the gain of each, divided by `log2(rank + 1)`.
pub fn ndcg(grades: &[u32], ideal: &[u32], k: usize, gain: Gain) -> f64 {
    ratio(dcg(grades, k, gain), dcg(ideal, k, gain))
}

fn dcg(grades: &[u32], k: usize, gain: Gain) -> f64 {
    // Ranks start with 1, positions with 0: hence the 2.
    let gains = grades.iter().take(k).enumerate();
    gains.map(|(at, &grade)| gain.of(grade) / (at as f64 + 2.0).log2()).sum()
}

/// The part of all relevant documents that is among the first `k`.
pub fn recall(grades: &[u32], ideal: &[u32], k: usize) -> f64 {
    ratio(relevant(grades, k) as f64, ideal.len() as f64)
}

/// The part of the first `k` places that relevant documents have. A ranking shorter than `k` has empty places.
pub fn precision(grades: &[u32], k: usize) -> f64 {
    ratio(relevant(grades, k) as f64, k as f64)
}

/// One over the rank of the first relevant document among the first `k`.
pub fn reciprocal_rank(grades: &[u32], k: usize) -> f64 {
    let first = grades.iter().take(k).position(|&grade| grade > 0);
    first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
}

fn relevant(grades: &[u32], k: usize) -> usize {
    grades.iter().take(k).filter(|&&grade| grade > 0).count()
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
