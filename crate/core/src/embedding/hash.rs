//! Stand-ins for a model, for tests of everything else.

use super::{Embedder, EmbeddingError, ModelIdentity, TokenCounter};

/// Embeds a text as the normalised sum of one pseudo-random vector per lower-case word.
///
/// Texts that share words are near each other, which is all that a test of the index needs. Deterministic on
/// every target.
#[derive(Debug, Clone)]
pub struct HashEmbedder {
    identity: ModelIdentity,
}

impl HashEmbedder {
    /// An embedder whose vectors have `dimensions` numbers.
    pub fn new(dimensions: u32) -> Self {
        let identity = ModelIdentity {
            id: "querent/hash".into(),
            weights_sha256: String::new(),
            tokenizer_sha256: String::new(),
            dimensions,
            max_tokens: 256,
        };
        Self { identity }
    }

    fn embed_one(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0; self.identity.dimensions as usize];
        for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
        {
            // FNV-1a seeds a xorshift generator.
            let mut state = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            for number in &mut sum {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                *number += (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
            }
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            sum.iter_mut().for_each(|x| *x /= length);
        } else if let Some(first) = sum.first_mut() {
            *first = 1.0;
        }
        sum
    }
}

impl Embedder for HashEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}

/// Counts tokens without a vocabulary, never fewer than WordPiece does on ordinary text: one for every three
/// letters of a word begun, one for every other visible character.
///
/// For indexes without embeddings, and for documents added in a page before the model has been loaded.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordEstimate;

impl TokenCounter for WordEstimate {
    fn count(&self, text: &str) -> usize {
        let mut tokens = 0;
        let mut letters = 0_usize;
        for c in text.chars() {
            // Scripts without spaces (CJK and beyond) are one token per character.
            if c.is_alphanumeric() && c < '\u{2e80}' {
                letters += 1;
                continue;
            }
            tokens += letters.div_ceil(3) + usize::from(!c.is_whitespace());
            letters = 0;
        }
        tokens + letters.div_ceil(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_near() {
        let embedder = HashEmbedder::new(64);
        let vectors =
            embedder.embed(&["borrow checker", "the borrow checker", "tokio runtime", ""]).expect("embeds");
        let dot = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(x, y)| x * y).sum::<f32>();
        assert!(dot(0, 1) > 0.6 && dot(0, 1) > dot(0, 2) + 0.3);
        for row in 0..4 {
            assert!((dot(row, row) - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn estimate() {
        for (text, tokens) in
            [("", 0), ("a", 1), ("word word", 4), ("a.b", 3), ("漢字", 2), ("Vec::new()", 6)]
        {
            assert_eq!(WordEstimate.count(text), tokens, "{text:?}");
        }
    }
}
