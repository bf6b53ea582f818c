//! Text as a browser lays it out, white space collapsed and blocks apart: what HTML, PDF and DOCX share.

pub(crate) use crate::spans::Gap;

use querent_core::document::{Span, SpanKind};

/// How text is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) kind: SpanKind,
    /// White space stays as it is.
    pub(crate) pre: bool,
    pub(crate) weight: f32,
}

/// Collects text and its spans.
#[derive(Debug)]
pub(crate) struct TextWriter {
    pub(crate) text: String,
    pub(crate) spans: Vec<Span>,
    gap: Gap,
}

impl TextWriter {
    pub(crate) fn new() -> Self {
        Self { text: String::new(), spans: Vec::new(), gap: Gap::None }
    }

    /// Notes that what comes next is at least `gap` away.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds `text` as `style` has it.
    pub(crate) fn push(&mut self, text: &str, style: Style) {
        if style.pre {
            if !text.is_empty() {
                self.write(text, style);
            }
            return;
        }
        let mut rest = text;
        while !rest.is_empty() {
            let word_len = rest.find(is_space).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word_len);
            if !word.is_empty() {
                self.write(word, style);
            }
            let trimmed = after.trim_start_matches(is_space);
            if trimmed.len() < after.len() {
                self.gap(Gap::Space);
            }
            rest = trimmed;
        }
    }

    /// Takes the last character back: a hyphen that only divided a word.
    #[cfg(feature = "pdf")]
    pub(crate) fn remove_last(&mut self) {
        self.text.pop();
        let len = self.text.len();
        self.spans.iter_mut().rev().take(1).for_each(|last| last.range.end = last.range.end.min(len));
        self.spans.pop_if(|last| last.range.is_empty());
    }

    /// Takes white space off the end, after preformatted text.
    pub(crate) fn trim_end(&mut self) {
        let len = self.text.trim_end().len();
        self.text.truncate(len);
        while let Some(last) = self.spans.last_mut() {
            last.range.end = last.range.end.min(len);
            if last.range.start < last.range.end {
                break;
            }
            self.spans.pop();
        }
    }

    fn close_gap(&mut self, style: Style) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        let Some(last) = self.spans.last() else { return };
        let (space, kind, weight) = match gap {
            Gap::None => return,
            Gap::Space if is_code(last.kind) && is_code(style.kind) => (" ", SpanKind::Prose, style.weight),
            Gap::Space if is_code(style.kind) => (" ", last.kind, last.weight),
            Gap::Space => (" ", style.kind, style.weight),
            Gap::Cell => (" ", SpanKind::Break, 1.0),
            Gap::Line => ("\n", SpanKind::Break, 1.0),
            Gap::Block => ("\n\n", SpanKind::Break, 1.0),
        };
        self.extend(space, kind, weight);
    }

    fn write(&mut self, text: &str, style: Style) {
        self.close_gap(style);
        if text.contains(is_invisible) {
            let shown: String = text.chars().filter(|&character| !is_invisible(character)).collect();
            self.extend(&shown, style.kind, style.weight);
        } else {
            self.extend(text, style.kind, style.weight);
        }
    }

    fn extend(&mut self, text: &str, kind: SpanKind, weight: f32) {
        let start = self.text.len();
        self.text.push_str(text);
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.kind == kind && last.weight == weight && last.range.end == start => {
                last.range.end = self.text.len();
            }
            _ => self.spans.push(Span { range: start..self.text.len(), kind, weight }),
        }
    }
}

/// A no-break space counts too: nobody types one into a search box.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}')
}

/// Soft hyphens and zero-width spaces tell where a word may be broken, and would break it for the search.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}' | '\u{feff}')
}

fn is_code(kind: SpanKind) -> bool {
    matches!(kind, SpanKind::Code | SpanKind::InlineCode)
}
