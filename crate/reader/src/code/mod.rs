//! Source code: imports, types and functions as sections, doc comments as prose.
//!
//! The text of the document is the source byte for byte. A grammar (tree-sitter) finds the symbols ([`symbols`]); the
//! heading of a section is the symbol with its kind, so that a path reads `impl Engine > fn search`, and its anchor is
//! its lines as code hosts write them, `L12-L40`. Comments before and between symbols, and docstrings, are prose: they
//! have questions and a language. Everything else is code, comments inside a body included.
//!
//! Grammars are C and large, so they are a feature of their own. Without it, or where a source is more than a grammar can
//! read in bounded time, the document is one section, and all of it code.

#[cfg(feature = "code")]
mod grammar;
#[cfg(feature = "code")]
mod symbols;

use crate::{
    ReadError, ReadSettings, Reading,
    spans::{Gap, SpanWriter},
    url,
};
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree, Span, SpanKind, Unit};
use std::{collections::BTreeMap, ops::Range};

/// A script with a line of so many bytes was written by a program, for programs.
const MINIFIED_LINE: usize = 20_000;

/// What a grammar finds in a source.
#[derive(Debug, Default)]
struct Symbols {
    units: Vec<Unit>,
    /// Comments and docstrings that say what a symbol is for, in order.
    docs: Vec<Range<usize>>,
    warning: Option<String>,
}

/// Reads source code in the language of `content_type`.
pub(crate) fn read(
    path: &str,
    text: String,
    content_type: ContentType,
    settings: &ReadSettings,
) -> Result<Reading, ReadError> {
    if text.trim().is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "an empty file" });
    }
    if text.lines().any(|line| line.len() > MINIFIED_LINE) {
        let reason = format!(
            "a line has more than {MINIFIED_LINE} bytes: minified or generated code is not for readers"
        );
        return Err(ReadError::Skipped { path: path.to_owned(), reason });
    }
    let symbols = find(path, &text, content_type);
    let spans = spans(&text, &symbols.docs);
    if spans.iter().all(|span| text[span.range.clone()].trim().is_empty()) {
        return Err(ReadError::Empty { path: path.to_owned(), found: "an empty comment" });
    }
    let lines = text.lines().count();
    let document = Document {
        path: path.to_owned(),
        url: url::of_path(path, content_type, settings),
        title: url::name_of_path(path).to_owned(),
        language: None,
        content_type,
        spans,
        sections: SectionTree::from_units(&text, symbols.units),
        text,
        metadata: BTreeMap::from([("lines".to_owned(), lines.to_string())]),
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    };
    Ok(Reading { document, warnings: symbols.warning.into_iter().collect(), has_body_marker: false })
}

#[cfg(feature = "code")]
fn find(path: &str, text: &str, content_type: ContentType) -> Symbols {
    let Some(grammar) = grammar::of(content_type, path) else { return Symbols::default() };
    symbols::find(text, &grammar)
}

#[cfg(not(feature = "code"))]
fn find(_path: &str, _text: &str, _content_type: ContentType) -> Symbols {
    Symbols::default()
}

/// Code, with the words of `docs` as prose.
fn spans(text: &str, docs: &[Range<usize>]) -> Vec<Span> {
    let mut writer = SpanWriter::new(text);
    let mut at = 0;
    for doc in docs {
        if doc.start < at {
            continue;
        }
        code(text, at..doc.start, &mut writer);
        prose(text, doc.clone(), &mut writer);
        at = doc.end;
    }
    code(text, at..text.len(), &mut writer);
    writer.finish()
}

/// Whole lines of code, their indentation with them.
fn code(text: &str, range: Range<usize>, writer: &mut SpanWriter<'_>) {
    let said = &text[range.clone()];
    let Some(first) = said.find(|c: char| !c.is_whitespace()) else {
        writer.gap(if said.matches('\n').nth(1).is_some() { Gap::Block } else { Gap::Line });
        return;
    };
    let start = said[..first].rfind('\n').map_or(first, |at| at + 1);
    writer.gap(Gap::Line);
    writer.push_exact(range.start + start..range.start + said.trim_end().len(), SpanKind::Code);
    writer.gap(Gap::Line);
}

/// The words of a comment or docstring, line by line, without what makes them a comment.
fn prose(text: &str, range: Range<usize>, writer: &mut SpanWriter<'_>) {
    const MARKS: [&str; 10] = ["///", "//!", "//", "/**", "/*!", "/*", "\"\"\"", "'''", "*", "#"];
    let mut at = range.start;
    for line in text[range].split_inclusive('\n') {
        let words = line.trim_start();
        let mut start = at + line.len() - words.len();
        if let Some(mark) = MARKS.iter().find(|mark| words.starts_with(**mark) && !words.starts_with("*/")) {
            start += mark.len();
        }
        let line_end = at + line.trim_end().len();
        let end = ["*/", "\"\"\"", "'''"]
            .iter()
            .find_map(|mark| text[at..line_end].strip_suffix(mark).map(str::len));
        let end = end.map_or(line_end, |len| at + len);
        writer.gap(Gap::Space);
        if start < end && text[start..end].contains(char::is_alphanumeric) {
            writer.push(start..end, SpanKind::Prose);
        } else {
            writer.gap(Gap::Block);
        }
        at += line.len();
    }
}

#[cfg(all(test, feature = "code"))]
mod tests;
