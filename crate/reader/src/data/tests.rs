use super::*;
use crate::{Source, read};
use proptest::prelude::*;
use querent_core::{
    chunk::{ChunkSettings, split},
    document::SectionId,
    embedding::WordEstimate,
};
use std::time::{Duration, Instant};

fn reading(path: &str, text: &str) -> Reading {
    let reading = read(&Source { path, bytes: text.as_bytes() }, &ReadSettings::default()).expect(path);
    reading.document.validate().expect("a valid document");
    assert_eq!(reading.document.text, text, "the text is the source");
    reading
}

/// Headings from the title down, and the complete unit, of the section that holds `found`.
fn place<'a>(document: &'a Document, found: &str) -> (String, &'a str) {
    let at = document.text.find(found).expect(found);
    let id = document.sections.at(at);
    let id = if document.sections[id].heading.is_empty() {
        document.sections[id].parent.unwrap_or(id)
    } else {
        id
    };
    let path = document.heading_path(id)[1..].join(" > ");
    (path, &document.text[document.sections[id].extent.clone()])
}

#[test]
fn key_paths_and_complete_objects() {
    let json = r#"{"name": "x", "server": {"port": 80, "tls": {"cert": "a.pem"}, "host": "h"}, "users": [{"id": 1}, {"id": 2}]}"#;
    let yaml = "# All of it.\nname: x\nserver:\n  port: 80\n  # Transport security.\n  tls: # on\n    cert: a.pem\n  host: h\nusers:\n  - id: 1\n    n: 3\n  - id: 2\n";
    let toml = "name = 'x'\n[server]\nport = 80\n\n# Transport security.\n[server.tls]\ncert = \"a.pem\"\n\n[[users]]\nid = 1\n[[users]]\nid = 2\n";
    let rows = [
        ("a.json", json, "\"name\"", "", json),
        ("a.json", json, "80", "server", r#""server": {"port": 80, "tls": {"cert": "a.pem"}, "host": "h"}"#),
        ("a.json", json, "a.pem", "server.tls", r#""tls": {"cert": "a.pem"}"#),
        (
            "a.json",
            json,
            "\"h\"",
            "server",
            r#""server": {"port": 80, "tls": {"cert": "a.pem"}, "host": "h"}"#,
        ),
        ("a.json", json, "2}", "users[1]", r#"{"id": 2}"#),
        ("a.yaml", yaml, "x\n", "", yaml),
        (
            "a.yaml",
            yaml,
            "80",
            "server",
            "server:\n  port: 80\n  # Transport security.\n  tls: # on\n    cert: a.pem\n  host: h",
        ),
        ("a.yaml", yaml, "security", "server.tls", "  # Transport security.\n  tls: # on\n    cert: a.pem"),
        (
            "a.yaml",
            yaml,
            "host",
            "server",
            "server:\n  port: 80\n  # Transport security.\n  tls: # on\n    cert: a.pem\n  host: h",
        ),
        ("a.yaml", yaml, "n: 3", "users[0]", "  - id: 1\n    n: 3"),
        (
            "a.toml",
            toml,
            "80",
            "server",
            "[server]\nport = 80\n\n# Transport security.\n[server.tls]\ncert = \"a.pem\"",
        ),
        ("a.toml", toml, "a.pem", "server.tls", "# Transport security.\n[server.tls]\ncert = \"a.pem\""),
        ("a.toml", toml, "id = 2", "users[1]", "[[users]]\nid = 2"),
    ];
    for (path, text, found, headings, unit) in rows {
        let reading = reading(path, text);
        assert_eq!(place(&reading.document, found), (headings.to_owned(), unit), "{path} {found}");
    }
}

#[test]
fn names_that_are_no_names() {
    let text = r#"{"paths": {"/users/{id}": {"get": {"summary": "one"}}, "a b": {"c": 1}}}"#;
    let headings: Vec<_> =
        reading("a.json", text).document.sections.iter().map(|it| it.heading.clone()).collect();
    let expected = ["", "paths", "paths[\"/users/{id}\"]", "paths[\"/users/{id}\"].get", "paths[\"a b\"]"];
    assert_eq!(headings, expected);
}

#[test]
fn rows_of_values() {
    let mut text = "name;price\n".to_owned();
    for number in 1..=60 {
        text += &format!("\"item {number}\nin two; lines\";{number}\n");
    }
    let reading = reading("a.csv", &text);
    let headings: Vec<_> = reading.document.sections.iter().map(|it| it.heading.as_str()).collect();
    assert_eq!(headings[..3], ["", "name, price", "rows 1-26"]);
    let (path, rows) = place(&reading.document, "item 30\n");
    assert_eq!(path, "name, price > rows 27-51".to_owned());
    assert!(rows.starts_with("\"item 27\n") && rows.ends_with(";51"), "{rows}");
    let numbers = super::tests::reading("a.tsv", "1\t2\n3\t4\n");
    assert_eq!(numbers.document.sections[SectionId(1)].heading, "rows 1-2");
}

#[test]
fn sentences_are_prose() {
    let text = r#"{"description": "How long a request may take.", "id": "a-b-c"}"#;
    let document = reading("a.json", text).document;
    let prose: Vec<_> =
        document.spans.iter().filter(|it| it.kind == querent_core::document::SpanKind::Prose).collect();
    assert_eq!(prose.len(), 1);
    assert_eq!(&document.text[prose[0].range.clone()], "How long a request may take.");
    assert_eq!(document.plain(0..text.len()), text);
}

#[test]
fn damage_is_located() {
    let rows = [
        ("a.json", "{\n  \"a\": 1\n  \"b\": 2\n}", "a.json:3:3: expected a comma or }, got '\"'"),
        ("a.json", "{\"a\": ", "a.json:1:7: expected a value, got the end of the file"),
        ("a.json", "[1, tru]", "a.json:1:5: expected a value, got \"tru\""),
        ("a.json", "[01]", "a.json:1:2: expected a value or ], got \"01\""),
        ("a.json", "{\"é\" 1}", "a.json:1:6: expected a colon after the key, got \"1\""),
        (
            "a.json",
            "[\"a\n\"]",
            "a.json:1:2: expected a quote at the end of this string, got none on its line",
        ),
        ("a.json", "{} ]", "a.json:1:4: expected a value, got ']'"),
        ("a.yml", "a: 1\nb: [1, 2\nc: 3\n", "a.yml:"),
        ("a.toml", "a = 1\nb = \n", "a.toml:2:"),
        (
            "a.csv",
            "a,b\n1,\"2\n",
            "a.csv:2:3: expected a quote at the end of this value, got the end of the file",
        ),
    ];
    for (path, text, expected) in rows {
        let error = read(&Source { path, bytes: text.as_bytes() }, &ReadSettings::default()).expect_err(text);
        assert!(matches!(error, ReadError::Damaged { .. }), "{error:?}");
        assert!(error.to_string().starts_with(expected), "{error}");
        assert!(error.to_string().ends_with("repair the file or exclude it"), "{error}");
    }
}

#[test]
fn json_with_comments_and_by_lines() {
    let commented = "// why\n{\"a\": [1, 2,], /* b */ \"b\": {\"c\": 1}}";
    assert_eq!(reading("a.json", commented).warnings.len(), 1);
    assert_eq!(reading("a.jsonc", commented).warnings, Vec::<String>::new());
    let lines = "{\"a\": 1}\n{\"b\": 2}\n";
    assert_eq!(place(&reading("a.jsonl", lines).document, "2"), ("[1]".to_owned(), "{\"b\": 2}"));
}

/// Depth, length and bytes that are no text: an answer within bounded time, and no overflow of the stack.
#[test]
fn monsters() {
    let deep = 100_000;
    let rows: [(&str, Vec<u8>); 12] = [
        ("deep.json", "[".repeat(deep).into_bytes()),
        ("closed.json", ["[".repeat(deep), "]".repeat(deep)].concat().into_bytes()),
        ("objects.json", ["{\"a\":".repeat(deep), "1".into(), "}".repeat(deep)].concat().into_bytes()),
        ("deep.yaml", "[".repeat(deep).into_bytes()),
        ("dashes.yaml", "- ".repeat(deep).into_bytes()),
        ("deep.toml", ["a = ".to_owned(), "[".repeat(deep)].concat().into_bytes()),
        ("tables.toml", ["[a".to_owned(), ".a".repeat(deep), "]".to_owned()].concat().into_bytes()),
        ("line.csv", ",a".repeat(1_000_000).into_bytes()),
        ("line.json", ["[1".to_owned(), ",1".repeat(1_000_000), "]".to_owned()].concat().into_bytes()),
        ("zeros.json", vec![0; 100_000]),
        ("bytes.yaml", (0..=255).cycle().skip(1).take(10_000).collect()),
        ("large.json", vec![b' '; 33 << 20]),
    ];
    for (path, bytes) in rows {
        let started = Instant::now();
        let outcome = read(&Source { path, bytes: &bytes }, &ReadSettings::default());
        if let Ok(reading) = &outcome {
            reading.document.validate().expect(path);
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{path} took {:?}", started.elapsed());
    }
}

proptest! {
    /// Whatever the input, an answer; and the chunks of what was read are the source.
    #[test]
    fn chunks_are_the_source(
        extension in prop::sample::select(vec!["json", "yaml", "toml", "csv"]),
        text in "([\\[\\]{}:,\"'#=.|>&*!%\\-\\\\ \\n\\t]|a|b:|é|1|\\- |\"a\": |key = |\n  ){0,60}",
    ) {
        let path = format!("a.{extension}");
        if let Ok(reading) = read(&Source { path: &path, bytes: text.as_bytes() }, &ReadSettings::default()) {
            let document = reading.document;
            prop_assert_eq!(document.validate(), Ok(()));
            let settings = ChunkSettings { max_tokens: 32, ..ChunkSettings::default() };
            let joined: String =
                split(&document, &WordEstimate, &settings).iter().map(|it| &document.text[it.range.clone()]).collect();
            prop_assert_eq!(joined, document.text);
        }
    }
}
