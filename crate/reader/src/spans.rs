//! Spans over a source that keeps its markup: what Markdown, plain text and code share. Its gaps are also those of texts that are
//! laid out anew (`writer`).

use querent_core::document::{Span, SpanKind};
use std::ops::Range;

/// How far the content that comes next stands from the content before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// Nothing between them: `un**believ**able`.
    None,
    /// A space or a line end inside a paragraph.
    Space,
    /// Another cell of a table.
    Cell,
    /// Another line: an item of a list, a row of a table.
    Line,
    /// Another block.
    Block,
}

/// Collects spans in the order of the source.
///
/// Content is what [`Self::push`] is given. The space between two contents is taken from the source's own bytes
/// between them, as much of it as the widest [`Gap`] noted in between asks for, so that the spans read as text.
#[derive(Debug)]
pub(crate) struct SpanWriter<'a> {
    source: &'a str,
    spans: Vec<Span>,
    gap: Gap,
    /// Number of spans before the block of code that is being written.
    code_from: usize,
}

impl<'a> SpanWriter<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, spans: Vec::new(), gap: Gap::None, code_from: 0 }
    }

    pub(crate) fn finish(self) -> Vec<Span> {
        self.spans
    }

    /// Notes that what comes next is at least `gap` away.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds the content at `range`. White space at its ends becomes a gap.
    pub(crate) fn push(&mut self, range: Range<usize>, kind: SpanKind) {
        let Some(text) = self.source.get(range.clone()) else { return };
        let start = range.end - text.trim_start().len();
        if start == range.end {
            self.gap(if range.is_empty() { Gap::None } else { Gap::Space });
            return;
        }
        if start > range.start {
            self.gap(Gap::Space);
        }
        let end = range.start + text.trim_end().len();
        self.push_exact(start..end, kind);
        if end < range.end {
            self.gap(Gap::Space);
        }
    }

    /// Adds the content at `range` without the white space at its ends, which is markup: `` ` code ` ``.
    pub(crate) fn push_trimmed(&mut self, range: Range<usize>, kind: SpanKind) {
        let Some(text) = self.source.get(range.clone()) else { return };
        let start = range.end - text.trim_start().len();
        let end = (range.start + text.trim_end().len()).max(start);
        self.push_exact(start..end, kind);
    }

    /// Begins a block of code.
    pub(crate) fn begin_code(&mut self) {
        self.code_from = self.spans.len();
    }

    /// Ends a block of code: its last line end is not part of it.
    pub(crate) fn end_code(&mut self) {
        while self.spans.len() > self.code_from
            && let Some(last) = self.spans.last_mut()
        {
            let text = &self.source[last.range.clone()];
            last.range.end = last.range.start + text.trim_end().len();
            if last.kind == SpanKind::Code && !last.range.is_empty() {
                return;
            }
            self.spans.pop();
        }
    }

    /// Adds the content at `range` with the white space at its ends, as code wants it.
    pub(crate) fn push_exact(&mut self, range: Range<usize>, kind: SpanKind) {
        // Content comes in the order of the source; anything else would break the document's promise.
        if range.start < self.end() || range.is_empty() || self.source.get(range.clone()).is_none() {
            return;
        }
        self.close_gap(range.start, kind);
        self.extend(range, kind);
    }

    fn end(&self) -> usize {
        self.spans.last().map_or(0, |span| span.range.end)
    }

    /// Adds the space between the last content and `next`.
    fn close_gap(&mut self, next: usize, kind: SpanKind) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        let Some(last) = self.spans.last() else { return };
        let start = last.range.end;
        match gap {
            Gap::None => {}
            Gap::Space => {
                let kind = if is_code(kind) && !is_code(last.kind) { last.kind } else { kind };
                let kind = if is_code(kind) { SpanKind::Prose } else { kind };
                self.space(start..next, kind);
            }
            Gap::Cell => self.separator(start..next),
            Gap::Line => self.line_breaks(start..next, 1),
            Gap::Block => self.line_breaks(start..next, 2),
        }
    }

    /// The first space, tab or line end of `between`.
    fn space(&mut self, between: Range<usize>, kind: SpanKind) -> bool {
        let found = self.source[between.clone()].find([' ', '\t', '\n']);
        if let Some(at) = found {
            let at = between.start + at;
            self.extend(at..at + 1, kind);
        }
        found.is_some()
    }

    /// The first `most` line ends of `between`; where it has none, what else keeps the words apart.
    fn line_breaks(&mut self, between: Range<usize>, most: usize) {
        let bytes = self.source.as_bytes();
        let mut found = 0;
        for at in between.clone().filter(|&at| bytes[at] == b'\n').take(most) {
            let start = if at > between.start && bytes[at - 1] == b'\r' { at - 1 } else { at };
            self.extend(start..at + 1, SpanKind::Break);
            found += 1;
        }
        if found == 0 {
            self.separator(between);
        }
    }

    /// One byte that keeps words apart: a space, else the bar between cells or the end of `&nbsp;`, else that of
    /// a tag.
    fn separator(&mut self, between: Range<usize>) {
        if self.space(between.clone(), SpanKind::Break) {
            return;
        }
        let text = &self.source[between.clone()];
        if let Some(at) = text.find(['|', ';']).or_else(|| text.find('>')) {
            let at = between.start + at;
            self.extend(at..at + 1, SpanKind::Break);
        }
    }

    /// Adds a span, or lengthens the last one.
    fn extend(&mut self, range: Range<usize>, kind: SpanKind) {
        match self.spans.last_mut() {
            Some(last) if last.kind == kind && last.range.end == range.start => last.range.end = range.end,
            _ => self.spans.push(Span { range, kind, weight: 1.0 }),
        }
    }
}

fn is_code(kind: SpanKind) -> bool {
    matches!(kind, SpanKind::Code | SpanKind::InlineCode)
}
