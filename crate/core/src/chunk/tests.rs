use super::*;
use crate::document::DocumentWeight;
use crate::{
    document::{ContentType, SectionTree, Span},
    embedding::WordEstimate,
};
use proptest::prelude::*;
use std::{cell::Cell, collections::BTreeMap};

/// A document of one section whose whole text is prose.
pub(super) fn document(text: &str) -> Document {
    let mut document = document_of_spans(&[(SpanKind::Prose, text)]);
    document.content_type = ContentType::Text;
    document
}

/// A Markdown document of spans without markup between them. A heading span opens a section.
pub(crate) fn document_of_spans(parts: &[(SpanKind, &str)]) -> Document {
    let mut text = String::new();
    let mut spans = Vec::new();
    let mut headings = Vec::new();
    for &(kind, part) in parts {
        if kind == SpanKind::Heading {
            headings.push((text.len(), 1 + headings.len().min(3) as u8, part.to_owned(), None));
        }
        let start = text.len();
        text.push_str(part);
        spans.push(Span { range: start..text.len(), kind, weight: 1.0 });
    }
    Document {
        path: "a.md".into(),
        url: "a.html".into(),
        title: "Title".into(),
        language: None,
        content_type: ContentType::Markdown,
        sections: SectionTree::from_headings(text.len(), headings),
        text,
        spans,
        metadata: BTreeMap::new(),
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    }
}

/// Checks everything that the module promises of `chunks`.
fn check_promises(document: &Document, settings: &ChunkSettings, chunks: &[Chunk]) {
    for section in document.sections.ids() {
        let range = document.sections[section].range.clone();
        let mut at = range.start;
        for chunk in chunks.iter().filter(|chunk| chunk.section == section) {
            assert_eq!(chunk.range.start, at);
            assert!(!chunk.range.is_empty());
            assert!(chunk.overlap <= at - range.start);
            at = chunk.range.end;
            let text = embedding_text(document, chunk, "");
            assert_eq!(WordEstimate.count(&text), chunk.tokens as usize);
            let is_one_character = document.text[chunk.range.clone()].chars().count() == 1;
            assert!(chunk.tokens <= settings.max_tokens.max(4) || is_one_character, "{text:?}");
        }
        let end = if has_content(document, section) { range.end } else { range.start };
        assert_eq!(at, end, "section {section:?}");
    }
    assert!(chunks.is_sorted_by_key(|chunk| chunk.range.start));
}

/// Splits and gives the chunks' texts.
fn texts(document: &Document, max_tokens: u32) -> Vec<&str> {
    let settings = ChunkSettings { max_tokens, overlap_tokens: 0 };
    let chunks = split(document, &WordEstimate, &settings);
    check_promises(document, &settings, &chunks);
    chunks.into_iter().map(|chunk| &document.text[chunk.range]).collect()
}

#[test]
fn cut_at_the_best_boundary_that_fits() {
    // "Title" is 2 tokens, "one" to "six" 1 token or 2, punctuation 1.
    for (text, max_tokens, expected) in [
        ("one two six", 16, vec!["one two six"]),
        (
            "one two six.\n\none two six.\n\none two six.",
            12,
            vec!["one two six.\n\none two six.\n\n", "one two six."],
        ),
        ("one two six\none two six", 6, vec!["one two six\n", "one two six"]),
        ("one two. One two six. Two.", 8, vec!["one two. ", "One two six. Two."]),
        ("one two six one two six", 6, vec!["one two six ", "one two six"]),
        ("漢字漢字漢字漢字", 6, vec!["漢字漢字漢", "字漢字"]),
        ("", 8, vec![]),
    ] {
        assert_eq!(texts(&document(text), max_tokens), expected, "{text:?}");
    }
}

#[test]
fn sections_are_not_mixed() {
    use SpanKind::{Break, Heading, Prose};
    let document = document_of_spans(&[
        (Break, "\n\n"),
        (Heading, "One"),
        (Break, "\n\n"),
        (Heading, "Two"),
        (Break, "\n\n"),
        (Prose, "Text"),
    ]);
    let chunks = split(&document, &WordEstimate, &ChunkSettings::default());
    let texts: Vec<_> = chunks.iter().map(|chunk| embedding_text(&document, chunk, "")).collect();
    assert_eq!(texts, ["Title\n\nOne", "Title\nOne\n\nTwo\n\nText"]);
}

