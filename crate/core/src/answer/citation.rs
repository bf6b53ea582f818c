//! Citations in a model's words: those of sources that were given stay, invented ones go.
//!
//! A machine over pieces of text, for answers are shown while they arrive. Whatever may still turn out to be a citation
//! or a piece of code is held back until that is known; what the pieces amount to does not depend on where they end (a
//! property of the tests).
//!
//! Models write citations in many ways: `[1]`, `[1, 3]`, `[1-3]`, `[Source 2]`, `[^1]`, `【7】`. All of them are shown as
//! `[1][3]`. In code, `v[1]` is no citation; code is what stands between two runs of as many backticks on one line, or
//! between fences. A backtick without its partner is a backtick.

use std::collections::BTreeSet;

/// Longest text in brackets that may be a citation: a dozen numbers with a word before.
const LONGEST: usize = 60;
/// Longest piece of code on a line, beyond which its backtick is taken to stand alone: so much is held back.
const LONGEST_CODE: usize = 200;
/// Most numbers that a range stands for.
const LONGEST_RANGE: usize = 50;

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
    /// Words of which it is not known yet what they are.
    pending: String,
    /// White space before what comes next.
    space: String,
    /// Whether a citation was just taken out, so that the white space on both its sides becomes one.
    is_gap: bool,
    is_line_start: bool,
    is_fenced: bool,
}

/// What an answer begins with, as bytes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// Words and code to show as they are.
    Text(usize),
    /// The beginning or the end of a block of code.
    Fence(usize),
    Space(usize),
    /// Something in brackets; the brackets are as many bytes long as said.
    Brackets {
        length: usize,
        open: usize,
        close: usize,
    },
}

impl CitationReader {
    /// A reader of an answer to which sources 1 to `sources` were given.
    pub fn new(sources: usize) -> Self {
        Self {
            sources,
            citations: Citations::default(),
            pending: String::new(),
            space: String::new(),
            is_gap: false,
            is_line_start: true,
            is_fenced: false,
        }
    }

    /// Takes the next words and gives those that can be shown.
    pub fn push(&mut self, words: &str) -> String {
        self.pending.push_str(words);
        self.read(false)
    }

    /// The last words, and what was cited.
    pub fn finish(mut self) -> (String, Citations) {
        (self.read(true), self.citations)
    }

    /// Takes as much of what is pending as is known for certain; at the end that is everything.
    fn read(&mut self, is_end: bool) -> String {
        let pending = std::mem::take(&mut self.pending);
        let mut shown = String::with_capacity(pending.len());
        let mut rest = pending.as_str();
        while let Some(token) = token(rest, self.is_line_start, self.is_fenced, is_end) {
            rest = self.take(token, rest, &mut shown);
        }
        self.pending = rest.to_owned();
        shown
    }

    /// Shows what `token`, with which `words` begins, amounts to, and gives the words after it.
    fn take<'a>(&mut self, token: Token, words: &'a str, shown: &mut String) -> &'a str {
        let length = match token {
            Token::Text(length) | Token::Fence(length) => {
                self.show(&words[..length], shown);
                self.is_fenced ^= matches!(token, Token::Fence(_));
                length
            }
            Token::Space(length) => {
                self.hold(&words[..length]);
                return &words[length..];
            }
            Token::Brackets { length, open, close } => match numbers(&words[open..length - close]) {
                Some(numbers) => {
                    self.cite(&numbers, shown);
                    length
                }
                // Its first bracket is text; what follows it is looked at for itself.
                None => {
                    self.show(&words[..open], shown);
                    open
                }
            },
        };
        self.is_line_start = false;
        &words[length..]
    }

    fn hold(&mut self, space: &str) {
        let is_line = space == "\n";
        self.is_line_start |= is_line;
        match (self.is_gap && !self.space.is_empty(), is_line) {
            (true, false) => {}
            (true, true) if !self.space.contains('\n') => self.space = "\n".into(),
            _ => self.space.push_str(space),
        }
    }

    fn show(&mut self, words: &str, shown: &mut String) {
        let space = std::mem::take(&mut self.space);
        let is_punctuation = words.starts_with(['.', ',', ';', ':', '!', '?', ')', '。', '，']);
        if !(std::mem::take(&mut self.is_gap) && is_punctuation && !space.contains('\n')) {
            shown.push_str(&space);
        }
        shown.push_str(words);
    }

    /// Shows those of `numbers` that sources have.
    fn cite(&mut self, numbers: &[usize], shown: &mut String) {
        let known = 1..=self.sources;
        let (cited, invented): (Vec<_>, Vec<_>) = numbers.iter().partition(|number| known.contains(number));
        self.citations.invented.extend(invented);
        self.is_gap |= cited.is_empty();
        for number in cited {
            self.is_gap = false;
            self.show(&format!("[{number}]"), shown);
            self.citations.cited.insert(number);
        }
    }
}

