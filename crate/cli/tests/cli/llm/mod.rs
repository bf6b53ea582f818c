//! `--questions llm`: against a server of this test's own, which misbehaves in every way that servers and models do.

mod enrich;
mod promises;
mod real;
pub(crate) mod server;

use crate::site::{Ran, Site};
use serde_json::{Value, json};
use server::{Act, Server, questions};
use std::time::{Duration, Instant};

/// One document of one chunk.
fn one_chunk() -> Site {
    Site::new(&[("docs/ports.md", PORTS)])
}

const PORTS: &str = "# Ports\n\nThe server listens on port 8750. To choose another one, start it with the flag \
    `--port`. If the port is taken, the server stops with an error.\n";

/// A question that no rule makes.
const ASKED: &str = "How do I move the server to a free port?";

fn good() -> Act {
    Act::Say(questions(&[ASKED, "Why does the server stop when the port is taken?"]))
}

fn build(site: &Site, server: &Server, more: &[&str]) -> Ran {
    build_at(site, &server.url, more, &[])
}

fn build_at(site: &Site, url: &str, more: &[&str], variables: &[(&str, &str)]) -> Ran {
    let args = [
        &["build", "docs", "--out", "out", "--embeddings", "none", "--json"][..],
        &["--questions", "llm", "--llm-url", url, "--llm-model", "test-model"],
        more,
    ];
    let mut command = site.command(&args.concat());
    Ran::of(command.envs(variables.iter().copied()).output().expect("starts"))
}

/// The counts of chunks by model, of no use, and without a reply.
fn counts(json: &Value) -> [u64; 3] {
    ["by_model", "unusable", "unanswered"]
        .map(|name| json["questions_by_model"][name].as_u64().expect("a count"))
}

