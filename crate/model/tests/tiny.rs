//! Loading, packing and running, with the committed model of random weights.

mod common;

use common::{cosine, difference, tiny};
use proptest::prelude::*;
use querent_core::embedding::{Embedder, TokenCounter};
use querent_model::{MiniLm, ModelError, pack};
use std::sync::OnceLock;

fn full() -> MiniLm {
    let files = tiny();
    MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config).expect("loads")
}

fn packed_bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let files = tiny();
        pack::pack(&files.weights, &files.tokenizer, &files.config).expect("packs")
    })
}

#[test]
fn shared_words_are_near_and_every_vector_has_length_one() {
    let model = full();
    let texts = ["borrow a variable", "borrow the variable", "install the server", "", "🦀", "variable"];
    let vectors = model.embed(&texts).expect("embeds");
    for vector in &vectors {
        assert_eq!(vector.len(), 32);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-6);
    }
    assert!(cosine(&vectors[0], &vectors[1]) > cosine(&vectors[0], &vectors[2]));
    assert_eq!(model.embed(&[]).expect("embeds nothing"), Vec::<Vec<f32>>::new());
}

#[test]
fn ids_are_framed_and_cut() {
    let model = full();
    for (text, length, count) in
        [("", 2, 0), ("the index", 4, 2), ("漢字", 4, 2), (&"word ".repeat(999), 256, 999)]
    {
        let ids = model.tokenize(text).expect("tokenizes");
        assert_eq!((ids[0], ids[ids.len() - 1], ids.len()), (2, 3, length), "{text:?}");
        assert_eq!(model.count(text), count, "{text:?}");
    }
}

#[test]
fn a_pack_is_the_same_model() {
    let files = tiny();
    let again = pack::pack(&files.weights, &files.tokenizer, &files.config).expect("packs");
    assert_eq!(again, packed_bytes());
    let (full, packed) = (full(), MiniLm::from_pack(packed_bytes()).expect("loads"));
    assert_eq!(full.identity(), packed.identity());
    for text in ["", "how do I borrow a mutable variable", "Ünïcode 🦀 [SEP] x"] {
        assert_eq!(full.tokenize(text).expect("tokenizes"), packed.tokenize(text).expect("tokenizes"));
        let (a, b) = (full.embed(&[text]).expect("embeds"), packed.embed(&[text]).expect("embeds"));
        assert!(cosine(&a[0], &b[0]) > 0.999, "{text:?}");
    }
}

/// Loads the tiny model with one file changed and looks for `part` in the message.
fn check_refused(change: impl Fn(&mut common::Files), part: &str) {
    let mut files = tiny();
    change(&mut files);
    for got in [
        MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config).map(|_| ()),
        pack::pack(&files.weights, &files.tokenizer, &files.config).map(|_| ()),
    ] {
        let message = got.expect_err("is refused").to_string();
        assert!(message.contains(part), "expected {part:?} in {message:?}");
    }
}

/// `bytes` with every `from` replaced by `to`.
fn replace(bytes: &mut Vec<u8>, from: &str, to: &str) {
    *bytes = String::from_utf8_lossy(bytes).replace(from, to).into_bytes();
}

#[test]
fn what_does_not_fit_is_refused() {
    check_refused(|files| files.weights.truncate(1000), "not a safetensors file");
    check_refused(
        |files| replace(&mut files.config, "\"intermediate_size\": 64", "\"intermediate_size\": 65"),
        "expected shape [65",
    );
    check_refused(
        |files| replace(&mut files.config, "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"),
        "lack the tensor `encoder.layer.2.",
    );
    check_refused(|files| replace(&mut files.config, "gelu", "relu"), "expected \"gelu\"");
    check_refused(
        |files| replace(&mut files.tokenizer, "BertNormalizer", "NFC"),
        "expected BertNormalizer, got NFC",
    );
    check_refused(|files| replace(&mut files.tokenizer, "WordPiece", "BPE"), "expected WordPiece, got BPE");
    check_refused(|files| replace(&mut files.tokenizer, "[CLS]", "[BOS]"), "expected the token \"[CLS]\"");
    check_refused(|files| files.tokenizer.truncate(500), "tokenizer.json");
}

#[test]
fn damaged_packs_say_what_is_wrong() {
    let mut other_version = packed_bytes().to_vec();
    other_version[8] = 99;
    let mut flipped = packed_bytes().to_vec();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let short = &packed_bytes()[..1000];
    assert!(matches!(MiniLm::from_pack(b"PK\x03\x04"), Err(ModelError::NotAPack { .. })));
    assert!(matches!(MiniLm::from_pack(b""), Err(ModelError::NotAPack { .. })));
    assert!(matches!(
        MiniLm::from_pack(&other_version),
        Err(ModelError::PackVersion { expected: 1, got: 99 })
    ));
    assert!(matches!(MiniLm::from_pack(&flipped), Err(ModelError::PackDamaged { .. })));
    assert!(matches!(MiniLm::from_pack(short), Err(ModelError::PackDamaged { .. })));
}

/// `bytes` with some bits flipped.
fn flip(bytes: &mut [u8], flips: &[(usize, u8)]) {
    for (at, bit) in flips {
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
    }
}

fn flips() -> impl Strategy<Value = Vec<(usize, u8)>> {
    // Half of them near the start, where headers are.
    let at = prop_oneof![0_usize..4000, any::<usize>()];
    prop::collection::vec((at, 0_u8..8), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_truncated_or_flipped_pack_is_an_error(cut in any::<usize>(), flips in flips()) {
        let whole = packed_bytes();
        prop_assert!(MiniLm::from_pack(&whole[..cut % whole.len()]).is_err());
        let mut bytes = whole.to_vec();
        flip(&mut bytes, &flips);
        prop_assert!(bytes == whole || MiniLm::from_pack(&bytes).is_err());
    }

    #[test]
    fn a_forged_checksum_does_not_panic(flips in flips()) {
        let mut bytes = packed_bytes().to_vec();
        flip(&mut bytes[44..], &flips);
        pack::seal(&mut bytes);
        if let Ok(model) = MiniLm::from_pack(&bytes) {
            let _ = model.embed(&["the borrow checker", ""]);
        }
    }

    #[test]
    fn damaged_files_do_not_panic(which in 0..3, cut in any::<usize>(), flips in flips()) {
        let mut files = tiny();
        let damaged = match which {
            0 => &mut files.weights,
            1 => &mut files.tokenizer,
            _ => &mut files.config,
        };
        flip(damaged, &flips);
        if cut % 3 == 0 {
            damaged.truncate(cut % damaged.len());
        }
        if let Ok(model) = MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config) {
            let _ = model.embed(&["the borrow checker", ""]);
        }
    }

    #[test]
    fn batches_give_what_single_calls_give(texts in prop::collection::vec("[a-z ]{0,40}|\\PC{0,20}", 0..20)) {
        static MODEL: OnceLock<MiniLm> = OnceLock::new();
        let model = MODEL.get_or_init(full);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (text, of_batch) in texts.iter().zip(model.embed(&texts).expect("embeds")) {
            let single = model.embed(&[text]).expect("embeds");
            prop_assert!(difference(&single[0], &of_batch) < 1e-5);
        }
    }
}
