//! Postings: which chunks hold a term, and how often in which field.
//!
//! A list is a sequence of postings in ascending order of chunks:
//!
//! ```text
//! varint  delta << 1 | plain     delta: chunks since the posting before; plain: once in the body, nowhere else
//! u8      fields                 unless plain: bit f set when field f holds the term
//! varint  term_freq              unless plain: one per bit, in the order of the bits
//! ```

use super::field::{FIELD_COUNT, FIELDS, Field, TermFreqs};
use crate::segment::{ByteReader, ChunkId, DecodeError, write_varint};

/// One chunk that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The chunk.
    pub chunk: ChunkId,
    /// How often the term stands in each field.
    pub term_freqs: TermFreqs,
}

const PLAIN: TermFreqs = [0, 0, 1, 0, 0, 0];

/// Encodes the postings of one term.
#[derive(Debug, Default)]
pub struct PostingsWriter {
    bytes: Vec<u8>,
    next_chunk: u32,
}

impl PostingsWriter {
    /// Appends a posting.
    ///
    /// # Panics
    /// When chunks do not ascend, or when the term stands in no field.
    pub fn push(&mut self, posting: Posting) {
        let Posting { chunk, term_freqs } = posting;
        assert!(chunk.0 >= self.next_chunk, "postings ascend by chunk");
        assert!(term_freqs != [0; FIELD_COUNT], "a posting holds its term");
        let delta = u64::from(chunk.0 - self.next_chunk);
        self.next_chunk = chunk.0 + 1;
        if term_freqs == PLAIN {
            write_varint(&mut self.bytes, delta << 1 | 1);
            return;
        }
        write_varint(&mut self.bytes, delta << 1);
        let present = FIELDS.map(|field| u8::from(term_freqs[field as usize] > 0) << field as u8);
        self.bytes.push(present.iter().sum());
        for freq in term_freqs.into_iter().filter(|&freq| freq > 0) {
            write_varint(&mut self.bytes, u64::from(freq));
        }
    }

    /// The encoded list.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Decodes the postings of one term.
#[derive(Debug, Clone)]
pub struct PostingsReader<'a> {
    bytes: ByteReader<'a>,
    next_chunk: u32,
}

impl<'a> PostingsReader<'a> {
    /// A reader of what [`PostingsWriter::finish`] gave.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: ByteReader::new(bytes), next_chunk: 0 }
    }

    fn decode(&mut self) -> Result<Posting, DecodeError> {
        let head = self.bytes.varint()?;
        let delta = u32::try_from(head >> 1).map_err(|_| DecodeError("a chunk beyond 2^32"))?;
        let chunk = self.next_chunk.checked_add(delta).ok_or(DecodeError("a chunk beyond 2^32"))?;
        self.next_chunk = chunk.checked_add(1).ok_or(DecodeError("a chunk beyond 2^32"))?;
        let mut term_freqs = PLAIN;
        if head & 1 == 0 {
            let present = self.bytes.u8()?;
            for field in FIELDS {
                let here = present >> field as u8 & 1 == 1;
                term_freqs[field as usize] = if here { self.bytes.varint_u32()? } else { 0 };
            }
        }
        Ok(Posting { chunk: ChunkId(chunk), term_freqs })
    }
}

impl Iterator for PostingsReader<'_> {
    type Item = Result<Posting, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.bytes.is_empty()).then(|| self.decode())
    }
}

impl Field {
    /// Frequencies of a term that stands `freq` times in this field only.
    pub fn only(self, freq: u32) -> TermFreqs {
        let mut freqs = [0; FIELD_COUNT];
        freqs[self as usize] = freq;
        freqs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    proptest! {
        #[test]
        fn round_trip(steps in vec((0_u32..5000, 0_u32..4, 0_u32..4, 0_u32..300, 0_u32..4, 0_u32..4, 0_u32..4), 0..50)) {
            let mut writer = PostingsWriter::default();
            let mut expected = Vec::new();
            let mut chunk = 0;
            for (step, title, heading, body, code, question, context) in steps {
                let term_freqs = [title, heading, body + 1, code, question, context];
                expected.push(Posting { chunk: ChunkId(chunk + step), term_freqs });
                writer.push(expected[expected.len() - 1]);
                chunk += step + 1;
            }
            let bytes = writer.finish();
            let read: Result<Vec<_>, _> = PostingsReader::new(&bytes).collect();
            prop_assert_eq!(read.expect("decodes"), expected);
        }

        #[test]
        fn damage_is_an_error_or_other_postings(bytes: Vec<u8>) {
            let _ = PostingsReader::new(&bytes).take_while(Result::is_ok).count();
        }
    }
}