#[test]
fn a_code_block_that_fits_is_whole() {
    let code = "let one = two;\n\nlet six = one;\n";
    let document = document_of_spans(&[
        (SpanKind::Prose, "one two six one two six one two six"),
        (SpanKind::Break, "\n\n"),
        (SpanKind::Code, code),
    ]);
    assert_eq!(texts(&document, 16), ["one two six one two six one two six\n\n", code]);
}

#[test]
fn a_heading_is_not_left_alone() {
    let paragraph = "one two six one two. ".repeat(3);
    let document = document_of_spans(&[
        (SpanKind::Heading, "One"),
        (SpanKind::Break, "\n\n"),
        (SpanKind::Prose, paragraph.as_str()),
    ]);
    let texts = texts(&document, 21);
    assert!(texts[0].starts_with("One\n\none two"), "{texts:?}");
}

#[test]
fn the_last_chunk_is_not_tiny() {
    let text = "one two six one.\n\n".repeat(5);
    let lengths: Vec<_> = texts(&document(&text), 22).iter().map(|text| text.len()).collect();
    assert_eq!(lengths, [2 * 18, 3 * 18]);
}

#[test]
fn overlap_is_whole_sentences() {
    let document = document("One two six. Two six. Six six six six. One one one.");
    let settings = ChunkSettings { max_tokens: 14, overlap_tokens: 4 };
    let chunks = split(&document, &WordEstimate, &settings);
    check_promises(&document, &settings, &chunks);
    let texts: Vec<_> = chunks.iter().map(|chunk| embedding_text(&document, chunk, "")).collect();
    assert_eq!(
        texts,
        [
            "Title\n\nOne two six. Two six.",
            "Title\n\nTwo six. Six six six six.",
            "Title\n\nsix six six. One one one."
        ]
    );
}

#[test]
fn long_headings_leave_room() {
    let heading = "very long heading ".repeat(40);
    let body = "one two six. ".repeat(40);
    let document = document_of_spans(&[
        (SpanKind::Heading, heading.trim()),
        (SpanKind::Break, "\n\n"),
        (SpanKind::Prose, body.as_str()),
    ]);
    let settings = ChunkSettings { max_tokens: 64, overlap_tokens: 8 };
    let chunks = split(&document, &WordEstimate, &settings);
    check_promises(&document, &settings, &chunks);
    for chunk in &chunks {
        let context = embedding_text(&document, chunk, "").find("one").unwrap_or(0);
        assert!(chunk.context <= 96 && context <= 700, "{chunk:?}");
    }
}

/// Counts how much it was made to count.
struct Meter(Cell<usize>);

impl TokenCounter for Meter {
    fn count(&self, text: &str) -> usize {
        self.0.set(self.0.get() + text.len());
        WordEstimate.count(text)
    }
}

#[test]
fn counting_is_linear_in_the_text() {
    for text in ["Some words of a sentence. ".repeat(4000), "x".repeat(100_000), "a b\n\n".repeat(20_000)] {
        let meter = Meter(Cell::new(0));
        let settings = ChunkSettings { overlap_tokens: 32, ..ChunkSettings::default() };
        split(&document(&text), &meter, &settings);
        assert!(meter.0.get() < 12 * text.len(), "{} bytes counted", meter.0.get());
    }
}

/// Words, separators and characters that are awkward to cut.
fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,9}",
        3 => Just(" ".to_owned()),
        1 => prop::sample::select(vec![". ", "\n", "\n\n", "\r\n\r\n", "漢字仮名", "👩‍👩‍👧", "e\u{301}\u{301}", "🇫🇷", "\u{0}", "ไทย"])
            .prop_map(str::to_owned),
        1 => "[a-z]{40,90}",
    ]
}

fn any_document() -> impl Strategy<Value = Document> {
    let kind = prop::sample::select(vec![
        SpanKind::Prose,
        SpanKind::Prose,
        SpanKind::Heading,
        SpanKind::InlineCode,
        SpanKind::Code,
        SpanKind::Break,
    ]);
    let text = prop::collection::vec(part(), 0..30).prop_map(|parts| parts.concat());
    prop::collection::vec((kind, text), 0..8).prop_map(|parts| {
        let parts: Vec<_> = parts.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        document_of_spans(&parts)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn promises_hold(document in any_document(), max_tokens in 0_u32..80, overlap_tokens in 0_u32..40) {
        document.validate().expect("valid");
        let settings = ChunkSettings { max_tokens, overlap_tokens };
        check_promises(&document, &settings, &split(&document, &WordEstimate, &settings));
    }
}
