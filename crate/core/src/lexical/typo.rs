//! Slips of the finger: a Levenshtein automaton over the term dictionary.
//!
//! After Jules Jacobs, "Levenshtein automata can be simple and fast" (2015): the automaton's state is the row of the
//! dynamic programme that compares the wanted word with what was read so far. The dictionary is a trie, so each row is
//! worked out once for all terms that begin alike, and a branch ends where the whole row is above the limit. The distance is
//! optimal string alignment: insertion, deletion, substitution, and exchange of neighbours, one edit each.

//!
//! Beginnings are looked for by the same type, so that one walk over the FST serves both.

use fst::Automaton;

/// What is looked for in the dictionary.
#[derive(Debug)]
pub(super) enum Pattern<'a> {
    /// Terms that begin with these bytes.
    Prefix(&'a [u8]),
    /// Terms near a word.
    Near(&'a Levenshtein),
}

/// Accepts the words at most `limit` edits away from `letters`.
#[derive(Debug)]
pub(super) struct Levenshtein {
    letters: Vec<char>,
    limit: u8,
}

/// What was read of a term. Of a [`Pattern::Prefix`] only `begun` counts, and the rows are empty.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    /// Bytes of the prefix that were read; `None` when the term is another.
    begun: Option<usize>,
    /// Edits between what was read and each beginning of the wanted word; no more than one above the limit.
    row: Vec<u8>,
    /// The row before the last letter.
    before: Vec<u8>,
    /// The last letter.
    last: u32,
    /// The letter whose bytes are being read, and how many of them are missing.
    letter: u32,
    missing: u8,
}

impl Levenshtein {
    pub(super) fn new(word: &str, limit: u8) -> Self {
        Self { letters: word.chars().collect(), limit }
    }

    /// The edits that a whole term is away.
    pub(super) fn edits(&self, state: &State) -> u8 {
        state.row[self.letters.len()]
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        let mut next = state.clone();
        match byte {
            // It ends an alias, and is no letter.
            b'\'' => return next,
            0..0x80 => next.letter = u32::from(byte),
            0x80..0xc0 => {
                next.letter = next.letter << 6 | u32::from(byte & 0x3f);
                next.missing = next.missing.saturating_sub(1);
            }
            _ => {
                next.missing = (byte.leading_ones() as u8).saturating_sub(1);
                next.letter = u32::from(byte) & (0x7f >> byte.leading_ones());
            }
        }
        if next.missing == 0 {
            let row = self.next_row(&next);
            next.before = std::mem::replace(&mut next.row, row);
            next.last = next.letter;
        }
        next
    }

    fn next_row(&self, state: &State) -> Vec<u8> {
        let most = self.limit + 1;
        let mut row = Vec::with_capacity(state.row.len());
        row.push((state.row[0] + 1).min(most));
        for (at, &letter) in self.letters.iter().enumerate() {
            let is_other = u32::from(letter) != state.letter;
            let mut edits = (state.row[at] + u8::from(is_other)).min(state.row[at + 1] + 1).min(row[at] + 1);
            let is_exchange =
                at > 0 && state.letter == u32::from(self.letters[at - 1]) && state.last == u32::from(letter);
            if is_exchange {
                edits = edits.min(state.before[at - 1] + 1);
            }
            row.push(edits.min(most));
        }
        row
    }
}

impl Automaton for Pattern<'_> {
    type State = State;

    fn start(&self) -> State {
        match self {
            Self::Prefix(_) => State { begun: Some(0), ..State::default() },
            Self::Near(word) => {
                let most = word.limit + 1;
                let row: Vec<u8> =
                    (0..=word.letters.len()).map(|edits| edits.min(most.into()) as u8).collect();
                State { before: row.clone(), row, ..State::default() }
            }
        }
    }

    fn is_match(&self, state: &State) -> bool {
        match self {
            Self::Prefix(prefix) => state.begun == Some(prefix.len()),
            Self::Near(word) => state.missing == 0 && word.edits(state) <= word.limit,
        }
    }

    fn can_match(&self, state: &State) -> bool {
        match self {
            Self::Prefix(_) => state.begun.is_some(),
            Self::Near(word) => state.row.iter().any(|&edits| edits <= word.limit),
        }
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        match self {
            Self::Prefix(prefix) => {
                let begun = state.begun.filter(|&begun| begun == prefix.len() || prefix[begun] == byte);
                State { begun: begun.map(|begun| (begun + 1).min(prefix.len())), ..State::default() }
            }
            Self::Near(word) => word.accept(state, byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lexical::{TermDictionary, TermDictionaryWriter};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The specification: the whole table, for two words.
    fn edit_distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = match (i, j) {
                    (0, _) => j,
                    (_, 0) => i,
                    _ => (table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]))
                        .min(table[i - 1][j] + 1)
                        .min(table[i][j - 1] + 1),
                };
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    table[i][j] = table[i][j].min(table[i - 2][j - 2] + 1);
                }
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn finds_what_the_table_finds(
            terms in prop::collection::btree_set("[abé漢]{1,7}", 0..60),
            word in "[abé漢]{1,7}",
            limit in 0_u8..3,
        ) {
            let mut writer = TermDictionaryWriter::default();
            terms.iter().for_each(|term| writer.push(term, 1));
            let dictionary = TermDictionary::open(&writer.finish()).expect("opens");
            let mut found = BTreeSet::new();
            dictionary.near(&word, limit, &mut |term, _, _, edits| {
                found.insert((term.to_owned(), usize::from(edits)));
            });
            let expected = terms.into_iter().map(|term| (term.clone(), edit_distance(&word, &term)));
            let expected: BTreeSet<_> = expected.filter(|(_, edits)| *edits <= usize::from(limit)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
