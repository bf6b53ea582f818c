use crate::{ReadSettings, Reading, Source, read};
use proptest::prelude::*;
use querent_core::{
    chunk::{ChunkSettings, split},
    document::{Document, SpanKind},
    embedding::WordEstimate,
};
use std::time::{Duration, Instant};

const RUST: &str = r#"//! Finds things.

use std::fmt;
use std::io;

/// How far.
pub const LIMIT: usize = 3;
const SHORT: u8 = 1;

/// Searches.
#[derive(Debug)]
pub struct Engine {
    name: String,
}

impl Engine {
    /// Finds what was asked for.
    ///
    /// Slowly.
    pub fn search(&self) -> usize {
        // inside
        let quokka = 1; quokka
    }

    const A: u32 = 2;

    fn other(&self) {}
}

impl<T> fmt::Display for Wrapper<T> {
    fn fmt(&self) {}
}
"#;

const PYTHON: &str = "import os\nfrom a import b\n\n@decorated\nclass Auth(Base):\n    \"\"\"Who may enter.\n\n    And who not.\n    \"\"\"\n    limit = 3\n\n    def validate(self, user):\n        '''Checks one user.'''\n        return user.quokka\n\n    async def close(self): pass\n\ndef main():\n    pass\n";

const TYPESCRIPT: &str = "import { a } from 'b';\n\n/** One hit. */\nexport interface Hit { url: string }\n\nexport default class Auth {\n  private limit = 3;\n  constructor() {}\n  /** Checks. */\n  async validate(user: string): Promise<void> {\n    quokka(user);\n  }\n}\n\nexport const find = async (x: number) => {\n  return x;\n};\ntype A = string;\n";

const GO: &str = "package a\n\nimport \"fmt\"\n\n// Engine searches.\ntype Engine struct {\n\tname string\n}\n\n// Search finds.\nfunc (e *Engine) Search() int {\n\tquokka := 1\n\treturn quokka\n}\n";

const JAVA: &str = "package a;\n\nimport java.util.List;\n\n/** Who may enter. */\n@Service\npublic class Auth {\n    private int limit;\n\n    public Auth() {}\n\n    /** Checks. */\n    boolean validate(String user) {\n        return quokka(user);\n    }\n}\n";

const C: &str = "#ifndef A_H\n#define A_H\n#include <stdio.h>\n#include \"b.h\"\n\n/* One point. */\nstruct point {\n    int x;\n};\n\n/* Finds it.\n * Slowly. */\nstatic int *find(struct point *p) {\n    return quokka(p);\n}\n#endif\n";

const SAMPLES: [(&str, &str); 6] =
    [("a.rs", RUST), ("a.py", PYTHON), ("a.ts", TYPESCRIPT), ("a.go", GO), ("a.java", JAVA), ("a.c", C)];

fn reading(path: &str, text: &str) -> Reading {
    let reading = read(&Source { path, bytes: text.as_bytes() }, &ReadSettings::default()).expect(path);
    reading.document.validate().expect("a valid document");
    assert_eq!(reading.document.text, text, "the text is the source");
    reading
}

fn headings(document: &Document) -> Vec<String> {
    let ids = document.sections.ids().filter(|&id| !document.sections[id].heading.is_empty());
    ids.map(|id| document.heading_path(id)[1..].join(" > ")).collect()
}

#[test]
fn symbols_by_language() {
    let rows: [&[&str]; 6] = [
        &[
            "imports",
            "const LIMIT",
            "struct Engine",
            "impl Engine",
            "impl Engine > fn search",
            "impl Engine > fn other",
            "impl fmt::Display for Wrapper<T>",
            "impl fmt::Display for Wrapper<T> > fn fmt",
        ],
        &["imports", "class Auth", "class Auth > def validate", "class Auth > def close", "def main"],
        &[
            "imports",
            "interface Hit",
            "class Auth",
            "class Auth > method constructor",
            "class Auth > method validate",
            "const find",
        ],
        &["imports", "type Engine", "func (e *Engine) Search"],
        &["imports", "class Auth", "class Auth > constructor Auth", "class Auth > method validate"],
        &["imports", "struct point", "function find"],
    ];
    for ((path, text), expected) in SAMPLES.into_iter().zip(rows) {
        assert_eq!(headings(&reading(path, text).document), expected, "{path}");
    }
    assert_eq!(headings(&reading("a.js", "function f() {}\n").document), ["function f"]);
    assert_eq!(headings(&reading("a.tsx", "const F = () => <p>x</p>;\n").document), ["const F"]);
}

