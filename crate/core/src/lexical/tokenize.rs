//! Words and their terms.
//!
//! A word is a run of letters, digits and `_`, together with what joins identifiers and contractions: `::`,
//! `.`, `-` and an apostrophe between two such runs. Characters of scripts without spaces are words of their
//! own, and their terms are pairs (`script`). The tokenizer is used for documents, queries and highlights alike, so a match is a match everywhere.

use super::script::{character_end, is_ignored, is_mark, is_unspaced};
use std::ops::Range;

/// A word where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word as written.
    pub text: &'a str,
    /// Its first byte in the text.
    pub start: usize,
}

impl Word<'_> {
    /// Its bytes in the text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// Longest word that becomes a term, in characters. Longer ones (embedded data, minified code) are not searched for.
const MAX_TERM_CHARS: usize = 64;

/// The words of `text` in order.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word_char)?;
        at = word_end(text, start);
        Some(Word { text: &text[start..at], start })
    })
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    loop {
        let Some(c) = text[end..].chars().next() else { return end };
        if is_unspaced(c) {
            return if end == start { character_end(text, start) } else { end };
        }
        if is_word_char(c) || is_mark(c) {
            end += c.len_utf8();
            continue;
        }
        let joint = joint_len(&text[end..]);
        let joined = joint > 0
            && text[end + joint..].chars().next().is_some_and(|c| is_word_char(c) && !is_unspaced(c));
        if !joined {
            return end;
        }
        end += joint;
    }
}

/// Bytes of what may join two runs into one word at the start of `rest`; 0 for nothing.
fn joint_len(rest: &str) -> usize {
    ["::", ".", "-", "'", "\u{2019}"].into_iter().find(|joint| rest.starts_with(joint)).map_or(0, str::len)
}

/// The terms of a word: first the whole, then, where it is an identifier or a compound, its parts, and two
/// parts without what joins them. No term twice.
///
/// `Vec::push_back` gives `vec::push_back`, `vec`, `push_back`, `push`, `back`; `don't` gives `dont`, `l'eau` also
/// `eau`.
pub fn terms_of(word: &str) -> Vec<String> {
    let mut terms = Vec::with_capacity(1);
    let plain = strip_apostrophes(word);
    push_term(&mut terms, &plain);
    if let Some(noun) = elided(word) {
        push_term(&mut terms, noun);
    }
    for path_part in plain.split("::").flat_map(|part| part.split(['.', '-'])) {
        push_term(&mut terms, path_part);
        for part in path_part.split('_') {
            push_term(&mut terms, part);
            camel_parts(part, |part| push_term(&mut terms, part));
        }
    }
    if let Some(joined) = joined(&plain) {
        push_term(&mut terms, &joined);
    }
    terms
}

/// The smallest parts of a word, in order, in lower case: `Vec::push_back` is `vec`, `push`, `back`. They are the places
/// that the word takes in a text: a phrase may end or begin inside a compound.
pub fn atoms_of(word: &str) -> Vec<String> {
    let mut atoms = Vec::new();
    let plain = strip_apostrophes(word);
    for part in plain.split([':', '.', '-', '_']).filter(|part| !part.is_empty()) {
        let before = atoms.len();
        camel_parts(part, |part| atoms.push(lower(part)));
        if atoms.len() == before {
            atoms.push(lower(part));
        }
    }
    atoms
}

/// Which of a word's `atoms` a term of the word is made of; all of them where that cannot be told.
pub fn atoms_in(term: &str, atoms: &[String]) -> Range<usize> {
    let plain: String = term.chars().filter(|c| !":.-_".contains(*c)).collect();
    let made_of = |start: usize| {
        let mut rest = plain.as_str();
        let end = start
            + atoms[start..]
                .iter()
                .take_while(|atom| {
                    let left = rest.strip_prefix(atom.as_str());
                    rest = left.unwrap_or(rest);
                    left.is_some()
                })
                .count();
        (rest.is_empty() && end > start).then_some(start..end)
    };
    (0..atoms.len()).find_map(made_of).unwrap_or(0..atoms.len().max(1))
}

/// `hash-map` and `hash_map` as `HashMap` has it. Longer compounds are nobody's single word.
fn joined(word: &str) -> Option<String> {
    let (first, second) = word.split_once(['-', '_'])?;
    let is_word = |part: &str| part.len() > 1 && part.chars().all(char::is_alphabetic);
    (is_word(first) && is_word(second)).then(|| format!("{first}{second}"))
}

/// In lower case, without what is left out of terms.
fn lower(word: &str) -> String {
    let mut lower = word.to_lowercase();
    lower.retain(|c| !is_ignored(c));
    lower
}

