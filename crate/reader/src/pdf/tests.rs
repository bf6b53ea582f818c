use crate::{ReadError, ReadSettings, Reading, Source, read};
use proptest::prelude::*;
use querent_core::document::{Document, SpanKind};
use std::{
    fmt::Write,
    time::{Duration, Instant},
};

/// A text at a place, in points from the lower left corner.
type Placed<'a> = (f32, f32, &'a str);

/// A PDF of pages with text in Helvetica of 10 points, with an outline of (page from 0, title).
fn pdf(pages: &[Vec<Placed<'_>>], outline: &[(usize, &str)]) -> Vec<u8> {
    let streams = pages.iter().map(|page| {
        page.iter().fold(String::new(), |mut stream, (x, y, text)| {
            writeln!(stream, "BT /F1 10 Tf {x} {y} Td ({text}) Tj ET").expect("a string takes everything");
            stream
        })
    });
    pdf_of_streams(&streams.collect::<Vec<_>>(), outline)
}

fn pdf_of_streams(streams: &[String], outline: &[(usize, &str)]) -> Vec<u8> {
    let count = streams.len();
    let first_entry = 5 + 2 * count;
    let kids: String = (0..count).map(|page| format!("{} 0 R ", 5 + 2 * page)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/Lang(en-GB)>>".to_owned(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/fi/ffl]>>>>"
            .to_owned(),
        format!("<</Type/Outlines/First {first_entry} 0 R>>"),
    ];
    for (page, stream) in streams.iter().enumerate() {
        let content = 6 + 2 * page;
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {content} 0 R/Resources<</Font<</F1 3 0 R>>/XObject<</X {content} 0 R>>>>>>"
        ));
        objects.push(format!(
            "<</Length {}/Subtype/Form/BBox[0 0 600 800]>>stream\n{stream}\nendstream",
            stream.len()
        ));
    }
    for (index, (page, title)) in outline.iter().enumerate() {
        let next = if index + 1 < outline.len() {
            format!("/Next {} 0 R", first_entry + index + 1)
        } else {
            String::new()
        };
        objects.push(format!("<</Title({title})/Dest[{} 0 R/Fit]{next}>>", 5 + 2 * page));
    }
    let mut file = "%PDF-1.7\n".to_owned();
    let mut places = String::new();
    for (index, object) in objects.iter().enumerate() {
        writeln!(places, "{:010} 00000 n ", file.len()).expect("a string takes everything");
        write!(file, "{} 0 obj\n{object}\nendobj\n", index + 1).expect("a string takes everything");
    }
    let (at, size) = (file.len(), objects.len() + 1);
    write!(file, "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n")
        .expect("a string takes everything");
    file.into_bytes()
}

fn document(bytes: &[u8]) -> Document {
    let Reading { document, .. } =
        read(&Source { path: "a/b.pdf", bytes }, &ReadSettings::default()).expect("a document");
    document.validate().expect("a valid document");
    document
}

fn plain(bytes: &[u8]) -> String {
    let document = document(bytes);
    document.plain(0..document.text.len()).into_owned()
}

