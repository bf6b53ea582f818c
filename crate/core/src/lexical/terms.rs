//! The term dictionary: which terms there are, for exact, stem, prefix and typo matching.
//!
//! One shard holds a stretch of the sorted terms:
//!
//! ```text
//! u32     fst_len
//! bytes   fst          an fst::Map from the term to its position in this shard
//! u8 ...  doc_freq     one per term: FieldLen code of the number of documents
//! ```

use super::{
    field::FieldLen,
    typo::{Levenshtein, Pattern, State},
};
use crate::segment::{ByteReader, DecodeError};
use fst::{
    Automaton,
    raw::{Fst, Output},
};

/// Writes one shard.
#[derive(Debug, Default)]
pub struct TermDictionaryWriter {
    terms: Vec<(String, u32)>,
}

impl TermDictionaryWriter {
    /// Appends `term`, which `doc_freq` documents hold. Terms ascend.
    pub fn push(&mut self, term: &str, doc_freq: u32) {
        self.terms.push((term.to_owned(), doc_freq));
    }

    /// The shard.
    ///
    /// # Panics
    /// When the terms did not ascend.
    pub fn finish(self) -> Vec<u8> {
        let map = fst::Map::from_iter(self.terms.iter().enumerate().map(|(i, (term, _))| (term, i as u64)))
            .expect("terms ascend and memory does not fail to be written");
        let fst = map.as_fst().as_bytes();
        let mut bytes = (fst.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(fst);
        bytes.extend(self.terms.iter().map(|(_, doc_freq)| FieldLen::encode(*doc_freq).0));
        bytes
    }
}

/// One shard, opened.
#[derive(Debug)]
pub struct TermDictionary {
    map: fst::Map<Vec<u8>>,
    doc_freqs: Vec<u8>,
}

impl TermDictionary {
    /// Opens what [`TermDictionaryWriter::finish`] gave.
    ///
    /// The bytes inside the FST are trusted: a segment compares a file's SHA-256 before it opens it. (The FST's own
    /// checksum would say the same again, and its tables are 16 kB of every reader's download.)
    ///
    /// # Errors
    /// When the bytes are not a whole shard.
    pub fn open(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = ByteReader::new(bytes);
        let fst_len = reader.u32()? as usize;
        let fst =
            fst::raw::Fst::new(reader.take(fst_len)?.to_vec()).map_err(|_| DecodeError("it holds no fst"))?;
        let map = fst::Map::from(fst);
        let doc_freqs = reader.take(map.len())?.to_vec();
        Ok(Self { map, doc_freqs })
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.doc_freqs.len()
    }

    /// Whether the shard holds no term.
    pub fn is_empty(&self) -> bool {
        self.doc_freqs.is_empty()
    }

    /// [`Self::with_prefix`] for each of several prefixes, none of which begins another.
    pub fn with_prefixes(&self, prefixes: &[String], each: &mut dyn FnMut(&str, u32, u32)) {
        prefixes.iter().for_each(|prefix| self.with_prefix(prefix, each));
    }

    /// Calls `each(term, position, doc_freq)` for all terms that begin with `prefix`, in order. The doc_freq is
    /// approximate, see [`FieldLen`].
    pub fn with_prefix(&self, prefix: &str, each: &mut dyn FnMut(&str, u32, u32)) {
        self.search(Pattern::Prefix(prefix.as_bytes()), &mut |term, position, doc_freq, _| {
            each(term, position, doc_freq);
        });
    }

    /// Calls `each(term, position, doc_freq, edits)` for all terms at most `limit` edits away from `word`, in order.
    pub fn near(&self, word: &str, limit: u8, each: &mut dyn FnMut(&str, u32, u32, u8)) {
        let word = Levenshtein::new(word, limit);
        self.search(Pattern::Near(&word), &mut |term, position, doc_freq, state| {
            each(term, position, doc_freq, word.edits(state));
        });
    }

    fn search(&self, pattern: Pattern<'_>, each: &mut dyn FnMut(&str, u32, u32, &State)) {
        let fst = self.map.as_fst();
        let mut report = |key: &[u8], position: u64, state: &State| {
            if let Ok(term) = std::str::from_utf8(key) {
                each(term, position as u32, self.doc_freq(position), state);
            }
        };
        let walk = Walk { fst, pattern: &pattern };
        walk.below(fst.root().addr(), Output::zero(), &pattern.start(), &mut Vec::new(), &mut report);
    }

    fn doc_freq(&self, position: u64) -> u32 {
        self.doc_freqs.get(position as usize).map_or(0, |&code| FieldLen(code).decode())
    }
}

/// No term is longer: damage must not lead round in circles.
const MAX_DEPTH: usize = 256;

/// A walk over the terms that an automaton accepts, in order. The FST's own streams do the same and can begin anywhere,
/// which nobody needs here: 2 kB that every reader would download.
struct Walk<'a> {
    fst: &'a Fst<Vec<u8>>,
    pattern: &'a Pattern<'a>,
}

impl Walk<'_> {
    /// Reports the terms that go on from `key`, which led to the node at `address`.
    fn below(
        &self,
        address: usize,
        output: Output,
        state: &State,
        key: &mut Vec<u8>,
        report: &mut dyn FnMut(&[u8], u64, &State),
    ) {
        let node = self.fst.node(address);
        if node.is_final() && self.pattern.is_match(state) {
            report(key, output.cat(node.final_output()).value(), state);
        }
        for transition in node.transitions() {
            let next = self.pattern.accept(state, transition.inp);
            if self.pattern.can_match(&next) && key.len() < MAX_DEPTH {
                key.push(transition.inp);
                self.below(transition.addr, output.cat(transition.out), &next, key, report);
                key.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn finds_what_begins_alike(terms: BTreeSet<String>, prefix in "\\PC{0,2}") {
            let mut writer = TermDictionaryWriter::default();
            terms.iter().for_each(|term| writer.push(term, 1));
            let dictionary = TermDictionary::open(&writer.finish()).expect("opens");
            let mut found = Vec::new();
            dictionary.with_prefix(&prefix, &mut |term, _, _| found.push(term.to_owned()));
            let expected: Vec<_> = terms.iter().filter(|term| term.starts_with(&prefix)).cloned().collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn truncation_is_an_error(len in 0_usize..60) {
            let mut writer = TermDictionaryWriter::default();
            ["alpha", "beta", "betatron"].iter().for_each(|term| writer.push(term, 2));
            let bytes = writer.finish();
            prop_assert!(TermDictionary::open(&bytes[..len.min(bytes.len() - 1)]).is_err());
        }
    }
}