/// What `words` begin with; `None` where they are empty, or where that depends on what comes after them.
///
/// Once a token is given for some words, it is the token of all words that begin with them.
fn token(words: &str, is_line_start: bool, is_fenced: bool, is_end: bool) -> Option<Token> {
    let first = words.chars().next()?;
    let length = first.len_utf8();
    match first {
        c if c.is_whitespace() => Some(Token::Space(length)),
        '`' => {
            let run = run_of_backticks(words, is_end)?;
            match (is_fenced, is_line_start && run >= 3) {
                (_, true) => Some(Token::Fence(run)),
                (true, false) => Some(Token::Text(run)),
                (false, false) => code(words, run, is_end),
            }
        }
        '[' | '【' | '［' if !is_fenced => brackets(words, length, is_end),
        _ => Some(Token::Text(length)),
    }
}

/// How many backticks `words` begin with; `None` where more may follow.
fn run_of_backticks(words: &str, is_end: bool) -> Option<usize> {
    let run = words.len() - words.trim_start_matches('`').len();
    (run < words.len() || is_end).then_some(run)
}

/// The piece of code that begins with `run` backticks, or these alone.
fn code(words: &str, run: usize, is_end: bool) -> Option<Token> {
    let mut at = run;
    while at < words.len().min(LONGEST_CODE) {
        match words.as_bytes()[at] {
            b'\n' => return Some(Token::Text(run)),
            b'`' => {
                let closing = run_of_backticks(&words[at..], is_end)?;
                at += closing;
                if closing == run {
                    return Some(Token::Text(at));
                }
            }
            _ => at += 1,
        }
    }
    (is_end || at >= LONGEST_CODE).then_some(Token::Text(run))
}

/// What begins with a bracket of `open` bytes: something in brackets, or the bracket alone.
fn brackets(words: &str, open: usize, is_end: bool) -> Option<Token> {
    for (at, c) in words.char_indices().skip(1) {
        match c {
            ']' | '】' | '］' => {
                let close = c.len_utf8();
                return Some(Token::Brackets { length: at + close, open, close });
            }
            '[' | '【' | '［' | '`' | '\n' => return Some(Token::Text(open)),
            _ if at > LONGEST => return Some(Token::Text(open)),
            _ => {}
        }
    }
    is_end.then_some(Token::Text(open))
}