/// A column of lines that begin with `word`, from the top.
fn column(x: f32, word: &'static str) -> Vec<Placed<'static>> {
    let lines = [
        "is what this column says in its first line of",
        "many lines that go on with the same sentence",
        "until it has come to the end of the col-",
        "umn, which is far below.",
        "A second sentence is here to fill the space.",
    ];
    std::iter::once((x, 700.0, word))
        .chain(lines.into_iter().enumerate().map(|(index, line)| (x, 688.0 - 12.0 * index as f32, line)))
        .collect()
}

#[test]
fn words_lines_and_paragraphs() {
    let rows: [(Vec<Placed<'_>>, &str); 6] = [
        (vec![(50.0, 700.0, "Hel"), (64.4, 700.0, "lo"), (90.0, 700.0, "world")], "Hello world"),
        (vec![(50.0, 700.0, "of\\001ce ba\\002e")], "ofﬁce baﬄe"),
        (
            vec![
                (50.0, 700.0, "The long sentence is divi-"),
                (50.0, 688.0, "ded at the end of its line"),
                (50.0, 676.0, "and goes on in the next."),
            ],
            "The long sentence is divided at the end of its line and goes on in the next.",
        ),
        (
            vec![
                (50.0, 700.0, "One paragraph that is long."),
                (50.0, 688.0, "It has two lines, both long."),
                (50.0, 660.0, "Another one has a single line."),
            ],
            "One paragraph that is long. It has two lines, both long.\n\nAnother one has a single line.",
        ),
        (
            vec![(50.0, 700.0, "Name"), (200.0, 700.0, "Price"), (50.0, 688.0, "Tea"), (200.0, 688.0, "3")],
            "Name Price\nTea 3",
        ),
        (vec![(50.0, 700.0, "Bold"), (50.2, 700.0, "Bold")], "Bold"),
    ];
    for (page, expected) in rows {
        let expected = expected.replace('ﬁ', "fi").replace('ﬄ', "ffl");
        assert_eq!(plain(&pdf(&[page], &[])), expected);
    }
}

/// The left column before the right, the title above both, whatever the order in the file.
#[test]
fn two_columns() {
    let title =
        (60.0, 740.0, "A title that reaches across both of the columns of this document, as titles do");
    let (left, right) = (column(50.0, "LEFT"), column(320.0, "RIGHT"));
    let by_rows: Vec<Placed<'_>> =
        left.iter().zip(&right).flat_map(|(&left, &right)| [left, right]).chain([title]).collect();
    let text = plain(&pdf(&[by_rows], &[]));
    let at = |word: &str| text.find(word).expect(word);
    assert!(at("A title") < at("LEFT") && at("LEFT") < at("RIGHT"), "{text}");
    assert_eq!(text.matches("the end of the column, which is far below.").count(), 2, "{text}");
    assert!(at("A second sentence") < at("RIGHT"), "{text}");
}

#[test]
fn pages_and_outline() {
    let pages = [
        vec![(50.0, 700.0, "1 First chapter"), (50.0, 670.0, "Quokkas are small.")],
        vec![
            (50.0, 700.0, "They live on islands."),
            (50.0, 600.0, "2 Second chapter"),
            (50.0, 570.0, "Wombats are not."),
        ],
    ];
    let document = document(&pdf(&pages, &[(0, "First chapter"), (1, "Second chapter")]));
    let place = |words: &str| {
        let id = document.sections.at(document.text.find(words).expect(words));
        (document.heading_path(id)[1..].join(" > "), document.sections[id].anchor.clone().expect("a page"))
    };
    let expected = |path: &str, anchor: &str| (path.to_owned(), anchor.to_owned());
    assert_eq!(place("Quokkas"), expected("First chapter", "page=1"));
    assert_eq!(place("islands"), expected("First chapter", "page=2"));
    assert_eq!(place("Wombats"), expected("Second chapter", "page=2"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    assert_eq!(document.metadata["pages"], "2");
    assert_eq!(document.spans.iter().filter(|span| span.kind == SpanKind::Heading).count(), 2);
}

#[test]
fn damage_is_repaired_or_told() {
    let whole = pdf(&[vec![(50.0, 700.0, "Quokka")]], &[]);
    let text = String::from_utf8(whole.clone()).expect("our own file");
    let check = |bytes: &[u8], expected: Result<&str, &str>| {
        let outcome = read(&Source { path: "a.pdf", bytes }, &ReadSettings::default());
        match (outcome, expected) {
            (Ok(reading), Ok(words)) => assert_eq!(reading.document.text, words),
            (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
            (outcome, expected) => panic!("expected {expected:?}, got {outcome:?}"),
        }
    };
    check(text.replace("startxref\n", "startxref\n9").as_bytes(), Ok("Quokka"));
    check(text.replace("xref\n0", "x\n0").as_bytes(), Ok("Quokka"));
    check(&whole[..whole.len() - 60], Ok("Quokka"));
    check(b"%PDF-1.7\nnothing else", Err("expected a PDF, got a damaged file without readable pages"));
    check(&pdf(&[vec![]], &[]), Err("got a PDF without text"));
    let packed = text.replace("/Subtype/Form", "/Filter[/FlateDecode/FlateDecode]");
    check(packed.as_bytes(), Err("unpacks to more than 256 MB"));
}

/// A form that draws itself, twice: without a bound it would never end.
#[test]
fn forms_without_end() {
    let started = Instant::now();
    let bytes = pdf_of_streams(&["BT /F1 10 Tf 50 700 Td (Quokka) Tj ET /X Do /X Do".to_owned()], &[]);
    match read(&Source { path: "a.pdf", bytes: &bytes }, &ReadSettings::default()) {
        Ok(reading) => assert_eq!(reading.document.text, "Quokka"),
        Err(error) => assert!(matches!(error, ReadError::Unreadable { .. }), "{error}"),
    }
    assert!(started.elapsed() < Duration::from_secs(120), "took {:?}", started.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Whatever is changed in a file, an answer.
    #[test]
    fn damaged_files(changes in prop::collection::vec((0..2_000_usize, any::<u8>()), 0..30), cut in 0..2_500_usize) {
        let pages = [column(50.0, "LEFT"), column(300.0, "RIGHT")];
        let mut bytes = pdf(&pages, &[(0, "One"), (1, "Two")]);
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        bytes.truncate(cut.max(100));
        if let Ok(reading) = read(&Source { path: "a.pdf", bytes: &bytes }, &ReadSettings::default()) {
            prop_assert_eq!(reading.document.validate(), Ok(()));
        }
    }
}
