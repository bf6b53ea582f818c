//! The table as files: a head that every query needs, and shards of rows of which it needs a few.
//!
//! Rows are ordered by how often their pieces stand in the training text, so that the pieces of most queries share
//! the first shards. The order follows from one byte per piece.
//!
//! ```text
//! head    u32 dimensions d; the vocabulary; per piece in its order a byte: its frequency, coded as a field length
//! shard   per row: f32 scale, d signed bytes; the row is the bytes times the scale
//! ```

use super::vocabulary::Vocabulary;
use crate::lexical::FieldLen;

/// Rows of a shard: 50 kB for 384 dimensions. A rare word costs its reader one shard.
pub(super) const SHARD_ROWS: usize = 128;

/// A fitted table. Rows are in the vocabulary's order and hold their weights: what a text's pieces add up to.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The word pieces.
    pub vocabulary: Vocabulary,
    /// In how many training texts each piece stands.
    pub frequencies: Vec<u32>,
    /// Numbers of a row.
    pub dimensions: usize,
    /// `vocabulary.len() * dimensions` numbers.
    pub rows: Vec<f32>,
}

impl Table {
    /// The contents of the table's files: the head, then the shards.
    pub fn to_files(&self) -> Vec<Vec<u8>> {
        let codes: Vec<u8> = self.frequencies.iter().map(|&count| FieldLen::encode(count).0).collect();
        let mut head = (self.dimensions as u32).to_le_bytes().to_vec();
        self.vocabulary.write(&mut head);
        head.extend_from_slice(&codes);
        let mut order: Vec<usize> = (0..codes.len()).collect();
        order.sort_by_key(|&piece| (std::cmp::Reverse(codes[piece]), piece));
        let shards = order.chunks(SHARD_ROWS).map(|pieces| {
            let mut shard = Vec::with_capacity(pieces.len() * (4 + self.dimensions));
            pieces.iter().for_each(|&piece| write_row(&mut shard, self.row(piece)));
            shard
        });
        std::iter::once(head).chain(shards).collect()
    }

    fn row(&self, piece: usize) -> &[f32] {
        &self.rows[piece * self.dimensions..][..self.dimensions]
    }
}

pub(super) fn write_row(out: &mut Vec<u8>, row: &[f32]) {
    let largest = row.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let scale = if largest > 0.0 && largest.is_finite() { largest / 127.0 } else { 0.0 };
    out.extend_from_slice(&scale.to_le_bytes());
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    // `as` keeps what rounding carries beyond the range at its end, and makes 0 of what is not a number.
    out.extend(row.iter().map(|x| (x * inverse).round().clamp(-127.0, 127.0) as i8 as u8));
}

/// For each piece, its row's place among all rows, given the pieces' frequency codes: by code, the greatest first,
/// then by piece.
pub(super) fn places(codes: &[u8]) -> Vec<u32> {
    let mut next = [0_u32; 257];
    codes.iter().for_each(|&code| next[usize::from(code)] += 1);
    // From counts to the number of rows that come before a code's.
    let mut before = 0;
    for count in next.iter_mut().rev() {
        before += std::mem::replace(count, before);
    }
    let place = |&code: &u8| {
        let place = next[usize::from(code)];
        next[usize::from(code)] += 1;
        place
    };
    codes.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_rows_first() {
        assert_eq!(places(&[0, 3, 0, 9, 3]), [3, 1, 4, 0, 2]);
        assert_eq!(places(&[255, 0, 255]), [0, 2, 1]);
        assert_eq!(places(&[]), [0; 0]);
    }

    #[test]
    fn a_row_in_bytes() {
        let check = |row: &[f32], scale: f32, values: &[i8]| {
            let mut out = Vec::new();
            write_row(&mut out, row);
            let expected: Vec<u8> =
                scale.to_le_bytes().into_iter().chain(values.iter().map(|&value| value as u8)).collect();
            assert_eq!(out, expected, "{row:?}");
        };
        check(&[0.0, 0.0], 0.0, &[0, 0]);
        check(&[1.27, -0.635], 1.27 / 127.0, &[127, -64]);
        check(&[f32::INFINITY, 1.0], 0.0, &[0, 0]);
    }
}
