//! `build`: what is indexed, what is reported, what is written.

use crate::site::Site;
use std::fs;

/// The documents' paths that searching for `query` finds.
fn found(site: &Site, query: &str) -> Vec<String> {
    let json = site.run(&["search", "out", query, "--json"]).check(0, &[]).json();
    let mut paths: Vec<_> = json["hits"]
        .as_array()
        .expect("hits")
        .iter()
        .map(|hit| hit["path"].as_str().expect("a path").to_owned())
        .collect();
    paths.sort();
    paths
}

#[test]
fn summary() {
    let site = Site::docs();
    let json = site.build(&["--json"]).check(0, &["3 documents, 0 failed"]).json();
    assert_eq!(
        (json["documents"].as_u64(), json["failed"].as_u64(), json["vectors"].as_u64()),
        (Some(3), Some(0), Some(0))
    );
    assert!(json["chunks"].as_u64() >= Some(3));
    let quiet = site.build(&["--quiet", "--no-web"]).check(0, &[]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

#[test]
fn addresses_drafts_and_weights() {
    let site = Site::docs();
    for (path, head) in [("docs/old.md", "search:\n  boost: 0.25"), ("docs/new.md", "draft: true")] {
        site.write(path, &format!("---\ntitle: {path}\n{head}\n---\n\nA zebra grazes by the lighthouse.\n"));
    }
    let hits = |flags: &[&str]| {
        site.build(flags).check(0, &[]);
        let json =
            site.run(&["search", "out", "zebra lighthouse", "--no-collapse", "--json"]).check(0, &[]).json();
        let urls = json["hits"]
            .as_array()
            .expect("hits")
            .iter()
            .map(|hit| hit["url"].as_str().expect("a URL").to_owned());
        urls.collect::<Vec<_>>()
    };
    assert_eq!(hits(&[]), ["old.md"]);
    assert_eq!(hits(&["--include-drafts", "--markdown-url", "html"]), ["new.html", "old.html"]);
    let weighted =
        ["--include-drafts", "--weight", "*.md=2", "--weight", "new.md=0.5", "--base-url", "/docs"];
    assert_eq!(hits(&weighted), ["/docs/old.md", "/docs/new.md"]);
}

#[test]
fn usage() {
    let site = Site::docs();
    let rows: [(&[&str], &str); 16] = [
        (&["build"], "INPUT"),
        (&["build", "docs"], "--out"),
        (&["build", "nowhere", "--out", "out", "--embeddings", "none"], "nowhere"),
        (
            &["build", "docs", "--out", "out", "--base-url", "javascript:alert(1)"],
            "https://example.org/docs/",
        ),
        (&["build", "docs", "--out", "out", "--markdown-url", "php"], "keep, html, directory"),
        (&["build", "docs", "--out", "out", "--embeddings", "none", "--weight", "a=0"], "GLOB=W"),
        (&["build", "docs", "--out", "out", "--embeddings", "none", "--weight", "0.5"], "GLOB=W"),
        (&["build", "docs", "--out", "out", "--storage", "reference"], "not in this version"),
        (&["build", "docs", "--out", "out", "--embeddings", "other"], "minilm, none"),
        (&["build", "docs", "--out", "out", "--max-tokens", "9"], "32 to 254"),
        (&["build", "docs", "--out", "out", "--overlap-tokens", "200"], "0 to 127"),
        (&["build", "docs", "--out", "docs", "--embeddings", "none"], "other than the INPUT"),
        (&["build", "docs", "--out", "out", "--embeddings", "none", "--include", "a["], "a["),
        (&["build", "docs", "--out", "out", "--jobs", "0"], "1 or more"),
        (&["build", "docs", "--out", "out", "--language", "German"], "such as de or pt-BR"),
        (&["frobnicate"], "frobnicate"),
    ];
    for (args, part) in rows {
        site.run(args).check(2, &[part]);
    }
    assert!(!site.path("out").exists());
}

#[test]
fn missing_weights_name_the_ways_out() {
    let site = Site::docs();
    site.run(&["build", "docs", "--out", "out"]).check(1, &["./build.sh setup", "--embeddings none"]);
}

#[test]
fn one_bad_file_is_counted_and_the_rest_indexed() {
    let site = Site::docs();
    site.write("docs/bad.md", "text\0more");
    site.write("docs/picture.png", "\u{89}PNG\0");
    site.write("docs/draft.md", "---\ndraft: true\n---\n# Borrowing draft\n");
    let json = site
        .build(&["--json", "--verbose"])
        .check(1, &["bad.md", "skipped: draft.md", "skipped: picture.png"])
        .json();
    assert_eq!(
        (json["documents"].as_u64(), json["failed"].as_u64(), json["skipped"].as_u64()),
        (Some(3), Some(1), Some(2))
    );
    assert_eq!(found(&site, "borrowing"), ["borrow.md"]);
}

#[test]
fn a_document_without_terms_is_told() {
    let site = Site::docs();
    site.write("docs/symbols.md", "→ ☃ —\n");
    let told = "warning: symbols.md: its text holds no word that can be searched for";
    let json = site.build(&["--json"]).check(0, &[told]).json();
    assert_eq!((json["documents"].as_u64(), json["without_terms"].as_u64()), (Some(4), Some(1)));
    let json = Site::docs().build(&["--json"]).check(0, &[]).json();
    assert_eq!(json["without_terms"].as_u64(), Some(0));
}

#[test]
fn words_are_found_by_their_language() {
    let site = Site::new(&[("docs/a.md", "# Der See\n\nDie Häuser am See.\n")]);
    for (args, expected) in [(&[][..], &[][..]), (&["--language", "de"], &["a.md"])] {
        site.build(args).check(0, &[]);
        assert_eq!(found(&site, "Haus "), expected, "{args:?}");
    }
    site.write("querent.toml", "[build]\nlanguage = 'de-AT'\n");
    site.build(&[]).check(0, &[]);
    assert_eq!(found(&site, "Haus "), ["a.md"]);
    site.write("querent.toml", "");
    site.write("docs/a.md", "---\nlang: de\n---\n# Der See\n\nDie Häuser am See.\n");
    site.build(&["--language", "fr"]).check(0, &[]);
    assert_eq!(found(&site, "Haus "), ["a.md"]);
}

#[test]
fn nothing_to_index_writes_nothing() {
    let site = Site::new(&[("docs/a.bin", "\0")]);
    site.build(&[]).check(1, &["no document to index"]);
    assert!(!site.path("out").exists());
}

#[test]
fn ignored_and_hidden_files_stay_out() {
    let site = Site::docs();
    site.write("docs/.gitignore", "secret*\n/guide/\n");
    site.write("docs/secret.md", "# Borrowing in secret\n");
    site.write("docs/.hidden/a.md", "# Borrowing hidden\n");
    let json = site.build(&["--json"]).check(0, &[]).json();
    assert_eq!(json["documents"], 2);
    assert_eq!(found(&site, "borrowing"), ["borrow.md"]);
}

#[test]
fn an_input_that_its_repository_ignores_is_indexed() {
    let site = Site::docs();
    for rule in ["docs/", "/docs/*", "docs/**"] {
        site.write(".gitignore", rule);
        let json = site.build(&["--json"]).check(0, &[]).json();
        assert_eq!(json["documents"], 3, "{rule}");
    }
}

#[test]
fn globs() {
    let site = Site::docs();
    for (args, documents) in [
        (&["--include", "*.md"][..], 1),
        (&["--include", "*.md", "--include", "guide/"], 2),
        (&["--exclude", "guide"], 2),
    ] {
        let json = site.build(&[&["--json"], args].concat()).check(0, &[]).json();
        assert_eq!(json["documents"], documents, "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out() {
    let site = Site::docs();
    site.write("outside/secret.md", "# Borrowing outside\n");
    site.write("docs/.hidden.md", "# Borrowing linked\n");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(site.path(target), site.path(name)).expect("a link");
    };
    link("outside/secret.md", "docs/file.md");
    link("outside", "docs/folder");
    link("docs", "docs/guide/loop");
    link("docs/borrow.md", "docs/again.md");
    link("docs/.hidden.md", "docs/linked.md");
    site.build(&[])
        .check(0, &["file.md: a symbolic link that leads out", "folder: a symbolic link that leads out"]);
    assert_eq!(found(&site, "borrowing"), ["borrow.md", "linked.md"]);
}

#[test]
fn several_inputs_are_prefixed() {
    let site = Site::docs();
    site.write("more/borrow.md", "# Borrowing more\n");
    site.run(&["build", "docs", "more", "--out", "out", "--embeddings", "none"]).check(0, &[]);
    assert_eq!(found(&site, "borrowing"), ["docs/borrow.md", "more/borrow.md"]);
    site.write("x/docs/borrow.md", "# Other\n");
    site.run(&["build", "docs", "x/docs", "--out", "other", "--embeddings", "none"])
        .check(1, &["two files would be the document docs/borrow.md"]);
}

#[test]
fn a_body_marker_says_which_documents_are_meant() {
    for marker in ["data-pagefind-body", "data-querent-body"] {
        let site = Site::docs();
        site.write("docs/body.html", &format!("<main {marker}><h1>Borrowing</h1><p>Marked.</p></main>"));
        let json = site.build(&["--json"]).check(0, &[]).json();
        assert_eq!(json["documents"], 1, "{marker}");
    }
}

#[test]
fn the_index_inside_the_input_is_not_read() {
    let site = Site::docs();
    let build = || {
        site.run(&["build", "docs", "--out", "docs/search", "--embeddings", "none", "--json"])
            .check(0, &[])
            .json()
    };
    assert_eq!(build()["documents"], 3);
    site.write("docs/search/stray.md", "# Stray\n");
    assert_eq!(build()["documents"], 3);
}

#[test]
fn base_url() {
    let site = Site::docs();
    site.build(&["--base-url", "https://example.org/d"]).check(0, &[]);
    let json = site.run(&["search", "out", "ports", "--json"]).check(0, &[]).json();
    assert!(
        json["hits"][0]["url"].as_str().expect("a url").starts_with("https://example.org/d/guide/port.html")
    );
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let site = Site::docs();
    site.build(&["--jobs", "1"]).check(0, &[]);
    let first = site.files("out");
    site.build(&["--jobs", "4"]).check(0, &[]);
    assert_eq!(first, site.files("out"));
    let other = Site::docs();
    other.build(&[]).check(0, &[]);
    let relative = |site: &Site| -> Vec<_> {
        let root = site.path("out");
        site.files("out")
            .into_iter()
            .map(|(path, bytes)| (path.strip_prefix(&root).expect("below").to_owned(), bytes))
            .collect()
    };
    assert_eq!(relative(&site), relative(&other));
}

#[test]
fn a_new_build_deletes_what_it_replaces_and_nothing_else() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let before = site.files("out");
    site.write("out/CNAME", "example.org");
    site.write("out/terms-0123456789abcdef.bin", "left by an interrupted build");
    site.write("docs/borrow.md", "# Moving\n\nA value moves.\n");
    site.build(&[]).check(0, &[]);
    assert_eq!(found(&site, "moves"), ["borrow.md"]);
    assert!(site.path("out/CNAME").exists());
    assert!(!site.path("out/terms-0123456789abcdef.bin").exists());
    let after = site.files("out");
    let stale = before.keys().filter(|path| path.extension().is_some_and(|it| it == "bin"));
    assert!(stale.filter(|path| after.contains_key(*path)).count() < before.len() / 2);
    site.run(&["inspect", "out"]).check(0, &[]);
}

#[test]
fn an_interrupted_build_leaves_the_old_index() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let before = site.files("out");
    // What a killed build leaves: half of a file in the folder beside the index, and the lock's file.
    site.write(".out.querent-staging/terms-0123456789abcdef.bin", "half");
    site.write(".out.querent-lock", "");
    assert_eq!(found(&site, "borrowing"), ["borrow.md"]);
    site.build(&[]).check(0, &[]);
    assert_eq!(before, site.files("out"));
    assert!(!site.path(".out.querent-staging").exists());
    assert!(!site.path(".out.querent-lock").exists());
}

#[test]
fn two_builds_do_not_mix() {
    let site = Site::docs();
    let lock = fs::File::create(site.path(".out.querent-lock")).expect("a file");
    lock.lock().expect("is locked");
    site.build(&[]).check(1, &["another build is writing this index"]);
    drop(lock);
    site.build(&[]).check(0, &[]);
}

#[cfg(unix)]
#[test]
fn killed_at_any_time_the_index_can_be_searched() {
    use std::time::Duration;
    let site = Site::docs();
    for number in 0..300 {
        let text = format!(
            "# Document {number}\n\nBorrowing, part {number}, with some words of its own: w{number}.\n"
        );
        site.write(&format!("docs/many/{number}.md"), &text);
    }
    site.build(&[]).check(0, &[]);
    for step in 0..12_u64 {
        site.write(
            "docs/notes.txt",
            &format!("Lifetimes, edition {step}, name how long a reference is valid.\n"),
        );
        let mut child = site
            .command(&["build", "docs", "--out", "out", "--embeddings", "none", "--quiet"])
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(Duration::from_millis(step * step * 8));
        child.kill().expect("is killed");
        child.wait().expect("has ended");
        site.run(&["inspect", "out"]).check(0, &[]);
        assert!(found(&site, "lifetimes").contains(&"notes.txt".to_owned()));
    }
}

#[test]
fn synonyms_of_the_site() {
    let site = Site::new(&[
        ("docs/match.md", "# Patterns\n\nA match expression compares a value with patterns.\n"),
        ("docs/other.md", "# Other\n\nNothing of interest.\n"),
        ("synonyms.txt", "# names\nswitch case => match\npattern, schema\n"),
        ("broken.txt", "pattern, schema\nalone\n"),
        (
            "with.toml",
            "[build]\ninputs = ['docs']\nout = 'out'\nembeddings = 'none'\nsynonyms = 'synonyms.txt'\n",
        ),
    ]);
    site.build(&[]).check(0, &[]);
    assert!(found(&site, "switch case").is_empty());
    for flags in [
        &["build", "docs", "--out", "out", "--embeddings", "none", "--synonyms", "synonyms.txt"][..],
        &["build", "--config", "with.toml"],
    ] {
        site.run(flags).check(0, &[]);
        assert_eq!(found(&site, "Switch cases"), ["match.md"]);
        assert_eq!(found(&site, "schema"), ["match.md"]);
        assert!(found(&site, "zzzz").is_empty());
    }
    let details = site.run(&["search", "out", "schema", "--show-details"]).check(0, &[]);
    assert!(details.stdout.contains("\"schema\" (synonym)"), "{}", details.stdout);
    site.build(&["--synonyms", "broken.txt"]).check(2, &["broken.txt:2: ", "`alone`"]);
    site.build(&["--synonyms", "missing.txt"]).check(2, &["missing.txt: cannot be read"]);
}

#[test]
fn phrases_that_nobody_wrote_are_named() {
    let site = Site::new(&[("docs/a.md", "# A\n\nThe borrow checker is here.\n")]);
    site.build(&[]).check(0, &[]);
    let met = site.run(&["search", "out", "\"borrow checker\""]).check(0, &[]);
    assert!(!met.stdout.contains("as quoted"), "{}", met.stdout);
    let missed = site.run(&["search", "out", "\"checker borrow\""]).check(0, &[]);
    assert!(missed.stdout.contains("no document has \"checker borrow\" as quoted"), "{}", missed.stdout);
    let json = site.run(&["search", "out", "\"checker borrow\"", "--json"]).check(0, &[]).json();
    assert_eq!(json["unmatched_phrases"][0], "checker borrow");
}
