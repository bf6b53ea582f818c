//! Documents are added, indexed, mounted and found, inside a browser.
#![cfg(all(target_arch = "wasm32", feature = "search", feature = "ingest"))]

mod common;

use common::{embed, field, index, js, search, thrown, value};
use querent_wasm::{Ingest, SearchEngine, write_manifest};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const CRABS: &str = "# Crabs\n\nThe \u{1f980} crab walks \u{6f22}\u{5b57} sideways over the beach.\n\n## Food\n\nCrabs eat algae.\n";
const TIDES: &str = "# Tides\n\nThe tide comes and goes twice a day.\n";

fn mounted() -> (SearchEngine, common::Index) {
    let index = index(&[("crabs.md", CRABS), ("tides.md", TIDES)]);
    let mut engine = SearchEngine::new();
    engine.mount("page", &index.manifest).expect("mounts");
    (engine, index)
}

/// Cuts the highlights out of the excerpt as JavaScript does: by UTF-16 units.
fn highlighted(hit: &Value) -> Vec<String> {
    let excerpt: Vec<u16> = hit["excerpt"].as_str().expect("an excerpt").encode_utf16().collect();
    let ranges = hit["highlights"].as_array().expect("highlights");
    let at = |range: &Value, end: &str| range[end].as_u64().expect("a number") as usize;
    ranges
        .iter()
        .map(|range| String::from_utf16_lossy(&excerpt[at(range, "start")..at(range, "end")]))
        .collect()
}

#[wasm_bindgen_test]
fn finds_what_was_added() {
    let (mut engine, index) = mounted();
    let response = search(&mut engine, &index, &json!({ "query": "sideways" }), None).expect("a response");
    assert_eq!(response["mode"], "lexical", "no query vector was given");
    assert_eq!(response["hits"][0]["path"], "crabs.md");
    assert_eq!(response["hits"][0]["title"], "Crabs");
    assert_eq!(highlighted(&response["hits"][0]), ["sideways"]);
    assert_eq!(response["total"], 1);
    assert!(!response["timings"].as_array().expect("timings").is_empty());
}

#[wasm_bindgen_test]
fn searches_by_vector() {
    let (mut engine, index) = mounted();
    let request = json!({ "query": "tide twice a day", "mode": "semantic", "limit": 1, "explain": true });
    let vector = Some(embed("The tide comes and goes twice a day."));
    let response = search(&mut engine, &index, &request, vector).expect("a response");
    assert_eq!(response["mode"], "semantic");
    assert_eq!(response["hits"][0]["path"], "tides.md");
    assert!(response["hits"][0]["explanation"]["value"].is_number());
    assert_eq!(value(&engine.model())["dimensions"], common::DIMENSIONS);
}

#[wasm_bindgen_test]
fn missing_files_are_named_first() {
    let (mut engine, index) = mounted();
    let essential = value(&engine.essential_files());
    assert_eq!(essential.as_array().map(Vec::len), Some(2));
    let outcome = value(&engine.search(&js(&json!({ "query": "crab" })), None).expect("an outcome"));
    assert_eq!(outcome["status"], "missing");
    assert_eq!(outcome["files"][0]["kind"], "directory");
    for file in essential.as_array().expect("files") {
        let name = file["name"].as_str().expect("a name");
        engine.load(name, &index.files[name]).expect("loads");
    }
    assert_eq!(value(&engine.essential_files()), json!([]));
    let named = value(&engine.files());
    assert_eq!(named.as_array().map(Vec::len), Some(index.files.len()));
}

#[wasm_bindgen_test]
fn every_failure_has_its_code() {
    let (mut engine, index) = mounted();
    let search = |engine: &SearchEngine, request: Value, vector| {
        thrown(engine.search(&js(&request), vector).expect_err("refused"))
    };
    let (code, message) = search(&engine, json!({ "query": "x", "limt": 3 }), None);
    assert_eq!(code, "request");
    assert!(message.contains("limt") && message.contains("sectionsPerDocument"), "{message}");
    assert_eq!(search(&engine, json!({ "query": 7 }), None).0, "request");
    assert_eq!(search(&engine, json!({ "mode": "fuzzy" }), None).0, "request");
    assert_eq!(search(&engine, json!({ "filters": [{ "name": "tag" }] }), None).0, "request");
    assert_eq!(search(&engine, json!({ "query": "x", "mode": "semantic" }), None).0, "no-vectors");
    assert_eq!(search(&engine, json!({ "query": "x" }), Some(vec![1.0; 3])).0, "dimensions");

    let directory = value(&engine.essential_files())[0]["name"].as_str().expect("a name").to_owned();
    let (name, bytes) = index.files.get_key_value(&directory).expect("the directory");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    let load = |engine: &mut SearchEngine, name, bytes: &[u8]| {
        thrown(engine.load(name, bytes).expect_err("refused")).0
    };
    assert_eq!(load(&mut engine, name, &damaged), "checksum");
    assert_eq!(load(&mut engine, name, &bytes[1..]), "length");
    assert_eq!(load(&mut engine, "nothing.bin", bytes), "unknown-file");

    let mount = |engine: &mut SearchEngine, manifest: &str| {
        thrown(engine.mount("other", manifest.as_bytes()).expect_err("refused")).0
    };
    let manifest = String::from_utf8(index.manifest.clone()).expect("JSON");
    assert_eq!(mount(&mut engine, "{}"), "manifest");
    assert_eq!(
        mount(&mut engine, &manifest.replacen("\"formatVersion\": ", "\"formatVersion\": 9", 1)),
        "version"
    );
    let mut other = common::model();
    other.id = "another".into();
    let entries = js(&json!([]));
    let manifest = write_manifest(&js(&json!(other)), &entries).expect("a manifest");
    let failure = engine.mount("other", &manifest).expect_err("refused");
    assert_eq!(thrown(failure).0, "model-mismatch");
}

