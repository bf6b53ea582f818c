//! all-MiniLM-L6-v2 beside the reference implementation's ids and vectors of 100 texts (`golden/make.py`).

mod common;

use common::{cosine, difference, mini_lm};
use querent_core::embedding::{Embedder, TokenCounter};
use querent_model::{MiniLm, pack};
use serde::Deserialize;
use std::sync::OnceLock;

#[derive(Deserialize)]
struct Golden {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    text: String,
    ids: Vec<u32>,
    vector: String,
}

fn rows() -> Vec<Row> {
    let golden: Golden = serde_json::from_str(include_str!("golden/minilm.json")).expect("is JSON");
    assert_eq!(golden.rows.len(), 100);
    golden.rows
}

/// Little-endian f32 numbers in base64.
fn vector(row: &Row) -> Vec<f32> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |c: &u8| digits.iter().position(|digit| digit == c).unwrap_or(0) as u32;
    let mut bytes = Vec::new();
    for four in row.vector.as_bytes().chunks(4) {
        let word = four.iter().fold(0, |word, c| word << 6 | value(c));
        bytes.extend_from_slice(&word.to_be_bytes()[1..]);
    }
    bytes.truncate(384 * 4);
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
}

fn full() -> &'static MiniLm {
    static MODEL: OnceLock<MiniLm> = OnceLock::new();
    MODEL.get_or_init(|| {
        let files = mini_lm();
        MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config).expect("loads")
    })
}

fn packed() -> &'static MiniLm {
    static MODEL: OnceLock<MiniLm> = OnceLock::new();
    MODEL.get_or_init(|| {
        let files = mini_lm();
        let bytes = pack::pack(&files.weights, &files.tokenizer, &files.config).expect("packs");
        assert!(bytes.len() <= 24_000_000, "expected at most 24 MB, got {} bytes", bytes.len());
        MiniLm::from_pack(&bytes).expect("loads")
    })
}

/// Embeds all texts in one call and checks every cosine.
fn check_cosine(model: &MiniLm, floor: f64) {
    let rows = rows();
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    let vectors = model.embed_batch(&texts).expect("embeds");
    let (mut worst, mut sum) = (1.0_f64, 0.0);
    for (row, got) in rows.iter().zip(&vectors) {
        let cosine = cosine(&vector(row), got);
        assert!(cosine >= floor, "expected at least {floor}, got {cosine} for {:?}", row.text);
        worst = worst.min(cosine);
        sum += cosine;
    }
    eprintln!("worst cosine {worst:.7}, mean {:.7}", sum / rows.len() as f64);
}

#[test]
fn full_weights_give_the_reference_vectors() {
    check_cosine(full(), 0.9999);
}

#[test]
fn the_pack_gives_nearly_the_reference_vectors() {
    check_cosine(packed(), 0.995);
}

#[test]
fn token_ids_are_the_references() {
    for row in rows() {
        for model in [full(), packed()] {
            let ids = model.tokenize(&row.text).expect("tokenizes");
            assert_eq!(ids, row.ids, "{:?}", row.text);
            let count = model.count(&row.text) + 2;
            assert!(count == ids.len() || ids.len() == 256 && count > 256, "{count} {:?}", row.text);
        }
    }
}

#[test]
fn a_batch_gives_what_single_calls_give() {
    let rows = rows();
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).step_by(3).collect();
    let vectors = full().embed_batch(&texts).expect("embeds");
    for (text, of_batch) in texts.iter().zip(&vectors) {
        let single = full().embed_batch(&[text]).expect("embeds");
        assert!(difference(&single[0], of_batch) < 1e-5, "{text:?}");
    }
}

#[test]
fn the_pack_names_the_weights_it_was_made_from() {
    assert_eq!(packed().identity(), full().identity());
    let identity = full().identity();
    assert_eq!(identity.id, "sentence-transformers/all-MiniLM-L6-v2");
    assert_eq!((identity.dimensions, identity.max_tokens), (384, 256));
}
