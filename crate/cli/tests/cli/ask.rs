//! `ask`: sources, answers with citations that are checked, and what happens without anybody who answers.

use crate::{
    llm::server::{Act, Server},
    site::{Ran, Site},
};
use std::{io::Write, process::Stdio, time::Duration};

/// An index of documents about ports, caches and logs.
fn site() -> Site {
    let site = Site::new(&[
        (
            "docs/ports.md",
            "# Ports\n\nThe server listens on port 8750. Another port is set by the flag `--port`.\n",
        ),
        (
            "docs/proxy.md",
            "# Proxies\n\nBehind a proxy the server needs no port of its own: give it a socket.\n",
        ),
        ("docs/logs.md", "# Logs\n\nLogs are kept for a week.\n"),
    ]);
    site.build(&[]).check(0, &[]);
    site
}

const QUESTION: &str = "Which port does the server listen on?";

fn ask(site: &Site, server: &Server, more: &[&str]) -> Ran {
    let args = ["ask", "out", QUESTION, "--llm-url", &server.url, "--llm-model", "m"];
    site.run(&[&args[..], more].concat())
}

fn says(words: &str) -> Server {
    Server::always(Act::Say(words.into()))
}

#[test]
fn an_answer_with_its_sources() {
    let site = site();
    let server = says("It listens on port 8750 [1].");
    let ran = ask(&site, &server, &[]).check(0, &[]);
    assert_eq!(ran.stdout, "It listens on port 8750 [1].\n\nSources\n\n[1] Ports\n    ports.md#ports\n");
    assert_eq!(ran.stderr, "");
    let (_, body) = &server.asked()[0];
    let prompt = body["messages"][0]["content"].as_str().expect("text");
    assert!(
        prompt.contains("SOURCE [1]: Ports =====\n") && prompt.contains("SOURCE [2]: Proxies"),
        "{prompt}"
    );
    assert!(
        prompt.contains("The server listens on port 8750.") && prompt.trim_end().ends_with(QUESTION),
        "{prompt}"
    );
    assert!(
        body["temperature"] == 0.3 && body["stream"] == true && body.get("response_format").is_none(),
        "{body}"
    );
}

#[test]
fn invented_citations_are_taken_out() {
    let site = site();
    let ran = ask(&site, &says("On port 8750 [7]. Or not [1, 9]."), &[]).check(0, &["not given (7, 9)"]);
    assert!(ran.stdout.starts_with("On port 8750. Or not [1].\n"), "{}", ran.stdout);
    let ran = ask(&site, &says("On port 8750."), &[]).check(0, &["cites none"]);
    assert!(ran.stdout.contains("[1] Ports") && ran.stdout.contains("[2] Proxies"), "{}", ran.stdout);
}

#[test]
fn json() {
    let site = site();
    let json = ask(&site, &says("On port 8750 [1][5]."), &["--json"]).check(0, &[]).json();
    let mut keys: Vec<_> = json.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["answer", "invented", "is_answered", "model", "question", "sources"]);
    assert_eq!((json["answer"].as_str(), json["model"].as_str()), (Some("On port 8750 [1]."), Some("m")));
    let source = &json["sources"][0];
    assert_eq!((source["number"].as_u64(), source["is_cited"].as_bool()), (Some(1), Some(true)));
    assert_eq!((source["path"].as_str(), source["url"].as_str()), (Some("ports.md"), Some("ports.md#ports")));
    assert_eq!((&json["sources"][1]["is_cited"], &json["invented"][0]), (&false.into(), &5.into()));
}

#[test]
fn the_documents_do_not_say() {
    let site = site();
    let server = says("The documents do not say.");
    let ran = ask(&site, &server, &[]).check(0, &[]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("The documents do not say.\n", ""));
    let json = ask(&site, &server, &["--json"]).check(0, &[]).json();
    assert_eq!(json["is_answered"], false);
    // Where nothing is found, nobody is asked.
    let asked = server.asked().len();
    let args = ["ask", "out", "xylophone", "--llm-url", &server.url, "--llm-model", "m"];
    let ran = site.run(&args).check(0, &[]);
    assert_eq!((ran.stdout.as_str(), server.asked().len()), ("The documents do not say.\n", asked));
}

