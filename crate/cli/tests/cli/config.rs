//! `querent.toml`: flag before variable before file.

use crate::site::{Ran, Site};

#[test]
fn the_file_alone_builds() {
    let site = Site::docs();
    site.write(
        "querent.toml",
        "[build]\ninputs = ['docs']\nout = 'from-file'\nembeddings = 'none'\nexclude = ['guide/']\n[search]\nlimit = 1\n",
    );
    let json = site.run(&["build", "--json"]).check(0, &[]).json();
    assert_eq!(json["documents"], 2);
    let json = site.run(&["search", "from-file", "reference", "--json"]).check(0, &[]).json();
    assert_eq!(json["hits"].as_array().map(Vec::len), Some(1));
}

#[test]
fn precedence() {
    let site = Site::docs();
    site.write(
        "querent.toml",
        "[build]\ninputs = ['docs']\nout = 'file'\nembeddings = 'none'\ninclude = ['*.txt']\n",
    );
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = site.command(&[&["build"], args].concat());
        Ran::of(command.envs(variables.iter().copied()).output().expect("starts")).check(0, &[])
    };
    run(&[], &[]);
    assert!(site.path("file/manifest.json").exists());
    let ran = run(&["--json"], &[("QUERENT_OUT", "variable"), ("QUERENT_INCLUDE", "*.md *.html")]);
    assert!(site.path("variable/manifest.json").exists());
    assert_eq!(ran.json()["documents"], 2);
    let ran = run(
        &["--out", "flag", "--include", "*.md", "--json"],
        &[("QUERENT_OUT", "other"), ("QUERENT_INCLUDE", "*")],
    );
    assert!(site.path("flag/manifest.json").exists() && !site.path("other").exists());
    assert_eq!(ran.json()["documents"], 1);
}

#[test]
fn mistakes_are_named() {
    let site = Site::docs();
    for (text, parts) in [
        ("[build]\noutput = 'x'\n", ["output", "overlap-tokens"]),
        ("[biuld]\n", ["biuld", "build"]),
        ("[build\n", ["querent.toml", "line 1"]),
        ("[search]\nmode = 'fast'\n", ["fast", "hybrid"]),
    ] {
        site.write("querent.toml", text);
        site.build(&[]).check(2, &parts);
    }
    site.run(&["inspect", "out", "--config", "missing.toml"]).check(2, &["missing.toml"]);
}

#[test]
fn paths_are_relative_to_the_file() {
    let site = Site::docs();
    site.write("docs/querent.toml", "[build]\ninputs = ['.']\nout = '../beside'\nembeddings = 'none'\n");
    site.run(&["build", "--config", "docs/querent.toml"]).check(0, &[]);
    assert!(site.path("beside/manifest.json").exists());
}
