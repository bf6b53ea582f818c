//! `EmbeddingModel`: MiniLM.

use crate::{
    dto::ModelIdentity,
    error::{Code, Failure},
    json::to_js,
};
use querent_core::embedding::{Embedder, TokenCounter};
use querent_model::{MiniLm, ModelError};
use wasm_bindgen::prelude::*;

/// A sentence encoder: texts in, vectors of length 1 out.
///
/// Takes about 55 MB of memory, which a module never gives back: to free a model, end its worker.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EmbeddingModel {
    model: MiniLm,
}

#[wasm_bindgen]
impl EmbeddingModel {
    /// A model from the bytes of a pack, which are not needed afterwards.
    ///
    /// Throws `model` when the bytes are no pack, one of another version, or damaged.
    #[wasm_bindgen(js_name = fromPack)]
    pub fn from_pack(bytes: &[u8]) -> Result<Self, Failure> {
        Ok(Self { model: MiniLm::from_pack(bytes)? })
    }

    /// One vector per text, one after the other: `texts.length * identity().dimensions` numbers.
    ///
    /// A text beyond `identity().max_tokens` is embedded without its end: count first. Throws `model`.
    pub fn embed(&self, texts: Vec<String>) -> Result<Vec<f32>, Failure> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(self.model.embed_batch(&texts)?.concat())
    }

    /// Tokens in `text`, special tokens not included and without a limit.
    #[wasm_bindgen(js_name = countTokens)]
    pub fn count_tokens(&self, text: &str) -> usize {
        self.model.count(text)
    }

    /// The ids that the model sees: special tokens included, cut off at the model's limit. Throws `model`.
    pub fn tokenize(&self, text: &str) -> Result<Vec<u32>, Failure> {
        Ok(self.model.tokenize(text)?)
    }

    /// Which model this is. A search refuses vectors of another one than its index names.
    #[wasm_bindgen(unchecked_return_type = "ModelIdentity")]
    pub fn identity(&self) -> JsValue {
        to_js(&ModelIdentity::from(self.model.identity()))
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self::new(Code::Model, error)
    }
}
