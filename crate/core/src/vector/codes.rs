//! Codes: the vectors again, in 1, 2 or 4 bits a number.
//!
//! A search by the query encoder's table is less exact than one by the model to begin with, and it is the first search
//! of a reader who has downloaded nothing. So it compares with codes: as many bits as a budget of bytes allows.
//!
//! ```text
//! vector - centre = residual;   code = round(residual / step - 1/2) in 0 .. 2^bits
//! similarity(query, vector) = query . centre + factor * query . (code - (2^bits - 1) / 2)
//! ```
//!
//! The step is the best one for normally distributed numbers of the residual's length (Max, "Quantizing for minimum
//! distortion", 1960). The factor `|residual|^2 / (residual . levels)` makes the estimate of the inner product right in
//! the direction of the residual itself, as RaBitQ does it (Gao and Long 2024). A query is compared through a table of
//! what each value of each byte adds up to, so a row costs one lookup for each of its bytes.

use super::{Neighbour, exact};
use crate::segment::{ByteReader, DecodeError};

/// Bytes of codes beyond which a number has fewer bits, down to one.
const BUDGET: usize = 1_150_000;
/// Bits of a number, with the step for numbers of variance 1.
const STEPS: [(u8, f32); 3] = [(4, 0.3352), (2, 0.9957), (1, 1.596)];
/// Most numbers in a vector, as everywhere.
const MAX_DIMENSIONS: usize = 65_536;

/// The codes of all rows of a segment's vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Codes {
    bits: u8,
    /// What is subtracted from every vector before it is coded: their mean.
    centre: Vec<f32>,
    /// Of each row; 0 where the vector has no direction.
    factors: Vec<f32>,
    /// Rows of whole bytes; the first number stands in a byte's lowest bits.
    codes: Vec<u8>,
}

impl Codes {
    /// Codes `vectors`, of equal length, in as many bits as 1.15 MB have room for.
    pub fn of(vectors: &[Vec<f32>]) -> Self {
        let dimensions = vectors.first().map_or(0, Vec::len);
        let fits = |(bits, _): &(u8, f32)| vectors.len() * row_bytes(dimensions, *bits) <= BUDGET;
        let (bits, step) = STEPS.into_iter().find(fits).unwrap_or(STEPS[2]);
        let units: Vec<Vec<f32>> = vectors.iter().map(|vector| unit(vector)).collect();
        let mut centre = vec![0.0; dimensions];
        for vector in &units {
            centre.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        centre.iter_mut().for_each(|sum| *sum /= units.len().max(1) as f32);
        let mut coded = Self { bits, centre, factors: Vec::new(), codes: Vec::new() };
        units.iter().for_each(|vector| coded.push(vector, step));
        coded
    }

    fn push(&mut self, vector: &[f32], step: f32) {
        let residual: Vec<f32> =
            vector.iter().zip(&self.centre).map(|(number, mean)| number - mean).collect();
        let squares = dot(&residual, &residual);
        let step = step * (squares / residual.len().max(1) as f32).sqrt();
        let most = f32::from((1_u8 << self.bits) - 1);
        let code = |number: &f32| (number / step + most / 2.0).round().clamp(0.0, most) as u8;
        let codes: Vec<u8> = residual.iter().map(code).collect();
        let levels: Vec<f32> = codes.iter().map(|&code| f32::from(code) - most / 2.0).collect();
        let along = dot(&residual, &levels);
        let has_direction = vector.iter().any(|&number| number != 0.0);
        // A vector that is the centre itself is as similar as the centre: its factor only has to be there.
        let factor = if along > 0.0 { short(squares / along) } else { f32::MIN_POSITIVE };
        self.factors.push(if has_direction { factor.max(f32::MIN_POSITIVE) } else { 0.0 });
        let packed = codes.chunks(8 / usize::from(self.bits));
        let byte = |codes: &[u8]| codes.iter().rev().fold(0, |byte, code| byte << self.bits | code);
        self.codes.extend(packed.map(byte));
    }

    /// Numbers in a vector.
    pub fn dimensions(&self) -> usize {
        self.centre.len()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.factors.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// Bits of a number: 1, 2 or 4.
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// The `limit` rows that are estimated most similar to `query` among those for which `keep` holds, best first, equal
    /// ones by row. Similarities are estimates of cosines. A query without direction finds nothing.
    ///
    /// # Panics
    /// When the query has not [`Self::dimensions`] numbers.
    pub fn search_filtered(&self, query: &[f32], limit: usize, keep: &dyn Fn(u32) -> bool) -> Vec<Neighbour> {
        assert_eq!(query.len(), self.dimensions(), "a query has as many numbers as the index's vectors");
        let query = unit(query);
        if limit == 0 || query.iter().all(|&number| number == 0.0) {
            return Vec::new();
        }
        let sums = self.sums(&query);
        let base = dot(&query, &self.centre);
        let rows = self.codes.chunks_exact(row_bytes(query.len(), self.bits)).zip(&self.factors).zip(0..);
        let found = rows.filter(|((_, factor), _)| **factor > 0.0).map(|((codes, factor), row)| {
            let along: f32 = codes.iter().zip(&sums).map(|(&code, sums)| sums[usize::from(code)]).sum();
            Neighbour { row, similarity: base + factor * along }
        });
        exact::best(found, limit, keep)
    }

    /// For each byte of a row and each value of it: what it adds to the product with the query.
    fn sums(&self, query: &[f32]) -> Vec<[f32; 256]> {
        let mask = (1_u16 << self.bits) - 1;
        let level = |code: u16| f32::from(code & mask) - f32::from(mask) / 2.0;
        let sums_of = |numbers: &[f32]| {
            std::array::from_fn(|byte| {
                let shifted = (0..).step_by(usize::from(self.bits)).map(|shift: u32| byte as u16 >> shift);
                numbers.iter().zip(shifted).map(|(number, code)| number * level(code)).sum()
            })
        };
        query.chunks(8 / usize::from(self.bits)).map(sums_of).collect()
    }

    /// The content of the file: bits (a byte), dimensions and rows (u32), the centre (f32), the factors (the higher half of
    /// an f32), the codes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.bits];
        bytes.extend_from_slice(&(self.dimensions() as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.len() as u32).to_le_bytes());
        self.centre.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        self.factors.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()[2..]));
        bytes.extend_from_slice(&self.codes);
        bytes
    }

    /// Opens what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// When it wrote something else.
    pub fn open(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = ByteReader::new(bytes);
        let bits = reader.u8()?;
        let (dimensions, rows) = (reader.u32()? as usize, reader.u32()? as usize);
        if ![1, 2, 4].contains(&bits) || dimensions > MAX_DIMENSIONS {
            return Err(DecodeError(
                "its numbers have neither 1, 2 nor 4 bits, or there are too many of them",
            ));
        }
        let centre = reader.take(4 * dimensions)?.chunks_exact(4);
        let centre = centre.map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        let factors = reader.take(rows.saturating_mul(2))?.chunks_exact(2);
        let factors = factors.map(|two| f32::from_le_bytes([0, 0, two[0], two[1]])).collect();
        let codes = reader.take(rows.saturating_mul(row_bytes(dimensions, bits)))?.to_vec();
        let opened = Self { bits, centre, factors, codes };
        let is_finite = opened.centre.iter().chain(&opened.factors).all(|number| number.is_finite());
        if !reader.is_empty() || !is_finite {
            return Err(DecodeError("it is longer than its rows, or a number in it is none"));
        }
        Ok(opened)
    }
}

