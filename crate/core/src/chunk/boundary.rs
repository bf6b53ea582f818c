//! Where a range may be cut: at paragraphs first, at single characters only when nothing else is left.
//!
//! Boundaries are found in the document's text itself, markup included, so that a cut never loses a byte. A
//! separator belongs to the piece before it.

use crate::document::{ContentType, Document, SpanKind};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Kinds of boundary, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Start of a line after a blank one, outside code.
    Paragraph,
    /// Start of any line outside code, unless the line break is only the author's wrapping.
    Line,
    /// Start of a line after a blank one inside a code block.
    CodeParagraph,
    /// Start of any line inside a code block.
    CodeLine,
    /// Start of a sentence outside code.
    Sentence,
    /// Start of a word, as Unicode (UAX 29) has it.
    Word,
    /// Start of what a reader sees as one character.
    Grapheme,
    /// Start of a Unicode scalar value.
    Character,
}

impl Level {
    /// The next finer level.
    pub(super) fn finer(self) -> Option<Self> {
        Some(match self {
            Self::Paragraph => Self::Line,
            Self::Line => Self::CodeParagraph,
            Self::CodeParagraph => Self::CodeLine,
            Self::CodeLine => Self::Sentence,
            Self::Sentence => Self::Word,
            Self::Word => Self::Grapheme,
            Self::Grapheme => Self::Character,
            Self::Character => return None,
        })
    }
}

/// The pieces of `range` between the boundaries of `level`: at least one, none empty, together `range`.
pub(super) fn cut(document: &Document, range: Range<usize>, level: Level) -> Vec<Range<usize>> {
    let text = &document.text[range.clone()];
    let at = |offset: usize| range.start + offset;
    let cuts: Vec<usize> = match level {
        Level::Paragraph | Level::CodeParagraph => line_starts(text, true).map(at).collect(),
        Level::Line | Level::CodeLine => line_starts(text, false).map(at).collect(),
        Level::Sentence => text.split_sentence_bound_indices().map(|(offset, _)| at(offset)).collect(),
        Level::Word => text.split_word_bound_indices().map(|(offset, _)| at(offset)).collect(),
        Level::Grapheme => text.grapheme_indices(true).map(|(offset, _)| at(offset)).collect(),
        Level::Character => text.char_indices().map(|(offset, _)| at(offset)).collect(),
    };
    let mut pieces = Vec::new();
    let mut start = range.start;
    for cut in cuts {
        if cut > start && is_allowed(document, cut, level) {
            pieces.push(start..cut);
            start = cut;
        }
    }
    if start < range.end || pieces.is_empty() {
        pieces.push(start..range.end);
    }
    pieces
}

/// Offsets at which lines start, the first one left out; with `after_blank` only those after a blank line.
fn line_starts(text: &str, after_blank: bool) -> impl Iterator<Item = usize> {
    let mut at = 0;
    let mut seen_blank = false;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        if line.trim().is_empty() {
            seen_blank = true;
            return None;
        }
        let wanted = start > 0 && (!after_blank || seen_blank);
        seen_blank = false;
        wanted.then_some(start)
    })
}

/// Whether `level` may cut at `at`, seen from the spans around it.
fn is_allowed(document: &Document, at: usize, level: Level) -> bool {
    match level {
        Level::Paragraph | Level::Sentence => !is_inside_code(document, at),
        Level::Line => !is_inside_code(document, at) && !is_wrapping(document, at),
        Level::CodeParagraph | Level::CodeLine => is_inside_code(document, at),
        Level::Word => !document.text[at..].starts_with(char::is_whitespace),
        Level::Grapheme | Level::Character => true,
    }
}

/// Whether the spans on both sides of `at` are code.
fn is_inside_code(document: &Document, at: usize) -> bool {
    let next = document.spans.partition_point(|span| span.range.end <= at);
    let Some(after) = document.spans.get(next) else { return false };
    let before = if after.range.start < at { Some(after) } else { document.spans[..next].last() };
    after.kind == SpanKind::Code && before.is_some_and(|span| span.kind == SpanKind::Code)
}

/// Whether the line break before `at` is running text, which Markdown and HTML show as a space: it lies in
/// prose, or in markup with prose on both sides.
fn is_wrapping(document: &Document, at: usize) -> bool {
    if document.content_type == ContentType::Text || document.content_type.is_data() {
        return false;
    }
    let line_break = at - 1;
    let is_prose = |index: usize| {
        let kind = document.spans.get(index).map(|span| span.kind);
        matches!(kind, Some(SpanKind::Prose | SpanKind::InlineCode))
    };
    let next = document.spans.partition_point(|span| span.range.end <= line_break);
    let is_in_span = document.spans.get(next).is_some_and(|span| span.range.start <= line_break);
    is_prose(next) && (is_in_span || next > 0 && is_prose(next - 1))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{document, document_of_spans};
    use super::*;

    fn check(document: &Document, level: Level, expected: &[&str]) {
        let pieces = cut(document, 0..document.text.len(), level);
        let pieces: Vec<_> = pieces.into_iter().map(|range| &document.text[range]).collect();
        assert_eq!(pieces, expected, "{level:?}");
    }

    #[test]
    fn separators_stay_with_the_piece_before() {
        let document = document("One. Two!\nThree\n\n \nFour 🦀é\n\n");
        check(&document, Level::Paragraph, &["One. Two!\nThree\n\n \n", "Four 🦀é\n\n"]);
        check(&document, Level::Line, &["One. Two!\n", "Three\n\n \n", "Four 🦀é\n\n"]);
        check(&document, Level::Sentence, &["One. ", "Two!\n", "Three\n", "\n", " \n", "Four 🦀é\n", "\n"]);
        check(&document, Level::CodeLine, &["One. Two!\nThree\n\n \nFour 🦀é\n\n"]);
    }

    #[test]
    fn code_blocks_are_kept_whole_until_code_levels() {
        let document = document_of_spans(&[
            (SpanKind::Prose, "Text\nwrapped"),
            (SpanKind::Break, "\n\n"),
            (SpanKind::Code, "a\n\nb\nc"),
            (SpanKind::Break, "\n\n"),
            (SpanKind::Prose, "End"),
        ]);
        check(&document, Level::Paragraph, &["Text\nwrapped\n\n", "a\n\nb\nc\n\n", "End"]);
        check(&document, Level::Line, &["Text\nwrapped\n\n", "a\n\nb\nc\n\n", "End"]);
        check(&document, Level::CodeParagraph, &["Text\nwrapped\n\na\n\n", "b\nc\n\nEnd"]);
        check(&document, Level::CodeLine, &["Text\nwrapped\n\na\n\n", "b\n", "c\n\nEnd"]);
    }
}
