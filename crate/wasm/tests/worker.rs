//! The engine and the store work where Querent runs them: in a dedicated worker, without a window.
#![cfg(all(target_arch = "wasm32", feature = "search", feature = "ingest", feature = "store"))]

mod common;

use common::{index, search};
use js_sys::Uint8Array;
use querent_wasm::{FileStore, SearchEngine};
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn searches_in_a_worker() {
    let index = index(&[("a.md", "# Borrowing\n\nA reference borrows a value.\n")]);
    let mut engine = SearchEngine::new();
    engine.mount("page", &index.manifest).expect("mounts");
    let response = search(&mut engine, &index, &json!({ "query": "borrow" }), None).expect("a response");
    assert_eq!(response["hits"][0]["path"], "a.md");
}

#[wasm_bindgen_test]
async fn stores_in_a_worker() {
    let store = FileStore::open("querent-test-worker".into()).await;
    assert_eq!(store.backing(), "indexeddb");
    let bytes = Uint8Array::from([1, 2, 3].as_slice());
    assert_eq!(store.put("aa".into(), bytes, "texts".into()).await, JsValue::from("indexeddb"));
    let bytes: Uint8Array = store.get("aa".into()).await.dyn_into().expect("bytes");
    assert_eq!(bytes.to_vec(), [1, 2, 3]);
    store.clear().await;
}