/// The question under the best hit for `query`.
fn matched(site: &Site, query: &str) -> String {
    let json = site.run(&["search", "out", query, "--json"]).check(0, &[]).json();
    json["hits"][0]["question"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_good_model() {
    let site = one_chunk();
    let server = Server::always(good());
    let json = build(&site, &server, &[]).check(0, &["questions of 1 chunks by test-model"]).json();
    assert_eq!(counts(&json), [1, 0, 0]);
    assert_eq!(
        (json["questions"].as_u64(), json["questions_by_model"]["prompt_tokens"].as_u64()),
        (Some(2), Some(100))
    );
    assert_eq!(matched(&site, "move to a free port"), ASKED);
    let asked = server.asked();
    let (headers, body) = &asked[0];
    assert!(
        headers.starts_with("POST /v1/chat/completions ")
            && !headers.to_lowercase().contains("authorization")
    );
    assert_eq!((&body["model"], &body["stream"]), (&json!("test-model"), &json!(true)));
    let last = body["messages"].as_array().and_then(|messages| messages.last()).expect("a message");
    assert!(last["content"].as_str().is_some_and(|text| text.contains("listens on port 8750")), "{last}");
}

#[test]
fn a_second_build_asks_nothing() {
    let site = one_chunk();
    let server = Server::always(good());
    let first = build(&site, &server, &["--llm-cache", "questions"]).check(0, &[]).json();
    let index = site.files("out");
    // Elsewhere, with the committed folder only, and nobody who listens.
    let other = one_chunk();
    for (name, bytes) in site.files("questions") {
        let name = name.strip_prefix(site.path("")).expect("below").to_str().expect("text").to_owned();
        other.write(&name, std::str::from_utf8(&bytes).expect("text"));
    }
    let second =
        build_at(&other, "http://127.0.0.1:9/v1", &["--llm-cache", "questions"], &[]).check(0, &[]).json();
    assert_eq!(counts(&first), counts(&second));
    assert_eq!((second["questions_by_model"]["requests"].as_u64(), server.asked().len()), (Some(0), 1));
    assert_eq!(index.values().collect::<Vec<_>>(), other.files("out").values().collect::<Vec<_>>());
    // Another text and another temperature are other requests, and so is another model.
    site.write("docs/ports.md", &PORTS.replace("8750", "9000"));
    let kept = ["--llm-cache", "questions"];
    build(&site, &server, &kept).check(0, &["1 requests"]);
    build(&site, &server, &[&kept[..], &["--llm-temperature", "1"]].concat()).check(0, &["1 requests"]);
    site.write(
        "querent.toml",
        &format!("[llm]\nurl = '{}'\nmodel = 'other'\ncache = 'questions'\n", server.url),
    );
    site.build(&["--questions", "llm"]).check(0, &["by other (1 requests"]);
}

/// Builds from one chunk with a server that does `acts`, the last one for ever; checks the counts, what stderr says,
/// and the number of requests.
#[track_caller]
fn check(acts: &[Act], more: &[&str], expected: [u64; 3], said: &str, requests: usize) {
    let site = one_chunk();
    let list = acts.to_vec();
    let server = Server::new(move |n, _| list[n.min(list.len() - 1)].clone());
    let json = build(&site, &server, more).check(0, &[said]).json();
    assert_eq!((counts(&json), server.asked().len()), (expected, requests), "{acts:?}");
    // Whoever made them, there are questions.
    let question = matched(&site, "port server taken");
    assert!(question.ends_with('?'), "{acts:?}: {question:?}");
    assert_eq!(matched(&site, "move to a free port") == ASKED, expected[0] == 1, "{acts:?}");
}

#[test]
fn what_goes_by_is_asked_again() {
    let answered = [1, 0, 0];
    check(&[Act::Status("500 Internal Server Error", "", "oops"), good()], &[], answered, "", 2);
    check(&[Act::Status("503 Service Unavailable", "", ""), Act::Cut, good()], &[], answered, "", 3);
    check(&[Act::Noise, good()], &[], answered, "", 2);
    check(&[Act::Say("I am sorry.".into()), good()], &[], answered, "", 2);
    check(&[Act::Hang(Duration::from_secs(5)), good()], &["--llm-timeout", "1"], answered, "", 2);
}

#[test]
fn a_server_that_asks_for_time_is_given_it() {
    let start = Instant::now();
    check(&[Act::Status("429 Too Many Requests", "Retry-After: 2\r\n", ""), good()], &[], [1, 0, 0], "", 2);
    assert!(start.elapsed() >= Duration::from_secs(2));
    // More than anybody waits for.
    let long = Act::Status("429 Too Many Requests", "Retry-After: 86400\r\n", "quota exceeded");
    check(&[long], &[], [0, 0, 1], "quota exceeded", 1);
}

#[test]
fn what_stays_is_replaced_by_rules() {
    let unanswered = [0, 0, 1];
    check(&[Act::Hang(Duration::from_secs(5))], &["--llm-timeout", "0.2"], unanswered, "--llm-timeout", 4);
    check(
        &[Act::Status("500 Internal Server Error", "", "out of memory")],
        &[],
        unanswered,
        "out of memory",
        4,
    );
    let login = Act::Status("200 OK", "", "<html>Please log in</html>");
    check(&[login], &[], unanswered, "found <html>Please log in", 4);
    check(&[Act::Foreign], &[], unanswered, "expected a chat completion", 4);
    check(&[Act::Cut], &[], unanswered, "cut off", 4);
    let too_long = "{\"error\": \"the request exceeds the available context size\"}";
    check(&[Act::Status("400 Bad Request", "", too_long)], &[], unanswered, "context size", 1);
}

#[test]
fn silly_replies_are_replaced_by_rules() {
    let unusable = [0, 1, 0];
    let copies =
        questions(&["What is a Tidewater mirror?", "How do I pause a server mirror?", "What is this?"]);
    for act in [
        Act::Say("HACKED HACKED HACKED".into()),
        Act::Say("{\"answer\": 42}".into()),
        Act::SayWhole(String::new()),
        Act::SayWhole(copies),
        Act::Endless,
    ] {
        check(&[act], &[], unusable, "of no use", 3);
    }
}

#[test]
fn silly_replies_are_recorded() {
    let site = one_chunk();
    let server = Server::always(Act::Say("{\"answer\": 42}".into()));
    build(&site, &server, &[]).check(0, &[]);
    let json = build(&site, &server, &[]).check(0, &["of 1 by rules"]).json();
    assert_eq!((counts(&json), server.asked().len()), ([0, 1, 0], 3));
    let kept = site.files("cache/llm").into_values().next().expect("a file");
    assert!(String::from_utf8_lossy(&kept).contains("ports.md"));
}

#[test]
fn forms_of_reply_that_models_choose() {
    for words in [
        questions(&[ASKED]),
        format!("Sure! Here you are:\n```json\n[\"{ASKED}\"]\n```"),
        format!("1. {ASKED}\n2. What is it?"),
        json!([{"question_text": ASKED, "question_type": "process"}]).to_string(),
        format!("<think>Hmm?</think>{{\"questions\": [\"{ASKED}\", \"And wh"),
    ] {
        check(&[Act::SayWhole(words.clone())], &[], [1, 0, 0], "", 1);
        check(&[Act::Say(words)], &[], [1, 0, 0], "", 1);
    }
}

#[test]
fn a_server_is_asked_for_what_it_knows() {
    let site = Site::new(&[("docs/ports.md", PORTS), ("docs/other.md", &PORTS.replace("Ports", "Sockets"))]);
    let server = Server::new(|_, body| match body["response_format"]["type"].as_str() {
        Some("json_schema") => {
            Act::Status("400 Bad Request", "", "response_format must be text or json_object")
        }
        Some("json_object") => {
            Act::Status("422 Unprocessable Entity", "", "response_format is not supported")
        }
        _ if body.get("max_tokens").is_some() => {
            Act::Status("400 Bad Request", "", "Use 'max_completion_tokens' instead.")
        }
        _ => Act::SayWhole(format!("- {ASKED}")),
    });
    let json = build(&site, &server, &["--llm-concurrency", "1"]).check(0, &[]).json();
    assert_eq!(counts(&json), [2, 0, 0]);
    // Three refusals, and the second chunk profits by them.
    assert_eq!(server.asked().len(), 5);
    let last = &server.asked()[4].1;
    assert!(last.get("response_format").is_none() && last["max_completion_tokens"].is_number(), "{last}");
}

#[test]
fn a_server_that_wants_nothing_of_us() {
    for (act, parts) in [
        (Act::Status("401 Unauthorized", "", "Incorrect API key"), ["Incorrect API key", "--llm-key-env"]),
        (Act::Status("404 Not Found", "", "no such model"), ["no such model", "--llm-model"]),
        (
            Act::Status("307 Temporary Redirect", "Location: http://127.0.0.1:9/\r\n", ""),
            ["status 307", "--llm-url"],
        ),
    ] {
        let site = one_chunk();
        let server = Server::always(act);
        build(&site, &server, &[]).check(1, &parts);
        assert!(server.asked().len() == 1 && !site.path("out").exists());
    }
}

#[test]
fn a_server_that_is_not_there() {
    let site = Site::new(&[]);
    for at in 0..5 {
        site.write(&format!("docs/{at}.md"), &format!("# Chapter {at}\n\n{PORTS}"));
    }
    build_at(&site, "http://127.0.0.1:9/v1", &[], &[]).check(1, &["no reply to any of", "127.0.0.1:9"]);
    assert!(!site.path("out").exists());
    // Also where it would have been asked for less than what is taken for its end.
    let site_of_one = one_chunk();
    build_at(&site_of_one, "http://127.0.0.1:9/v1", &[], &[])
        .check(1, &["no reply to the one chunk", "127.0.0.1:9", "Nothing was written"]);
    assert!(!site_of_one.path("out").exists());
    // One that goes away in the middle does not take the build with it.
    let server =
        Server::new(
            |n, _| if n == 0 { good() } else { Act::Status("500 Internal Server Error", "", "gone") },
        );
    let json = build(&site, &server, &["--llm-concurrency", "1"])
        .check(0, &["no reply for 4 chunks", "gone"])
        .json();
    assert_eq!(counts(&json), [1, 0, 4]);
    assert_eq!(server.asked().len(), 13, "four times for each of three chunks, then no more");
}