/// The numbers of `1`, `1, 3`, `1-3`, `^1`, `Source 2`, `7†L1` and `sources: 1 and 2`; `None` for anything else.
fn numbers(inside: &str) -> Option<Vec<usize>> {
    let lower = inside.trim().to_lowercase().replace(['–', '—', '‑'], "-").replace(" - ", "-");
    let rest = lower.split_once('†').map_or(lower.as_str(), |(before, _)| before);
    let rest = ["sources", "source"].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let rest = rest.trim_start_matches([':', '#', '^', ' ']);
    let parts =
        rest.split([',', ';', ' ', '&', '、', '，']).filter(|part| !part.is_empty() && *part != "and");
    let mut numbers = Vec::new();
    for part in parts {
        let part = part.trim_start_matches("source").trim_start_matches('#');
        match part.split_once('-') {
            Some((from, to)) => numbers.extend(range(number(from)?, number(to)?)?),
            None => numbers.push(number(part)?),
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

/// Numbers of more digits than a computer counts to are as invented as any.
fn number(part: &str) -> Option<usize> {
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| part.parse().unwrap_or(usize::MAX))
}

/// `[0-9]` is a pattern and no citation, and so is what goes backwards.
fn range(from: usize, to: usize) -> Option<Vec<usize>> {
    if from == 0 || to < from {
        return None;
    }
    Some(if to - from < LONGEST_RANGE { (from..=to).collect() } else { vec![from, to] })
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

    #[track_caller]
    fn check(answer: &str, shown: &str, cited: &[usize], invented: &[usize]) {
        let (text, citations) = read(&[answer], 3);
        let list = |numbers: &BTreeSet<usize>| numbers.iter().copied().collect::<Vec<_>>();
        assert_eq!(text, shown);
        assert_eq!((list(&citations.cited), list(&citations.invented)), (cited.to_vec(), invented.to_vec()));
    }

    #[test]
    fn citations() {
        check("Use `--port` [1].", "Use `--port` [1].", &[1], &[]);
        check("One [2][3]. Two[1]", "One [2][3]. Two[1]", &[1, 2, 3], &[]);
        check("One [1, 4] and [Source 2], [sources 1 and 3]", "One [1] and [2], [1][3]", &[1, 2, 3], &[4]);
        check("One [1-3]. Two [2 – 9]", "One [1][2][3]. Two [2][3]", &[1, 2, 3], &[4, 5, 6, 7, 8, 9]);
        check("One【2】. Two 【7†L3-9】, ［1］", "One[2]. Two, [1]", &[1, 2], &[7]);
        check("One [^1] [#2] [Source: 3]", "One [1] [2] [3]", &[1, 2, 3], &[]);
        check("A [patch] and [a link](x) [", "A [patch] and [a link](x) [", &[], &[]);
        check("[a-z] [0-9] [3-1] [1-] [-]", "[a-z] [0-9] [3-1] [1-] [-]", &[], &[]);
        check("[99999999999999999999999]", "", &[], &[usize::MAX]);
        check("[2-99999999]", "[2]", &[2], &[99_999_999]);
        check("[ [1] ] [[2]]", "[ [1] ] [[2]]", &[1, 2], &[]);
        check("[1\n]", "[1\n]", &[], &[]);
        check("", "", &[], &[]);
    }

    #[test]
    fn what_is_taken_out_leaves_no_hole() {
        check("One [4]. Two [0] [99]", "One. Two", &[], &[0, 4, 99]);
        check("One [9] [1]. Two [9][2], [9] three [9] four", "One [1]. Two [2], three four", &[1, 2], &[9]);
        check("One [9]two", "One two", &[], &[9]);
        check("One\n[7] two\n\n[7]\nthree [7]\nfour", "One\ntwo\n\n\nthree\nfour", &[], &[7]);
    }

    #[test]
    fn code_has_no_citations() {
        check("`v[9]` is [9] 9", "`v[9]` is 9", &[], &[9]);
        check("``a`[9]`` [9] `", "``a`[9]`` `", &[], &[9]);
        check("An odd ` here [9].\nThen `v[9]` [1]", "An odd ` here.\nThen `v[9]` [1]", &[1], &[9]);
        check("```sh\nv[9]\n ```\n[9]`", "```sh\nv[9]\n ```\n`", &[], &[9]);
        let long = "x".repeat(LONGEST_CODE);
        check(&format!("`{long} [9] `"), &format!("`{long} `"), &[], &[9]);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_end(
            words in "([\\[\\]【】`0-9, \n.ab-]|\\[[0-5]\\]|source|é|```|\n){0,30}",
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
        fn long_code_is_cut_at_the_same_place(length in LONGEST_CODE - 8..LONGEST_CODE + 8, wide: bool) {
            let words = format!("`{}é` [9]", if wide { "é".repeat(length / 2) } else { "x".repeat(length) });
            let pieces: Vec<_> = words.split_inclusive(|_: char| true).collect();
            prop_assert_eq!(read(&pieces, 3), read(&[&words], 3));
        }

        #[test]
        fn words_without_brackets_stay(words in "[^\\[\\]【】［］]{0,60}") {
            let (shown, _) = read(&[&words], 3);
            prop_assert_eq!(shown.trim_end(), words.trim_end());
        }
    }
}
