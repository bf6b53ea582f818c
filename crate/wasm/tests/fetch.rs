//! Downloads report their progress.
#![cfg(all(target_arch = "wasm32", feature = "model"))]

use js_sys::{Function, Reflect, Uint8Array};
use querent_wasm::fetch_with_progress;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn reports_progress() {
    let url = Function::new_no_args("return URL.createObjectURL(new Blob([new Uint8Array(300000).fill(7)]))");
    let url = url.call0(&JsValue::UNDEFINED).expect("a blob").as_string().expect("a URL");
    let report =
        Function::new_with_args("received, total", "(globalThis.progress ??= []).push([received, total])");
    let bytes: Uint8Array =
        fetch_with_progress(url, Some(report)).await.expect("fetches").dyn_into().expect("bytes");
    assert_eq!(bytes.to_vec(), vec![7; 300_000]);
    let progress = Reflect::get(&js_sys::global(), &"progress".into()).expect("was reported");
    let last = js_sys::Array::from(&progress).pop();
    let whole = JsValue::from(300_000);
    assert_eq!(js_sys::Array::from(&last).to_vec(), [whole.clone(), whole]);
}

#[wasm_bindgen_test]
async fn failures_have_a_code() {
    let missing = fetch_with_progress("./no-such-file".into(), None).await.expect_err("refused");
    let unreachable = fetch_with_progress("http://127.0.0.1:1/".into(), None).await.expect_err("refused");
    for failure in [missing, unreachable] {
        let error = JsValue::from(failure);
        assert_eq!(Reflect::get(&error, &"code".into()).expect("an error"), JsValue::from("network"));
    }
}
