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
    /// What a language model says of the chunk's place in its document.
    Context,
}

/// Number of fields. (An array type says this rather than `FIELDS.len()`, a name that derived code takes.)
pub const FIELD_COUNT: usize = 6;

/// All fields, in the order of every array by field.
pub const FIELDS: [Field; FIELD_COUNT] =
    [Field::Title, Field::Heading, Field::Body, Field::Code, Field::Question, Field::Context];

impl Field {
    /// Whether the document says it: what was generated is no text that a phrase could be quoted from.
    pub fn is_of_document(self) -> bool {
        !matches!(self, Self::Question | Self::Context)
    }

    /// Name for explanations.
    pub fn name(self) -> &'static str {
        ["title", "heading", "body", "code", "question", "context"][self as usize]
    }
}

/// How often one term stands in each field, by [`FIELDS`].
pub type TermFreqs = [u32; FIELD_COUNT];

/// A field's length in words, in one byte: exact up to 3, then two steps to each doubling, after Lucene's
/// SmallFloat. BM25F divides by `1 - b + b * length / mean`: a length that is off by a fifth changes no order that
/// a reader would notice, and the coarse bytes compress to two thirds of exact ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldLen(pub u8);

impl FieldLen {
    /// The step that `words` belongs to.
    pub fn encode(words: u32) -> Self {
        if words < 2 {
            return Self(words as u8);
        }
        let exponent = words.ilog2();
        let half = words >> (exponent - 1) & 1;
        Self((2 * exponent + half) as u8)
    }

    /// Length in words: the middle of the step.
    pub fn decode(self) -> u32 {
        let code = u32::from(self.0);
        match code {
            0..2 => return code,
            64.. => return u32::MAX,
            _ => {}
        }
        let (exponent, half) = (code / 2, code % 2);
        let width = 1_u64 << (exponent - 1);
        ((2 + u64::from(half)) * width + (width - 1) / 2) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn length_is_kept_within_a_quarter(words: u32) {
            let decoded = FieldLen::encode(words).decode();
            prop_assert!(decoded.abs_diff(words) <= words / 4, "{} for {}", decoded, words);
        }

        #[test]
        fn every_byte_decodes(code: u8) {
            let decoded = FieldLen(code).decode();
            prop_assert!(code >= 64 || FieldLen::encode(decoded) == FieldLen(code));
        }
    }

    #[test]
    fn short_lengths_are_exact() {
        for words in 0..=4 {
            assert_eq!(FieldLen::encode(words).decode(), words);
        }
    }
}
