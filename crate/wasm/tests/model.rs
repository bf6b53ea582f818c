//! The embedding model inside a browser: the committed model of random weights, and with the feature `real-model`
//! MiniLM itself against the reference implementation.
//!
//! ```text
//! QUERENT_PACK=/path/to/pack wasm-pack test --headless --chrome crate/wasm --test model --features real-model
//! ```
#![cfg(all(target_arch = "wasm32", feature = "model"))]

use js_sys::Reflect;
use querent_model::pack;
use querent_wasm::{EmbeddingModel, RerankModel};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn tiny() -> Vec<u8> {
    let weights = include_bytes!("../../../models/tiny/model.safetensors");
    let tokenizer = include_bytes!("../../../models/tiny/tokenizer.json");
    let config = include_bytes!("../../../models/tiny/config.json");
    pack::pack(weights, tokenizer, config).expect("packs")
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn embed(model: &EmbeddingModel, texts: &[&str]) -> Vec<f32> {
    model.embed(texts.iter().map(|text| (*text).to_owned()).collect()).expect("embeds")
}

fn dimensions(model: &EmbeddingModel) -> usize {
    let dimensions = Reflect::get(&model.identity(), &"dimensions".into()).expect("an identity");
    dimensions.as_f64().expect("a number") as usize
}

#[wasm_bindgen_test]
fn embeds_row_by_row() {
    let model = EmbeddingModel::from_pack(&tiny()).expect("loads");
    let texts = ["borrow a variable", "borrow the variable", "install the server", "", "\u{1f980}"];
    let all = embed(&model, &texts);
    let length = dimensions(&model);
    assert_eq!(all.len(), texts.len() * length);
    let rows: Vec<&[f32]> = all.chunks(length).collect();
    for (text, row) in texts.iter().zip(&rows) {
        assert!((dot(row, row) - 1.0).abs() < 1e-5, "{text:?}");
        assert!(
            dot(row, &embed(&model, &[text])) > 0.99999,
            "a batch gives what single calls give: {text:?}"
        );
    }
    assert!(dot(rows[0], rows[1]) > dot(rows[0], rows[2]));
    assert!(embed(&model, &[]).is_empty());
}

/// The same model under a head of made-up numbers, as a pack of a reranker.
fn tiny_reranker() -> Vec<u8> {
    let bytes = include_bytes!("../../../models/tiny/model.safetensors");
    let encoder = SafeTensors::deserialize(bytes).expect("is committed");
    let numbers: Vec<u8> =
        (0..1024).flat_map(|at| ((at * 37 % 101) as f32 / 50.0 - 1.0).to_le_bytes()).collect();
    let view = |shape: &[usize]| {
        let length = 4 * shape.iter().product::<usize>();
        TensorView::new(Dtype::F32, shape.to_vec(), &numbers[..length]).expect("fits its shape")
    };
    let mut tensors: Vec<(String, TensorView<'_>)> = encoder.tensors();
    for (name, shape) in [
        ("pooler.dense.weight", &[32, 32][..]),
        ("pooler.dense.bias", &[32]),
        ("classifier.weight", &[1, 32]),
        ("classifier.bias", &[1]),
    ] {
        tensors.push((name.into(), view(shape)));
    }
    let weights = safetensors::serialize(tensors, None).expect("can be written");
    let tokenizer = include_bytes!("../../../models/tiny/tokenizer.json");
    let config = include_bytes!("../../../models/tiny/config.json");
    pack::pack_reranker(&weights, tokenizer, config).expect("packs")
}

#[wasm_bindgen_test]
fn scores_pair_by_pair() {
    let model = RerankModel::from_pack(&tiny_reranker()).expect("loads");
    let passages = ["borrow the variable", "", "install the server \u{1f980}"].map(str::to_owned);
    let all = model.score("borrow a variable", passages.to_vec()).expect("scores");
    assert_eq!(all.len(), 3);
    for (passage, score) in passages.into_iter().zip(all) {
        assert!((0.0..=1.0).contains(&score));
        let single = model.score("borrow a variable", vec![passage]).expect("scores");
        assert!((single[0] - score).abs() < 1e-4);
    }
    let error = JsValue::from(RerankModel::from_pack(&tiny()).expect_err("an embedder's pack"));
    assert_eq!(Reflect::get(&error, &"code".into()).expect("an error"), JsValue::from("model"));
}

#[wasm_bindgen_test]
fn counts_and_cuts_tokens() {
    let model = EmbeddingModel::from_pack(&tiny()).expect("loads");
    assert_eq!(model.count_tokens(""), 0);
    assert_eq!(model.tokenize("").expect("tokenizes").len(), 2);
    let long = "word ".repeat(999);
    assert_eq!((model.count_tokens(&long), model.tokenize(&long).expect("tokenizes").len()), (999, 256));
}

#[wasm_bindgen_test]
fn damage_has_a_code() {
    let bytes = tiny();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    for damaged in [&bytes[..bytes.len() - 1], &flipped, &[][..], b"<!doctype html>"] {
        let error = JsValue::from(EmbeddingModel::from_pack(damaged).expect_err("refused"));
        assert_eq!(Reflect::get(&error, &"code".into()).expect("an error"), JsValue::from("model"));
    }
}

#[cfg(feature = "real-model")]
mod real {
    use super::*;
    use js_sys::{Float32Array, Function};
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../model/tests/golden/minilm.json");

    /// The numbers of a golden vector: base64 of little-endian f32.
    fn decode(base64: &str) -> Vec<f32> {
        let code = "return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer)";
        let numbers = Function::new_with_args("text", code).call1(&JsValue::UNDEFINED, &base64.into());
        numbers.expect("base64").dyn_into::<Float32Array>().expect("numbers").to_vec()
    }

    #[wasm_bindgen_test]
    fn agrees_with_the_reference() {
        let model = EmbeddingModel::from_pack(include_bytes!(env!("QUERENT_PACK"))).expect("loads");
        let golden: Value = serde_json::from_str(GOLDEN).expect("JSON");
        let mut worst = 1.0_f32;
        for row in golden["rows"].as_array().expect("rows") {
            let text = row["text"].as_str().expect("a text");
            let ids: Vec<u32> = serde_json::from_value(row["ids"].clone()).expect("ids");
            assert_eq!(model.tokenize(text).expect("tokenizes"), ids, "{text:?}");
            let expected = decode(row["vector"].as_str().expect("a vector"));
            worst = worst.min(dot(&embed(&model, &[text]), &expected));
        }
        assert!(worst >= 0.995, "expected a cosine of at least 0.995, got {worst}");
    }
}