#[test]
fn without_a_model_there_are_passages_and_no_answer() {
    let site = site();
    let ran = site.run(&["ask", "out", QUESTION]).check(0, &[]);
    assert!(
        ran.stdout.starts_with("No language model is configured") && ran.stdout.contains("this is no answer")
    );
    assert!(ran.stdout.contains("[1] Ports\n    ports.md#ports\n    "), "{}", ran.stdout);
    let json = site.run(&["ask", "out", QUESTION, "--json"]).check(0, &[]).json();
    assert!(json["answer"].is_null() && json["model"].is_null() && json["is_answered"] == false, "{json}");
    site.run(&["ask", "out", "xylophone"]).check(0, &[]);
}

#[test]
fn servers_that_fail() {
    let site = site();
    let busy = || Act::Status("503 Service Unavailable", "", "busy");
    let server = Server::new(move |n, _| if n < 2 { busy() } else { Act::SayWhole("Port 8750 [1].".into()) });
    let ran = ask(&site, &server, &[]).check(0, &[]);
    assert!(ran.stdout.starts_with("Port 8750 [1].\n") && server.asked().len() == 3, "{}", ran.stdout);
    let server = Server::new(|_, body| match body.get("stream") {
        Some(_) => Act::Status("400 Bad Request", "", "streaming is not supported"),
        None => Act::SayWhole("Port 8750 [1].".into()),
    });
    ask(&site, &server, &[]).check(0, &[]);
    for (act, part, requests) in [
        // What was shown cannot be taken back, so it is not asked again.
        (Act::Cut, "breaks off", 1),
        (Act::Endless, "breaks off", 1),
        (Act::Say(String::new()), "said nothing", 1),
        (Act::Say("[1][2].".into()), "said nothing", 1),
        (Act::Status("401 Unauthorized", "", "bad key"), "--llm-key-env", 1),
        (Act::Status("500 Internal Server Error", "", "oops"), "status 500: oops", 4),
        (Act::Foreign, "expected a chat completion", 4),
    ] {
        let server = Server::always(act);
        ask(&site, &server, &[]).check(1, &[part]);
        assert_eq!(server.asked().len(), requests, "{part}");
    }
    let server = Server::always(Act::Hang(Duration::from_secs(5)));
    ask(&site, &server, &["--llm-timeout", "0.2"]).check(1, &["--llm-timeout"]);
}

/// `ask` without a question, with `input` on its stdin.
fn converse(site: &Site, input: &str, more: &[&str]) -> Ran {
    let mut command = site.command(&[&["ask", "out"], more].concat());
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("is read");
    Ran::of(child.wait_with_output().expect("ends"))
}

#[test]
fn a_conversation() {
    let site = site();
    let server = Server::new(|n, _| match n {
        0 => Act::Say("It listens on port 8750 [1].".into()),
        1 => Act::Status("404 Not Found", "", "no such model"),
        _ => Act::Say("By the flag `--port` [1].".into()),
    });
    let flags = ["--llm-url", &server.url, "--llm-model", "m", "--json"];
    let input = format!("{QUESTION}\n\nWhere are logs kept?\nHow can I change it?");
    let ran = converse(&site, &input, &flags).check(1, &["no such model"]);
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{}", ran.stdout);
    assert_eq!(
        (&lines[0]["question"], &lines[0]["answer"]),
        (&QUESTION.into(), &"It listens on port 8750 [1].".into())
    );
    assert!(lines[1]["error"].as_str().is_some_and(|error| error.contains("no such model")), "{}", lines[1]);
    // The failed question is no turn: the last one leans on the first, and finds what that found.
    assert_eq!(lines[2]["sources"][0]["path"], "ports.md");
    let messages = server.asked()[2].1["messages"].clone();
    let of =
        |at: usize| (messages[at]["role"].as_str(), messages[at]["content"].as_str().unwrap_or_default());
    assert_eq!((of(0), of(1)), ((Some("user"), QUESTION), (Some("assistant"), "It listens on port 8750.")));
    assert!(of(2).1.contains("SOURCE [1]: Ports") && of(2).1.trim_end().ends_with("How can I change it?"));
    // For people.
    let ran = converse(&site, &format!("{QUESTION}\n"), &[]).check(0, &[]);
    assert!(ran.stdout.starts_with("No language model is configured"), "{}", ran.stdout);
    converse(&site, "", &[]).check(0, &[]);
}