#[wasm_bindgen_test]
fn odd_requests_do_not_trap() {
    let (engine, _) = mounted();
    let circular = js_sys::Object::new();
    js_sys::Reflect::set(&circular, &"query".into(), &circular).expect("an object");
    let odd = [
        JsValue::UNDEFINED,
        JsValue::NULL,
        1.into(),
        "x".into(),
        circular.into(),
        js_sys::Symbol::iterator().into(),
    ];
    for request in odd {
        assert_eq!(thrown(engine.search(&request, None).expect_err("refused")).0, "request");
    }
}

#[wasm_bindgen_test]
fn a_document_is_replaced_and_taken_away() {
    let (mut engine, _) = mounted();
    assert_eq!(value(&engine.stats())["documents"], 2);
    let smaller = index(&[("tides.md", TIDES)]);
    engine.mount("page", &smaller.manifest).expect("mounts");
    assert_eq!(value(&engine.stats())["documents"], 1);
    engine.unmount("page");
    assert_eq!(value(&engine.stats())["documents"], 0);
    assert!(engine.model().is_undefined());
    let response = search(&mut engine, &smaller, &json!({ "query": "tide" }), None).expect("a response");
    assert_eq!(response["hits"], json!([]));
}

#[wasm_bindgen_test]
fn ingest_reports_and_refuses() {
    let mut ingest =
        Ingest::new(&js(&json!({ "baseUrl": "/docs/", "questionsPerChunk": 2 }))).expect("settings");
    let report = value(&ingest.add("crabs.md", CRABS.as_bytes(), None).expect("a document"));
    assert_eq!((&report["path"], &report["title"]), (&json!("crabs.md"), &json!("Crabs")));
    assert!(report["chunks"].as_u64() >= Some(1) && report["questions"].is_u64());
    assert_eq!(report["warnings"], json!([]));
    let twice = ingest.add("crabs.md", CRABS.as_bytes(), None).expect_err("refused");
    assert_eq!(thrown(twice).0, "index");
    let binary = ingest.add("x.exe", &[0, 1, 2, 255], None).expect_err("refused");
    assert_eq!(thrown(binary).0, "read");
    let wrong = ingest.finish(Some(vec![0.0; ingest.texts().len() * 4 + 1])).expect_err("refused");
    assert_eq!(thrown(wrong).0, "index");
    let built = ingest.finish(None).expect("a segment, after all that");
    assert_eq!(field(&field(&built, "entry"), "label").as_string().as_deref(), Some("crabs.md"));
    let unknown = Ingest::new(&js(&json!({ "baseURL": "/" }))).expect_err("refused");
    assert_eq!(thrown(unknown).0, "request");
}

#[wasm_bindgen_test]
fn tokens_are_counted_by_the_page() {
    let count = Closure::<dyn Fn(String) -> f64>::new(|text: String| text.split_whitespace().count() as f64);
    let throws = js_sys::Function::new_with_args("text", "throw new Error('no model')");
    let chunks = |count: Option<js_sys::Function>| {
        let mut ingest = Ingest::new(&js(&json!({ "maxTokens": 32 }))).expect("settings");
        let text = "One two three four. ".repeat(40);
        value(&ingest.add("a.txt", text.as_bytes(), count).expect("a document"))
    };
    let counted = chunks(Some(count.as_ref().unchecked_ref::<js_sys::Function>().clone()));
    let estimated = chunks(None);
    assert!(counted["chunks"].as_u64() < estimated["chunks"].as_u64(), "{counted} {estimated}");
    let failed = chunks(Some(throws));
    assert_eq!(failed["chunks"], estimated["chunks"]);
    assert!(failed["warnings"][0].as_str().is_some_and(|text| text.contains("no model")), "{failed}");
}
