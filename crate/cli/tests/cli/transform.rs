//! `search --transform` and `eval --transform`: by rules, and by a server that misbehaves.

use crate::{
    llm::server::{Act, Server},
    site::{Ran, Site},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn built() -> Site {
    let site = Site::docs();
    site.write("docs/socket.md", "# Sockets\n\nHow a listening address is chosen.\n");
    site.build(&[]).check(0, &[]);
    site
}

fn queries(queries: &[&str]) -> Act {
    Act::Say(json!({"queries": queries}).to_string())
}

fn search(site: &Site, query: &str, more: &[&str]) -> Ran {
    site.run(&[&["search", "out", query, "--json", "--no-prefix"], more].concat())
}

fn asked_of(site: &Site, server: &Server, query: &str, more: &[&str]) -> Ran {
    let llm = ["--transform=llm", "--llm-url", &server.url, "--llm-model", "m"];
    search(site, query, &[&llm, more].concat())
}

fn paths(json: &Value) -> Vec<&str> {
    json["hits"].as_array().expect("hits").iter().filter_map(|hit| hit["path"].as_str()).collect()
}

#[test]
fn by_rules() {
    let site = built();
    let plain = search(&site, "reference", &[]).check(0, &[]).json();
    assert!(plain.get("variations").is_none(), "{plain}");
    for flag in ["--transform", "--transform=rules"] {
        let json = search(&site, "reference", &[flag]).check(0, &[]).json();
        let expected = ["reference", "What is reference?", "How do I use reference?"];
        assert_eq!(json["variations"], json!(expected), "{flag}");
        assert_eq!(paths(&json)[0], paths(&plain)[0]);
    }
    let shown =
        site.run(&["search", "out", "reference", "--transform", "--show-details"]).check(0, &[]).stdout;
    assert!(
        shown.contains("also searched for: What is reference?") && shown.contains("fused over variations"),
        "{shown}"
    );
    let two = search(&site, "reference", &["--transform", "--max-variations", "1"]).check(0, &[]).json();
    assert_eq!(two["variations"], json!(["reference"]));
    for (more, part) in [
        (&["--transform=maybe"][..], "expected one of: auto, rules, llm"),
        (&["--transform=llm"], "--transform=llm: expected --llm-url"),
        (&["--transform", "--max-variations", "11"], "max-variations: expected 1 to 10"),
        (&["--transform", "--transform-timeout", "0"], "transform-timeout: expected"),
    ] {
        search(&site, "reference", more).check(2, &[part]);
    }
}

#[test]
fn by_a_model() {
    let site = built();
    let server = Server::always(queries(&["listening address of the port", "How do I set the port?"]));
    let json = asked_of(&site, &server, "tag:x port", &[]).check(0, &[]).json();
    // The words of the query find one document; the model's another one behind it.
    assert_eq!(paths(&json), ["guide/port.html", "socket.md"]);
    assert_eq!(json["variations"][1], "listening address of the port");
    let body = &server.asked()[0].1;
    let ask = body["messages"].as_array().and_then(|messages| messages.last()).expect("a message");
    assert!(ask["content"].as_str().is_some_and(|text| text.contains("port")), "{ask}");
    // Bare, it asks the model that is configured; nothing is written.
    site.write("querent.toml", &format!("[llm]\nurl = '{}'\nmodel = 'm'\n", server.url));
    let json = search(&site, "port", &["--transform"]).check(0, &[]).json();
    assert_eq!(
        (json["variations"][1].as_str(), server.asked().len()),
        (Some("listening address of the port"), 2)
    );
    search(&site, "port", &["--transform=rules"]).check(0, &[]);
    search(&site, "port", &[]).check(0, &[]);
    assert!(server.asked().len() == 2 && !site.path("cache").exists());
}

#[test]
fn a_model_that_is_no_help_is_replaced_by_rules() {
    let site = built();
    let plain = search(&site, "reference", &["--transform=rules"]).check(0, &[]).json();
    for act in [
        queries(&["bake bread", "HACKED", "tag:secret reference", "reference"]),
        Act::Say("I am sorry.".into()),
        Act::SayWhole(String::new()),
        Act::Status("500 Internal Server Error", "", "oops"),
        Act::Status("429 Too Many Requests", "Retry-After: 60\r\n", "quota"),
        Act::Status("401 Unauthorized", "", "Incorrect API key"),
        Act::Cut,
        Act::Noise,
        Act::Endless,
        Act::Foreign,
    ] {
        let shown = format!("{act:?}");
        let server = Server::always(act);
        let json =
            asked_of(&site, &server, "reference", &[]).check(0, &["--transform: by rules, for"]).json();
        assert_eq!((&json["variations"], paths(&json)), (&plain["variations"], paths(&plain)), "{shown}");
        assert_eq!(server.asked().len(), 1, "{shown}");
    }
    let refused = ["--transform=llm", "--llm-url", "http://127.0.0.1:9/v1", "--llm-model", "m"];
    let json = search(&site, "reference", &refused).check(0, &["--transform: by rules"]).json();
    assert_eq!(paths(&json), paths(&plain));
}

#[test]
fn a_slow_model_costs_its_time_limit() {
    let site = built();
    let server = Server::always(Act::Hang(Duration::from_secs(8)));
    let start = Instant::now();
    asked_of(&site, &server, "reference", &["--transform-timeout", "0.5"])
        .check(0, &["no whole reply in time"]);
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}

#[test]
fn filters_stay_the_readers() {
    let site = Site::new(&[
        ("docs/a.md", "---\ntags: [proxy]\n---\n# Ports\n\nThe port of the proxy.\n"),
        ("docs/b.md", "# Ports\n\nThe port of the server, an address.\n"),
    ]);
    site.build(&[]).check(0, &[]);
    let server = Server::always(queries(&["address of the port", "\"port of the server\""]));
    let json = asked_of(&site, &server, "tag:proxy port", &[]).check(0, &[]).json();
    assert_eq!(paths(&json), ["a.md"]);
    let ask = server.asked()[0].1["messages"].to_string();
    assert!(!ask.contains("tag:proxy"), "{ask}");
}

#[test]
fn an_evaluation_keeps_its_replies() {
    let site = built();
    site.write(
        "queries.jsonl",
        "{\"_id\": \"1\", \"text\": \"port\"}\n{\"_id\": \"2\", \"text\": \"reference\"}\n",
    );
    site.write("qrels.tsv", "query-id\tcorpus-id\tscore\n1\tsocket.md\t1\n2\tborrow.md\t1\n");
    let eval = |url: &str, more: &[&str]| {
        let judged = ["eval", "--docs", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"];
        let llm = ["--mode", "lexical", "--json", "--llm-url", url, "--llm-model", "m"];
        site.run(&[&judged[..], &llm, more].concat())
    };
    let recall = |json: &Value| json["recall@10"].as_f64().expect("a number");
    let server = Server::always(queries(&["listening address of the port", "references"]));
    let plain = eval(&server.url, &[]).check(0, &[]).json();
    assert_eq!((recall(&plain), server.asked().len()), (0.5, 0));
    let transformed = eval(&server.url, &["--transform=llm"]).check(0, &[]).json();
    assert_eq!((recall(&transformed), server.asked().len()), (1.0, 2));
    // The second one asks nothing, also of nobody.
    let again = eval("http://127.0.0.1:9/v1", &["--transform=llm"]).check(0, &[]).json();
    assert_eq!(recall(&again), 1.0);
    eval("http://127.0.0.1:9/v1", &["--transform=llm", "--llm-cache", "other"])
        .check(1, &["--transform: http"]);
}
