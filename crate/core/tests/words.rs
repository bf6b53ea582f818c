//! How the words of a query find documents: what stands first, and what is left out.

mod support;

use querent_core::{
    document::{Document, Span, SpanKind},
    engine::{Engine, SearchResponse},
    indexer::IndexSettings,
    query::{SearchMode, SearchRequest},
};
use support::{build, document};

/// A document of one line, whose code in backticks is inline code.
fn note(path: &str, text: &str) -> Document {
    let mut made = document(path, &format!("# {path}\n\n"));
    let start = made.text.len();
    for (position, part) in text.split('`').enumerate() {
        let kind = if position % 2 == 1 { SpanKind::InlineCode } else { SpanKind::Prose };
        let at = made.text.len();
        made.text.push_str(part);
        if !part.is_empty() {
            made.spans.push(Span { range: at..made.text.len(), kind, weight: 1.0 });
        }
    }
    assert!(made.text.len() > start, "a note says something");
    let headings = vec![(0, 1, path.to_owned(), None)];
    made.sections = querent_core::document::SectionTree::from_headings(made.text.len(), headings);
    made
}

fn respond(notes: &[(&str, &str)], query: &str) -> SearchResponse {
    let documents = notes.iter().map(|(path, text)| note(path, text)).collect();
    let (manifest, segment) = build(documents, IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let request = SearchRequest { mode: SearchMode::Lexical, explain: true, ..SearchRequest::new(query) };
    support::search(&mut engine, &segment, &request, None).0
}

fn paths(response: &SearchResponse) -> Vec<&str> {
    response.hits.iter().map(|hit| hit.path.as_str()).collect()
}

/// The exact form stands first although other documents hold its words more often.
#[test]
fn punctuation_counts() {
    let notes = [
        ("a", "The door is locked. A locked door stays locked until the patch is locked."),
        ("b", "Give `cargo build --locked` to keep the lock file."),
        ("c", "A patch may patch another patch; derive it from the patch."),
        ("d", "The `[patch]` table, next to `#[derive(Debug)]` and `use<'a, T>`."),
        ("e", "The `?` operator and `->` in `const fn` of C++ code."),
        ("f", "Const code is a const; fn is short. Debug a use, use a T, push a vec, and impl a trait."),
        ("g", "Call `Vec::push` on it, see E0502 and `impl Trait`."),
    ];
    let check = |query: &str, expected: &str| {
        let response = respond(&notes, query);
        assert_eq!(paths(&response).first(), Some(&expected), "{query:?} {response:#?}");
    };
    check("--locked", "b");
    check("what does --locked do", "b");
    check("--lock", "b");
    check("[patch]", "d");
    check("#[derive(Debug)]", "d");
    check("use<'a, T>", "d");
    check("use<'a,T>", "d");
    check("?", "e");
    check("->", "e");
    check("const fn", "e");
    check("c++", "e");
    check("Vec::push", "g");
    check("E0502", "g");
    check("impl Trait", "g");
    check("patch", "c");
}
