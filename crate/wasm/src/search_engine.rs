//! `SearchEngine`: the core's read side.

use crate::{
    dto::{self, FileEntry, SearchOutcome, Stats},
    error::{Code, Failure},
    json::{from_js, parse, to_js},
};
use querent_core::{
    engine::{Clock, Engine, SearchError},
    segment::{self, Manifest},
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// The browser's monotonic clock.
struct PerformanceClock;

impl Clock for PerformanceClock {
    fn now_ms(&self) -> f64 {
        now()
    }
}

/// An index that can be searched. It fetches nothing: a search that needs a file says which one.
///
/// ```ts
/// let outcome = engine.search({ query });
/// while (outcome.status === "missing") {
///   for (const file of outcome.files) engine.load(file.name, await bytesOf(file));
///   outcome = engine.search({ query });
/// }
/// ```
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct SearchEngine {
    engine: Engine,
}

#[wasm_bindgen]
impl SearchEngine {
    /// An engine without documents.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the index that `manifest` describes under the name `source`, or replaces the one of that name. Files
    /// that both have stay loaded.
    ///
    /// Throws `manifest`, `version` or `model-mismatch`.
    pub fn mount(&mut self, source: &str, manifest: &[u8]) -> Result<(), Failure> {
        let manifest = Manifest::from_json(parse(manifest, Code::Manifest, "the manifest")?)?;
        Ok(self.engine.mount_manifest(source, manifest)?)
    }

    /// Takes away the index of that name; nothing happens where there is none.
    pub fn unmount(&mut self, source: &str) {
        self.engine.remove(source);
    }

    /// Hands over the bytes of the file `name`.
    ///
    /// Throws `unknown-file`, `length`, `checksum` or `corrupt`; the engine is unchanged then.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.engine.load(name, bytes)?)
    }

    /// Files that every search needs and that were not handed over yet.
    #[wasm_bindgen(js_name = essentialFiles, unchecked_return_type = "FileEntry[]")]
    pub fn essential_files(&self) -> JsValue {
        to_js(&files(self.engine.essential_files()))
    }

    /// All files of the mounted indexes, as far as those that name them were handed over.
    #[wasm_bindgen(unchecked_return_type = "FileEntry[]")]
    pub fn files(&self) -> JsValue {
        to_js(&files(self.engine.files()))
    }

    /// Searches. `vector` is the query's embedding by the index's model, where there is one.
    ///
    /// Throws `request`, `dimensions`, `no-vectors` or `corrupt`.
    #[wasm_bindgen(unchecked_return_type = "SearchOutcome")]
    pub fn search(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SearchRequest")] request: &JsValue,
        vector: Option<Vec<f32>>,
    ) -> Result<JsValue, Failure> {
        let request = from_js(request, Code::Request, "search request", dto::SearchRequest::from_json)?;
        let outcome = match self.engine.search(&request.into(), vector.as_deref(), &PerformanceClock) {
            Ok(response) => SearchOutcome::Done { response: Box::new(response.into()) },
            Err(SearchError::Missing(missing)) => SearchOutcome::Missing { files: files(missing) },
            Err(error) => return Err(error.into()),
        };
        Ok(to_js(&outcome))
    }

    /// What of a query is to be embedded: all but the filters in it (`tag:proxy`), as far as the files that name them were
    /// handed over. They were when a lexical search for the query is done.
    #[wasm_bindgen(js_name = wordsOf)]
    pub fn words_of(&self, query: &str) -> String {
        self.engine.words_of(query)
    }

    /// What the mounted indexes hold.
    #[wasm_bindgen(unchecked_return_type = "Stats")]
    pub fn stats(&self) -> JsValue {
        to_js(&Stats::from(self.engine.stats()))
    }

    /// The model whose vectors the indexes hold; `undefined` when they hold none.
    #[wasm_bindgen(unchecked_return_type = "ModelIdentity | undefined")]
    pub fn model(&self) -> JsValue {
        match self.engine.model() {
            Some(model) => to_js(&dto::ModelIdentity::from(model)),
            None => JsValue::UNDEFINED,
        }
    }
}

fn files(files: Vec<segment::FileEntry>) -> Vec<FileEntry> {
    files.into_iter().map(Into::into).collect()
}
