//! `RerankModel`: the cross-encoder.

use crate::{
    dto::ModelIdentity,
    error::{Code, Failure},
    json::to_js,
};
use querent_core::rerank::Reranker;
use querent_model::CrossEncoder;
use wasm_bindgen::prelude::*;

/// Reads passages together with a query: slow and good, for the first candidates of a search.
///
/// Takes about 100 MB of memory, which a module never gives back: to free a model, end its worker.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RerankModel {
    model: CrossEncoder,
}

#[wasm_bindgen]
impl RerankModel {
    /// A model from the bytes of a pack, which are not needed afterwards.
    ///
    /// Throws `model` when the bytes are no pack of a reranker, one of another version, or damaged.
    #[wasm_bindgen(js_name = fromPack)]
    pub fn from_pack(bytes: &[u8]) -> Result<Self, Failure> {
        Ok(Self { model: CrossEncoder::from_pack(bytes)? })
    }

    /// The relevance of each passage, 0 to 1, in the order of the passages. Score few at a time: nothing else runs
    /// meanwhile. Throws `model`.
    pub fn score(&self, query: &str, passages: Vec<String>) -> Result<Vec<f32>, Failure> {
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        self.model.score(query, &passages).map_err(|error| Failure::new(Code::Model, error))
    }

    /// Which model this is.
    #[wasm_bindgen(unchecked_return_type = "ModelIdentity")]
    pub fn identity(&self) -> JsValue {
        to_js(&ModelIdentity::from(self.model.identity()))
    }
}
