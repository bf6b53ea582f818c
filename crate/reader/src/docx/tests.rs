use crate::{ReadSettings, Source, read};
use proptest::prelude::*;
use querent_core::document::{Document, SpanKind};
use std::{
    io::{Cursor, Write},
    time::{Duration, Instant},
};
use zip::{ZipWriter, write::SimpleFileOptions};

const STYLES: &str = r#"<w:styles xmlns:w="w"><w:style w:styleId="Z1"><w:name w:val="Heading 1"/></w:style>
<w:style w:styleId="Z2"><w:name w:val="Section"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Z3"><w:name w:val="Derived"/><w:basedOn w:val="Z2"/></w:style>
<w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="K"><w:name w:val="Source Code"/></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>"#;
const NOTES: &str = r#"<w:footnotes xmlns:w="w"><w:footnote w:id="0" w:type="separator"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>
<w:footnote w:id="1"><w:p><w:r><w:t>The note says.</w:t></w:r></w:p></w:footnote></w:footnotes>"#;

fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        "\u{feff}<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:mc=\"m\"><w:body>{body}</w:body></w:document>"
    );
    archive(&[
        ("word/document.xml", document.as_bytes()),
        ("word/styles.xml", STYLES.as_bytes()),
        ("word/footnotes.xml", NOTES.as_bytes()),
    ])
}

fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a part");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("an archive").into_inner()
}

fn p(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn document(body: &str) -> Document {
    let bytes = docx(body);
    let document = read(&Source { path: "a/my-plan.docx", bytes: &bytes }, &ReadSettings::default())
        .expect(body)
        .document;
    document.validate().expect("a valid document");
    document
}

#[test]
fn plain_text() {
    let item = |text: &str| format!("<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>");
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let run = |inner: &str| format!("<w:p><w:r>{inner}</w:r></w:p>");
    let rows = [
        (p("", "one") + "<w:p/>" + &p("", "two"), "one\n\ntwo"),
        ("<w:p><w:r><w:t>un</w:t></w:r><w:r><w:t>broken </w:t></w:r><w:r><w:t>words</w:t></w:r></w:p>".into(), "unbroken words"),
        (run("<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>"), "a b\nc-d"),
        (run("<w:t>a &amp; b &#233;&lt;&unknown;</w:t>"), "a & b é<"),
        (item("a") + &item("b") + &p("", "c"), "a\nb\n\nc"),
        (format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("a"), cell("b"), cell("c"), cell("d")) + &p("", "e"), "a b\nc d\n\ne"),
        ("<w:p><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:ins><w:r><w:t>yes</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>no</w:t></w:r></w:moveFrom></w:p>".into(), "yes"),
        ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r><w:r><w:t>yes</w:t></w:r></w:p>".into(), "yes"),
        ("<w:p><w:r><w:fldChar/><w:instrText>HYPERLINK no</w:instrText></w:r><w:hyperlink><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>".into(), "a link"),
        ("<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>".into(), "box"),
        ("<w:p><w:r><w:t>said</w:t></w:r><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p>".to_owned() + &p("", "next"), "said\n\nThe note says.\n\nnext"),
        (p("K", "let a;") + &p("K", "  let b;") + &p("", "x"), "let a;\n  let b;\n\nx"),
        (p("Loop", "round"), "round"),
    ];
    for (body, expected) in rows {
        let document = document(&body);
        assert_eq!(document.plain(0..document.text.len()), expected, "{body}");
    }
}

#[test]
fn headings_title_and_code() {
    let body = p("T", "A Plan")
        + &p("Z1", "One")
        + &p("", "first")
        + &p("Z3", "Deeper")
        + &p("K", "code()")
        + &p("Z1", "Two")
        + &p("", "last");
    let document = document(&body);
    assert_eq!(document.title, "A Plan");
    let path = |word: &str| {
        document.heading_path(document.sections.at(document.text.find(word).expect(word))).join(" > ")
    };
    assert_eq!(path("first"), "A Plan > One");
    assert_eq!(path("code()"), "A Plan > One > Deeper");
    assert_eq!(path("last"), "A Plan > Two");
    assert!(document.spans.iter().any(|span| span.kind == SpanKind::Code));
    assert_eq!(document.url, "a/my-plan.docx");
}

#[test]
fn what_is_no_document() {
    let zeros = vec![b' '; 70 << 20];
    let bomb = archive(&[("word/document.xml", &zeros)]);
    let rows: [(&[u8], &str); 6] = [
        (b"PK\x03\x04nothing", "a damaged ZIP archive"),
        (b"\xd0\xcf\x11\xe0old", "one that asks for a password"),
        (&archive(&[("a.txt", b"x")]), "an archive without word/document.xml"),
        (&docx("<w:p><w:r></w:p>"), "damaged XML in word/document.xml"),
        (&bomb, "parts that unpack to more than 64 MB"),
        (&docx("<w:p/>"), "a DOCX without text"),
    ];
    for (bytes, expected) in rows {
        let error = read(&Source { path: "a.docx", bytes }, &ReadSettings::default()).expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(bomb.len() < 1 << 20);
}

/// Depth costs no stack, and entities expand into nothing.
#[test]
fn monsters() {
    let deep = 100_000;
    let nested = "<w:tbl><w:tr><w:tc>".repeat(deep)
        + "<w:p><w:r><w:t>x</w:t></w:r></w:p>"
        + &"</w:tc></w:tr></w:tbl>".repeat(deep);
    let boxes = "<w:p><w:r>".repeat(deep) + "<w:t>x</w:t>" + &"</w:r></w:p>".repeat(deep);
    for body in [nested, boxes] {
        let started = Instant::now();
        assert_eq!(document(&body).text, "x");
        assert!(started.elapsed() < Duration::from_secs(20), "took {:?}", started.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Whatever is changed in a file or in its XML, an answer.
    #[test]
    fn damaged_files(
        changes in prop::collection::vec((0..4_000_usize, any::<u8>()), 0..20),
        cut in 0..4_000_usize,
        xml in "(<w:p>|</w:p>|<w:r>|</w:r>|<w:t>|</w:t>|<w:tbl>|<w:tr>|<w:tc>|</w:tc>|</w:tr>|</w:tbl>|<w:del>|</w:del>|<w:br/>|<w:pStyle w:val=\"Z1\"/>|<w:pStyle w:val=\"K\"/>|a|é| |&lt;|&|<){0,30}",
    ) {
        let settings = ReadSettings::default();
        if let Ok(reading) = read(&Source { path: "a.docx", bytes: &docx(&xml) }, &settings) {
            prop_assert_eq!(reading.document.validate(), Ok(()));
        }
        let mut bytes = docx(&p("Z1", "One"));
        for (at, byte) in changes {
            let len = bytes.len();
            bytes[at % len] = byte;
        }
        bytes.truncate(cut.max(100));
        if let Ok(reading) = read(&Source { path: "a.docx", bytes: &bytes }, &settings) {
            prop_assert_eq!(reading.document.validate(), Ok(()));
        }
    }
}
