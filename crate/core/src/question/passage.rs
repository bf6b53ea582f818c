//! A stretch of a document as blocks of words that know where they stand.

use crate::document::{Document, SpanKind};
use std::ops::Range;

/// A word without the punctuation around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Punctuation directly before it.
    pub(super) before: String,
    /// Punctuation directly after it.
    pub(super) after: String,
    /// Whether any of it is inline code. Inline code is one word even with spaces in it.
    pub(super) is_code: bool,
    /// Bytes of the document's text, punctuation included.
    pub(super) range: Range<usize>,
}

impl Word {
    /// The word in lower case; code as it is.
    pub(super) fn lower(&self) -> String {
        if self.is_code { self.text.clone() } else { self.text.to_lowercase() }
    }

    /// Whether prose word `word` (in lower case) is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        !self.is_code && self.text.eq_ignore_ascii_case(word)
    }

    fn ends_sentence(&self) -> bool {
        const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs", "cf", "approx", "no"];
        self.after.contains(['.', '!', '?'])
            && (self.is_code || !ABBREVIATIONS.contains(&self.text.to_lowercase().as_str()))
    }
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Heading,
    Prose,
    Code,
}

/// A paragraph, list item, table cell, heading or code block.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// Empty for code.
    pub(super) words: Vec<Word>,
    pub(super) range: Range<usize>,
}

impl Block {
    /// The block's sentences. One that goes on after a colon is one sentence.
    pub(super) fn sentences(&self) -> Vec<&[Word]> {
        let mut sentences = Vec::new();
        let mut start = 0;
        for (index, word) in self.words.iter().enumerate() {
            let next = self.words.get(index + 1);
            let is_followed = next.is_none_or(|next| {
                next.is_code || next.text.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
            });
            if next.is_none() || word.ends_sentence() && is_followed {
                sentences.push(&self.words[start..=index]);
                start = index + 1;
            }
        }
        sentences
    }
}

/// Bytes of the document that `words` stand in.
pub(super) fn range_of(words: &[Word]) -> Range<usize> {
    match words {
        [] => 0..0,
        [first, ..] => first.range.start..words[words.len() - 1].range.end,
    }
}

/// The blocks of `range`. A sentence that `range` cuts is left out.
pub(super) fn blocks(document: &Document, range: Range<usize>) -> Vec<Block> {
    let mut builder = Builder::default();
    for (range, span) in document.spans_in(range.clone()) {
        let text = &document.text[range.clone()];
        match span.kind {
            SpanKind::Break => builder.end_block(),
            SpanKind::Code => {
                builder.end_block();
                let block = Block { kind: BlockKind::Code, words: Vec::new(), range };
                builder.blocks.push(block);
            }
            SpanKind::InlineCode => builder.push(BlockKind::Prose, range.start, text, true),
            SpanKind::Prose => builder.push(BlockKind::Prose, range.start, text, false),
            SpanKind::Heading => {
                builder.push(BlockKind::Heading, range.start, text, is_quoted_as_code(document, &range));
            }
        }
    }
    builder.end_block();
    let mut blocks = builder.blocks;
    if is_inside_sentence(document, range.start)
        && let Some(block) = blocks.first_mut()
    {
        let first = block.sentences().first().map_or(0, |sentence| sentence.len());
        block.words.drain(..first);
    }
    if is_inside_sentence(document, range.end)
        && let Some(block) = blocks.last_mut()
    {
        let last = block.sentences().last().map_or(0, |sentence| sentence.len());
        block.words.truncate(block.words.len() - last);
    }
    blocks
}

/// Whether Markdown's code marks stand around `range`: spans of headings do not tell.
fn is_quoted_as_code(document: &Document, range: &Range<usize>) -> bool {
    document.text[..range.start].ends_with('`') && document.text[range.end..].starts_with('`')
}

/// The words of a heading, their ranges within it.
pub(super) fn words_of(heading: &str) -> Vec<Word> {
    let mut builder = Builder::default();
    builder.push(BlockKind::Heading, 0, heading, false);
    builder.end_block();
    builder.blocks.pop().map(|block| block.words).unwrap_or_default()
}

