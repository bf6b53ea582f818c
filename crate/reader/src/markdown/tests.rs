use super::*;
use proptest::prelude::*;

fn reading(path: &str, source: &str) -> Reading {
    let reading = read(path, source.to_owned(), &ReadSettings::default()).expect("a document");
    reading.document.validate().expect("a valid document");
    reading
}

fn plain(source: &str) -> String {
    let document = reading("a.md", source).document;
    document.plain(0..document.text.len()).into_owned()
}

#[test]
fn plain_text() {
    let rows = [
        ("# A *b*\n\nSome `code` here.\n", "A b\n\nSome code here."),
        ("un**believ**able **two** words", "unbelievable two words"),
        ("[link](http://x.y \"t\") and <http://a.b>", "link and http://a.b"),
        ("![alt text](a.png) after", "alt text after"),
        ("one\ntwo  \nthree", "one\ntwo\nthree"),
        ("> quoted\n> text\n\nafter", "quoted\ntext\n\nafter"),
        ("- a\n- b\n  - c\n\ntext", "a\nb\nc\n\ntext"),
        ("1. a\n\n2. b", "a\n\nb"),
        ("| a | b |\n|---|---|\n| c | `d` |\n", "a b\nc d"),
        ("|a|b|\n|-|-|\n|c|d|", "a|b\nc|d"),
        ("```rust\nlet x;\n\nlet y;\n```\nafter", "let x;\n\nlet y;\n\nafter"),
        ("text\n\n    indented\n    code\n", "text\n\nindented\ncode"),
        ("a<br>b <b>c</b> <!-- no --> d", "a>b c d"),
        ("<div>\n<p>one</p>\n<p>two <code>x</code></p>\n</div>", "one\ntwo x"),
        ("a <script>no</script> b\n\n<style>\nno\n</style>\n\nc", "a b\n\nc"),
        ("<img src=x alt='a picture'>", "a picture"),
        ("note[^1]\n\n[^1]: the note", "note\n\nthe note"),
        ("- [x] done", "done"),
        ("a &amp; b &lt;c&gt; caf&eacute; d&nbsp;e \\*", "a & b c cafe d;e *"),
        ("a {{< ref \"x\" >}} b", "a b"),
        ("{{< code-toggle >}}\ntitle: x\n---\n{{< /code-toggle >}}\n\nb", "title: x\n---\n\nb"),
        ("```\n{{< shown >}}\n{{#include a.rs}}\nx\n```\nb", "{{< shown >}}\n\nx\n\nb"),
        ("a\n\n```\n{{#include a.rs}}\n```\n\nb", "a\n\nb"),
        ("r[a.b]\nText", "Text"),
        ("> [!NOTE]\n> Text", "Text"),
        ("Term\n: Definition", "Term\nDefinition"),
        ("a\r\n\r\nb\r\nc", "a\r\n\r\nb\nc"),
        ("---\ntitle: T\n---\nbody", "body"),
        ("---\ntitle: T\ndescription: 'What it is.'\nx: y\n---\nbody", "What it is.\n\nbody"),
        ("---\ndescription: >\n  Two\n  lines\n---\nbody", "body"),
        ("---\ndescription: All\n---\n{{% include x %}}", "All"),
        ("`` a`b `` c", "a`b c"),
    ];
    for (source, expected) in rows {
        assert_eq!(plain(source), expected, "{source:?}");
    }
}

#[test]
fn headings_and_anchors() {
    let rows = [
        ("# One\n\n## Two\n\n## Two\n", "1 One one|2 Two two|2 Two two-1"),
        ("One\n===\n\nTwo\n---\n", "1 One one|2 Two two"),
        ("## A `b::c` & d {#own .x}", "2 A b::c & d own"),
        ("## `Option<T>`: why?", "2 Option<T>: why? optiont-why"),
        ("<h2 id=\"x\">An <em>HTML</em> heading</h2>\n\ntext", "2 An HTML heading x"),
        ("<h3>\n\nfoo\n\n</h3>\n\ntext", "3 foo foo"),
        ("> # Quoted\n\n- # Listed", "1 Quoted quoted|1 Listed listed"),
        ("# \n\n## ???", "2 ??? "),
        ("```\n# code\n```", ""),
        ("## A {{< x >}}B", "2 A B a-b"),
        ("## caf&eacute; &lt;x&gt;", "2 café <x> café-x"),
    ];
    for (source, expected) in rows {
        let document = reading("a.md", source).document;
        let headings: Vec<_> = (document.sections.iter().skip(1))
            .map(|it| format!("{} {} {}", it.level, it.heading, it.anchor.as_deref().unwrap_or("")))
            .collect();
        assert_eq!(headings.join("|"), expected, "{source:?}");
    }
}

