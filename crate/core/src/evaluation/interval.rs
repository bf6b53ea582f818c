//! How far a mean over queries can be trusted: the percentile bootstrap.
//!
//! Efron, "Bootstrap methods: another look at the jackknife", The Annals of Statistics 1979; for means over queries
//! Sakai, "Evaluating evaluation metrics based on the bootstrap", SIGIR 2006. The queries of a set are one draw out
//! of all that readers could type. Drawing as many of them again, with replacement, shows how much the mean would
//! move with another draw. Says nothing about queries of another kind than the set's.

use crate::random::split_mix;
use serde::Serialize;

/// How often the queries are drawn again.
pub(super) const RESAMPLES: usize = 10_000;

/// What the draws start from: any number will do, as long as it stays the same.
pub(super) const SEED: u64 = 1;

/// Where 95 of 100 means of other draws of queries lie. In JSON an array of both ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Interval(
    /// The lower end.
    pub f64,
    /// The upper end.
    pub f64,
);

/// The intervals of the means of the columns of `rows`: a row per query, a column per measure, all rows of one
/// length. Every column sees the same draws. Empty without rows.
///
/// A draw's `n` queries are `floor(r * n / 2^32)` for the upper 32 bits `r` of the generator's next `n` numbers.
/// Costs `resamples` sums over all rows.
pub(super) fn bootstrap(rows: &[Vec<f64>], resamples: usize, seed: u64) -> Vec<Interval> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut means = vec![Vec::with_capacity(resamples); columns];
    let mut state = seed;
    for _ in 0..resamples {
        let mut sums = vec![0.0; columns];
        for _ in rows {
            let row = ((split_mix(&mut state) >> 32) * rows.len() as u64) >> 32;
            sums.iter_mut().zip(&rows[row as usize]).for_each(|(sum, value)| *sum += value);
        }
        means.iter_mut().zip(sums).for_each(|(means, sum)| means.push(sum / rows.len() as f64));
    }
    means.into_iter().map(middle).collect()
}

/// The interval that leaves 2.5 of 100 `means` out at either end.
fn middle(mut means: Vec<f64>) -> Interval {
    means.sort_unstable_by(f64::total_cmp);
    let outside = means.len() * 25 / 1000;
    match means.get(outside..means.len() - outside) {
        Some([low, .., high]) => Interval(*low, *high),
        Some([only]) => Interval(*only, *only),
        _ => Interval::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 and 1 in equal parts: the mean of n has the deviation 0.5 / sqrt(n), and 1.96 of them lie to either side.
    #[test]
    fn a_coin() {
        let rows: Vec<_> = (0..400).map(|at| vec![f64::from(at % 2), 0.25]).collect();
        let [Interval(low, high), same] = bootstrap(&rows, RESAMPLES, SEED)[..] else {
            panic!("expected two columns");
        };
        assert!((low - 0.451).abs() < 0.004 && (high - 0.549).abs() < 0.004, "{low} {high}");
        assert_eq!(same, Interval(0.25, 0.25));
        assert_eq!(bootstrap(&rows, 100, 7), bootstrap(&rows, 100, 7));
        assert_ne!(bootstrap(&rows, 100, 7), bootstrap(&rows, 100, 8));
    }

    #[test]
    fn few_rows() {
        assert_eq!(bootstrap(&[], RESAMPLES, SEED), []);
        assert_eq!(bootstrap(&[vec![0.5]], RESAMPLES, SEED), [Interval(0.5, 0.5)]);
        assert_eq!(bootstrap(&[vec![0.5]], 1, SEED), [Interval(0.5, 0.5)]);
        assert_eq!(bootstrap(&[vec![0.5]], 0, SEED), [Interval(0.0, 0.0)]);
        assert_eq!(bootstrap(&[vec![0.0], vec![1.0]], RESAMPLES, SEED), [Interval(0.0, 1.0)]);
    }
}
