//! Vectors as 8-bit rows.
//!
//! A row's numbers are `round(x / max|x| * 127)`: the direction of the vector, with the largest number at the end
//! of the range. Its scale is `1 / sqrt(sum of squares of the row)`, so that numbers times scale is a vector of
//! length 1 again and the cosine of two rows is `dot * scale * scale`. The scale follows from the row: it is not
//! stored, and damaged bytes cannot give a scale that is not a number.

use super::arch;

/// A row and its scale. The scale is 0 where the vector had no direction: all zero, or not finite.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QuantisedVector {
    pub(super) values: Vec<i8>,
    pub(super) scale: f32,
}

impl QuantisedVector {
    pub(super) fn new(vector: &[f32]) -> Self {
        let values = quantise(vector);
        let scale = scale(&values);
        Self { values, scale }
    }
}

/// The numbers of a row; all zero for a vector without direction.
fn quantise(vector: &[f32]) -> Vec<i8> {
    let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    if largest == 0.0 || vector.iter().any(|x| !x.is_finite()) {
        return vec![0; vector.len()];
    }
    // `as` keeps what is beyond the range at its end; |x / largest| is at most 1, so nothing is.
    vector.iter().map(|x| (x / largest * 127.0).round() as i8).collect()
}

/// One over the length of a row, 0 for a row of zeros.
pub(super) fn scale(values: &[i8]) -> f32 {
    match arch::dot(values, values) {
        0 => 0.0,
        squares => 1.0 / (squares as f32).sqrt(),
    }
}

/// Rows of equal length, one after the other, with their scales.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    dimensions: usize,
    values: Vec<i8>,
    scales: Vec<f32>,
}

impl Rows {
    /// No rows yet.
    pub(super) fn new(dimensions: usize) -> Self {
        assert!(dimensions > 0, "a vector has at least one number");
        Self { dimensions, values: Vec::new(), scales: Vec::new() }
    }

    /// Appends whole rows.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = i8>) {
        let before = self.values.len();
        self.values.extend(values);
        assert_eq!(self.values.len() % self.dimensions, 0, "rows come whole");
        self.scales.extend(self.values[before..].chunks_exact(self.dimensions).map(scale));
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn len(&self) -> usize {
        self.scales.len()
    }

    pub(super) fn row(&self, row: u32) -> &[i8] {
        &self.values[row as usize * self.dimensions..][..self.dimensions]
    }

    pub(super) fn scale(&self, row: u32) -> f32 {
        self.scales[row as usize]
    }

    /// Values and scales of `count` rows at a time.
    pub(super) fn blocks(&self, count: usize) -> impl Iterator<Item = (&[i8], &[f32])> {
        self.values.chunks(count * self.dimensions).zip(self.scales.chunks(count))
    }

    /// The cosine of `query` and `row`.
    pub(super) fn similarity(&self, query: &QuantisedVector, row: u32) -> f32 {
        similarity(arch::dot(&query.values, self.row(row)), query.scale, self.scale(row))
    }

    /// The cosine of two rows.
    pub(super) fn similarity_of_rows(&self, a: u32, b: u32) -> f32 {
        similarity(arch::dot(self.row(a), self.row(b)), self.scale(a), self.scale(b))
    }
}

/// The cosine from the dot product. One place, so that every way to a row gives the same number.
pub(super) fn similarity(dot: i32, query_scale: f32, row_scale: f32) -> f32 {
    dot as f32 * (query_scale * row_scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_rows() {
        for (vector, values) in [
            (vec![0.0, 0.0], vec![0, 0]),
            (vec![1.0, -1.0], vec![127, -127]),
            (vec![0.5, -0.25, 0.1], vec![127, -64, 25]),
            (vec![f32::NAN, 1.0], vec![0, 0]),
            (vec![f32::INFINITY, 1.0], vec![0, 0]),
            (vec![f32::MAX, f32::MIN_POSITIVE], vec![127, 0]),
            (vec![1e-45, 0.0], vec![127, 0]),
        ] {
            let row = QuantisedVector::new(&vector);
            assert_eq!(row.values, values, "{vector:?}");
            assert_eq!(row.scale == 0.0, values.iter().all(|&value| value == 0), "{vector:?}");
        }
    }

    proptest! {
        #[test]
        fn direction_is_kept(vector in proptest::collection::vec(-1.0_f32..1.0, 1..400)) {
            prop_assume!(vector.iter().any(|x| x.abs() > 1e-3));
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            let row = QuantisedVector::new(&vector);
            let cosine = vector
                .iter()
                .zip(&row.values)
                .map(|(x, &value)| x / length * f32::from(value) * row.scale)
                .sum::<f32>();
            prop_assert!(cosine > 0.999, "{}", cosine);
        }
    }
}
