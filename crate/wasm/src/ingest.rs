//! `Ingest` and `writeManifest`: the reader and the core's write side.

use crate::{
    dto::{AddReport, BuiltSegment, IngestSettings},
    error::{Code, Failure},
    json::{from_js, to_js},
};
use js_sys::Function;
use querent_core::{
    embedding::{ModelIdentity, TokenCounter, WordEstimate},
    indexer::{IndexSettings, Indexer},
    json::Json,
    question::RuleGenerator,
    segment::{Manifest, SegmentEntry},
};
use querent_reader::{ReadError, ReadSettings, Source};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// Builds one segment of the documents that are added.
///
/// A page that adds and removes documents keeps one segment for each: removing one is then leaving its entry out
/// of the manifest.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ingest {
    read: ReadSettings,
    index: IndexSettings,
    indexer: Indexer,
}

#[wasm_bindgen]
impl Ingest {
    /// Throws `request` when the settings have a wrong or an unknown field.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_optional_param_type = "IngestSettings")] settings: &JsValue,
    ) -> Result<Self, Failure> {
        let settings = from_js(settings, Code::Request, "ingest settings", IngestSettings::from_json)?;
        let index = IndexSettings::from(&settings);
        Ok(Self { read: (&settings).into(), indexer: Indexer::new(index.clone()), index })
    }

    /// Reads a file, splits it into chunks and finds their questions. `path` names the document and, by its
    /// extension, its type. `countTokens` is `EmbeddingModel.countTokens` where the chunks will be embedded;
    /// without it tokens are estimated, never too few on ordinary text.
    ///
    /// Throws `read` when the file is no document, `index` when the path was added before; nothing has changed then.
    #[wasm_bindgen(unchecked_return_type = "AddReport")]
    pub fn add(
        &mut self,
        path: &str,
        bytes: &[u8],
        #[wasm_bindgen(
            js_name = countTokens,
            unchecked_optional_param_type = "(text: string) => number"
        )]
        count_tokens: Option<Function>,
    ) -> Result<JsValue, Failure> {
        let reading = querent_reader::read(&Source { path, bytes }, &self.read)?;
        let title = reading.document.title.clone();
        let has_terms = reading.document.has_terms();
        let counter = Counter { count_tokens, failure: RefCell::default() };
        self.indexer.add(reading.document, &counter, Some(&RuleGenerator))?;
        let mut warnings = reading.warnings;
        warnings.extend(counter.failure.into_inner());
        if !has_terms {
            warnings
                .push("its text holds no word that can be searched for, so only its title finds it".into());
        }
        let added = self.indexer.documents().last();
        Ok(to_js(&AddReport {
            path: path.to_owned(),
            title,
            chunks: added.map_or(0, |added| added.chunks.len()),
            questions: added.map_or(0, |added| added.questions.iter().map(Vec::len).sum()),
            warnings,
        }))
    }

    /// The texts to embed, in the order in which `finish` takes their vectors.
    pub fn texts(&self) -> Vec<String> {
        self.indexer.texts()
    }

    /// Writes the segment of all documents added so far, and starts an empty one. `vectors` holds one vector per
    /// text of `texts()`, one after the other; without it the segment can be searched by terms only.
    ///
    /// Throws `index` when the vectors do not belong to the texts; nothing has changed then.
    #[wasm_bindgen(unchecked_return_type = "BuiltSegment")]
    pub fn finish(&mut self, vectors: Option<Vec<f32>>) -> Result<JsValue, Failure> {
        let rows = vectors.map(|vectors| rows(&vectors, self.indexer.texts().len())).transpose()?;
        let indexer = std::mem::replace(&mut self.indexer, Indexer::new(self.index.clone()));
        let label = match indexer.documents() {
            [only] => only.document.path.clone(),
            _ => String::new(),
        };
        let mut segment = indexer.finish(rows.as_deref())?;
        segment.entry.label = label;
        Ok(to_js(&BuiltSegment::from(segment)))
    }
}

/// Writes the manifest of `entries`, for `SearchEngine.mount`. `model` made the vectors; `undefined` where there
/// are none.
///
/// Throws `request` when an entry is none.
#[wasm_bindgen(js_name = writeManifest)]
pub fn write_manifest(
    #[wasm_bindgen(unchecked_param_type = "ModelIdentity | undefined")] model: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "SegmentEntry[]")] entries: &JsValue,
) -> Result<Vec<u8>, Failure> {
    let model = from_js(model, Code::Request, "model identity", |json| match json {
        Json::Null => Ok(None),
        json => ModelIdentity::from_json(json).map(Some),
    })?;
    let read_entries = |list: Json| list.into_list(SegmentEntry::from_json);
    let entries = from_js(entries, Code::Request, "segment entries", read_entries)?;
    Ok(Manifest::new(model, entries).to_bytes())
}

/// Cuts `vectors` into `count` rows.
fn rows(vectors: &[f32], count: usize) -> Result<Vec<Vec<f32>>, Failure> {
    let fits = if count == 0 { vectors.is_empty() } else { vectors.len().is_multiple_of(count) };
    if !fits {
        let got = vectors.len();
        let message = format!(
            "expected {count} vectors of equal length, got {got} numbers; embed exactly the texts of `texts()`"
        );
        return Err(Failure::new(Code::Index, message));
    }
    Ok(vectors.chunks(vectors.len().checked_div(count).unwrap_or(1).max(1)).map(<[f32]>::to_vec).collect())
}

/// Counts by JavaScript's function, or by estimate where there is none or it fails.
struct Counter {
    count_tokens: Option<Function>,
    failure: RefCell<Option<String>>,
}

impl TokenCounter for Counter {
    fn count(&self, text: &str) -> usize {
        let Some(count_tokens) = &self.count_tokens else { return WordEstimate.count(text) };
        let counted = count_tokens.call1(&JsValue::UNDEFINED, &text.into());
        if let Some(tokens) = counted.as_ref().ok().and_then(JsValue::as_f64)
            && tokens >= 0.0
        {
            return tokens as usize;
        }
        let message = match &counted {
            Ok(value) => {
                format!("expected countTokens to return a number, got {value:?}; tokens were estimated")
            }
            Err(error) => format!("countTokens threw {error:?}; tokens were estimated"),
        };
        self.failure.borrow_mut().get_or_insert(message);
        WordEstimate.count(text)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::new(Code::Read, error)
    }
}
