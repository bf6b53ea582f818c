use serde::{Deserialize, Serialize};

/// Where in a document a term stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Field {
    /// The document's title, counted once per document.
    Title,
    /// A section's heading, counted once per section.
    Heading,
    /// Running text.
    Body,
    /// Blocks of code.
    Code,
    /// The questions that the chunk answers.
    Question,
}

/// Number of fields. (An array type says this rather than `FIELDS.len()`, a name that derived code takes.)
pub const FIELD_COUNT: usize = 5;

/// All fields, in the order of every array by field.
pub const FIELDS: [Field; FIELD_COUNT] =
    [Field::Title, Field::Heading, Field::Body, Field::Code, Field::Question];

impl Field {
    /// Name for explanations.
    pub fn name(self) -> &'static str {
        ["title", "heading", "body", "code", "question"][self as usize]
    }
}

/// How often one term stands in each field, by [`FIELDS`].
pub type TermFreqs = [u32; FIELD_COUNT];

/// A field's length in words, in one byte: exact up to 15, then with three bits of precision (an error of at
/// most 1/16), after Lucene's SmallFloat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldLen(pub u8);

impl FieldLen {
    /// The nearest length at or below `words` that a byte can hold.
    pub fn encode(words: u32) -> Self {
        if words < 16 {
            return Self(words as u8);
        }
        let exponent = 31 - words.leading_zeros();
        let mantissa = (words >> (exponent - 3)) & 7;
        Self((16 + (exponent - 4) * 8 + mantissa) as u8)
    }

    /// Length in words.
    pub fn decode(self) -> u32 {
        let code = u32::from(self.0);
        if code < 16 {
            return code;
        }
        let (exponent, mantissa) = ((code - 16) / 8 + 4, (code - 16) % 8);
        u32::try_from(u64::from(8 + mantissa) << (exponent - 3)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn length_is_kept_within_a_sixteenth(words: u32) {
            let decoded = FieldLen::encode(words).decode();
            prop_assert!(decoded <= words && words - decoded <= words / 8);
        }

        #[test]
        fn every_byte_decodes(code: u8) {
            let decoded = FieldLen(code).decode();
            prop_assert!(code < 16 || decoded >= 16);
        }
    }

    #[test]
    fn short_lengths_are_exact() {
        for words in 0..=16 {
            assert_eq!(FieldLen::encode(words).decode(), words);
        }
    }
}
