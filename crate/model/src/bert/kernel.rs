//! Arithmetic on one row of numbers.
//!
//! Written so that the compiler turns it into SIMD instructions on every target: no branches, no calls into the
//! mathematical library, sums in [`LANES`] independent parts. The tests compare with f64.

use crate::ModelError;

/// Independent partial sums: a register of AVX, two of SSE2 or simd128.
const LANES: usize = 8;

/// The sum of `of(number)` over a row.
#[inline(always)]
fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let chunks = row.chunks_exact(LANES);
    chunks.remainder().iter().zip(&mut lanes).for_each(|(&number, lane)| *lane += of(number));
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, &number)| *lane += of(number));
    }
    lanes.iter().sum()
}

/// The greatest number of a row.
#[inline(always)]
fn greatest(row: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let chunks = row.chunks_exact(LANES);
    chunks.remainder().iter().zip(&mut lanes).for_each(|(&number, lane)| *lane = larger(number, *lane));
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, &number)| *lane = larger(number, *lane));
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, larger)
}

/// e to the power of `x`, relative error below 3e-7 for `x` from -87 to 88; clamped outside.
///
/// `x = n ln 2 + r` with whole `n` and `|r| <= ln 2 / 2`; e^r by its series, 2^n by writing the exponent's bits
/// (Cephes, `expf`). Adding `SHIFT` rounds to a whole number and leaves it in the low bits.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const SHIFT: f32 = 12_582_912.0; // 1.5 * 2^23
    const LN_2_HIGH: f32 = 355.0 / 512.0;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + SHIFT;
    let whole = shifted - SHIFT;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let mut series = 1.987_569_1e-4;
    for factor in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        series = series * rest + factor;
    }
    let power = series * rest * rest + rest + 1.0;
    let two_to_whole = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    power * two_to_whole
}

/// The error function, absolute error below 5e-7 (Abramowitz and Stegun, formula 7.1.26).
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut series = 1.061_405_4;
    for factor in [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6] {
        series = series * t + factor;
    }
    (1.0 - series * t * exp(-size * size)).copysign(x)
}

/// `row + bias`.
#[inline(always)]
pub(super) fn add(row: &mut [f32], bias: &[f32]) {
    row.iter_mut().zip(bias).for_each(|(number, bias)| *number += bias);
}

/// `row + bias + before`.
#[inline(always)]
pub(super) fn add_both(row: &mut [f32], bias: &[f32], before: &[f32]) {
    row.iter_mut().zip(bias).zip(before).for_each(|((number, bias), before)| *number += bias + before);
}

/// `gelu(row + bias)`, by the error function (Hendrycks and Gimpel, 2016).
#[inline(always)]
pub(super) fn gelu(row: &mut [f32], bias: &[f32]) {
    for (number, bias) in row.iter_mut().zip(bias) {
        let x = *number + bias;
        *number = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// `tanh(row + bias)`. A pair has one such row, so the library's function is fast enough.
pub(super) fn tanh(row: &mut [f32], bias: &[f32]) {
    row.iter_mut().zip(bias).for_each(|(number, bias)| *number = (*number + bias).tanh());
}

/// `softmax(row * factor)` for a positive factor.
#[inline(always)]
pub(super) fn softmax(row: &mut [f32], factor: f32) {
    let greatest = greatest(row);
    row.iter_mut().for_each(|number| *number = exp((*number - greatest) * factor));
    let scale = 1.0 / sum(row, |number| number);
    row.iter_mut().for_each(|number| *number *= scale);
}

/// `(row - mean) / sqrt(variance + epsilon) * weight + bias`.
#[inline(always)]
pub(super) fn normalise(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row, |number| number) / count;
    row.iter_mut().for_each(|number| *number -= mean);
    let variance = sum(row, |number| number * number);
    let scale = 1.0 / (variance / count + epsilon).sqrt();
    row.iter_mut()
        .zip(weight)
        .zip(bias)
        .for_each(|((number, weight), bias)| *number = *number * scale * weight + bias);
}

/// The sum of the rows of `columns` numbers.
pub(super) fn sum_of_rows(rows: &[f32], columns: usize) -> Vec<f32> {
    let mut total = vec![0.0; columns];
    rows.chunks_exact(columns).for_each(|row| add(&mut total, row));
    total
}

/// `row` brought to length 1, which makes a sum and a mean the same.
///
/// # Errors
/// When the length is not a number above 0: the weights then hold something else than a model.
pub(super) fn unit(mut row: Vec<f32>) -> Result<Vec<f32>, ModelError> {
    let length = row.iter().map(|&number| f64::from(number) * f64::from(number)).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        let reason = format!("expected a vector of positive length, got length {length}");
        return Err(ModelError::Compute { reason });
    }
    let scale = (1.0 / length) as f32;
    row.iter_mut().for_each(|number| *number *= scale);
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from -`limit` to `limit`, more than one register and not a multiple of one.
    fn numbers(limit: f32) -> Vec<f32> {
        (0..1003).map(|step| (step as f32 / 501.0 - 1.0) * limit).collect()
    }

    #[test]
    fn exponential() {
        for x in numbers(87.0) {
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 3e-7, "{x}: {error}");
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37 && exp(1000.0).is_finite());
    }

    /// By its series, in f64: fast enough for a test, exact to 1e-12 up to 3.
    fn exact_erf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            let n = f64::from(n);
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn error_function() {
        for x in numbers(3.0) {
            let error = (f64::from(erf(x)) - exact_erf(f64::from(x))).abs();
            assert!(error < 5e-7, "{x}: {error}");
        }
        assert_eq!((erf(9.0), erf(-9.0)), (1.0, -1.0));
    }

    #[test]
    fn rows_of_every_length() {
        for length in 1..40 {
            let row: Vec<f32> = numbers(4.0).into_iter().step_by(7).take(length).rev().collect();
            assert!((sum(&row, |x| x) - row.iter().sum::<f32>()).abs() < 1e-4);
            assert_eq!(greatest(&row), row.iter().copied().fold(f32::NEG_INFINITY, f32::max));

            let mut shares = row.clone();
            softmax(&mut shares, 0.5);
            let total: f64 = row.iter().map(|&x| (f64::from(x) * 0.5).exp()).sum();
            for (share, x) in shares.iter().zip(&row) {
                assert!((f64::from(*share) - (f64::from(*x) * 0.5).exp() / total).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn normalised_rows() {
        let mut row = numbers(5.0);
        let (count, twos, ones) = (row.len() as f32, vec![2.0; row.len()], vec![1.0; row.len()]);
        normalise(&mut row, &twos, &ones, 1e-12);
        let mean = row.iter().sum::<f32>() / count;
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
        assert!((mean - 1.0).abs() < 1e-4 && (variance - 4.0).abs() < 1e-3, "{mean} {variance}");
    }

    #[test]
    fn gelu_is_zero_below_and_identity_above() {
        let mut row = [-9.0, -1.0, 0.0, 1.0, 9.0, 8.0];
        gelu(&mut row, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let expected = [0.0, -0.158_655_25, 0.0, 0.841_344_8, 9.0, 9.0];
        for (got, expected) in row.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
    }

    #[test]
    fn only_a_length_above_zero_can_become_one() {
        assert_eq!(unit(vec![3.0, 4.0]).expect("has a length"), [0.6, 0.8]);
        for row in [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![f32::INFINITY]] {
            assert!(matches!(unit(row), Err(ModelError::Compute { .. })));
        }
    }
}