/// The body of a method leads to its symbol, and its unit is the complete method with its comment.
#[test]
fn methods_are_found_by_their_bodies() {
    let rows = [
        ("impl Engine > fn search", "/// Finds what", "quokka\n    }", "L17-L23"),
        ("class Auth > def validate", "def validate", "user.quokka", "L12-L14"),
        ("class Auth > method validate", "/** Checks. */", "quokka(user);\n  }", "L9-L12"),
        ("func (e *Engine) Search", "// Search finds.", "return quokka\n}", "L10-L14"),
        ("class Auth > method validate", "/** Checks. */", "quokka(user);\n    }", "L12-L15"),
        ("function find", "/* Finds it.", "quokka(p);\n}", "L11-L15"),
    ];
    for ((path, text), (heading, start, end, anchor)) in SAMPLES.into_iter().zip(rows) {
        let document = reading(path, text).document;
        let id = document.sections.at(text.find("quokka").expect("it is there"));
        assert_eq!(document.heading_path(id)[1..].join(" > "), heading, "{path}");
        let section = &document.sections[id];
        let unit = &text[section.extent.clone()];
        assert!(unit.starts_with(start) && unit.ends_with(end), "{path}: {unit}");
        assert_eq!(section.anchor.as_deref(), Some(anchor), "{path}");
    }
}

#[test]
fn documentation_is_prose() {
    let rows = [
        "Finds things. How far. Searches. Finds what was asked for. Slowly.",
        "Who may enter. And who not. Checks one user.",
        "One hit. Checks.",
        "Engine searches. Search finds.",
        "Who may enter. Checks.",
        "One point. Finds it. Slowly.",
    ];
    for ((path, text), expected) in SAMPLES.into_iter().zip(rows) {
        let document = reading(path, text).document;
        let prose = document.spans.iter().filter(|span| span.kind == SpanKind::Prose);
        let words: Vec<_> = prose.flat_map(|span| text[span.range.clone()].split_whitespace()).collect();
        assert_eq!(words.join(" "), expected, "{path}");
    }
}

#[test]
fn what_is_no_code() {
    let minified = format!("var a={};", "1+".repeat(20_000));
    let source = Source { path: "a.js", bytes: minified.as_bytes() };
    let error = read(&source, &ReadSettings::default()).expect_err("minified");
    assert!(error.is_information(), "{error}");
    let broken = reading("a.rs", "fn a( { } } impl {{{ 'x \"\n fn b() {}\n");
    assert!(broken.document.has_terms());
}

#[test]
fn monsters() {
    let deep = 100_000;
    let lines = |text: &str| format!("{text}\n").repeat(deep);
    let rows = [
        ("mod.rs", lines("mod a {")),
        ("brackets.rs", lines("((((")),
        ("class.py", (0..2_000).map(|depth| format!("{}class a:\n", " ".repeat(depth % 500))).collect()),
        ("braces.js", lines("{[(")),
        ("quotes.ts", lines("`${")),
        ("class.java", lines("class a {")),
        ("ifs.c", lines("#if a")),
        ("funcs.go", lines("func a() {")),
    ];
    for (path, text) in rows {
        let started = Instant::now();
        reading(path, &text);
        assert!(started.elapsed() < Duration::from_secs(30), "{path} took {:?}", started.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever is cut out of real code, the chunks are the source.
    #[test]
    fn chunks_are_the_source(which in 0..6_usize, cut in 0..400_usize, len in 0..700_usize, noise in "[{}()\"'/*#\\n]{0,4}") {
        let (path, text) = SAMPLES[which];
        let (start, end) = (cut.min(text.len()), (cut + len).min(text.len()));
        let text = format!("{}{noise}{}", &text[start..end], &text[..start]);
        if let Ok(reading) = read(&Source { path, bytes: text.as_bytes() }, &ReadSettings::default()) {
            let document = reading.document;
            prop_assert_eq!(document.validate(), Ok(()));
            let settings = ChunkSettings { max_tokens: 32, ..ChunkSettings::default() };
            let joined: String =
                split(&document, &WordEstimate, &settings).iter().map(|it| &document.text[it.range.clone()]).collect();
            prop_assert_eq!(joined, document.text);
        }
    }
}

#[test]
fn comments_without_words() {
    for text in ["//", "/**/", "//\n//\n"] {
        let found = read(&Source { path: "a.rs", bytes: text.as_bytes() }, &ReadSettings::default());
        assert!(matches!(found, Err(crate::ReadError::Empty { .. })), "{text:?} gives {found:?}");
    }
}
