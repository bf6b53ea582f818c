//! The cross-encoder: ms-marco-MiniLM-L-12-v2 beside two references for 36 pairs (`golden/make_reranker.py`), and a
//! head of made-up weights on the committed model where the test is about files and batches.

mod common;

use common::{Files, reranker, tiny_reranker};
use proptest::prelude::*;
use querent_core::rerank::Reranker;
use querent_model::{CrossEncoder, MiniLm, ModelError, pack};
use serde::Deserialize;
use std::{collections::BTreeMap, sync::OnceLock};

#[derive(Deserialize)]
struct Golden {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    query: String,
    passage: String,
    ids: Vec<u32>,
    first: usize,
    /// By the formulas, in f64.
    logit: f32,
    /// By onnxruntime, which rounds its activations to 8 bits.
    onnx: f32,
}

/// The rows of each query.
fn golden() -> BTreeMap<String, Vec<Row>> {
    let golden: Golden = serde_json::from_str(include_str!("golden/reranker.json")).expect("is JSON");
    assert_eq!(golden.rows.len(), 36);
    let mut queries: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in golden.rows {
        queries.entry(row.query.clone()).or_default().push(row);
    }
    queries
}

fn load(files: &Files) -> Result<CrossEncoder, ModelError> {
    CrossEncoder::from_bytes(&files.weights, &files.tokenizer, &files.config)
}

fn pack_of(files: &Files) -> Result<Vec<u8>, ModelError> {
    pack::pack_reranker(&files.weights, &files.tokenizer, &files.config)
}

fn full() -> &'static CrossEncoder {
    static MODEL: OnceLock<CrossEncoder> = OnceLock::new();
    MODEL.get_or_init(|| load(&reranker()).expect("loads"))
}

fn packed() -> &'static CrossEncoder {
    static MODEL: OnceLock<CrossEncoder> = OnceLock::new();
    MODEL.get_or_init(|| {
        let bytes = pack_of(&reranker()).expect("packs");
        assert!(bytes.len() <= 35_000_000, "expected at most 35 MB, got {} bytes", bytes.len());
        CrossEncoder::from_pack(&bytes).expect("loads")
    })
}

/// Scores every pair, checks how far each is off and that the order of clearly different ones is the reference's.
fn check_logits(model: &CrossEncoder, most: f32) {
    let mut worst = 0.0_f32;
    for (query, rows) in golden() {
        let passages: Vec<&str> = rows.iter().map(|row| row.passage.as_str()).collect();
        let logits = model.logits(&query, &passages).expect("scores");
        for (row, got) in rows.iter().zip(&logits) {
            let off = (row.logit - got).abs();
            assert!(off <= most, "expected {} within {most}, got {got} for {query:?}", row.logit);
            worst = worst.max(off);
        }
        for (one, a) in rows.iter().zip(&logits) {
            for (other, b) in rows.iter().zip(&logits) {
                assert!(one.logit - other.logit < 2.0 * most || a > b, "{query:?}: {a} {b}");
            }
        }
    }
    eprintln!("worst difference {worst:.4}");
}

#[test]
fn full_weights_give_the_reference_scores() {
    check_logits(full(), 0.001);
}

#[test]
fn the_pack_gives_nearly_the_reference_scores() {
    check_logits(packed(), 0.15);
}

/// Single pairs are off by up to 0.8, because the other side rounds; over all pairs little is left.
#[test]
fn both_are_near_what_others_run() {
    for model in [full(), packed()] {
        let mut sum = 0.0;
        for (query, rows) in golden() {
            let passages: Vec<&str> = rows.iter().map(|row| row.passage.as_str()).collect();
            let logits = model.logits(&query, &passages).expect("scores");
            sum += rows.iter().zip(&logits).map(|(row, got)| (row.onnx - got).abs()).sum::<f32>();
        }
        assert!(sum / 36.0 <= 0.15, "mean difference {}", sum / 36.0);
    }
}

#[test]
fn pairs_are_tokenized_as_the_reference_does() {
    for row in golden().into_values().flatten() {
        for model in [full(), packed()] {
            let (ids, first) = model.tokenize(&row.query, &row.passage).expect("tokenizes");
            assert_eq!((ids, first), (row.ids.clone(), row.first), "{:?}", row.query);
        }
    }
}

