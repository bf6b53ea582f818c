//! Specificity: whether a question's words single out anything.

use super::Candidate;
use crate::{question::by_model::vocabulary::Vocabulary, segment::PreparedDocument};
use std::collections::HashMap;

/// In how many chunks each stem stands, headings included.
pub(super) struct Frequencies {
    of_stem: HashMap<String, u32>,
    chunks: usize,
}

impl Frequencies {
    pub(super) fn of(documents: &[PreparedDocument]) -> Self {
        let mut frequencies = Self { of_stem: HashMap::new(), chunks: 0 };
        for prepared in documents {
            for chunk in &prepared.chunks {
                frequencies.chunks += 1;
                for stem in Vocabulary::of_chunk(&prepared.document, chunk).into_stems() {
                    *frequencies.of_stem.entry(stem).or_default() += 1;
                }
            }
        }
        frequencies
    }

    /// Chunks of the collection.
    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    /// Drops questions about nothing; the others lose up to `weight` of their score.
    pub(super) fn score(&self, documents: &[PreparedDocument], candidates: &mut Vec<Candidate>, weight: f32) {
        let mut languages = Vec::with_capacity(self.chunks);
        for prepared in documents {
            let vocabulary = Vocabulary::of_language(&prepared.document);
            languages.extend(std::iter::repeat_n(vocabulary, prepared.chunks.len()));
        }
        candidates.retain_mut(|candidate| {
            let question = &mut candidate.question;
            let Some(share) = self.share(&languages[candidate.chunk], &question.question_text) else {
                return false;
            };
            question.confidence *= 1.0 - weight * share;
            true
        });
    }

    /// The share of the chunks that hold all of the question's words, if these stand together by chance only; `None`
    /// for a question about nothing.
    fn share(&self, vocabulary: &Vocabulary, question: &str) -> Option<f32> {
        let subjects = vocabulary.subjects(question);
        let share = |stem: &str| {
            let count = self.of_stem.get(stem).copied().unwrap_or_default();
            count as f32 / self.chunks.max(1) as f32
        };
        (!subjects.is_empty()).then(|| subjects.iter().map(|(stem, _)| share(stem)).product())
    }
}