fn push_term(terms: &mut Vec<String>, word: &str) {
    let trimmed = word.trim_matches('_');
    let word = if trimmed.is_empty() { word } else { trimmed };
    let term = lower(word);
    if !term.is_empty() && term.chars().count() <= MAX_TERM_CHARS && !terms.contains(&term) {
        terms.push(term);
    }
}

/// What stands behind an article or a preposition that lost its vowel: `l'avion`, `dell'acqua`. Endings of English
/// contractions are none.
fn elided(word: &str) -> Option<&str> {
    const ENDINGS: [&str; 7] = ["s", "t", "d", "m", "re", "ve", "ll"];
    let at = word.rfind(['\'', '\u{2019}'])?;
    let noun = word[at..].trim_start_matches(['\'', '\u{2019}']);
    (!ENDINGS.iter().any(|ending| ending.eq_ignore_ascii_case(noun))).then_some(noun)
}

/// `Rust's` is `Rust`; `don't` is `dont`.
fn strip_apostrophes(word: &str) -> String {
    let word = word.replace('\u{2019}', "'");
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("'S")).unwrap_or(&word);
    word.replace('\'', "")
}

/// Calls `each` with the parts of `HashMap` or `HTTPServer2`, unless there is only one.
fn camel_parts<'a>(word: &'a str, mut each: impl FnMut(&'a str)) {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut start = 0;
    for pair in chars.windows(2).enumerate() {
        let (i, [(_, before), (at, after)]) = pair else { continue };
        let next_is_lower = chars.get(i + 2).is_some_and(|(_, c)| c.is_lowercase());
        let boundary =
            after.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_lower));
        if boundary {
            each(&word[start..*at]);
            start = *at;
        }
    }
    if start > 0 {
        each(&word[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn word_rows() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(words(text).map(|word| word.text).collect::<Vec<_>>(), expected, "{text:?}");
        };
        check("", &[]);
        check("Don't panic!", &["Don't", "panic"]);
        check("use std::collections::HashMap;", &["use", "std::collections::HashMap"]);
        check("run `cargo build --release`.", &["run", "cargo", "build", "release"]);
        check("Cargo.toml, v1.2.3 (E0502)", &["Cargo.toml", "v1.2.3", "E0502"]);
        check("a.. b -- c :: d", &["a", "b", "c", "d"]);
        check("日本 Rust語", &["日", "本", "Rust", "語"]);
        check("naïve cafe\u{301}s", &["naïve", "cafe\u{301}s"]);
    }

    #[test]
    fn term_rows() {
        let check = |word: &str, expected: &[&str]| assert_eq!(terms_of(word), expected, "{word:?}");
        check("Rust", &["rust"]);
        check("Rust's", &["rust"]);
        check("can't", &["cant"]);
        check("THEY'RE", &["theyre"]);
        check("l'avion", &["lavion", "avion"]);
        check("dell\u{2019}acqua", &["dellacqua", "acqua"]);
        check("HashMap", &["hashmap", "hash", "map"]);
        check("HTTPServer", &["httpserver", "http", "server"]);
        check("Vec::push_back", &["vec::push_back", "vec", "push_back", "push", "back"]);
        check("borrow-checker", &["borrow-checker", "borrow", "checker", "borrowchecker"]);
        check("hash_map", &["hash_map", "hash", "map", "hashmap"]);
        check("x-ray", &["x-ray", "x", "ray"]);
        check("__init__", &["init"]);
        check("_", &["_"]);
        check("utf8", &["utf8"]);
    }

    #[test]
    fn places_of_terms() {
        let check = |word: &str, expected: &[(&str, Range<usize>)]| {
            let (terms, atoms) = (terms_of(word), atoms_of(word));
            let found: Vec<_> = terms.iter().map(|term| (term.as_str(), atoms_in(term, &atoms))).collect();
            assert_eq!(found, expected, "{word:?}");
        };
        check("Rust's", &[("rust", 0..1)]);
        check("_", &[("_", 0..1)]);
        check(
            "Vec::push_back",
            &[("vec::push_back", 0..3), ("vec", 0..1), ("push_back", 1..3), ("push", 1..2), ("back", 2..3)],
        );
        check("HashMap", &[("hashmap", 0..2), ("hash", 0..1), ("map", 1..2)]);
        check("a-b-a", &[("a-b-a", 0..3), ("a", 0..1), ("b", 1..2)]);
    }

    fn prop_assert_range(range: Range<usize>, atoms: &[String]) {
        assert!(range.start < range.end && range.end <= atoms.len().max(1));
    }

    proptest! {
        #[test]
        fn words_are_where_they_say(text in "\\PC{0,60}") {
            for word in words(&text) {
                prop_assert_eq!(&text[word.range()], word.text);
                prop_assert!(!word.text.is_empty());
                let atoms = atoms_of(word.text);
                terms_of(word.text).iter().for_each(|term| prop_assert_range(atoms_in(term, &atoms), &atoms));
            }
        }
    }
}
