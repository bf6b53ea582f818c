//! Arithmetic of vectors of `f32`: the same sums in the same order on every target.

/// Numbers that are added up side by side: what a processor's registers do at once.
const LANES: usize = 16;

/// The inner product; of vectors of length 1 the cosine.
///
/// # Panics
/// When the lengths differ.
pub fn inner_product(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "vectors are of one length");
    let mut lanes = [0.0_f32; LANES];
    let (whole, rest) = a.as_chunks::<LANES>();
    let (other, other_rest) = b.as_chunks::<LANES>();
    for (a, b) in whole.iter().zip(other) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum::<f32>();
    lanes.iter().sum::<f32>() + rest
}

/// Adds `factor * row` to `sum`.
pub(crate) fn add_scaled(sum: &mut [f32], factor: f32, row: &[f32]) {
    sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
}

/// Scales to length 1. Zero stays zero.
pub(crate) fn to_unit(vector: &mut [f32]) {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|number| *number /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        let a: Vec<f32> = (0..40).map(|at| at as f32).collect();
        assert_eq!(inner_product(&a, &a), (0..40).map(|at| (at * at) as f32).sum::<f32>());
        assert_eq!(inner_product(&[], &[]), 0.0);
        let mut sum = vec![3.0, 0.0];
        add_scaled(&mut sum, 2.0, &[0.0, 2.0]);
        to_unit(&mut sum);
        assert_eq!(sum, [0.6, 0.8]);
        let mut zero = [0.0];
        to_unit(&mut zero);
        assert_eq!(zero, [0.0]);
    }
}
