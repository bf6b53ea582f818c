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

/// A quoted phrase is a condition, also of its stop words and over a compound; without it, its words are searched for.
#[test]
fn phrases_are_conditions() {
    let notes = [
        ("a", "The checker may borrow. It is borrowed by the borrow of a checker."),
        ("b", "Here the borrow checker is explained."),
        ("c", "The borrow-checker of HashMap now. To be, or not to be: that is not the question."),
        ("d", "Not to be or be to: one may or may not be. If it exists, not now. Borrow"),
        ("e", "Checker, CREATE TABLE IF NOT EXISTS t."),
    ];
    let check = |query: &str, expected: &[&str], unmatched: &[&str]| {
        let response = respond(&notes, query);
        let mut found = paths(&response);
        found.sort_unstable();
        assert_eq!(
            (found.as_slice(), response.unmatched_phrases.as_slice()),
            (expected, &unmatched.iter().map(|&text| text.to_owned()).collect::<Vec<_>>()[..]),
            "{query:?}"
        );
        response
    };
    check("\"borrow checker\"", &["b", "c"], &[]);
    check("\"borrow che", &["b", "c"], &[]);
    check("\"hash map\"", &["c"], &[]);
    check("\"of hashmap\"", &["c"], &[]);
    check("\"borrow-checker of HashMap now\"", &["c"], &[]);
    check("\"borrow checker of hashmap\"", &["c"], &[]);
    check("\"map hash\"", &["c"], &["map hash"]);
    check("\"Borrow-Checker\"", &["c"], &[]);
    check("\"to be or not to be\"", &["c"], &[]);
    check("\"if not exists\"", &["e"], &[]);
    check("\"borrow checker\" explained", &["b", "c"], &[]);
    check("\"borrow checker\" \"not to be\"", &["c"], &[]);
    check("\"checker borrow\"", &["a", "b", "c", "d", "e"], &["checker borrow"]);
    // d ends with one word, e begins with the other; a block's end is no place for a phrase.
    let response = check("\"explained\" \"if not\"", &["b", "c", "d", "e"], &["explained", "if not"]);
    assert!(response.hits[0].path == "b" || response.hits[0].path == "e");
    let explanation = format!("{:?}", respond(&notes, "\"borrow checker\"").hits[0].explanation);
    assert!(explanation.contains("(phrase)"), "{explanation}");
}

/// Positions cost a search without quotes nothing.
#[test]
fn only_phrases_fetch_positions() {
    let (manifest, segment) = build(support::library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let mut check = |query: &str, expected: bool| {
        let (_, _, files) = support::search(&mut engine, &segment, &SearchRequest::new(query), None);
        assert_eq!(files.iter().any(|name| name.starts_with("positions")), expected, "{query:?} {files:?}");
    };
    check("borrow a value", false);
    check("\"value\"", false);
    check("\"package manager\"", true);
}

/// Accents may be left out or added; what was typed ranks first.
#[test]
fn accents_do_not_matter_much() {
    let notes = [
        ("a", "A café is here, naïve people in it."),
        ("b", "A cafe is here, naive people in it."),
        ("c", "Herr Müller und seine Cafés."),
        ("d", "Herr Muller said to everybody who came by on that day: cafe\u{301} society."),
        ("e", "Nothing of the kind."),
    ];
    let check = |query: &str, first: &str, all: &[&str]| {
        let response = respond(&notes, query);
        let mut found = paths(&response);
        assert_eq!(found.first(), Some(&first), "{query:?} {found:?}");
        found.sort_unstable();
        assert_eq!(found, all, "{query:?}");
    };
    check("naïve ", "a", &["a", "b"]);
    check("naive ", "b", &["a", "b"]);
    check("naiv", "b", &["a", "b"]);
    check("Müller ", "c", &["c", "d"]);
    check("muller ", "d", &["c", "d"]);
    check("cafe ", "b", &["a", "b", "c", "d"]);
    check("\"naive people\"", "b", &["a", "b"]);
    check("\"naïve people\"", "a", &["a", "b"]);
    let response = respond(&notes, "muller");
    assert_eq!(response.hits[1].excerpt[response.hits[1].highlights[0].clone()], *"Müller");
    let explanation = format!("{:?}", response.hits[1].explanation);
    assert!(explanation.contains("(without accents)"), "{explanation}");
}

/// One word, two words, with a hyphen and in camel case: each finds the others.
#[test]
fn compounds_find_one_another() {
    let notes = [
        ("a", "A hash map keeps values."),
        ("b", "A hash-map keeps values."),
        ("c", "A `HashMap` keeps values."),
        ("d", "A hashmap keeps values."),
        ("e", "Die Datenbank findet etwas."),
        ("f", "Other things."),
    ];
    let check = |query: &str, expected: &[&str]| {
        let mut found: Vec<String> = paths(&respond(&notes, query)).into_iter().map(str::to_owned).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{query:?}");
    };
    check("hash map", &["a", "b", "c", "d"]);
    check("hash-map", &["a", "b", "c", "d"]);
    check("HashMap", &["a", "b", "c", "d"]);
    check("hashmap ", &["b", "c", "d"]);
    check("daten bank", &["e"]);
    // Where nothing has it as one word, it is looked for as two.
    let response = respond(&notes[..1], "hashmap");
    assert_eq!(paths(&response), ["a"]);
    assert!(format!("{:?}", response.hits[0].explanation).contains("(its two parts)"));
}

/// Stop words weigh little, and yet decide where a query has little else.
#[test]
fn stop_words_are_not_lost() {
    let notes = [
        ("a", "To be, or not to be: that is the question."),
        ("b", "CREATE TABLE IF NOT EXISTS t; creates the table if it does not exist yet."),
        ("c", "The file exists. It exists where it has always existed, and exists still."),
        ("d", "With `if let` you match one pattern."),
        ("e", "Let it go; let them, and let us."),
        ("f", "The question is asked by others, and the answer is here."),
    ];
    let check = |query: &str, expected: &str| {
        let response = respond(&notes, query);
        assert_eq!(paths(&response).first(), Some(&expected), "{query:?} {:?}", paths(&response));
    };
    check("to be or not to be", "a");
    check("\"to be or not to be\"", "a");
    check("IF NOT EXISTS", "b");
    check("if not exists", "b");
    check("\"if not exists\"", "b");
    check("if let", "d");
}
