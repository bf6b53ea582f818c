//! The word pieces, and the split of a text into them (WordPiece: Schuster and Nakajima, ICASSP 2012).
//!
//! Pieces are numbered by the order of their bytes, not by the model's ids: a sorted list is stored in a quarter of the
//! bytes (each piece says how much it shares with the one before) and searched as it is.

use super::normalise::words;
use crate::segment::{ByteReader, DecodeError};

/// A word of more characters than this is unknown as a whole, as in BERT.
const MAX_WORD_CHARS: usize = 100;
/// Begins a piece that continues a word.
const CONTINUING: &str = "##";
/// More pieces than any vocabulary of BERT's kind has; a larger number is damage.
const MAX_PIECES: u32 = 1 << 20;

/// A piece: its position among all pieces in the order of their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// All word pieces of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Vocabulary {
    /// The vocabulary of `pieces`, in any order; equal ones become one, those of more than 255 bytes are left out.
    pub fn new<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let mut pieces: Vec<&str> = pieces.into_iter().filter(|piece| piece.len() <= 255).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let mut vocabulary = Self::default();
        for piece in pieces {
            vocabulary.bytes.extend_from_slice(piece.as_bytes());
            vocabulary.ends.push(vocabulary.bytes.len() as u32);
        }
        vocabulary
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no piece.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn piece(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.bytes[start..self.ends[at] as usize]
    }

    /// Whether the piece continues a word.
    pub(super) fn is_continuing(&self, PieceId(piece): PieceId) -> bool {
        self.piece(piece as usize).starts_with(CONTINUING.as_bytes())
    }

    /// The piece that is written like this.
    pub fn find(&self, piece: &str) -> Option<PieceId> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            match self.piece(middle).cmp(piece.as_bytes()) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Equal => return Some(PieceId(middle as u32)),
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }

    /// The pieces of `text` in order; `None` for a word that cannot be made of pieces.
    ///
    /// Equal to the model's own tokenizer for the scripts that [`super`] names, but that a text which spells a special
    /// token (`[SEP]`) is split as any other.
    pub fn split(&self, text: &str) -> Vec<Option<PieceId>> {
        let mut pieces = Vec::new();
        words(text, &mut |word| self.split_word(word, &mut pieces));
        pieces
    }

    fn split_word(&self, word: &str, pieces: &mut Vec<Option<PieceId>>) {
        let before = pieces.len();
        let mut rest = word.to_owned();
        if word.chars().count() <= MAX_WORD_CHARS {
            while let Some((id, len)) = self.longest(&rest) {
                pieces.push(Some(id));
                if len == rest.len() {
                    return;
                }
                rest = [CONTINUING, &rest[len..]].concat();
            }
        }
        pieces.truncate(before);
        pieces.push(None);
    }

    /// The longest piece that `text` begins with, and its bytes. A continuing piece has a letter behind its mark.
    fn longest(&self, text: &str) -> Option<(PieceId, usize)> {
        let least =
            if text.starts_with(CONTINUING) && text.len() > CONTINUING.len() { CONTINUING.len() } else { 0 };
        let mut end = text.len();
        while end > least {
            if let Some(id) = self.find(&text[..end]) {
                return Some((id, end));
            }
            end = text.floor_char_boundary(end - 1);
        }
        None
    }

    /// Appends the pieces: how many, what each shares with the one before, how long the rest is, the rests.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.len() as u32).to_le_bytes());
        let (mut shared, mut lengths, mut rests) = (Vec::new(), Vec::new(), Vec::new());
        let mut before: &[u8] = &[];
        for at in 0..self.len() {
            let piece = self.piece(at);
            let same = before.iter().zip(piece).take(255).take_while(|(a, b)| a == b).count();
            shared.push(same as u8);
            lengths.push((piece.len() - same) as u8);
            rests.extend_from_slice(&piece[same..]);
            before = piece;
        }
        [shared, lengths, rests].iter().for_each(|part| out.extend_from_slice(part));
    }

    /// Reads what [`Self::write`] wrote.
    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, DecodeError> {
        let count = reader.u32()?;
        if count > MAX_PIECES {
            return Err(DecodeError("it claims more word pieces than any model has"));
        }
        let (shared, lengths) = (reader.take(count as usize)?, reader.take(count as usize)?);
        let mut vocabulary = Self::default();
        let mut start = 0;
        for (&shared, &length) in shared.iter().zip(lengths) {
            let end = vocabulary.bytes.len();
            if start + usize::from(shared) > end {
                return Err(DecodeError("a word piece shares more than there is"));
            }
            vocabulary.bytes.extend_from_within(start..start + usize::from(shared));
            vocabulary.bytes.extend_from_slice(reader.take(usize::from(length))?);
            if vocabulary.bytes[start..end] >= vocabulary.bytes[end..] && end > 0 {
                return Err(DecodeError("its word pieces are not in order"));
            }
            vocabulary.ends.push(vocabulary.bytes.len() as u32);
            start = end;
        }
        Ok(vocabulary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vocabulary() -> Vocabulary {
        Vocabulary::new(["borrow", "##ed", "##er", "##s", "a", "b", "##b", "unknown", "##", "#"])
    }

    #[test]
    fn longest_pieces_first() {
        let vocabulary = vocabulary();
        let check = |text: &str, expected: &[Option<&str>]| {
            let ids: Vec<_> = expected
                .iter()
                .map(|piece| piece.map(|piece| vocabulary.find(piece).expect("is there")))
                .collect();
            assert_eq!(vocabulary.split(text), ids, "{text:?}");
        };
        check("borrowed", &[Some("borrow"), Some("##ed")]);
        check("Borrowers a", &[Some("borrow"), Some("##er"), Some("##s"), Some("a")]);
        check("borrowing a", &[None, Some("a")]);
        check("bb ##", &[Some("b"), Some("##b"), Some("#"), Some("#")]);
        check(&"b".repeat(100), &std::iter::once(Some("b")).chain([Some("##b"); 99]).collect::<Vec<_>>());
        check(&"b".repeat(101), &[None]);
        check("", &[]);
    }

    #[test]
    fn bytes() {
        let mut bytes = Vec::new();
        vocabulary().write(&mut bytes);
        assert_eq!(Vocabulary::read(&mut ByteReader::new(&bytes)), Ok(vocabulary()));
        for len in 0..bytes.len() {
            assert!(Vocabulary::read(&mut ByteReader::new(&bytes[..len])).is_err(), "{len}");
        }
    }

    proptest! {
        #[test]
        fn round_trip(pieces in proptest::collection::vec("\\PC{1,20}", 0..40)) {
            let vocabulary = Vocabulary::new(pieces.iter().map(String::as_str));
            let mut bytes = Vec::new();
            vocabulary.write(&mut bytes);
            prop_assert_eq!(Vocabulary::read(&mut ByteReader::new(&bytes)), Ok(vocabulary.clone()));
            for piece in &pieces {
                prop_assert!(vocabulary.find(piece).is_some());
            }
        }

        #[test]
        fn noise_never_panics(bytes: Vec<u8>, text in "\\PC{0,40}") {
            if let Ok(vocabulary) = Vocabulary::read(&mut ByteReader::new(&bytes)) {
                vocabulary.split(&text);
            }
        }
    }
}