#[test]
fn templates() {
    let site = site();
    site.write("prompt.txt", "Be a pirate. {{sources}}\nAsked: {{question}}");
    let server = says("Arr [1].");
    ask(&site, &server, &["--template", "prompt.txt"]).check(0, &[]);
    let prompt = server.asked()[0].1["messages"][0]["content"].as_str().expect("text").to_owned();
    assert!(
        prompt.starts_with("Be a pirate. =====") && prompt.ends_with(&format!("Asked: {QUESTION}")),
        "{prompt}"
    );
    site.write("prompt.txt", "Be a pirate. {{question}}");
    ask(&site, &server, &["--template", "prompt.txt"])
        .check(2, &["prompt.txt", "{{sources}} and {{question}}"]);
    ask(&site, &server, &["--template", "missing.txt"]).check(1, &["missing.txt"]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn how_sources_are_chosen() {
    let site = site();
    let server = says("Port 8750 [1].");
    let count = |more: &[&str]| {
        let json = ask(&site, &server, &[more, &["--json"]].concat()).check(0, &[]).json();
        json["sources"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(
        (count(&[]), count(&["--k", "1"]), count(&["--k", "2", "--fetch-k", "2", "--lambda", "1"])),
        (2, 1, 2)
    );
    for (more, part) in [
        (["--k", "0"], "1 to 20"),
        (["--fetch-k", "1"], "fetch-k"),
        (["--lambda", "2"], "0 to 1"),
        (["--llm-url", "file:///x"], "llm-url"),
    ] {
        site.run(&[&["ask", "out", "x"][..], &more, &["--llm-model", "m"]].concat()).check(2, &[part]);
    }
    site.run(&["ask", "out", "x", "--llm-url", &server.url]).check(2, &["--llm-model"]);
}

#[test]
fn the_key_is_cut_out_of_what_is_shown() {
    // The server streams character by character, so the key comes in pieces.
    let key = "sk-5e02c3a7-do-not-tell";
    let site = site();
    for words in [format!("Your key is {key}, the port 8750 [1]."), format!("It is {key}")] {
        let server = says(&words);
        let args = ["ask", "out", QUESTION, "--llm-url", &server.url, "--llm-model", "m"];
        let mut command = site.command(&args);
        let ran = Ran::of(command.env("QUERENT_LLM_KEY", key).output().expect("starts")).check(0, &[]);
        assert!(ran.stdout.starts_with(&words.replace(key, "[key]")), "{}", ran.stdout);
    }
}

#[test]
fn what_the_documents_say_besides_is_an_answer() {
    let json =
        ask(&site(), &says("The documents do not say why, but [1] says that it is 8750."), &["--json"]);
    let json = json.check(0, &[]).json();
    assert_eq!(json["is_answered"], true, "{json}");
}

#[test]
fn answers_cannot_reach_the_terminal() {
    let ran = ask(&site(), &says("Port \u{1b}[31m8750\u{1b}[0m [1]\u{7}."), &[]).check(0, &[]);
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}']), "{:?}", ran.stdout);
}
