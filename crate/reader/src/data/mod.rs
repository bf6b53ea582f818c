//! Data: JSON, YAML, TOML and rows of values.
//!
//! The text of the document is the source byte for byte, so a hit can be shown in an editor and put together again.
//! Each format has a reader that walks the source once, without recursion, and tells an [`outline::Outline`] of
//! objects, arrays and values; of those come the sections, whose headings are key paths (`server.port`,
//! `servers[0].tls`). Objects are sections, and arrays of objects; plain values belong to the object that holds them.
//! Values that read as sentences are prose, so that they have questions and a language; the rest is code.
//!
//! Sections cover the source and each has content: the chunks of such a document, one after the other, are the source.

mod csv;
mod json;
mod outline;
mod toml;
mod yaml;

use crate::{ReadError, ReadSettings, Reading, url};
use outline::Outline;
use querent_core::document::{ContentType, Document, DocumentWeight};
use std::collections::BTreeMap;

/// Where data is damaged, and how.
#[derive(Debug, PartialEq)]
struct Damage {
    /// First byte that cannot be read.
    at: usize,
    /// `expected X, got Y`.
    problem: String,
}

impl Damage {
    fn new(at: usize, problem: impl Into<String>) -> Self {
        Self { at, problem: problem.into() }
    }
}

/// Reads data of `content_type`.
pub(crate) fn read(
    path: &str,
    text: String,
    content_type: ContentType,
    settings: &ReadSettings,
) -> Result<Reading, ReadError> {
    if text.trim().is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "an empty file" });
    }
    let mut outline = Outline::new(&text);
    let parsed = match content_type {
        ContentType::Json => json::parse(&text, &mut outline),
        ContentType::Yaml => yaml::parse(&text, &mut outline),
        ContentType::Toml => toml::parse(&text, &mut outline),
        _ => csv::parse(&text, &mut outline),
    };
    let warning = parsed.map_err(|damage| damaged(path, &text, damage))?;
    let has_comments = path.to_ascii_lowercase().ends_with(".jsonc");
    let warnings = warning.filter(|_| !has_comments).into_iter().map(str::to_owned).collect();
    let (sections, spans) = outline.finish();
    let document = Document {
        path: path.to_owned(),
        url: url::of_path(path, content_type, settings),
        title: url::name_of_path(path).to_owned(),
        language: None,
        content_type,
        sections,
        spans,
        text,
        metadata: BTreeMap::new(),
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    };
    Ok(Reading { document, warnings, has_body_marker: false })
}

/// The error that names line and column, both from 1, the column in characters.
fn damaged(path: &str, text: &str, damage: Damage) -> ReadError {
    let before = &text[..text.floor_char_boundary(damage.at)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    ReadError::Damaged {
        path: path.to_owned(),
        line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        problem: damage.problem,
    }
}

#[cfg(test)]
mod tests;
