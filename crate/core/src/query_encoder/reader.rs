//! The read side: a text becomes a vector, given the head and those shards that its pieces need.

use super::{
    table::{SHARD_ROWS, places},
    vocabulary::{PieceId, Vocabulary},
};
use crate::segment::{ByteReader, DecodeError};

/// Most numbers of a row; more is damage.
const MAX_DIMENSIONS: u32 = 1 << 16;
/// Most pieces of a text that are added up: the model's own limit is of this order.
const MAX_PIECES: usize = 256;

/// The opened head.
#[derive(Debug)]
pub struct EncoderHead {
    vocabulary: Vocabulary,
    places: Vec<u32>,
    dimensions: usize,
}

/// One shard's content. A row that it does not hold counts nothing.
#[derive(Debug)]
pub struct EncoderRows(Vec<u8>);

impl EncoderRows {
    /// A shard of this content.
    pub fn new(content: Vec<u8>) -> Self {
        Self(content)
    }
}

/// A text's vector, and what speaks for and against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// Length 1.
    pub vector: Vec<f32>,
    /// The part of the text's words that have pieces, 0 to 1.
    pub coverage: f32,
    /// The part of the text's words that are one piece, 0 to 1. A word in several pieces is a rare one, a name, a slip
    /// or an unfinished one, and its rows know little of it.
    pub whole: f32,
}

impl EncoderHead {
    /// Opens the content of the head's file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(content: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = ByteReader::new(content);
        let dimensions = reader.u32()?;
        if !(1..=MAX_DIMENSIONS).contains(&dimensions) {
            return Err(DecodeError("its rows have no length that vectors may have"));
        }
        let vocabulary = Vocabulary::read(&mut reader)?;
        let places = places(reader.take(vocabulary.len())?);
        if !reader.is_empty() {
            return Err(DecodeError("something stands behind its end"));
        }
        Ok(Self { vocabulary, places, dimensions: dimensions as usize })
    }

    /// Numbers of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Shards of rows that belong to this head.
    pub fn shards(&self) -> usize {
        self.places.len().div_ceil(SHARD_ROWS)
    }

    /// The vector of `text`; `None` when no piece of it is known. Costs one row's addition per piece.
    ///
    /// `shard` gives an opened shard; where it gives none, the row is passed over, so ask for all that are missing before
    /// the answer is used.
    pub fn encode<'a>(
        &self,
        text: &str,
        shard: &mut dyn FnMut(usize) -> Option<&'a EncoderRows>,
    ) -> Option<Encoded> {
        let pieces = self.vocabulary.split(text);
        let mut sum = vec![0.0_f32; self.dimensions];
        for &PieceId(piece) in pieces.iter().take(MAX_PIECES).flatten() {
            let place = self.places[piece as usize] as usize;
            if let Some(rows) = shard(place / SHARD_ROWS) {
                add_row(&mut sum, rows, place % SHARD_ROWS);
            }
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        sum.iter_mut().for_each(|x| *x /= length);
        let (coverage, whole) = self.parts(&pieces);
        Some(Encoded { vector: sum, coverage, whole })
    }

    /// The parts of the words that are known, and that are one piece.
    fn parts(&self, pieces: &[Option<PieceId>]) -> (f32, f32) {
        let continues = |piece: &Option<PieceId>| piece.is_some_and(|id| self.vocabulary.is_continuing(id));
        let words = pieces.iter().filter(|piece| !continues(piece)).count().max(1) as f32;
        let unknown = pieces.iter().filter(|piece| piece.is_none()).count() as f32;
        let broken =
            pieces.windows(2).filter(|pair| !continues(&pair[0]) && continues(&pair[1])).count() as f32;
        ((words - unknown) / words, (words - unknown - broken) / words)
    }
}

/// Adds a row.
fn add_row(sum: &mut [f32], EncoderRows(bytes): &EncoderRows, row: usize) {
    let Some(row) = bytes.chunks_exact(4 + sum.len()).nth(row) else { return };
    let (scale, values) = row.split_at(4);
    let scale = f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]);
    for (number, &value) in sum.iter_mut().zip(values) {
        *number += scale * f32::from(value as i8);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Table, *};

    /// Pieces `p000` to `p299`; the row of each points mostly into its own direction of three.
    fn table() -> Table {
        let names: Vec<String> = (0..300).map(|number| format!("p{number:03}")).collect();
        let row = |number: usize| [0, 1, 2].map(|axis| if number % 3 == axis { 2.0 } else { 0.5 });
        Table {
            vocabulary: Vocabulary::new(names.iter().map(String::as_str)),
            frequencies: (0..300).collect(),
            dimensions: 3,
            rows: (0..300).flat_map(row).collect(),
        }
    }

    #[test]
    fn rows_add_up_and_shards_are_asked_for() {
        let files = table().to_files();
        assert_eq!(files.len(), 4);
        let head = EncoderHead::open(&files[0]).expect("opens");
        assert_eq!((head.shards(), head.dimensions()), (3, 3));
        let shards: Vec<_> = files[1..].iter().cloned().map(EncoderRows::new).collect();
        let check = |text: &str, expected: Option<([f32; 3], f32)>, needed: &[usize]| {
            let mut asked = Vec::new();
            let found = head.encode(text, &mut |shard| {
                asked.push(shard);
                Some(&shards[shard])
            });
            assert_eq!(asked, needed, "{text}");
            assert_eq!(found.is_some(), expected.is_some(), "{text}");
            if let (Some(found), Some((vector, coverage))) = (found, expected) {
                let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
                for (got, expected) in found.vector.iter().zip(vector) {
                    assert!((got - expected / length).abs() < 0.01, "{text}: {:?}", found.vector);
                }
                assert!((found.coverage - coverage).abs() < 1e-6 && found.whole == found.coverage);
            }
        };
        check("p299", Some(([0.5, 0.5, 2.0], 1.0)), &[0]);
        check("P299 p000", Some(([2.5, 1.0, 2.5], 1.0)), &[0, 2]);
        check("p298 nothing", Some(([0.5, 2.0, 0.5], 0.5)), &[0]);
        check("nothing", None, &[]);
        check("", None, &[]);
    }

    #[test]
    fn damage() {
        let files = table().to_files();
        for len in 0..files[0].len() {
            assert!(EncoderHead::open(&files[0][..len]).is_err(), "{len}");
        }
        let head = EncoderHead::open(&files[0]).expect("opens");
        let short = EncoderRows::new(vec![7; 3]);
        assert_eq!(head.encode("p299", &mut |_| Some(&short)), None);
        assert!(EncoderHead::open(&[files[0].clone(), vec![0]].concat()).is_err());
    }
}
