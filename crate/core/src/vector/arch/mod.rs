//! Dot products of 8-bit numbers, per instruction set.
//!
//! [`scalar`] is the specification. Every other kernel gives the very same integers for all inputs, -128
//! included: each product is at most 2^14, so sums of two of them fit the 32-bit lanes of the multiply-and-add
//! instructions, and [`VectorSettings::MAX_DIMENSIONS`](super::VectorSettings::MAX_DIMENSIONS) products fit 32
//! bits.
//!
//! The kernel is chosen when the program runs on x86-64 (AVX2 where the processor has it) and when it is compiled
//! for WebAssembly (`simd128`), where a module cannot ask. This folder is the only one with `unsafe`.
#![allow(unsafe_code)]

pub mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

/// The dot product of two rows of equal length.
///
/// # Panics
/// When the lengths differ.
#[inline]
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    assert_eq!(a.len(), b.len(), "rows of one index have equal lengths");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked, and the lengths are equal.
        return unsafe { avx2::dot(a, b) };
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return simd128::dot(a, b);
    #[allow(unreachable_code, reason = "a target with simd128 always has it")]
    scalar::dot(a, b)
}

/// The dot products of `query` with each row of `rows`, into `out`.
///
/// # Panics
/// When `rows` does not hold `out.len()` rows as long as `query`.
pub fn dots(query: &[i8], rows: &[i8], out: &mut [i32]) {
    assert_eq!(rows.len(), query.len() * out.len(), "there is a place for each row");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked, and the lengths fit.
        return unsafe { avx2::dots(query, rows, out) };
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return simd128::dots(query, rows, out);
    #[allow(unreachable_code, reason = "a target with simd128 always has it")]
    scalar::dots(query, rows, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_answers() {
        for (a, b, expected) in [
            (vec![], vec![], 0),
            (vec![3], vec![-5], -15),
            (vec![1, 2, 3], vec![4, 5, 6], 32),
            (vec![-128; 64], vec![-128; 64], 64 * 16_384),
            (vec![-128; 33], vec![127; 33], -33 * 16_256),
        ] {
            assert_eq!(scalar::dot(&a, &b), expected);
            assert_eq!(dot(&a, &b), expected);
        }
    }

    proptest! {
        #[test]
        fn kernels_equal_their_specification(
            rows in proptest::collection::vec(any::<i8>(), 0..2_000),
            dimensions in 1_usize..400,
        ) {
            let count = rows.len() / dimensions;
            prop_assume!(count > 0);
            let rows = &rows[..count * dimensions];
            let query = &rows[(count - 1) * dimensions..];
            let mut expected = vec![0; count];
            scalar::dots(query, rows, &mut expected);
            let mut got = vec![0; count];
            dots(query, rows, &mut got);
            prop_assert_eq!(&expected, &got);
            let single: Vec<_> = rows.chunks_exact(dimensions).map(|row| dot(query, row)).collect();
            prop_assert_eq!(&expected, &single);
        }
    }
}
