//! `search` and `inspect`: the shapes that scripts rely on.

use crate::site::Site;
use std::process::Stdio;

#[test]
fn json_shape() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let json = site.run(&["search", "out", "mutable reference", "--json"]).check(0, &[]).json();
    let mut keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["hits", "mode", "query", "timings_ms"]);
    assert_eq!((json["query"].as_str(), json["mode"].as_str()), (Some("mutable reference"), Some("lexical")));
    assert!(json["timings_ms"]["lexical"].is_number());
    let hit = &json["hits"][0];
    let mut keys: Vec<_> = hit.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["anchor", "excerpt", "heading", "path", "question", "rank", "score", "title", "url"]);
    assert_eq!((hit["rank"].as_u64(), hit["path"].as_str()), (Some(1), Some("borrow.md")));
    assert_eq!((hit["anchor"].as_str(), hit["heading"].as_str()), (Some("rules"), Some("Rules")));
    assert_eq!(hit["url"], "borrow.md#rules");
    assert_eq!(hit["title"], "Borrowing");
    assert!(hit["excerpt"].as_str().expect("text").contains("mutable reference"));
}

#[test]
fn details() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let json = site.run(&["search", "out", "reference", "--json", "--show-details"]).check(0, &[]).json();
    let details = &json["hits"][0]["details"];
    assert!(details["explanation"]["value"].is_number() && details["highlights"].is_array(), "{details}");
    let text = site.run(&["search", "out", "reference", "--show-details"]).check(0, &[]).stdout;
    assert!(text.contains("Borrowing") && text.contains("lexical"), "{text}");
}

#[test]
fn for_people() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let text = site.run(&["search", "out", "mutable"]).check(0, &[]).stdout;
    for part in [" 1. Borrowing", "borrow.md#rules", "Borrowing > Rules", "One mutable reference"] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no emphasis in a pipe");
    let text = site.run(&["search", "out", "xylophone"]).check(0, &[]).stdout;
    assert!(text.contains("nothing found"), "{text}");
}

#[test]
fn modes_and_limits() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let hits = |args: &[&str]| {
        let json = site.run(&[&["search", "out", "reference", "--json"], args].concat()).check(0, &[]).json();
        json["hits"].as_array().expect("hits").len()
    };
    assert_eq!(hits(&["--mode", "lexical"]), 2);
    assert_eq!(hits(&["--search-type", "bm25", "--limit", "1"]), 1);
    assert_eq!(hits(&["--fusion", "reciprocal-rank", "--vector-weight", "0", "--bm25-weight", "1"]), 2);
    site.run(&["search", "out", "x", "--mode", "semantic"]).check(1, &["--embeddings minilm"]);
    for args in [["--limit", "0"], ["--limit", "1001"], ["--vector-weight", "nan"], ["--mode", "fast"]] {
        site.run(&[&["search", "out", "x"], &args[..]].concat()).check(2, &[]);
    }
}

#[test]
fn prefix() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let hits = |args: &[&str]| {
        let json = site.run(&[&["search", "out", "lifeti", "--json"], args].concat()).check(0, &[]).json();
        json["hits"].as_array().expect("hits").len()
    };
    assert_eq!(hits(&[]), 1);
    assert_eq!(hits(&["--no-prefix"]), 0);
}

#[test]
fn inspect() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let json = site.run(&["inspect", "out", "--json"]).check(0, &[]).json();
    assert_eq!((json["documents"].as_u64(), json["vectors"].as_u64()), (Some(3), Some(0)));
    assert!(json["kinds"]["directory"]["bytes"].as_u64() > Some(0));
    assert_eq!(json["damaged"].as_array().map(Vec::len), Some(0));
    let text = site.run(&["inspect", "out"]).check(0, &[]).stdout;
    assert!(text.contains("all checksums are right"), "{text}");
}

#[test]
fn no_index() {
    let site = Site::docs();
    for verb in [&["search", "docs", "x"][..], &["inspect", "docs"]] {
        site.run(verb).check(1, &["manifest.json", "querent build"]);
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let mut child = site
        .command(&["search", "out", "reference", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn filters_facets_and_order() {
    let site = Site::docs();
    site.write(
        "docs/old.md",
        "---\ntags: [old, rust]\nweight: 2\n---\n# Old reference\n\nA reference of old.\n",
    );
    site.write(
        "docs/new.md",
        "---\ntags: [new, rust]\nweight: 10\n---\n# New reference\n\nA reference of today.\n",
    );
    site.build(&[]).check(0, &[]);
    let paths = |query: &str, args: &[&str]| {
        let json = site.run(&[&["search", "out", query, "--json"], args].concat()).check(0, &[]).json();
        let hits = json["hits"].as_array().expect("hits");
        hits.iter().map(|hit| hit["path"].as_str().expect("a path").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths("reference", &["--filter", "tag=old"]), ["old.md"]);
    assert_eq!(paths("reference tag:new", &[]), ["new.md"]);
    assert_eq!(paths("reference", &["--filter", "tag=rust", "--sort", "weight:desc"]), ["new.md", "old.md"]);
    let json = site.run(&["search", "out", "reference", "--json", "--facet", "tag"]).check(0, &[]).json();
    assert_eq!(json["facets"]["tag"], serde_json::json!([["rust", 2], ["new", 1], ["old", 1]]));
    let text = site.run(&["search", "out", "reference", "--facet", "tag"]).check(0, &[]).stdout;
    assert!(text.contains("tag: rust 2, new 1, old 1"), "{text}");
    site.run(&["search", "out", "x", "--filter", "tag"]).check(2, &["NAME=VALUE"]);
    site.run(&["search", "out", "x", "--facet", "colour"]).check(1, &["colour", "expected one of: tag"]);
}