#[test]
fn the_pack_names_the_weights_it_was_made_from() {
    assert_eq!(packed().identity(), full().identity());
    let identity = full().identity();
    assert_eq!(identity.id, "cross-encoder/ms-marco-MiniLM-L-12-v2");
    assert_eq!((identity.dimensions, identity.max_tokens), (384, 512));
}

#[test]
fn a_pair_is_cut_and_the_query_keeps_half() {
    let long = "word ".repeat(999);
    for (limit, query, passage, tokens, first) in [
        (256, "the index", long.as_str(), 256, 4),
        (64, "the index", long.as_str(), 64, 4),
        (64, long.as_str(), long.as_str(), 64, 32),
        (1, "the index", long.as_str(), 16, 4),
        (9999, "", long.as_str(), 256, 2),
        (64, "", "", 3, 2),
    ] {
        let model = load(&tiny_reranker()).expect("loads").with_max_tokens(limit);
        let (ids, of_query) = model.tokenize(query, passage).expect("tokenizes");
        assert_eq!((ids.len(), of_query), (tokens, first), "{limit} {} {}", query.len(), passage.len());
        assert!(model.score(query, &[passage]).expect("scores")[0].is_finite());
    }
}

#[test]
fn kinds_of_packs_are_not_mixed_up() {
    let files = tiny_reranker();
    let reranker = pack_of(&files).expect("packs");
    assert_eq!(reranker, pack_of(&files).expect("packs"));
    let embedder = pack::pack(&files.weights, &files.tokenizer, &files.config).expect("packs");
    assert!(matches!(MiniLm::from_pack(&reranker), Err(ModelError::PackKind { .. })));
    assert!(matches!(CrossEncoder::from_pack(&embedder), Err(ModelError::PackKind { .. })));
    assert!(CrossEncoder::from_pack(&reranker).is_ok() && MiniLm::from_pack(&embedder).is_ok());
}

#[test]
fn what_is_no_reranker_is_refused() {
    let check = |change: fn(&mut Files), part: &str| {
        let mut files = tiny_reranker();
        change(&mut files);
        for got in [load(&files).map(|_| ()), pack_of(&files).map(|_| ())] {
            let message = got.expect_err("is refused").to_string();
            assert!(message.contains(part), "expected {part:?} in {message:?}");
        }
    };
    check(|files| files.weights = common::tiny().weights, "lack the tensor `pooler.dense.");
    check(
        |files| files.config = replaced(&files.config, "\"type_vocab_size\": 2", "\"type_vocab_size\": 1"),
        "token types",
    );
    check(|files| files.weights.truncate(999), "not a safetensors file");
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    String::from_utf8_lossy(bytes).replace(from, to).into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn a_batch_gives_what_single_pairs_give(
        query in "[a-z ]{0,40}",
        passages in prop::collection::vec("[a-z ]{0,200}|\\PC{0,20}", 0..20),
    ) {
        static MODEL: OnceLock<CrossEncoder> = OnceLock::new();
        let model = MODEL.get_or_init(|| load(&tiny_reranker()).expect("loads"));
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        for (passage, of_batch) in passages.iter().zip(model.logits(&query, &passages).expect("scores")) {
            let single = model.logits(&query, &[passage]).expect("scores");
            prop_assert!((single[0] - of_batch).abs() < 1e-4);
        }
    }

    #[test]
    fn a_damaged_pack_does_not_panic(flips in prop::collection::vec((any::<usize>(), 0_u8..8), 1..5)) {
        static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
        let mut bytes = BYTES.get_or_init(|| pack_of(&tiny_reranker()).expect("packs")).clone();
        for (at, bit) in flips {
            let at = 44 + at % (bytes.len() - 44);
            bytes[at] ^= 1 << bit;
        }
        prop_assert!(CrossEncoder::from_pack(&bytes).is_err());
        pack::seal(&mut bytes);
        if let Ok(model) = CrossEncoder::from_pack(&bytes) {
            let _ = model.logits("the borrow checker", &["", "a variable"]);
        }
    }
}
