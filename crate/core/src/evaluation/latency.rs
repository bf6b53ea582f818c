use serde::Serialize;

/// What a number of measured times was at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Percentiles {
    /// Half of the times are at most this.
    pub p50: f64,
    /// 90 of 100 are at most this.
    pub p90: f64,
    /// 95 of 100 are at most this.
    pub p95: f64,
    /// 99 of 100 are at most this.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// The percentiles of `times`, in their unit, by the nearest-rank method: each is one of the times. `None`
/// without times. A time that is not a number sorts after all others.
pub fn percentiles(times: &[f64]) -> Option<Percentiles> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let max = *sorted.last()?;
    let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1];
    Some(Percentiles { p50: at(50), p90: at(90), p95: at(95), p99: at(99), max })
}
