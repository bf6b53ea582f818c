//! Documents and their sections: what a reader gives and everything else takes.
//!
//! A [`Document`] is a text with structure laid over it by byte ranges. `text` is never changed afterwards:
//! sections, spans, chunks and questions point into it, so every later stage can say exactly where a hit
//! stands. For Markdown, plain text, source code and data `text` is the decoded file; for HTML, PDF and DOCX, whose
//! markup nobody wants to read, it is the text that the reader extracted.

mod content_type;
mod section;
mod units;

pub use content_type::ContentType;
pub use section::{Section, SectionId, SectionTree};
pub use units::Unit;

use crate::lexical::{terms_of, words};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap, ops::Range};

/// One document as a reader understood it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Identifier that stays the same between builds: the path relative to the input, with `/` separators.
    pub path: String,
    /// Where a reader opens the document: absolute, or relative to the site. Without a fragment.
    pub url: String,
    /// Title to show; the path's last part where the document has none.
    pub title: String,
    /// Language as a BCP 47 tag (`en`, `pt-BR`), where the document states one.
    pub language: Option<String>,
    /// What the document was made from.
    pub content_type: ContentType,
    /// The text that every range below points into.
    pub text: String,
    /// Headings as a tree. The sections' ranges, in order, cover `text` without gap or overlap.
    pub sections: SectionTree,
    /// What is to be read in `text`, sorted and without overlap. Bytes outside every span are markup.
    pub spans: Vec<Span>,
    /// Values to show with a hit (`meta`) by name.
    pub metadata: BTreeMap<String, String>,
    /// Values to filter by (`tag`, `version`), by name.
    pub filters: BTreeMap<String, Vec<String>>,
    /// What the site says the document counts beside others: a factor of its score.
    pub weight: DocumentWeight,
}

/// A factor of a document's score, from 1/16 to 255/16 in steps of 1/16; 1 where the site says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentWeight(u8);

impl DocumentWeight {
    /// The nearest step to `factor`; `None` unless it is a number above 0.
    pub fn new(factor: f32) -> Option<Self> {
        (factor > 0.0 && factor.is_finite()).then(|| Self((factor * 16.0).round().clamp(1.0, 255.0) as u8))
    }

    /// The factor.
    pub fn factor(self) -> f32 {
        f32::from(self.0.max(1)) / 16.0
    }
}

impl Default for DocumentWeight {
    fn default() -> Self {
        Self(16)
    }
}

/// A stretch of `Document::text` that is content rather than markup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Bytes in `Document::text`.
    pub range: Range<usize>,
    /// How the stretch is to be read.
    pub kind: SpanKind,
    /// How much a match here counts, relative to the rest of the document: 0 to 10, default 1
    /// (`data-querent-weight`).
    pub weight: f32,
}

/// How a span is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpanKind {
    /// Running text, list items and table cells.
    Prose,
    /// A heading's words.
    Heading,
    /// Code inside a sentence.
    InlineCode,
    /// A block of code.
    Code,
    /// Space between blocks (one or two line breaks of `text`): kept in plain text, never a token.
    Break,
}

