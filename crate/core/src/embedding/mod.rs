//! Embeddings: texts as unit vectors, and the identity of the model that made them.
//!
//! The stage takes texts of chunks, questions and queries and gives one vector each. It promises that a batch
//! gives what single calls give, that vectors have length 1, and that an index never meets vectors of another
//! model: [`ModelIdentity`] travels with everything that was stored. The real model is in `querent-model`;
//! [`HashEmbedder`] stands in for it where a test is about something else.

mod hash;

pub use hash::{HashEmbedder, WordEstimate};

use crate::json::Json;
use serde::{Deserialize, Serialize};

/// Which model made a vector. Two vectors may be compared only when this is equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Name with owner, for instance `sentence-transformers/all-MiniLM-L6-v2`.
    pub id: String,
    /// SHA-256 of the full-precision weights, hexadecimal. A quantised pack names the weights it was made from.
    pub weights_sha256: String,
    /// SHA-256 of the tokenizer's file, hexadecimal.
    pub tokenizer_sha256: String,
    /// Length of a vector.
    pub dimensions: u32,
    /// Tokens that the model sees, special tokens included.
    pub max_tokens: u32,
}

impl ModelIdentity {
    /// Reads what serialising gives.
    ///
    /// # Errors
    /// The field that is not as expected.
    pub fn from_json(json: Json) -> Result<Self, String> {
        let mut fields = json.into_fields()?;
        Ok(Self {
            id: fields.required("id", Json::into_text)?,
            weights_sha256: fields.required("weights_sha256", Json::into_text)?,
            tokenizer_sha256: fields.required("tokenizer_sha256", Json::into_text)?,
            dimensions: fields.required("dimensions", Json::into_u32)?,
            max_tokens: fields.required("max_tokens", Json::into_u32)?,
        })
    }
}

impl std::fmt::Display for ModelIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let weights = self.weights_sha256.get(..8).unwrap_or(&self.weights_sha256);
        let tokenizer = self.tokenizer_sha256.get(..8).unwrap_or(&self.tokenizer_sha256);
        write!(f, "{} (weights {weights}, tokenizer {tokenizer}, {} dimensions)", self.id, self.dimensions)
    }
}

/// Turns texts into unit vectors.
pub trait Embedder {
    /// The model behind the vectors.
    fn identity(&self) -> &ModelIdentity;

    /// One vector of `identity().dimensions` numbers and length 1 per text, in order.
    ///
    /// Text beyond `max_tokens` does not reach the vector: count first with [`TokenCounter`].
    ///
    /// # Errors
    /// When the model fails; never because of what a text contains.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingError>;
}

/// Counts the tokens of a text as the embedding model will see them.
pub trait TokenCounter {
    /// Tokens in `text`, special tokens not included.
    fn count(&self, text: &str) -> usize;
}

/// The model could not embed.
#[derive(Debug, thiserror::Error)]
#[error("embedding failed: {reason}; check the weights with `querent model verify`")]
pub struct EmbeddingError {
    /// What the model's library said.
    pub reason: String,
}
