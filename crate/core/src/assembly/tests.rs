use super::{AssemblySettings, DocumentChunks, assemble, strategy_of};
use crate::{
    document::ContentType,
    segment::{ChunkSource, ChunkText},
};

/// Chunks of (section, headings with `>` between them, text).
fn chunks(rows: &[(u32, &str, &str)]) -> Vec<ChunkText> {
    let mut offset = 0;
    let chunk = |&(section, path, text): &(u32, &str, &str)| {
        let length = text.len() as u32;
        offset += length;
        ChunkText {
            document: 0,
            section,
            headings: path.split('>').filter(|heading| !heading.is_empty()).map(str::to_owned).collect(),
            anchor: None,
            text: text.to_owned(),
            offset: offset - length,
            length,
            questions: Vec::new(),
            context: String::new(),
            source: ChunkSource::default(),
        }
    };
    rows.iter().map(chunk).collect()
}

fn document(content_type: Option<ContentType>, chunks: &[ChunkText]) -> DocumentChunks<'_> {
    DocumentChunks { content_type, total: chunks.len(), chunks: chunks.iter().enumerate().collect() }
}

fn guide() -> Vec<ChunkText> {
    chunks(&[
        (0, "", "Intro."),
        (1, "Install", "How to."),
        (1, "Install", "More."),
        (2, "Install>Before", "Needs."),
        (3, "Install>Steps", "First."),
        (4, "Install>Steps>One", "1"),
        (5, "Install>Steps>One>Detail", "1.1"),
        (6, "Install>Steps>Two", "2"),
        (7, "Install>Steps>Three", "3"),
        (8, "Install>Steps>Four", "4"),
        (9, "Install>Configure", "Set."),
        (10, "Install>Start", "Go."),
        (11, "Install>Stop", "Halt."),
        (12, "Use", "Use it."),
    ])
}

#[test]
fn prose_around_a_match() {
    let chunks = guide();
    let check = |matched: &[usize], expected: &[usize]| {
        let document = document(Some(ContentType::Markdown), &chunks);
        let assembled = assemble(&document, matched, &AssemblySettings::default());
        assert_eq!(assembled.chunks, expected, "{matched:?}");
        assert_eq!(
            (assembled.strategy.as_str(), assembled.complete, assembled.reason),
            ("prose", true, None)
        );
    };
    // The parent's first chunk, 1 before, 3 children without theirs, 2 after.
    check(&[4], &[1, 3, 4, 5, 7, 8, 10, 11]);
    // The chunks of one section are siblings; its children come after all of them.
    check(&[1], &[0, 1, 2, 3, 4, 10, 13]);
    check(&[2], &[0, 1, 2, 3, 4, 10, 13]);
    check(&[6], &[5, 6]);
    check(&[0], &[0, 1, 2, 13]);
    check(&[13], &[0, 2, 13]);
    check(&[6, 13, 13], &[0, 2, 5, 6, 13]);
    check(&[], &[]);
    check(&[99], &[]);
}

#[test]
fn prose_is_joined_by_blank_lines() {
    let chunks = guide();
    let text = |content_type, matched| {
        assemble(&document(content_type, &chunks), &[matched], &AssemblySettings::default()).text
    };
    assert_eq!(text(None, 6), "One\n\n1\n\nDetail\n\n1.1");
    assert_eq!(text(Some(ContentType::Pdf), 13), "Intro.\n\nMore.\n\nUse\n\nUse it.");
}

#[test]
fn prose_within_the_limit() {
    let chunks = guide();
    let check = |max_characters, expected: &str, reason: &str| {
        let settings = AssemblySettings { max_characters, ..AssemblySettings::default() };
        let assembled = assemble(&document(None, &chunks), &[4], &settings);
        let reason = format!("limit of {max_characters} characters reached: {reason}");
        assert_eq!((assembled.text.as_str(), assembled.complete), (expected, false), "{max_characters}");
        assert_eq!(assembled.reason, Some(reason));
    };
    check(31, "Install\n\nHow to.\n\nSteps\n\nFirst.", "chunks around the match are left out");
    check(30, "Steps\n\nFirst.", "chunks around the match are left out");
    check(13, "Steps\n\nFirst.", "chunks around the match are left out");
    check(4, "Step", "chunks around the match are left out");
}

