//! WebAssembly with simd128: sixteen numbers a step, widened to 16 bits and multiplied and added in pairs.

use std::arch::wasm32::{
    i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane,
    v128, v128_load,
};

/// Numbers in one step.
const STEP: usize = 16;

/// See [`super::dot`].
pub(super) fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a_steps, a_rest) = a.as_chunks::<STEP>();
    let (b_steps, b_rest) = b.as_chunks::<STEP>();
    // Two sums, so that one addition need not wait for the one before.
    let mut low = i32x4(0, 0, 0, 0);
    let mut high = i32x4(0, 0, 0, 0);
    for (a, b) in a_steps.iter().zip(b_steps) {
        let (a, b) = (load(a), load(b));
        low = i32x4_add(low, i32x4_dot_i16x8(i16x8_extend_low_i8x16(a), i16x8_extend_low_i8x16(b)));
        high = i32x4_add(high, i32x4_dot_i16x8(i16x8_extend_high_i8x16(a), i16x8_extend_high_i8x16(b)));
    }
    sum(i32x4_add(low, high)) + super::scalar::dot(a_rest, b_rest)
}

/// See [`super::dots`].
pub(super) fn dots(query: &[i8], rows: &[i8], out: &mut [i32]) {
    for (row, out) in rows.chunks_exact(query.len().max(1)).zip(out) {
        *out = dot(query, row);
    }
}

/// Sixteen numbers in one register.
fn load(numbers: &[i8; STEP]) -> v128 {
    // SAFETY: the reference is valid for 16 bytes, and the load needs no alignment.
    unsafe { v128_load(numbers.as_ptr().cast()) }
}

/// The sum of the four lanes.
fn sum(lanes: v128) -> i32 {
    i32x4_extract_lane::<0>(lanes)
        + i32x4_extract_lane::<1>(lanes)
        + i32x4_extract_lane::<2>(lanes)
        + i32x4_extract_lane::<3>(lanes)
}