fn row_bytes(dimensions: usize, bits: u8) -> usize {
    dimensions.div_ceil(8 / usize::from(bits))
}

/// The vector with length 1; zeros where it has no direction.
fn unit(vector: &[f32]) -> Vec<f32> {
    let length = dot(vector, vector).sqrt();
    let scale = if length.is_finite() && length > 0.0 { 1.0 / length } else { 0.0 };
    vector.iter().map(|number| if scale > 0.0 { number * scale } else { 0.0 }).collect()
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// The number with the 8 bits of fraction that a file keeps, rounded.
fn short(number: f32) -> f32 {
    f32::from_bits(number.to_bits().saturating_add(0x8000) & 0xffff_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vectors(rows: usize, dimensions: usize) -> Vec<Vec<f32>> {
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as f32 / (1 << 24) as f32 - 0.4
        };
        (0..rows).map(|_| (0..dimensions).map(|_| next()).collect()).collect()
    }

    #[test]
    fn bits_follow_from_the_rows() {
        for (rows, dimensions, bits) in [(0, 0, 4), (10, 384, 4), (6000, 384, 2), (15_000, 384, 1), (3, 5, 4)]
        {
            assert_eq!(Codes::of(&vectors(rows, dimensions)).bits(), bits, "{rows} of {dimensions}");
        }
    }

    #[test]
    fn estimates_are_near() {
        for (rows, most) in [(500, 0.02), (6000, 0.06), (13_000, 0.12)] {
            let vectors = vectors(rows, 384);
            let codes = Codes::of(&vectors);
            let query = unit(&vectors[3]);
            let found = codes.search_filtered(&query, rows, &|row| row % 2 == 1);
            assert_eq!((found.len(), found[0].row), (rows / 2, 3));
            for neighbour in found {
                let exact = dot(&query, &unit(&vectors[neighbour.row as usize]));
                assert!((neighbour.similarity - exact).abs() < most, "{rows}: {neighbour:?} is {exact}");
            }
        }
    }

    #[test]
    fn without_direction() {
        let codes = Codes::of(&[vec![0.0, 0.0], vec![1.0, 0.5], vec![f32::NAN, 1.0]]);
        assert_eq!(codes.search_filtered(&[0.0, 0.0], 3, &|_| true), []);
        let rows: Vec<_> =
            codes.search_filtered(&[1.0, 1.0], 3, &|_| true).iter().map(|found| found.row).collect();
        assert_eq!(rows, [1]);
    }

    #[test]
    fn rows_at_the_centre_are_found() {
        for rows in [1, 3] {
            let codes = Codes::of(&vec![vec![0.6, 0.8]; rows]);
            let found = codes.search_filtered(&[0.6, 0.8], 5, &|_| true);
            assert_eq!(found.len(), rows);
            assert!((found[0].similarity - 1.0).abs() < 1e-3, "{found:?}");
        }
    }

    proptest! {
        #[test]
        fn round_trip(rows in 0_usize..20, dimensions in 1_usize..20, cut in 0_usize..400, extra: u8) {
            let codes = Codes::of(&vectors(rows, dimensions));
            let mut bytes = codes.to_bytes();
            prop_assert_eq!(Codes::open(&bytes), Ok(codes));
            prop_assert!(Codes::open(&bytes[..cut.min(bytes.len() - 1)]).is_err());
            bytes.push(extra);
            prop_assert!(Codes::open(&bytes).is_err());
        }

        #[test]
        fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(codes) = Codes::open(&bytes) {
                codes.search_filtered(&vec![0.5; codes.dimensions()], 5, &|_| true);
            }
        }
    }
}
