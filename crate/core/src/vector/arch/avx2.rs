//! x86-64 with AVX2: sixteen numbers a step, widened to 16 bits and multiplied and added in pairs.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_madd_epi16,
    _mm256_setzero_si256,
};

/// Numbers in one step.
const STEP: usize = 16;

/// See [`super::dot`]. Safe to call where AVX2 is known to be there; slices of equal length.
#[target_feature(enable = "avx2")]
pub(super) fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a_pairs, a_rest) = a.as_chunks::<{ 2 * STEP }>();
    let (b_pairs, b_rest) = b.as_chunks::<{ 2 * STEP }>();
    // Two sums, so that one step need not wait for the one before.
    let mut even = _mm256_setzero_si256();
    let mut odd = _mm256_setzero_si256();
    for (a, b) in a_pairs.iter().zip(b_pairs) {
        let (a, b) = (a.as_chunks::<STEP>().0, b.as_chunks::<STEP>().0);
        even = _mm256_add_epi32(even, _mm256_madd_epi16(widen(&a[0]), widen(&b[0])));
        odd = _mm256_add_epi32(odd, _mm256_madd_epi16(widen(&a[1]), widen(&b[1])));
    }
    sum(_mm256_add_epi32(even, odd)) + super::scalar::dot(a_rest, b_rest)
}

/// See [`super::dots`]. Safe to call where AVX2 is known to be there; lengths that fit.
#[target_feature(enable = "avx2")]
pub(super) fn dots(query: &[i8], rows: &[i8], out: &mut [i32]) {
    for (row, out) in rows.chunks_exact(query.len().max(1)).zip(out) {
        *out = dot(query, row);
    }
}

/// Sixteen numbers, 16 bits each.
#[target_feature(enable = "avx2")]
fn widen(numbers: &[i8; STEP]) -> __m256i {
    // SAFETY: the reference is valid for 16 bytes, which is what an unaligned 128-bit load reads.
    let numbers = unsafe { _mm_loadu_si128(numbers.as_ptr().cast::<__m128i>()) };
    _mm256_cvtepi8_epi16(numbers)
}

/// The sum of the eight lanes.
#[target_feature(enable = "avx2")]
fn sum(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}
