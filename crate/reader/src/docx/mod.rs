//! DOCX: Word's documents, text as their readers see it.
//!
//! A DOCX is a ZIP archive of XML parts. Steps: the parts are unpacked, within bounds ([`package`]); the styles say which
//! paragraphs are headings and which are code ([`styles`]); footnotes and endnotes are read ([`notes`]); the body is walked
//! once, without recursion ([`body`]). Headings make the section tree; rows of tables are lines; a note follows the
//! paragraph that refers to it; what tracked changes have deleted or moved away is left out, and so are comments, headers
//! and footers, which Word shows beside the text.
//!
//! Word stores no pages, so there are no page numbers; and nothing in a DOCX can be linked to, so there are no anchors.

mod body;
mod notes;
mod package;
mod styles;
mod xml;

use crate::{ReadError, ReadSettings, Reading, url};
use body::Body;
use package::Package;
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree};
use std::collections::BTreeMap;
use styles::Styles;

/// Reads a DOCX.
pub(crate) fn read(path: &str, bytes: &[u8], settings: &ReadSettings) -> Result<Reading, ReadError> {
    let unreadable = |problem: package::Problem| ReadError::Unreadable {
        path: path.to_owned(),
        expected: "a DOCX",
        found: problem.found,
        remedy: problem.remedy,
    };
    let mut package = Package::open(bytes).map_err(unreadable)?;
    let main = package.main_part();
    let text = package.require(&main).map_err(unreadable)?;
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    let styles = Styles::read(&package.beside(folder, "styles.xml").map_err(unreadable)?);
    let notes = [("footnotes.xml", "footnote"), ("endnotes.xml", "endnote")]
        .map(|(part, element)| package.beside(folder, part).map(|xml| notes::read(&xml, element)));
    let [footnotes, endnotes] = notes;
    let notes =
        notes::Notes { footnotes: footnotes.map_err(unreadable)?, endnotes: endnotes.map_err(unreadable)? };
    let properties = package.properties().map_err(unreadable)?;
    let body = body::read(&text, &styles, &notes).map_err(|problem| {
        unreadable(package::Problem::damaged(format!("damaged XML in {main}: {problem}")))
    })?;
    if body.spans.is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "a DOCX without text" });
    }
    Ok(Reading {
        document: document(path, body, properties, settings),
        warnings: Vec::new(),
        has_body_marker: false,
    })
}

fn document(
    path: &str,
    body: Body,
    mut properties: BTreeMap<String, String>,
    settings: &ReadSettings,
) -> Document {
    let title = properties.remove("title").or(body.title).or_else(|| only_first_level(&body.headings));
    let language = properties.remove("language");
    Document {
        path: path.to_owned(),
        url: url::of_path(path, ContentType::Docx, settings),
        title: title.unwrap_or_else(|| url::title_of_path(path)),
        language,
        content_type: ContentType::Docx,
        sections: SectionTree::from_headings(body.text.len(), body.headings),
        spans: body.spans,
        text: body.text,
        metadata: properties,
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    }
}

/// The heading of the first level, where there is one and no other: several are chapters.
fn only_first_level(headings: &[body::Heading]) -> Option<String> {
    let mut first = headings.iter().filter(|heading| heading.1 == 1).map(|heading| &heading.2);
    match (first.next(), first.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