#[test]
fn titles_and_urls() {
    let rows = [
        ("b.md", "# One", "One", "b.md"),
        ("b.md", "## Begins\n\n### x", "Begins", "b.md"),
        ("a/my-file.md", "text\n\n## Later", "My file", "a/my-file.md"),
        ("b.md", "text\n\n# Later", "Later", "b.md"),
        ("b.md", "---\ntitle: T\nurl: /x/\n---\n# One", "T", "x/"),
        ("a/b.md", "+++\nslug = \"s\"\n+++\n# One", "One", "a/s.md"),
        ("b.md", "---\nurl: 'javascript:x'\n---\n# One", "One", "b.md"),
    ];
    for (path, source, title, url) in rows {
        let document = reading(path, source).document;
        assert_eq!((document.title.as_str(), document.url.as_str()), (title, url), "{source:?}");
    }
}

#[test]
fn front_matter_decides() {
    let draft = "---\ndraft: true\n---\nbody";
    let refused = read("a.md", draft.to_owned(), &ReadSettings::default());
    assert!(matches!(&refused, Err(error @ ReadError::Skipped { .. }) if error.is_information()));
    assert!(read("a.md", draft.to_owned(), &ReadSettings::default().include_drafts(true)).is_ok());
    let damaged = reading("a.md", "---\ntitle: [\n---\nbody");
    assert_eq!(damaged.document.plain(0..damaged.document.text.len()), "body");
    assert_eq!(damaged.warnings.len(), 1);
    let empty = read("a.md", "---\ntitle: a\n---\n<!-- x -->".to_owned(), &ReadSettings::default());
    assert!(matches!(empty, Err(ReadError::Empty { .. })));
    let tagged = reading("a.md", "---\ntags: [x, y]\nkeywords: z\n---\nbody").document;
    assert_eq!(tagged.filters["tag"], ["z", "x", "y"]);
}

#[test]
fn hostile_sources_are_read() {
    let deep = |open: &str, count: usize| open.repeat(count) + "x";
    for source in [
        deep("> ", 20_000),
        deep("- ", 5_000),
        deep("[", 50_000),
        deep("*a ", 50_000),
        deep("<div>", 50_000),
        deep("{{< ", 20_000),
        deep("{{<x>}} ", 20_000),
        deep("`", 100_000),
        "word ".repeat(50_000),
        "&amp;".repeat(50_000),
        format!("<!-- {}", "x".repeat(300_000)),
        "a\0b\u{1}c".to_owned(),
    ] {
        if let Ok(reading) = read("a.md", source, &ReadSettings::default()) {
            reading.document.validate().expect("a valid document");
        }
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_valid_document(source in "(?s).{0,200}") {
        check_any(source)?;
    }

    #[test]
    fn any_markup_gives_a_valid_document(
        parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..40)
    ) {
        check_any(parts.concat())?;
    }
}

const PARTS: [&str; 44] = [
    "a",
    "é",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "    ",
    "\t",
    "# ",
    "## ",
    "===\n",
    "---\n",
    "+++\n",
    "> ",
    "- ",
    "1. ",
    "|",
    "*",
    "**",
    "`",
    "```",
    "~~~",
    "[",
    "](",
    ")",
    "![",
    "<b>",
    "</b>",
    "<h2 id=x>",
    "</h2>",
    "<script>",
    "<!--",
    "-->",
    "{{< x >}}",
    "{{< code >}}\n",
    "{{< /code >}}\n",
    "{{#include",
    "}}",
    "r[a.b]\n",
    "&amp;",
    "&eacute;",
    "[^1]",
    ": ",
    "{#id}",
];

fn check_any(source: String) -> Result<(), TestCaseError> {
    if let Ok(reading) = read("a.md", source, &ReadSettings::default()) {
        prop_assert_eq!(reading.document.validate(), Ok(()));
        prop_assert!(!reading.document.spans.is_empty());
        prop_assert!(reading.document.spans[0].kind != SpanKind::Break);
        prop_assert!(reading.document.spans.iter().all(|span| !span.range.is_empty()));
    }
    Ok(())
}
