//! Native and wasm cut the same tokens, against committed ids of the committed model:
//!
//! ```text
//! cargo test -p querent-wasm --test tokens                          native
//! wasm-pack test --headless --chrome crate/wasm --test tokens       wasm
//! ```
//!
//! `QUERENT_BLESS=1 cargo test -p querent-wasm --test tokens` writes the ids again.
#![cfg(feature = "model")]

use querent_model::MiniLm;
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// Ids by text, as a native build cut them.
const GOLDEN: &str = include_str!("parity/tokens.json");

const TEXTS: [&str; 10] = [
    "",
    "How do I borrow a mutable variable?",
    "HashMap::get_mut snake_case camelCase kebab-case",
    "na\u{ef}ve cafe\u{301} CAF\u{c9} \u{130}stanbul",
    "\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{6587}\u{7ae0}\u{3002} \u{6f22}\u{5b57}",
    "\u{1f980} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "[CLS] [SEP] [MASK] [UNK]",
    "tab\tline\nno\u{a0}break\u{200b}zero\u{0}nul\u{fffd}",
    "Donaudampfschifffahrtsgesellschaftskapit\u{e4}nsm\u{fc}tzenabzeichen",
    "let mut v: Vec<&'a str> = vec![\"x\"; 3]; // 100% #1",
];

fn tokens() -> BTreeMap<&'static str, Vec<u32>> {
    let model = MiniLm::from_bytes(
        include_bytes!("../../../models/tiny/model.safetensors"),
        include_bytes!("../../../models/tiny/tokenizer.json"),
        include_bytes!("../../../models/tiny/config.json"),
    )
    .expect("loads");
    TEXTS.into_iter().map(|text| (text, model.tokenize(text).expect("tokenizes"))).collect()
}

#[wasm_bindgen_test(unsupported = test)]
fn ids_are_the_committed_ones() {
    let tokens = tokens();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("QUERENT_BLESS").is_some() {
        let lines = serde_json::to_string(&tokens).expect("JSON").replace("],", "],\n");
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/parity/tokens.json"), lines + "\n")
            .expect("writes");
        return;
    }
    let golden: BTreeMap<String, Vec<u32>> = serde_json::from_str(GOLDEN).expect("JSON");
    let tokens: BTreeMap<String, Vec<u32>> =
        tokens.into_iter().map(|(text, ids)| (text.to_owned(), ids)).collect();
    assert_eq!(tokens, golden);
}
