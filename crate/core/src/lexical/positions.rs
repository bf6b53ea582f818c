//! Positions: where in its chunks a term stands, for phrases.
//!
//! Words of a chunk are numbered in the order of its text, from 1. An identifier takes as many numbers as it has smallest parts,
//! and stands at each of them. Between fields and blocks a number is left out, so that no phrase reaches across. A list has one entry for each of the term's
//! postings, in their order:
//!
//! ```text
//! varint  first << 1 | more      0: the chunk holds the term where there are no positions, in a question
//! varint  step << 1 | more       as long as `more` was set
//! ```

use crate::segment::{ByteReader, DecodeError, write_varint};

/// Encodes the positions of one term.
#[derive(Debug, Default)]
pub struct PositionsWriter(Vec<u8>);

impl PositionsWriter {
    /// Appends the positions in one chunk, ascending from 1; equal ones count once.
    pub fn push(&mut self, positions: &[u32]) {
        let mut steps = Vec::with_capacity(positions.len());
        let mut last = 0;
        for &position in positions {
            if position > last {
                steps.push(position - last);
                last = position;
            }
        }
        if steps.is_empty() {
            write_varint(&mut self.0, 0);
        }
        for (at, &step) in steps.iter().enumerate() {
            write_varint(&mut self.0, u64::from(step) << 1 | u64::from(at + 1 < steps.len()));
        }
    }

    /// The encoded list.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Decodes the positions of one term, chunk by chunk.
#[derive(Debug, Clone, Default)]
pub struct PositionsReader<'a>(ByteReader<'a>);

impl<'a> PositionsReader<'a> {
    /// A reader of what [`PositionsWriter::finish`] gave.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(ByteReader::new(bytes))
    }

    /// Calls `each` with the positions in the next chunk, in ascending order.
    ///
    /// # Errors
    /// When the list ends too early or holds impossible numbers.
    pub fn next_chunk(&mut self, each: &mut dyn FnMut(u32)) -> Result<(), DecodeError> {
        let mut position = 0_u32;
        loop {
            let head = self.0.varint_u32()?;
            position = position.checked_add(head >> 1).ok_or(DecodeError("a position beyond 2^32"))?;
            if head > 1 {
                each(position);
            }
            if head & 1 == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    fn decode(bytes: &[u8], chunks: usize) -> Result<Vec<Vec<u32>>, DecodeError> {
        let mut reader = PositionsReader::new(bytes);
        let mut next = || {
            let mut positions = Vec::new();
            reader.next_chunk(&mut |position| positions.push(position)).map(|()| positions)
        };
        (0..chunks).map(|_| next()).collect()
    }

    proptest! {
        #[test]
        fn round_trip(mut chunks in vec(vec(1_u32..3000, 0..6), 0..20)) {
            let mut writer = PositionsWriter::default();
            for positions in &mut chunks {
                positions.sort_unstable();
                writer.push(positions);
                positions.dedup();
            }
            prop_assert_eq!(decode(&writer.finish(), chunks.len()), Ok(chunks));
        }

        #[test]
        fn damage_is_an_error_or_other_positions(bytes: Vec<u8>) {
            let _ = decode(&bytes, 100);
        }
    }
}
