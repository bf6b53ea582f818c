//! Arithmetic on one row of numbers.
//!
//! Written so that the compiler turns it into SIMD instructions on every target: no branches, no calls into the
//! mathematical library, sums in [`LANES`] independent parts. The tests compare with f64.

use crate::ModelError;

/// Independent partial sums: a register of AVX, two of SSE2 or simd128.
const LANES: usize = 8;

/// Folds a row in [`LANES`] independent parts.
fn fold(row: &[f32], start: f32, step: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [start; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, &number)| *lane = step(*lane, number));
    }
    rest.iter().zip(&mut lanes).for_each(|(&number, lane)| *lane = step(*lane, number));
    lanes.into_iter().fold(start, &step)
}

/// The sum of a row.
fn sum(row: &[f32]) -> f32 {
    fold(row, 0.0, |sum, number| sum + number) + 0.0
}

/// e to the power of `x`, relative error below 3e-7 for `x` from -87 to 88; clamped outside.
///
/// `x = n ln 2 + r` with whole `n` and `|r| <= ln 2 / 2`; e^r by its series, 2^n by writing the exponent's bits
/// (Cephes, `expf`). Adding `SHIFT` rounds to a whole number and leaves it in the low bits.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const SHIFT: f32 = 12_582_912.0; // 1.5 * 2^23
    const LN_2_HIGH: f32 = 0.693_359_375;
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
pub(super) fn add(row: &mut [f32], bias: &[f32]) {
    row.iter_mut().zip(bias).for_each(|(number, bias)| *number += bias);
}

/// `row + bias + before`.
pub(super) fn add_both(row: &mut [f32], bias: &[f32], before: &[f32]) {
    row.iter_mut().zip(bias).zip(before).for_each(|((number, bias), before)| *number += bias + before);
}

/// `gelu(row + bias)`, by the error function (Hendrycks and Gimpel, 2016).
pub(super) fn gelu(row: &mut [f32], bias: &[f32]) {
    for (number, bias) in row.iter_mut().zip(bias) {
        let x = *number + bias;
        *number = 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// `softmax(row * factor)` for a positive factor.
pub(super) fn softmax(row: &mut [f32], factor: f32) {
    let greatest = fold(row, f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|number| *number = exp((*number - greatest) * factor));
    let scale = 1.0 / sum(row);
    row.iter_mut().for_each(|number| *number *= scale);
}

/// `(row - mean) / sqrt(variance + epsilon) * weight + bias`.
pub(super) fn normalise(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row) / count;
    row.iter_mut().for_each(|number| *number -= mean);
    let variance = fold(row, 0.0, |sum, number| sum + number * number);
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
