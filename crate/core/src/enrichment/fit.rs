//! Room for a chunk's context before its text.

use crate::{
    chunk::{Chunk, embedding_text},
    document::Document,
    embedding::TokenCounter,
};

/// What a model says of a chunk's place; empty where nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Enrichment {
    /// The sentences.
    pub text: String,
    /// Bytes of `text` that are embedded.
    embedded: usize,
}

impl Enrichment {
    /// The part of the sentences that is embedded before the chunk.
    pub fn embedded(&self) -> &str {
        &self.text[..self.embedded]
    }

    /// Makes room for `text` before `chunk`, within `max_tokens` as the model counts them: where there is none, the
    /// headings give way, then the end of the sentences. The chunk's own text never does.
    pub fn fit(
        text: String,
        document: &Document,
        chunk: &mut Chunk,
        counter: &dyn TokenCounter,
        max_tokens: u32,
    ) -> Self {
        let mut enrichment = Self { embedded: text.len(), text };
        let headings = chunk.context;
        for share in [1.0, 0.5, 0.0] {
            chunk.context = (headings as f32 * share) as u32;
            if enrichment.count(document, chunk, counter) <= max_tokens {
                return enrichment;
            }
        }
        while enrichment.embedded > 0 && enrichment.count(document, chunk, counter) > max_tokens {
            let kept = enrichment.embedded().trim_end();
            enrichment.embedded = kept.rfind(char::is_whitespace).unwrap_or(0);
        }
        if enrichment.embedded == 0 {
            // There is no room at all: better the headings than nothing.
            chunk.context = headings;
        }
        enrichment
    }

    /// Counts the tokens of what is embedded, and keeps the number in `chunk`.
    fn count(&self, document: &Document, chunk: &mut Chunk, counter: &dyn TokenCounter) -> u32 {
        let tokens = counter.count(&embedding_text(document, chunk, self.embedded()));
        chunk.tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        chunk.tokens
    }
}