impl Document {
    /// The readable text of `range`: its spans joined, markup left out.
    ///
    /// Borrowed when one span covers the whole range. A span that `range` cuts is cut with it.
    ///
    /// # Panics
    /// When `range` does not lie on character boundaries of `text`.
    pub fn plain(&self, range: Range<usize>) -> Cow<'_, str> {
        let mut pieces = self.spans_in(range).map(|(range, _)| &self.text[range]);
        let Some(first) = pieces.next() else {
            return Cow::Borrowed("");
        };
        let Some(second) = pieces.next() else {
            return Cow::Borrowed(first);
        };
        Cow::Owned([first, second].into_iter().chain(pieces).collect())
    }

    /// The spans that `range` touches, cut to it, in order.
    pub fn spans_in(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, &Span)> {
        let from = self.spans.partition_point(|span| span.range.end <= range.start);
        self.spans[from..].iter().take_while(move |span| span.range.start < range.end).map(move |span| {
            let cut = span.range.start.max(range.start)..span.range.end.min(range.end);
            (cut, span)
        })
    }

    /// Headings from the title down to `section`, the title first and no heading twice in a row.
    pub fn heading_path(&self, section: SectionId) -> Vec<&str> {
        let mut path = vec![self.title.as_str()];
        for id in self.sections.path(section) {
            let heading = self.sections[id].heading.as_str();
            if heading.is_empty() || path.last() == Some(&heading) {
                continue;
            }
            // A key path says its parents' already: `server.tls` stands in place of `server`.
            if self.content_type.is_data()
                && path.len() > 1
                && path.last().is_some_and(|it| heading.starts_with(it))
            {
                path.pop();
            }
            path.push(heading);
        }
        path
    }

    /// Whether anything in the text can be searched for: a document of symbols only, or of words too long to be words,
    /// is found by its title alone.
    pub fn has_terms(&self) -> bool {
        let content = self.spans.iter().filter(|span| span.kind != SpanKind::Break);
        content
            .into_iter()
            .any(|span| words(&self.text[span.range.clone()]).any(|word| !terms_of(word.text).is_empty()))
    }

    /// Checks what the fields promise: sections cover `text`, spans are sorted, ranges lie on characters.
    ///
    /// # Errors
    /// The sentence that is not true of this document.
    pub fn validate(&self) -> Result<(), String> {
        let mut at = 0;
        for section in self.sections.iter() {
            if section.range.start != at || section.range.end < at {
                return Err(format!(
                    "section {:?} starts at {} instead of {at}",
                    section.heading, section.range.start
                ));
            }
            at = section.range.end;
            if !self.text.is_char_boundary(at.min(self.text.len())) {
                return Err(format!("section {:?} ends inside a character at {at}", section.heading));
            }
        }
        if at != self.text.len() {
            return Err(format!("the sections end at {at}, the text at {}", self.text.len()));
        }
        let mut at = 0;
        for Span { range, .. } in &self.spans {
            if range.start < at || range.end < range.start || self.text.get(range.clone()).is_none() {
                return Err(format!("span {range:?} overlaps, or cuts a character"));
            }
            at = range.end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let text = "# A *b*\n\nSome `code` here.\n";
        let span = |range: Range<usize>, kind| Span { range, kind, weight: 1.0 };
        Document {
            path: "a.md".into(),
            url: "a.html".into(),
            title: "A b".into(),
            language: None,
            content_type: ContentType::Markdown,
            text: text.into(),
            sections: SectionTree::from_headings(
                text.len(),
                [(0, 1, "A b".to_owned(), Some("a-b".to_owned()))],
            ),
            spans: vec![
                span(2..4, SpanKind::Heading),
                span(5..6, SpanKind::Heading),
                span(7..9, SpanKind::Break),
                span(9..14, SpanKind::Prose),
                span(15..19, SpanKind::InlineCode),
                span(20..26, SpanKind::Prose),
            ],
            metadata: BTreeMap::new(),
            filters: BTreeMap::new(),
            weight: DocumentWeight::default(),
        }
    }

    #[test]
    fn symbols_are_no_terms() {
        let check = |text: &str, expected: bool| {
            let span = Span { range: 0..text.len(), kind: SpanKind::Prose, weight: 1.0 };
            let document = Document { text: text.into(), spans: vec![span], ..document() };
            assert_eq!(document.has_terms(), expected, "{text:?}");
        };
        check("→ ☃ — 🦀!", false);
        check(&"x".repeat(300), false);
        check("→ a", true);
        check("ພາສາ", true);
    }

    #[test]
    fn plain_leaves_markup_out() {
        let document = document();
        document.validate().expect("valid");
        assert_eq!(document.plain(0..document.text.len()), "A b\n\nSome code here.");
        assert_eq!(document.plain(16..22), "ode h");
        assert_eq!(document.plain(0..1), "");
    }
}
