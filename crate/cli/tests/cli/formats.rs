//! Folders that mix all kinds of documents: what is found, with which place, and what is reported.

use crate::site::Site;

/// A PDF of one page. Its cross-references are missing, so it is repaired as well.
const PDF: &str = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
                   2 0 obj<</Type/Pages/Kids[6 0 R 3 0 R]/Count 2>>endobj\n\
                   6 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>endobj\n\
                   3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R\
                   /Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length 69>>stream\n\
                   BT /F1 12 Tf 50 700 Td (A cassowary is a bird that cannot fly.) Tj ET\nendstream endobj\n\
                   5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n";

const RUST: &str = "//! Birds.\n\n/// One bird.\npub struct Bird;\n\nimpl Bird {\n    /// Grows new feathers.\n    \
                    pub fn moult(&self) -> u32 {\n        let primaries = 10;\n        primaries\n    }\n}\n";

fn mixed() -> Site {
    Site::new(&[
        ("docs/birds.md", "# Birds\n\nA wren is small.\n"),
        ("docs/flightless.pdf", PDF),
        ("docs/bird.rs", RUST),
        ("docs/zoo.yaml", "zoo:\n  aviary:\n    # Metres.\n    height: twelve\n"),
        (
            "docs/zoo.json",
            r#"{"keepers": [{"name": "Ada"}, {"name": "Grace", "shift": {"starts": "nightfall"}}]}"#,
        ),
        ("docs/zoo.toml", "[feeding]\nseeds = 'sunflower'\n"),
        ("docs/eggs.csv", "species,colour\nwren,speckled\nrobin,turquoise\n"),
    ])
}

#[test]
fn each_kind_has_its_place() {
    let site = mixed();
    site.build(&[]).check(0, &["7 documents, 0 failed"]);
    let rows = [
        ("cassowary", "flightless.pdf#page=2", &["Flightless"][..]),
        ("primaries", "bird.rs#L7-L11", &["bird.rs", "impl Bird", "fn moult"]),
        ("height twelve", "zoo.yaml", &["zoo.yaml", "zoo.aviary"]),
        ("nightfall", "zoo.json", &["zoo.json", "keepers[1].shift"]),
        ("sunflower", "zoo.toml", &["zoo.toml", "feeding"]),
        ("turquoise", "eggs.csv", &["eggs.csv", "species, colour", "rows 1-2"]),
    ];
    for (query, url, headings) in rows {
        let json = site.run(&["search", "out", query, "--show-details", "--json"]).check(0, &[]).json();
        let hit = &json["hits"][0];
        assert_eq!(hit["url"], url, "{query}: {json}");
        assert_eq!(hit["details"]["heading_path"], serde_json::json!(headings), "{query}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let site = mixed();
    site.write("docs/broken.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n");
    site.write("docs/broken.pdf", "%PDF-1.7\nand nothing else\n");
    site.write("docs/broken.docx", "PK\u{3}\u{4}and nothing else\n");
    site.write("docs/empty.toml", "\n");
    let parts = [
        "7 documents, 3 failed",
        "broken.json:3:3: expected a comma or }",
        "broken.pdf: expected a PDF, got a damaged file without readable pages",
        "broken.docx: expected a DOCX, got a damaged ZIP archive",
    ];
    site.build(&[]).check(1, &parts);
}

/// Beside HTML, code and data are what the site works with.
#[test]
fn scripts_of_a_site_are_left_out() {
    let site = mixed();
    site.write("docs/index.html", "<!doctype html><h1>Zoo</h1><p>Open daily.");
    site.build(&[]).check(0, &["3 documents, 0 failed"]);
    site.build(&["--include", "*.{html,rs}"]).check(0, &["2 documents, 0 failed"]);
}

#[test]
fn each_kind_is_shown_complete() {
    let site = mixed();
    site.build(&[]).check(0, &[]);
    let rows = [
        ("wren small", "prose", "A wren is small."),
        ("primaries", "hierarchical", &RUST[RUST.find("impl").expect("an impl")..]),
        ("height twelve", "hierarchical", "  aviary:\n    # Metres.\n    height: twelve"),
        ("nightfall", "hierarchical", r#"{"starts": "nightfall"}"#),
        ("sunflower", "hierarchical", "[feeding]\nseeds = 'sunflower'"),
        ("turquoise", "hierarchical", "wren,speckled\nrobin,turquoise"),
    ];
    for (query, strategy, text) in rows {
        let json = site.run(&["search", "out", query, "--assemble", "--json"]).check(0, &[]).json();
        let assembled = &json["hits"][0]["assembled"];
        assert_eq!(assembled["text"].as_str().map(str::trim_end), Some(text.trim_end()), "{query}: {json}");
        assert_eq!(
            (assembled["strategy"].as_str(), assembled["complete"].as_bool()),
            (Some(strategy), Some(true))
        );
        assert!(
            assembled["chunks"].as_array().is_some_and(|chunks| !chunks.is_empty()),
            "{query}: {assembled}"
        );
        assert!(assembled["reason"].is_null());
    }
    let text = site.run(&["search", "out", "primaries", "--assemble"]).check(0, &[]).stdout;
    assert!(text.contains("\n    | impl Bird {\n") && text.contains("\n    |     pub fn moult"), "{text}");
    let args = ["search", "out", "primaries", "--assemble", "--assemble-limit", "40"];
    let text = site.run(&args).check(0, &[]).stdout;
    assert!(text.contains("    not complete: limit of 40 characters reached"), "{text}");
    site.run(&["search", "out", "x", "--assemble", "--assemble-limit", "0"]).check(2, &["expected 1 and up"]);
    site.run(&["search", "out", "x", "--assemble-limit", "9"]).check(2, &["--assemble"]);
}
