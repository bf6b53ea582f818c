//! `--rerank`: with a service of this test's own, and what happens without anybody who scores.

use crate::site::Site;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
};

/// What a service was asked: the headers and the body.
type Asked = (String, Value);

/// A service that answers one request with `status` and what `reply` makes of the body.
fn service(status: &'static str, reply: fn(&Value) -> String) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1/rerank", listener.local_addr().expect("an address"));
    let (send, asked) = channel();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a request");
        let (headers, body) = read(&stream);
        let text = reply(&body);
        let length = text.len();
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        (&stream).write_all((head + &text).as_bytes()).expect("is written");
        send.send((headers, body)).expect("is waited for");
    });
    (url, asked)
}

fn read(stream: &TcpStream) -> Asked {
    let mut reader = BufReader::new(stream);
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim().is_empty() {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        headers += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    (headers, serde_json::from_slice(&body).expect("JSON"))
}

/// The last document answers, all others do not.
fn last_wins(body: &Value) -> String {
    let count = body["documents"].as_array().map_or(0, Vec::len);
    let result =
        |index| json!({"index": index, "relevance_score": if index + 1 == count { 0.9 } else { 0.1 }});
    json!({"model": "m", "results": (0..count).rev().map(result).collect::<Vec<_>>()}).to_string()
}

const SEARCH: [&str; 8] =
    ["search", "out", "reference", "--json", "--show-details", "--rerank", "--rerank-weight", "1"];

fn paths(json: &Value) -> Vec<&str> {
    json["hits"].as_array().expect("hits").iter().filter_map(|hit| hit["path"].as_str()).collect()
}

#[test]
fn a_service_decides() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    let fused = site.run(&["search", "out", "reference", "--json"]).check(0, &[]).json();
    assert_eq!(paths(&fused), ["borrow.md", "notes.txt"]);
    let (url, asked) = service("200 OK", last_wins);
    let more = ["--rerank-chunks", "1", "--rerank-endpoint", &url, "--rerank-service-model", "m"];
    let mut command = site.command(&[&SEARCH[..], &more].concat());
    let ran = crate::site::Ran::of(command.env("QUERENT_RERANK_KEY", "secret").output().expect("starts"));
    let json = ran.check(0, &[]).json();
    assert_eq!(paths(&json), ["notes.txt", "borrow.md"]);
    let details = json["hits"][0]["details"]["explanation"].to_string();
    assert!(details.contains("read together with the query"), "{details}");
    assert!(json["timings_ms"]["cross-encoder"].is_number());
    let (headers, body) = asked.recv().expect("was asked");
    assert!(headers.contains("authorization: bearer secret"), "{headers}");
    assert_eq!((body["model"].as_str(), body["query"].as_str()), (Some("m"), Some("reference")));
    assert_eq!(body["top_n"], 2);
    assert_eq!(body["documents"][1], "Notes\nLifetimes name how long a reference is valid.");
}

#[test]
fn a_bad_reply_costs_the_order_and_not_the_search() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    for (status, reply, part) in [
        ("401 Unauthorized", (|_| "no such key".into()) as fn(&Value) -> String, "status 401"),
        ("200 OK", |_| "<html>".into(), "relevance_score"),
        (
            "200 OK",
            |_| json!({"results": [{"index": 0, "relevance_score": 0.5}]}).to_string(),
            "got 1 results",
        ),
        ("200 OK", |_| json!({"results": [{"index": 7, "relevance_score": 0.5}]}).to_string(), "index 7"),
    ] {
        let (url, _asked) = service(status, reply);
        let ran = site.run(&[&SEARCH[..], &["--rerank-chunks", "1", "--rerank-endpoint", &url]].concat());
        let json = ran.check(0, &["not everything is reranked", part]).json();
        assert_eq!(paths(&json), ["borrow.md", "notes.txt"]);
    }
    let ran = site.run(&[&SEARCH[..], &["--rerank-endpoint", "http://127.0.0.1:1/"]].concat());
    assert_eq!(paths(&ran.check(0, &["not everything is reranked"]).json()), ["borrow.md", "notes.txt"]);
}

#[test]
fn what_cannot_be_done_is_said() {
    let site = Site::docs();
    site.build(&[]).check(0, &[]);
    for (more, status, part) in [
        (["--rerank-model", "nowhere"], 1, "run ./build.sh setup"),
        (["--rerank-model", "docs/notes.txt"], 1, "not a model pack"),
        (["--rerank-endpoint", "ftp://x"], 2, "http://"),
        (["--rerank-candidates", "101"], 2, "expected 1 to 100, found 101"),
        (["--rerank-chunks", "0"], 2, "expected 1 to 10, found 0"),
        (["--rerank-budget", "0"], 2, "expected 1 or more, found 0"),
    ] {
        site.run(&[&SEARCH[..], &more].concat()).check(status, &[part]);
    }
}

#[test]
fn a_build_without_a_usable_pack_writes_nothing() {
    for (more, status, part) in [
        (&["--reranker", "--rerank-model", "nowhere"][..], 1, "run ./build.sh setup"),
        (&["--reranker", "--rerank-model", "docs/notes.txt"], 1, "not a model pack"),
        (&["--reranker", "--no-web"], 2, "expected one of the two"),
    ] {
        let site = Site::docs();
        site.build(more).check(status, &[part]);
        assert!(!site.path("out").exists(), "{more:?}");
    }
}
