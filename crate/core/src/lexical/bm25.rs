//! BM25F: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6.
//!
//! With the paper's symbols: `tf` in field f is [`TermFreqs`], `l_f` a field's length in words, `avl_f` its mean,
//! `w_f` and `b_f` are [`FieldSettings`]. The weighted frequency of a term is the sum over the fields of
//! `w_f * tf_f / (1 + b_f * (l_f / avl_f - 1))`; its score is `idf * tf / (k1 + tf)`.

use super::field::{FIELD_COUNT, FIELDS, Field};
use serde::{Deserialize, Serialize};

/// How much each field counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bm25fSettings {
    /// Saturation of term frequency: 0 (a term counts once) and up, default 2. Large values let repetition
    /// win over coverage.
    pub k1: f32,
    /// Weight and length normalisation by [`FIELDS`].
    pub fields: [FieldSettings; FIELD_COUNT],
    /// Part of the best chunk's score in a document's: 0 (whole documents only) and up. Raises documents in which
    /// the query's words stand together.
    pub chunk_weight: f32,
    /// Weight of a stop word beside other words in a short query of keywords: 0 (it is not looked up, which spares its
    /// postings) to 1. In longer queries and sentences it is 0. A query of nothing but stop words is searched for as it is.
    pub stop_word_weight: f32,
    /// Weight of a part of an identifier beside the whole: 0 to 1.
    pub part_weight: f32,
    /// Weight of a form beside the words that it holds (`--locked` beside `locked`): 0 and up.
    pub form_weight: f32,
    /// Weight of a quoted phrase beside the words in it: 0 (it only chooses documents) and up.
    pub phrase_weight: f32,
    /// Weight of a word that differs by accents only: 0 to 1.
    pub folded_weight: f32,
    /// Weight of two neighbouring words written as one beside the words: 0 to 1.
    pub compound_weight: f32,
    /// Weight of a synonym from the site's own list: 0 to 1.
    pub synonym_weight: f32,
    /// Weight of longer words that begin with the last word: 0 to 1.
    pub prefix_weight: f32,
    /// Weight of words a slip away from one that the index does not hold: 0 to 1.
    pub typo_weight: f32,
}

/// One field's part in BM25F.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FieldSettings {
    /// `w_f`: how much one occurrence counts, 0 and up; an occurrence in the body counts 1.
    pub weight: f32,
    /// `b_f`: 0 (length does not matter) to 1 (a field twice the mean length counts half).
    pub b: f32,
}

impl Default for Bm25fSettings {
    fn default() -> Self {
        let field = |weight, b| FieldSettings { weight, b };
        Self {
            k1: 2.0,
            fields: [
                field(6.0, 0.4),
                field(3.0, 0.4),
                field(1.0, 0.7),
                field(0.6, 0.7),
                field(0.4, 0.5),
                field(0.4, 0.5),
            ],
            chunk_weight: 1.0,
            stop_word_weight: 0.5,
            part_weight: 0.5,
            form_weight: 1.0,
            phrase_weight: 1.0,
            folded_weight: 0.9,
            compound_weight: 0.05,
            synonym_weight: 0.7,
            prefix_weight: 0.4,
            typo_weight: 0.7,
        }
    }
}

impl Bm25fSettings {
    /// The weighted frequency of a term that stands `freqs` times in fields of `lens` words whose mean is `means`.
    pub fn weighted_freq(
        &self,
        freqs: &[f32; FIELD_COUNT],
        lens: &[f32; FIELD_COUNT],
        means: &[f32; FIELD_COUNT],
    ) -> f32 {
        FIELDS.iter().map(|&field| self.field_freq(field, freqs, lens, means)).sum()
    }

    /// One field's share of [`Self::weighted_freq`].
    pub fn field_freq(
        &self,
        field: Field,
        freqs: &[f32; FIELD_COUNT],
        lens: &[f32; FIELD_COUNT],
        means: &[f32; FIELD_COUNT],
    ) -> f32 {
        let f = field as usize;
        if freqs[f] == 0.0 {
            return 0.0;
        }
        let FieldSettings { weight, b } = self.fields[f];
        let relative_len = if means[f] > 0.0 { lens[f] / means[f] } else { 1.0 };
        weight * freqs[f] / (1.0 + b * (relative_len - 1.0))
    }

    /// Score of a weighted frequency, without idf: 0 to `k1 + 1`.
    pub fn saturate(&self, weighted_freq: f32) -> f32 {
        weighted_freq * (self.k1 + 1.0) / (self.k1 + weighted_freq)
    }
}

/// Inverse document frequency, never negative (as Lucene has it): `ln(1 + (N - n + 0.5) / (n + 0.5))`.
pub fn idf(documents: usize, doc_freq: usize) -> f32 {
    let (documents, doc_freq) = (documents as f32, doc_freq as f32);
    (1.0 + (documents - doc_freq + 0.5).max(0.0) / (doc_freq + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Textbook BM25 is BM25F with one field.
    #[test]
    fn one_field_is_bm25() {
        let settings = Bm25fSettings { k1: 1.2, ..Bm25fSettings::default() };
        let b = settings.fields[2].b;
        let (freq, len, mean) = (3.0, 120.0, 100.0);
        let textbook = freq * 2.2 / (freq + 1.2 * (1.0 - b + b * len / mean));
        let by_fields = settings.saturate(settings.weighted_freq(
            &[0.0, 0.0, freq, 0.0, 0.0, 0.0],
            &[1.0, 1.0, len, 1.0, 1.0, 1.0],
            &[1.0, 1.0, mean, 1.0, 1.0, 1.0],
        ));
        assert!((textbook - by_fields).abs() < 1e-5);
    }

    #[test]
    fn idf_falls() {
        assert!(idf(100, 1) > idf(100, 50) && idf(100, 50) > idf(100, 100) && idf(100, 100) > 0.0);
    }
}
