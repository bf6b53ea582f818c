//! Plain text: paragraphs between blank lines, one section.

use crate::{
    ReadError, ReadSettings, Reading,
    spans::{Gap, SpanWriter},
    url,
};
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree, SpanKind};
use std::collections::BTreeMap;

/// Reads plain text.
pub(crate) fn read(path: &str, text: String, settings: &ReadSettings) -> Result<Reading, ReadError> {
    let mut writer = SpanWriter::new(&text);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        writer.gap(if line.trim().is_empty() { Gap::Block } else { Gap::Space });
        writer.push(range, SpanKind::Prose);
    }
    let spans = writer.finish();
    if spans.is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "an empty file" });
    }
    let document = Document {
        path: path.to_owned(),
        url: url::of_path(path, ContentType::Text, settings),
        title: url::title_of_path(path),
        language: None,
        content_type: ContentType::Text,
        sections: SectionTree::from_headings(text.len(), []),
        spans,
        text,
        metadata: BTreeMap::new(),
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    };
    Ok(Reading { document, warnings: Vec::new(), has_body_marker: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs() {
        let rows = [
            ("one\ntwo\n\n\nthree\n", Some("one\ntwo\n\nthree")),
            ("one\r\n\r\ntwo", Some("one\r\n\r\ntwo")),
            ("  indented  \n next", Some("indented next")),
            (" \n\t\n", None),
        ];
        for (text, expected) in rows {
            let reading = read("a.txt", text.to_owned(), &ReadSettings::default());
            let plain = reading.map(|reading| {
                reading.document.validate().expect("a valid document");
                reading.document.plain(0..text.len()).into_owned()
            });
            assert_eq!(plain.ok().as_deref(), expected, "{text:?}");
        }
    }
}
