//! The core's split into word pieces beside the model's own tokenizer.

mod common;

use common::mini_lm;
use proptest::prelude::*;
use querent_core::query_encoder::{PieceId, Vocabulary};
use querent_model::MiniLm;
use std::sync::OnceLock;

struct Both {
    model: MiniLm,
    vocabulary: Vocabulary,
    /// The piece of each id of the model.
    pieces: Vec<PieceId>,
    unknown: u32,
}

fn both() -> &'static Both {
    static BOTH: OnceLock<Both> = OnceLock::new();
    BOTH.get_or_init(|| {
        let files = mini_lm();
        let model = MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config).expect("loads");
        let names = model.vocabulary();
        let vocabulary = Vocabulary::new(names.iter().map(String::as_str));
        assert_eq!(vocabulary.len(), names.len());
        let pieces = names.iter().map(|name| vocabulary.find(name).expect("is there")).collect();
        let unknown = names.iter().position(|name| name == "[UNK]").expect("is there") as u32;
        Both { model, vocabulary, pieces, unknown }
    })
}

/// Whether both give the same pieces for as much of `text` as the model sees.
fn agrees(text: &str) -> bool {
    let both = both();
    let ids = both.model.tokenize(text).expect("tokenizes");
    let piece = |&id: &u32| (id != both.unknown).then(|| both.pieces[id as usize]);
    let expected: Vec<_> = ids[1..ids.len() - 1].iter().map(piece).collect();
    let mut found = both.vocabulary.split(text);
    found.truncate(254);
    found == expected
}

#[test]
fn golden_texts() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("golden/minilm.json")).expect("is JSON");
    let texts: Vec<&str> =
        golden["rows"].as_array().expect("rows").iter().filter_map(|row| row["text"].as_str()).collect();
    assert_eq!(texts.len(), 100);
    // The model knows special tokens by how they are written; the core has no use for them.
    let plain = |text: &&&str| !text.contains("[SEP]");
    let differing: Vec<_> = texts.iter().filter(plain).filter(|text| !agrees(text)).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn every_character_of_the_promised_blocks() {
    let blocks = [
        0x20_u32..=0x24f,
        0x300..=0x36f,
        0x391..=0x3c9,
        0x400..=0x45f,
        0x1e00..=0x1e99,
        0x1ea0..=0x1ef9,
        0x2000..=0x206f,
        0x20a0..=0x20bf,
        0x2190..=0x2199,
        0x21d0..=0x2203,
        0x220a..=0x2223,
        0x2227..=0x2240,
        0x2500..=0x27bf,
        0x3000..=0x303f,
        0x3041..=0x30ff,
        0x4e00..=0x9fa5,
        0xac00..=0xd7a3,
        0xff00..=0xff65,
        0x1_f300..=0x1_f64f,
    ];
    let characters = blocks.into_iter().flatten().filter_map(char::from_u32);
    let differing: Vec<_> = characters.filter(|c| !agrees(&format!("a{c}b {c}"))).collect();
    assert!(differing.is_empty(), "{} differ: {differing:?}", differing.len());
}

proptest! {
    #[test]
    fn texts(text in "[ -~\t\nÀ-ž\u{300}-\u{304}α-ωА-я‐-‧、。一-十\u{200b}]{0,60}") {
        prop_assert!(agrees(&text), "{:?}", text);
    }

    #[test]
    fn words(text in "([a-zA-Z]{1,12}[ ._:-]{0,2}){0,20}") {
        prop_assert!(agrees(&text), "{:?}", text);
    }
}