/// Whether a span of prose goes on over `at` without a sentence's end before it.
fn is_inside_sentence(document: &Document, at: usize) -> bool {
    let index = document.spans.partition_point(|span| span.range.end <= at);
    document.spans.get(index).is_some_and(|span| {
        let before = document.text[..at].trim_end();
        span.range.start < at && span.kind == SpanKind::Prose && !before.ends_with(['.', '!', '?', ':'])
    })
}

/// Whether the word is the label of a rule, as specifications write them before its text: `r[items.fn.intro]`.
fn is_label(word: &Word) -> bool {
    let name = word.text.split_once('[').filter(|(start, _)| start.len() <= 1).map(|(_, name)| name);
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    !word.is_code
        && word.after.starts_with(']')
        && name.is_some_and(|name| name.contains('.') && is_name(name))
}

/// `search(query, { limit })` as it is spoken of: `search()`. Calls with plain arguments stay as they are.
fn without_arguments(code: String) -> String {
    let name = code.split('(').next().unwrap_or_default();
    let is_name = name.len() > 2 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:".contains(&b));
    if is_name && code.ends_with(')') && code.contains(['{', '"', '=']) { format!("{name}()") } else { code }
}

#[derive(Default)]
struct Builder {
    blocks: Vec<Block>,
    kind: Option<BlockKind>,
    words: Vec<Word>,
    /// The word being read: characters with whether they are code.
    characters: Vec<(char, bool)>,
    range: Range<usize>,
}

impl Builder {
    fn push(&mut self, kind: BlockKind, start: usize, text: &str, is_code: bool) {
        // Inline code in a heading belongs to the heading. A break always stands between a heading and prose.
        if kind == BlockKind::Heading && self.kind == Some(BlockKind::Prose) {
            self.kind = Some(kind);
        }
        let kind = if is_code && self.kind == Some(BlockKind::Heading) { BlockKind::Heading } else { kind };
        if self.kind != Some(kind) {
            self.end_block();
            self.kind = Some(kind);
        }
        for (offset, character) in text.char_indices() {
            if character.is_whitespace() && !is_code {
                self.end_word();
                continue;
            }
            if self.characters.is_empty() {
                self.range.start = start + offset;
            }
            self.characters.push((if character == '\n' { ' ' } else { character }, is_code));
            self.range.end = start + offset + character.len_utf8();
        }
    }

    fn end_word(&mut self) {
        let characters = std::mem::take(&mut self.characters);
        if characters.is_empty() {
            return;
        }
        let is_word =
            |&(c, is_code): &(char, bool)| is_code || c.is_alphanumeric() || "&#@$%+-/~<>=".contains(c);
        let text = |part: &[(char, bool)]| part.iter().map(|&(c, _)| c).collect::<String>();
        let has_letter = characters.iter().any(|&(c, is_code)| is_code || c.is_alphanumeric());
        let first = characters.iter().position(is_word).filter(|_| has_letter);
        let (Some(first), Some(last)) = (first, characters.iter().rposition(is_word)) else {
            // Punctuation that stands alone, as a dash does, belongs to the word before.
            if let Some(word) = self.words.last_mut() {
                word.after.push_str(&text(&characters));
                word.range.end = self.range.end;
            }
            return;
        };
        let is_code = characters[first..=last].iter().any(|&(_, is_code)| is_code);
        let said = text(&characters[first..=last]).trim().to_owned();
        self.words.push(Word {
            text: if is_code { without_arguments(said) } else { said },
            before: text(&characters[..first]),
            after: text(&characters[last + 1..]),
            is_code,
            range: self.range.clone(),
        });
    }

    fn end_block(&mut self) {
        self.end_word();
        let mut words = std::mem::take(&mut self.words);
        if words.len() > 1 && is_label(&words[0]) {
            words.remove(0);
        }
        if let (Some(kind), false) = (self.kind.take(), words.is_empty()) {
            self.blocks.push(Block { kind, range: range_of(&words), words });
        }
    }
}
