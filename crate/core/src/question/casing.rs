//! Whether a word that stands in capitals by its place (in a title, at a sentence's start) is a name.

use super::{
    grammar::{Table, table},
    passage::{Block, BlockKind, Word},
};
use std::{collections::HashMap, sync::LazyLock};

/// Names of documentation, for when the text around gives no evidence.
static NAMES: Table = LazyLock::new(|| {
    table(
        "android apache api azure bash bitbucket bootstrap cargo chrome clippy debian deno django docker \
     english firebase firefox fortran git github gitlab go google haskell hugo java javascript jenkins \
     json katex kubernetes linux mac markdown mathjax mercurial mermaid microsoft mozilla mysql netlify \
     nginx npm ocaml perl postgres python querent react redis ruby rust sass safari svelte swift \
     toml typescript ubuntu unicode unix vim vue wasm webassembly windows wordpress xml yaml",
    )
});

/// How often words stand in lower case and in capitals where nothing but their being a name asks for it.
#[derive(Debug, Default)]
pub(super) struct Casing {
    seen: HashMap<String, (u32, u32)>,
}

impl Casing {
    pub(super) fn of(blocks: &[Block]) -> Self {
        let mut seen: HashMap<String, (u32, u32)> = HashMap::new();
        let prose = blocks.iter().filter(|block| block.kind == BlockKind::Prose);
        for sentence in prose.flat_map(|block| block.sentences()) {
            for word in sentence.iter().skip(1).filter(|word| !word.is_code) {
                let count = seen.entry(word.text.to_lowercase()).or_default();
                if word.text.starts_with(char::is_lowercase) {
                    count.0 += 1;
                } else {
                    count.1 += 1;
                }
            }
        }
        Self { seen }
    }

    /// The word as it stands inside a sentence. `is_forced` says that its capital may come from its place.
    pub(super) fn inside(&self, word: &Word, is_forced: bool) -> String {
        let text = &word.text;
        let is_plain =
            text.chars().enumerate().all(|(at, c)| {
                if at == 0 { c.is_uppercase() } else { c.is_lowercase() || "-'’".contains(c) }
            }) || is_hyphenated_title(text);
        if word.is_code || !is_forced || !is_plain || self.is_name(text) {
            return text.clone();
        }
        text.to_lowercase()
    }

    /// Whether the word is a known name in lower case, as in a command: `cargo build`.
    pub(super) fn is_command(text: &str) -> bool {
        NAMES.contains(text)
    }

    /// Whether the word is a name: written in capitals inside sentences, or a known one.
    pub(super) fn is_name(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let root = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower);
        let is_known = NAMES.contains(root);
        match self.seen.get(&lower) {
            Some(&(small, capital)) => capital > small && text.starts_with(char::is_uppercase) || is_known,
            None => is_known,
        }
    }
}

/// `Build-Time`, which is `build-time` inside a sentence.
fn is_hyphenated_title(text: &str) -> bool {
    text.contains('-')
        && text.split('-').all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_lowercase)
        })
}

/// Whether the word is written as code or as an acronym: it keeps its case and may take no article.
pub(super) fn is_identifier(word: &Word) -> bool {
    let text = &word.text;
    if !word.is_code && is_plural_acronym(text) {
        return false;
    }
    word.is_code
        || text.contains(['_', '(', '<', '!', '/', '$', '@', '#'])
        || text.contains("::")
        || text.matches('-').count() >= 2
        || text.chars().skip(1).any(char::is_uppercase)
        || text[text.ceil_char_boundary(1)..].trim_end_matches('.').contains('.')
}

/// `URLs`, `APIs`: the plural of an acronym.
fn is_plural_acronym(text: &str) -> bool {
    text.strip_suffix('s').is_some_and(|root| root.len() > 1 && root.bytes().all(|b| b.is_ascii_uppercase()))
}
