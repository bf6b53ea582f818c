use super::*;
use proptest::prelude::*;
use querent_core::document::SpanKind;

fn reading(source: &str) -> Reading {
    let reading = read("a/my-file.html", source, &ReadSettings::default()).expect("a document");
    reading.document.validate().expect("a valid document");
    reading
}

#[test]
fn plain_text() {
    let rows = [
        ("<p>one</p><p>two\n  <b>three</b></p>", "one\n\ntwo three"),
        ("un<b>believ</b>able", "unbelievable"),
        ("a <code>b c</code>  <code>d</code>, e", "a b c d, e"),
        ("<pre><code>let x;\n\n  let y;\n</code></pre>after", "let x;\n\n  let y;\n\nafter"),
        ("<pre>a<br>b<br><br>c</pre>", "a\nb\n\nc"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "a\nb\nc\n\nd"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a b\nc d"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("a&nbsp;b&shy;c &amp; &lt;d&gt;", "a bc & <d>"),
        ("<img src=x alt='two  words'>b", "two words b"),
        ("a<script>no</script><style>no</style><noscript>no</noscript><svg><title>no</title></svg>b", "ab"),
        ("a<button>no</button><nav>no</nav><template>no</template>b", "ab"),
        ("a<p hidden>no<p aria-hidden=true>no<p style='color:red; Display : none'>no<p>b", "a\n\nb"),
        ("<p hidden=until-found>yes", "yes"),
        ("<p data-querent-ignore>no<p data-pagefind-ignore=all>no<p>b", "b"),
        ("<header>no</header>a<footer>no</footer>", "a"),
        ("<header>no</header><main><header>yes</header>a</main>no", "yes\n\na"),
        ("<article><footer>yes</footer></article>no", "yes"),
        ("no<div role=main>a</div>", "a"),
        ("<main>no<div data-pagefind-body>a</div></main><p data-querent-body>b", "a\n\nb"),
        ("<h2>A<a href='#a'>#</a></h2>text", "A\n\ntext"),
        ("<div><a href='#r-x.y'>[<wbr>x.y]</a></div>a <a href=#r>[r]</a> <a href=#r>r</a>", "a [r] r"),
        ("<p>a</p><h2></h2><h2>\n B </h2>c", "a\n\nB\n\nc"),
        ("<span class=boring>no</span>a", "a"),
    ];
    for (source, expected) in rows {
        let document = reading(source).document;
        assert_eq!(document.plain(0..document.text.len()), expected, "{source}");
        assert_eq!(document.text, expected, "{source}");
    }
}

#[test]
fn headings_and_anchors() {
    let rows = [
        ("<h1 id=a>A <code>b</code></h1>t<h3 id=c>C</h3>", "1 A b a|3 C c"),
        ("<h2><a id=x href=#x>A</a></h2><h2><a name=y></a>B</h2>", "2 A x|2 B y"),
        ("<h2>A<a href='#p'>¶</a></h2>", "2 A p"),
        ("<h2 id=d><a href=#d>[d]</a></h2>", "2 [d] d"),
        ("<div id=s><h2><a href=#id3>A</a><a href=#s>¶</a></h2></div>", "2 A s"),
        ("<section id=s><h2>A</h2><h3>B</h3></section>", "2 A s|3 B "),
        ("<a class=header href=#o id=o><h1>A</h1></a>", "1 A o"),
        ("<a id=b></a><h2>A</h2>", "2 A b"),
        ("<h2></h2><h2> </h2><h2>A</h2>", "2 A "),
        ("<h2 id=m>A<br>B <p>C</p></h2>", "2 A B C m"),
    ];
    for (source, expected) in rows {
        let document = reading(&format!("<main>x{source}y</main>")).document;
        let headings: Vec<_> = (document.sections.iter().skip(1))
            .map(|it| format!("{} {} {}", it.level, it.heading, it.anchor.as_deref().unwrap_or("")))
            .collect();
        assert_eq!(headings.join("|"), expected, "{source}");
        let starts =
            |it: &querent_core::document::Section| document.text[it.range.clone()].starts_with(&it.heading);
        assert!(document.sections.iter().all(starts), "{source}");
    }
}

#[test]
fn titles() {
    let rows = [
        ("<title>T</title><h2>B</h2><h1>A</h1>", "A"),
        ("<title>B - The Site</title><h2>B</h2>", "B"),
        ("<title>A - B</title><h2>C</h2>", "A - B"),
        ("<title>T</title><h1>A</h1><h1>B</h1>", "T"),
        ("<h1>A</h1><h1>B</h1>", "A"),
        ("<title> T </title><p>x", "T"),
        ("<svg><title>no</title></svg><p>x", "My file"),
        ("<title>T</title><h1>A</h1><p data-querent-meta='title'>M", "M"),
    ];
    for (source, expected) in rows {
        assert_eq!(reading(source).document.title, expected, "{source}");
    }
}

#[test]
fn languages() {
    for (html, expected) in [
        ("<html lang=de><body><p>a</p>", Some("de")),
        ("<html lang=de><body><main lang=fr><p>a</p></main>", Some("fr")),
        ("<html><body lang=' pt-BR '><p>a</p>", Some("pt-BR")),
        ("<html lang=''><meta http-equiv=Content-Language content=sv><body><p>a</p>", Some("sv")),
        ("<meta property=og:locale content=de_AT><body><p>a</p>", Some("de-AT")),
        ("<meta http-equiv=content-language content='de, en'><body><p>a</p>", None),
        ("<body><p lang=de>a</p>", None),
    ] {
        assert_eq!(reading(html).document.language.as_deref(), expected, "{html}");
    }
}

#[test]
fn attributes_for_the_indexer() {
    let document = reading(
        "<html lang=de><meta name=description content=' a\n b '><body>\
         <p data-querent-filter='tag:x, y' data-pagefind-meta='image[src], k:v, w' src=i.png>a</p>\
         <p data-pagefind-filter='tag'>Two  words</p><p data-pagefind-default-meta='k:other, z'>b</p>\
         <p data-pagefind-default-meta='d:e'>b</p>\
         <div data-pagefind-ignore=all><i data-pagefind-meta='no:no'>c</i></div>\
         <div data-pagefind-ignore=index><i data-pagefind-meta='yes:yes'>c</i></div>\
         <p data-querent-weight=7.5>heavy <b data-pagefind-weight=99>most</b></p><p data-querent-weight=x>one",
    )
    .document;
    let metadata: Vec<_> = document.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(metadata, ["d=e", "description=a b", "image=i.png", "k=v, w", "yes=yes"]);
    assert_eq!(document.filters["tag"], ["x, y", "Two words"]);
    assert_eq!(document.language.as_deref(), Some("de"));
    let weights: Vec<_> = (document.spans.iter().filter(|span| span.kind == SpanKind::Prose))
        .map(|span| (&document.text[span.range.clone()], span.weight))
        .collect();
    assert_eq!(weights[weights.len() - 3..], [("heavy", 7.5), (" most", 10.0), ("one", 1.0)]);
}

#[test]
fn documents_that_are_left_out() {
    let rows = [
        ("<meta name=robots content='nofollow, NOINDEX'><p>text", "noindex"),
        ("<meta http-equiv=refresh content='0; url=b.html'><p>moved", "another document"),
        ("<p> </p><script>x</script>", "nothing to index"),
        ("", "nothing to index"),
    ];
    for (source, reason) in rows {
        let error = read("a.html", source, &ReadSettings::default()).expect_err(source);
        assert!(error.is_information() && error.to_string().contains(reason), "{error}");
    }
    assert!(reading("<p data-pagefind-body>a").has_body_marker);
    assert!(!reading("<p>a").has_body_marker);
}

#[test]
fn hostile_sources_are_read() {
    for source in [
        "<div>".repeat(100_000) + "x",
        "<b><i>".repeat(500) + "x",
        "<ul><li>".repeat(50_000) + "x",
        "word ".repeat(50_000),
        "<a href='#".to_owned() + &"x".repeat(500_000),
        "<h1>".repeat(3_000) + "x",
        "<p>a\0b\u{1}</p></p></div><table><td><p>c".to_owned(),
        "<!--".to_owned() + &"-".repeat(300_000),
    ] {
        if let Ok(reading) = read("a.html", &source, &ReadSettings::default()) {
            reading.document.validate().expect("a valid document");
        }
    }
}

proptest! {
    #[test]
    fn any_markup_gives_a_valid_document(
        parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..40)
    ) {
        let source = parts.concat();
        if let Ok(reading) = read("a.html", &source, &ReadSettings::default()) {
            let document = reading.document;
            prop_assert_eq!(document.validate(), Ok(()));
            prop_assert_eq!(document.plain(0..document.text.len()), document.text.as_str());
            prop_assert!(document.spans[0].kind != SpanKind::Break);
            prop_assert!(document.spans.iter().all(|span| !span.range.is_empty()));
        }
    }
}

const PARTS: [&str; 40] = [
    "a",
    "é",
    " ",
    "\n",
    "\u{a0}",
    "\u{ad}",
    "\0",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<h1>",
    "</h1>",
    "<h2 id=x>",
    "</h2>",
    "<pre>",
    "</pre>",
    "<code>",
    "</code>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<td>",
    "</table>",
    "<br>",
    "<a href='#'>#</a>",
    "<main>",
    "</main>",
    "<b>",
    "</b>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<svg>",
    "</svg>",
    "<p hidden>",
    "<i data-querent-weight=2>",
    "&amp;",
];
