//! The measures of one ranking.
//!
//! `grades` are the grades of the ranked documents, best rank first; `ideal` the grades above 0 of all judged
//! documents, the highest first. Everything lies between 0 and 1, and is 0 where nothing is relevant or `k` is 0.

/// Normalised discounted cumulated gain of the first `k`: gain `2^grade - 1`, divided by `log2(rank + 1)`.
pub fn ndcg(grades: &[u32], ideal: &[u32], k: usize) -> f64 {
    ratio(dcg(grades, k), dcg(ideal, k))
}

fn dcg(grades: &[u32], k: usize) -> f64 {
    // Ranks start with 1, positions with 0: hence the 2.
    let gains = grades.iter().take(k).enumerate();
    gains.map(|(at, &grade)| (f64::from(grade).exp2() - 1.0) / (at as f64 + 2.0).log2()).sum()
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
