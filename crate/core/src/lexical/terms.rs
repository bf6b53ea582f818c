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
use fst::{IntoStreamer, Streamer};

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
        let mut stream = self.map.search_with_state(pattern).into_stream();
        while let Some((key, position, state)) = stream.next() {
            let Ok(term) = std::str::from_utf8(key) else { continue };
            each(term, position as u32, self.doc_freq(position), &state);
        }
    }

    fn doc_freq(&self, position: u64) -> u32 {
        self.doc_freqs.get(position as usize).map_or(0, |&code| FieldLen(code).decode())
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
