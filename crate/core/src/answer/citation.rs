//! Citations in a model's words: those of sources that were given stay, invented ones go.
//!
//! A machine over pieces of text, for answers are shown while they arrive. A bracket is held back until it is known
//! what it is; what the pieces amount to does not depend on where they end (a property of the tests).

use std::collections::BTreeSet;

/// Longest text in brackets that may be a citation: six numbers with a word before.
const LONGEST: usize = 40;

/// What an answer cites.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citations {
    /// Numbers of sources, from 1.
    pub cited: BTreeSet<usize>,
    /// Numbers that no source has, which were taken out.
    pub invented: BTreeSet<usize>,
}

/// Checks the citations of an answer while it arrives.
#[derive(Debug)]
pub struct CitationReader {
    sources: usize,
    citations: Citations,
    /// White space that goes if what follows it is taken out, then a bracket that has not ended.
    held: String,
    is_in_code: bool,
}

impl CitationReader {
    /// A reader of an answer to which sources 1 to `sources` were given.
    pub fn new(sources: usize) -> Self {
        Self { sources, citations: Citations::default(), held: String::new(), is_in_code: false }
    }

    /// Takes the next words and gives those that can be shown.
    pub fn push(&mut self, words: &str) -> String {
        let mut shown = String::with_capacity(words.len());
        words.chars().for_each(|c| self.take(c, &mut shown));
        shown
    }

    /// The last words, and what was cited.
    pub fn finish(mut self) -> (String, Citations) {
        let rest = std::mem::take(&mut self.held);
        (rest.trim_end().to_owned(), self.citations)
    }

    fn take(&mut self, c: char, shown: &mut String) {
        let is_open = self.held.contains('[');
        match c {
            // In code, `v[1]` is no citation.
            '`' => {
                self.is_in_code = !self.is_in_code;
                self.release(shown);
                shown.push(c);
            }
            '[' if !self.is_in_code => {
                if is_open {
                    self.release(shown);
                }
                self.held.push(c);
            }
            ']' if is_open => self.end(shown),
            c if is_open && self.held.len() < LONGEST && c != '\n' => self.held.push(c),
            c if c.is_whitespace() && !is_open => self.held.push(c),
            c => {
                self.release(shown);
                shown.push(c);
            }
        }
    }

    fn release(&mut self, shown: &mut String) {
        shown.push_str(&std::mem::take(&mut self.held));
    }

    /// The bracket has ended: what of it stays?
    fn end(&mut self, shown: &mut String) {
        let held = std::mem::take(&mut self.held);
        let (space, inside) = held.split_once('[').unwrap_or(("", &held));
        let Some(numbers) = numbers(inside) else {
            shown.push_str(&held);
            shown.push(']');
            return;
        };
        let known = 1..=self.sources;
        let (cited, invented): (Vec<_>, Vec<_>) =
            numbers.into_iter().partition(|number| known.contains(number));
        self.citations.invented.extend(invented);
        if !cited.is_empty() {
            shown.push_str(space);
        } else if space.contains('\n') {
            // A line stays a line.
            self.held.push_str(space);
        }
        for number in cited {
            shown.push_str(&format!("[{number}]"));
            self.citations.cited.insert(number);
        }
    }
}

/// The numbers of `1`, `1, 3`, `Source 2` and `sources: 1 and 2`; `None` for anything else.
fn numbers(inside: &str) -> Option<Vec<usize>> {
    let lower = inside.trim().to_lowercase();
    let rest = ["sources", "source"].iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    let rest = rest.trim_start_matches([':', '#', ' ', '[']);
    let parts = rest.split([',', ';', ' ', '&']).filter(|part| !part.is_empty() && *part != "and");
    // Numbers of more digits than a computer counts to are as invented as any.
    let number = |part: &str| {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse().unwrap_or(usize::MAX))
    };
    let numbers: Vec<_> =
        parts.map(|part| number(part.trim_start_matches("source"))).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&str], sources: usize) -> (String, Citations) {
        let mut reader = CitationReader::new(sources);
        let shown: String = pieces.iter().map(|piece| reader.push(piece)).collect();
        let (rest, citations) = reader.finish();
        (shown + &rest, citations)
    }

    #[test]
    fn citations() {
        let check = |answer: &str, shown: &str, cited: &[usize], invented: &[usize]| {
            let (text, citations) = read(&[answer], 3);
            let list = |numbers: &BTreeSet<usize>| numbers.iter().copied().collect::<Vec<_>>();
            assert_eq!(text, shown);
            assert_eq!(
                (list(&citations.cited), list(&citations.invented)),
                (cited.to_vec(), invented.to_vec())
            );
        };
        check("Use `--port` [1].", "Use `--port` [1].", &[1], &[]);
        check("One [2][3]. Two[1]", "One [2][3]. Two[1]", &[1, 2, 3], &[]);
        check("One [4]. Two [0] [99]", "One. Two", &[], &[0, 4, 99]);
        check("One [1, 4] and [Source 2], [sources 1 and 3]", "One [1] and [2], [1][3]", &[1, 2, 3], &[4]);
        check("A [patch] and [a link](x) [", "A [patch] and [a link](x) [", &[], &[]);
        check("`v[9]` is [9] 9", "`v[9]` is 9", &[], &[9]);
        check("One\n[7]\nTwo [", "One\n\nTwo [", &[], &[7]);
        check("[99999999999999999999999]", "", &[], &[usize::MAX]);
        check("[ [1] ]", "[ [1] ]", &[1], &[]);
        check("[1\n]", "[1\n]", &[], &[]);
        check("", "", &[], &[]);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_end(
            words in "([\\[\\]`0-9, \nab]|\\[[0-5]\\]|source|é){0,30}",
            cuts: Vec<prop::sample::Index>,
        ) {
            let characters: Vec<_> = words.char_indices().map(|(at, _)| at).chain([words.len()]).collect();
            let mut at: Vec<_> = cuts.iter().map(|cut| characters[cut.index(characters.len())]).collect();
            at.extend([0, words.len()]);
            at.sort_unstable();
            let pieces: Vec<_> = at.windows(2).map(|pair| &words[pair[0]..pair[1]]).collect();
            let (shown, citations) = read(&pieces, 3);
            prop_assert_eq!(&(shown, citations.clone()), &read(&[&words], 3));
            prop_assert!(citations.cited.iter().all(|number| (1..=3).contains(number)));
        }

        #[test]
        fn words_without_brackets_stay(words in "[^\\[\\]]{0,60}") {
            let (shown, _) = read(&[&words], 3);
            prop_assert_eq!(shown.trim_end(), words.trim_end());
        }
    }
}
