//! What several tests need: small documents, and an engine that is fed until it answers.
#![allow(dead_code, reason = "every test uses a part of it")]

use querent_core::{
    document::{ContentType, Document, DocumentWeight, SectionTree, Span, SpanKind},
    embedding::{Embedder, HashEmbedder, WordEstimate},
    engine::{Clock, Engine, SearchError, SearchResponse},
    indexer::{BuiltSegment, IndexSettings, Indexer},
    query::SearchRequest,
    question::RuleGenerator,
    segment::Manifest,
};
use std::collections::BTreeMap;

/// A document of `path` whose lines beginning with `#` are headings, those indented by four spaces code.
pub(crate) fn document(path: &str, text: &str) -> Document {
    let mut spans = Vec::new();
    let mut headings = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.trim_end().len();
        let marks = line.len() - line.trim_start_matches('#').len();
        let start = at + marks + usize::from(marks > 0);
        let kind = match marks {
            0 if line.starts_with("    ") => SpanKind::Code,
            0 => SpanKind::Prose,
            _ => SpanKind::Heading,
        };
        if marks > 0 {
            let words = text[start..end].to_owned();
            let anchor = words.to_lowercase().replace(' ', "-");
            headings.push((at, marks as u8, words, Some(anchor)));
        }
        if end > start {
            spans.push(Span { range: start..end, kind, weight: 1.0 });
        }
        spans.push(Span { range: end..at + line.len(), kind: SpanKind::Break, weight: 1.0 });
        at += line.len();
    }
    Document {
        path: path.into(),
        url: format!("/{}", path.replace(".md", ".html")),
        title: headings.first().map_or(path.to_owned(), |(.., words, _)| words.clone()),
        language: Some("en".into()),
        content_type: ContentType::Markdown,
        text: text.into(),
        sections: SectionTree::from_headings(text.len(), headings),
        spans,
        metadata: BTreeMap::new(),
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    }
}

/// Five documents about Rust.
pub(crate) fn library() -> Vec<Document> {
    [
        ("ownership.md", "# Ownership\n\nEach value has an owner.\n\n## Borrowing\n\nA reference borrows a value. You cannot modify a variable while it is borrowed.\n\n    let r = &mut s;\n"),
        ("cargo.md", "# Cargo\n\nCargo is the package manager of Rust.\n\n## Installing\n\nTo install a binary, run cargo install.\n"),
        ("iterators.md", "# Iterators\n\nAn iterator is a value with a next method. Use HashMap::iter to visit a map.\n"),
        ("errors.md", "# Error handling\n\nThe question mark operator returns an error early. E0502 is a borrow error.\n"),
        ("naive.md", "# Unicode 🦀 text\n\nDas Café und die naïve Zeichenkette: 漢字 stehen vor dem borrow.\n"),
    ]
    .map(|(path, text)| document(path, text))
    .into()
}

/// The segment of `documents` with vectors of [`HashEmbedder`], and its manifest.
pub(crate) fn build(documents: Vec<Document>, settings: IndexSettings) -> (Vec<u8>, BuiltSegment) {
    let mut indexer = Indexer::new(settings);
    for document in documents {
        indexer.add(document, &WordEstimate, Some(&RuleGenerator)).expect("adds");
    }
    let embedder = HashEmbedder::new(32);
    let texts = indexer.texts();
    let vectors = embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()).expect("embeds");
    let segment = indexer.finish(Some(&vectors)).expect("finishes");
    let manifest = Manifest::new(Some(embedder.identity().clone()), vec![segment.entry.clone()]);
    (manifest.to_bytes(), segment)
}

/// A clock that stands.
pub(crate) struct NoClock;

impl Clock for NoClock {
    fn now_ms(&self) -> f64 {
        0.0
    }
}

/// The embedding of `query` by the embedder of [`build`].
pub(crate) fn vector(query: &str) -> Vec<f32> {
    HashEmbedder::new(32).embed(&[query]).expect("embeds").remove(0)
}

/// Searches, loading what is missing. Also gives the number of rounds and the names of the files.
pub(crate) fn search(
    engine: &mut Engine,
    segment: &BuiltSegment,
    request: &SearchRequest,
    vector: Option<&[f32]>,
) -> (SearchResponse, usize, Vec<String>) {
    let mut loaded = Vec::new();
    for round in 1..20 {
        match engine.search(request, vector, &NoClock) {
            Ok(response) => return (response, round, loaded),
            Err(SearchError::Missing(files)) => {
                for file in files {
                    let (_, bytes) =
                        segment.files.iter().find(|(name, _)| *name == file.name).expect("exists");
                    engine.load(&file.name, bytes).expect("loads");
                    loaded.push(file.name);
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the engine keeps asking for files");
}
