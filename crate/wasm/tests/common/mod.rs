//! What the browser tests share. Compiled into each of them, so each leaves some of it unused.
#![allow(dead_code, reason = "every test binary uses another part")]

use js_sys::{Array, JSON, Reflect, Uint8Array};
use querent_core::{
    embedding::{Embedder, HashEmbedder, ModelIdentity},
    segment::Manifest,
};
use querent_wasm::{Ingest, SearchEngine, error::Failure, write_manifest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// Length of the vectors in these tests.
pub(crate) const DIMENSIONS: u32 = 32;

/// Makes a JavaScript object.
pub(crate) fn js(value: &Value) -> JsValue {
    JSON::parse(&value.to_string()).expect("JSON")
}

/// Reads a JavaScript object.
pub(crate) fn value(object: &JsValue) -> Value {
    let text = JSON::stringify(object).expect("an object").as_string().expect("JSON");
    serde_json::from_str(&text).expect("JSON")
}

/// The field `name` of `object`.
pub(crate) fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

/// The code and the message that JavaScript sees.
pub(crate) fn thrown(failure: Failure) -> (String, String) {
    let error = JsValue::from(failure);
    assert!(error.is_instance_of::<js_sys::Error>());
    let text = |name| field(&error, name).as_string().expect("a string");
    (text("code"), text("message"))
}

/// An index of a page: its manifest and its files by name.
pub(crate) struct Index {
    pub(crate) manifest: Vec<u8>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// The model that stands in for MiniLM.
pub(crate) fn model() -> ModelIdentity {
    HashEmbedder::new(DIMENSIONS).identity().clone()
}

/// The vector of `text`.
pub(crate) fn embed(text: &str) -> Vec<f32> {
    HashEmbedder::new(DIMENSIONS).embed(&[text]).expect("embeds").concat()
}

/// Indexes `documents`, one segment each, as a page does.
pub(crate) fn index(documents: &[(&str, &str)]) -> Index {
    let mut files = BTreeMap::new();
    let entries = Array::new();
    for (path, text) in documents {
        let mut ingest = Ingest::new(&JsValue::UNDEFINED).expect("default settings");
        ingest.add(path, text.as_bytes(), None).expect("a document");
        let vectors = ingest.texts().iter().flat_map(|text| embed(text)).collect();
        let built = ingest.finish(Some(vectors)).expect("a segment");
        entries.push(&field(&built, "entry"));
        for file in Array::from(&field(&built, "files")).iter() {
            let name = field(&file, "name").as_string().expect("a name");
            let bytes = field(&file, "bytes").dyn_into::<Uint8Array>().expect("bytes are a Uint8Array");
            files.insert(name, bytes.to_vec());
        }
    }
    let model = js(&json!(model()));
    let manifest = write_manifest(&model, &entries).expect("a manifest");
    Manifest::from_bytes(&manifest).expect("the core reads what was written");
    Index { manifest, files }
}

/// Searches, handing over what is missing.
pub(crate) fn search(
    engine: &mut SearchEngine,
    index: &Index,
    request: &Value,
    vector: Option<Vec<f32>>,
) -> Result<Value, Failure> {
    for _ in 0..10 {
        let outcome = value(&engine.search(&js(request), vector.clone())?);
        if outcome["status"] == "done" {
            return Ok(outcome["response"].clone());
        }
        for file in outcome["files"].as_array().expect("files") {
            let name = file["name"].as_str().expect("a name");
            engine.load(name, &index.files[name])?;
        }
    }
    panic!("files are still missing after ten rounds");
}