/// What is not what it should be is shown all the same, and said.
#[test]
fn broken_hierarchies() {
    let source = |left_out: &[(u32, &str)], units: &[u32]| {
        let left_out: Vec<_> = left_out.iter().map(|&(at, text)| (at, text.to_owned())).collect();
        let bytes = postcard::to_allocvec(&(left_out, units)).expect("written");
        postcard::from_bytes::<ChunkSource>(&bytes).expect("read")
    };
    let check = |sources: [ChunkSource; 3], matched, strategy: &str, text: &str, reason: Option<&str>| {
        let mut chunks = chunks(&[(0, "a", "aaa\n"), (1, "a>b", "bbb\n"), (2, "a>c", "ccc\n")]);
        chunks.iter_mut().zip(sources).for_each(|(chunk, source)| chunk.source = source);
        let document = document(Some(ContentType::Rust), &chunks);
        let assembled = assemble(&document, &[matched], &AssemblySettings::default());
        assert_eq!((assembled.strategy.as_str(), assembled.text.as_str()), (strategy, text));
        assert_eq!((assembled.reason.as_deref(), assembled.complete), (reason, reason.is_none()));
    };
    let plain = || source(&[], &[0, 11]);
    check([plain(), plain(), plain()], 1, "hierarchical", "aaa\nbbb\nccc\n", None);
    let inner = || source(&[], &[0, 11, 4, 3]);
    check([plain(), inner(), plain()], 1, "hierarchical", "aaa\nbbb\nccc\n", None);
    let prose = "a\n\naaa\n\n\nb\n\nbbb\n\n\nc\n\nccc\n";
    let broken = "shown as prose: its hierarchy is broken: the units do not hold each other and the match";
    check([plain(), source(&[], &[8, 2]), plain()], 1, "prose", prose, Some(broken));
    check([plain(), source(&[], &[4, 3, 0, 11]), plain()], 1, "prose", prose, Some(broken));
    let damaged = "shown as prose: the source of chunk 2 is not what the index says";
    check([plain(), plain(), source(&[(99, "x")], &[])], 1, "prose", prose, Some(damaged));
}

#[test]
fn missing_chunks() {
    let mut chunks =
        chunks(&[(0, "a", "aaa\n"), (1, "a>b", "bbb\n"), (2, "a>c", "ccc\n"), (3, "a>d", "ddd\n")]);
    for chunk in &mut chunks {
        let bytes = postcard::to_allocvec(&(Vec::<(u32, String)>::new(), vec![0_u32, 16])).expect("written");
        chunk.source = postcard::from_bytes(&bytes).expect("read");
    }
    let there = chunks.iter().enumerate().filter(|&(place, _)| place != 1).collect();
    let document = DocumentChunks { content_type: Some(ContentType::C), total: 4, chunks: there };
    let assembled = assemble(&document, &[1], &AssemblySettings::default());
    assert_eq!((assembled.text.as_str(), assembled.chunks.as_slice()), ("ccc\nddd\n", &[2, 3][..]));
    let reason = "chunks of the unit are missing: a part of it is shown";
    assert_eq!((assembled.complete, assembled.reason.as_deref()), (false, Some(reason)));
}

#[test]
fn strategies_by_type() {
    let check = |content_type, expected: &str| assert_eq!(strategy_of(content_type).name(), expected);
    for prose in
        [ContentType::Markdown, ContentType::Html, ContentType::Text, ContentType::Pdf, ContentType::Docx]
    {
        check(Some(prose), "prose");
    }
    for unit in [ContentType::Json, ContentType::Yaml, ContentType::Csv, ContentType::Rust, ContentType::C] {
        check(Some(unit), "hierarchical");
    }
    check(None, "prose");
}
