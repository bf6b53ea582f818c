//! Native and wasm build the same segment, byte for byte.
//!
//! The same tests run on both targets against the same committed hashes:
//!
//! ```text
//! cargo test -p querent-wasm --test parity                          native
//! wasm-pack test --headless --chrome crate/wasm --test parity       wasm
//! ```
//!
//! A change of the format, the tokenizer, the chunker or the questions changes the hashes on purpose: write them
//! again with `QUERENT_BLESS=1 cargo test -p querent-wasm --test parity`, and look at what changed.
#![cfg(feature = "ingest")]

use querent_core::{
    embedding::{Embedder, HashEmbedder, WordEstimate},
    indexer::{BuiltSegment, IndexSettings, Indexer},
    question::RuleGenerator,
};
use querent_reader::{ReadSettings, Source, read};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use wasm_bindgen_test::wasm_bindgen_test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

/// SHA-256 of every file by name, as a native build wrote them.
const GOLDEN: &str = include_str!("parity/segment.json");

/// One document of each kind, and what is hard about text: scripts, accents, emoji, code, an empty section.
const DOCUMENTS: [(&str, &str); 6] = [
    (
        "guide/borrow.md",
        "---\ntitle: Borrowing\n---\n# Borrowing\n\nA *reference* borrows a value. Why can't I modify a variable while it is \
         borrowed?\n\n## Mutable references\n\n```rust\nlet mut value = Vec::<u8>::new();\nlet shared = &value;\n```\n\n\
         To change a value, borrow it mutably with `&mut`.\n\n## Empty\n\n## Errors\n\nThe compiler reports E0502.\n",
    ),
    (
        "reference.html",
        "<!doctype html><html lang=en><title>Reference</title><nav>Home</nav><main><h1 id=top>Reference</h1>\
         <p>The <code>HashMap::get_mut</code> function returns an <b>option</b>.</p><table><tr><td>1<td>2</table>\
         <h2 id=panics>Panics</h2><p>It never panics.</p></main></html>",
    ),
    ("notes.txt", "A note without a heading.\r\n\r\nIt has two paragraphs, na\u{ef}ve ones.\r\n"),
    (
        "scripts.md",
        "# \u{6f22}\u{5b57} and \u{1f980}\n\n\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{6587}\u{7ae0}\u{3002} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} \
         cafe\u{301} CAF\u{c9} \u{130}stanbul \u{441}\u{43b}\u{43e}\u{432}\u{43e}\n",
    ),
    (
        "config.md",
        "# Configuration\n\nSet `max_open_files` in server.toml. How do I raise the limit? Raise `ulimit -n` \
         first, then restart the server with `systemctl restart my-server`.\n\n- one\n- two\n  - three\n",
    ),
    (
        "haus.md",
        "---\nlang: de\n---\n# H\u{e4}user\n\nDie H\u{e4}user am See sind gr\u{f6}\u{df}er als der `HashMap` dort.\n",
    ),
];

fn build(embed_questions: bool) -> BuiltSegment {
    let settings = IndexSettings { embed_questions, ..IndexSettings::default() };
    let mut indexer = Indexer::new(settings);
    for (path, text) in DOCUMENTS {
        let source = Source { path, bytes: text.as_bytes() };
        let document = read(&source, &ReadSettings::default()).expect("a document").document;
        indexer.add(document, &WordEstimate, Some(&RuleGenerator)).expect("fits");
    }
    let texts = indexer.texts();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = HashEmbedder::new(48).embed(&texts).expect("embeds");
    indexer.finish(Some(&vectors)).expect("a segment")
}

fn hashes() -> BTreeMap<String, String> {
    let mut hashes = BTreeMap::new();
    for (name, embed_questions) in [("chunks", false), ("questions", true)] {
        for (file, bytes) in build(embed_questions).files {
            let digest = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            hashes.insert(format!("{name}/{file}"), digest);
        }
    }
    hashes
}

#[wasm_bindgen_test(unsupported = test)]
fn segments_are_the_committed_ones() {
    let hashes = hashes();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("QUERENT_BLESS").is_some() {
        let json = serde_json::to_string_pretty(&hashes).expect("JSON") + "\n";
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/parity/segment.json"), json)
            .expect("writes");
        return;
    }
    let golden: BTreeMap<String, String> = serde_json::from_str(GOLDEN).expect("JSON");
    assert_eq!(hashes, golden, "see the top of this file where the change is meant");
}

#[wasm_bindgen_test(unsupported = test)]
fn building_twice_gives_the_same_bytes() {
    assert_eq!(build(false), build(false));
}
