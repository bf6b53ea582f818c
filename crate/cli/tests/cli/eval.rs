//! `eval`: figures that can be computed by hand.

use crate::site::Site;
use std::fs;

/// Five documents and two queries. For `q1` the search gives `d1` before `d2` (more of the words), for `q2`
/// nothing relevant.
fn judged() -> Site {
    Site::new(&[
        (
            "corpus.jsonl",
            concat!(
                "{\"_id\":\"d1\",\"title\":\"Borrow checker\",\"text\":\"The borrow checker rejects aliasing.\"}\n",
                "{\"_id\":\"d2\",\"title\":\"Aliasing\",\"text\":\"Two names for one place; a checker may reject them.\"}\n",
                "{\"_id\":\"d3\",\"title\":\"Modules\",\"text\":\"A module is a namespace.\"}\n",
                "{\"_id\":\"d4\",\"title\":\"\",\"text\":\"Traits describe behaviour.\"}\n",
                "{\"_id\":\"a d5\",\"title\":\"Closures\",\"text\":\"A closure captures names.\"}\n",
            ),
        ),
        (
            "queries.jsonl",
            "{\"_id\":\"q1\",\"text\":\"borrow checker\",\"type\":\"keyword\"}\n{\"_id\":\"q2\",\"text\":\"closure\",\"type\":\"other\"}\n",
        ),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t1\nq2\td4\t1\n"),
    ])
}

const BEIR: [&str; 9] = [
    "eval",
    "--corpus",
    "corpus.jsonl",
    "--queries",
    "queries.jsonl",
    "--qrels",
    "qrels.tsv",
    "--mode",
    "lexical",
];

#[test]
fn known_figures() {
    let site = judged();
    let json = site.run(&[&BEIR[..], &["--json"]].concat()).check(0, &[]).json();
    // Grades by rank 1, 2: gains 1, 3; the ideal order has 3, 1.
    let discount = 1.0 / 3_f64.log2();
    let first = (1.0 + 3.0 * discount) / (3.0 + discount);
    let close = |name: &str, expected: f64| {
        let got = json[name].as_f64().unwrap_or_else(|| panic!("{name} in {json}"));
        assert!((got - expected).abs() < 1e-6, "{name}: {got}, expected {expected}");
    };
    close("ndcg@10", first / 2.0);
    close("recall@10", 0.5);
    close("recall@100", 0.5);
    close("precision@5", 0.2);
    close("mrr@10", 0.5);
    assert_eq!((json["queries"].as_u64(), json["mode"].as_str()), (Some(2), Some("lexical")));
    assert!((json["by_type"]["keyword"]["ndcg@10"].as_f64().expect("a figure") - first).abs() < 1e-6);
    assert_eq!(json["by_type"]["other"]["ndcg@10"], 0.0);
    for stage in ["total", "lexical"] {
        assert!(json["latency_ms"][stage]["p95"].is_number(), "{json}");
    }
    let table = site.run(&BEIR).check(0, &[]).stdout;
    assert!(table.contains("ndcg@10") && table.contains("keyword"), "{table}");
}

#[test]
fn chosen_measures() {
    let site = judged();
    let args = [&BEIR[..], &["--json", "--measures", "recall@1,ndcg-linear@2"]].concat();
    let json = site.run(&args).check(0, &[]).json();
    // The first of q1's two relevant documents, nothing of q2's; the bootstrap draws either query only, too.
    assert_eq!((json["recall@1"].as_f64(), json.get("ndcg@10")), (Some(0.25), None));
    assert_eq!(json["intervals"]["recall@1"], serde_json::json!([0.0, 0.5]));
    assert!(json["by_type"]["keyword"]["ndcg-linear@2"].is_number(), "{json}");
    for (list, part) in [("map@10", "unknown measure"), ("", "unknown measure"), ("recall@0", "K from 1")] {
        site.run(&[&BEIR[..], &["--measures", list]].concat()).check(2, &[part]);
    }
}

#[test]
fn trec_run() {
    let site = judged();
    site.run(&[&BEIR[..], &["--run", "run.trec"]].concat()).check(0, &[]);
    let run = fs::read_to_string(site.path("run.trec")).expect("is written");
    let rows: Vec<Vec<&str>> = run.lines().map(|line| line.split(' ').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 6 && row[1] == "Q0" && row[5] == "querent-lexical"), "{run}");
    let places: Vec<_> = rows.iter().map(|row| (row[0], row[2], row[3])).collect();
    assert_eq!(places, [("q1", "d1", "1"), ("q1", "d2", "2"), ("q2", "a%20d5", "1")]);
    let score = |row: &[&str]| row[4].parse::<f32>().expect("a number");
    assert!(score(&rows[0]) > score(&rows[1]));
    let (_, before_mode) = BEIR.split_last().expect("is not empty");
    // The corpus needs a model for the other modes, which this test has not: --mode all is the judge's, tests/judge.
    site.run(&[before_mode, &["semantic", "--model", "none", "--run", "x"]].concat()).check(1, &["none"]);
}

#[test]
fn folder_of_documents() {
    let site = Site::docs();
    site.write("queries.jsonl", "{\"_id\":\"1\",\"text\":\"port\"}\n");
    site.write("qrels.tsv", "query-id\tcorpus-id\tscore\n1\tguide/port.html\t1\n1\tmissing.md\t1\n");
    let args = [
        "eval",
        "--docs",
        "docs",
        "--queries",
        "queries.jsonl",
        "--qrels",
        "qrels.tsv",
        "--mode",
        "lexical",
        "--json",
    ];
    let ran = site.run(&args).check(0, &["1 of 2 judged documents are not among the 3 documents"]);
    assert_eq!((ran.json()["mrr@10"].as_f64(), ran.json()["recall@10"].as_f64()), (Some(1.0), Some(0.5)));
}

#[test]
fn floors() {
    let site = judged();
    for (floors, status, part) in [
        ("{\"lexical\":{\"ndcg@10\":0.1}}", 0, ""),
        ("{\"lexical\":{\"ndcg@10\":0.9}}", 1, "its floor is 0.9"),
        ("{\"lexical\":{\"ndgc\":0.1}}", 2, "ndgc"),
        ("{\"hybrid\":{\"ndcg@10\":0.1}}", 2, "found none"),
        ("[]", 2, "floors.json"),
    ] {
        site.write("floors.json", floors);
        site.run(&[&BEIR[..], &["--floor", "floors.json"]].concat()).check(status, &[part]);
    }
}

#[test]
fn a_kept_index_gives_the_same_figures() {
    let site = judged();
    let figures = || {
        let ran =
            site.run(&[&BEIR[..], &["--json", "--verbose", "--index-cache", "kept"]].concat()).check(0, &[]);
        (ran.json()["ndcg@10"].clone(), ran.stderr.contains("was kept"))
    };
    let (first, kept) = figures();
    assert!(!kept);
    assert_eq!(figures(), (first, true));
}

#[test]
fn wrong_files_are_named() {
    let site = judged();
    site.write("queries.jsonl", "{\"_id\":\"q1\"}\n");
    site.run(&BEIR).check(1, &["queries.jsonl", "line 1"]);
    site.run(&["eval", "--queries", "q", "--qrels", "r"]).check(2, &["--corpus"]);
}

#[test]
fn synonyms_are_those_of_a_build() {
    let site = judged();
    site.write("synonyms.txt", "closure => behaviour\n");
    site.write("querent.toml", "[build]\nsynonyms = 'synonyms.txt'\n");
    let recall = |more: &[&str]| {
        let json = site.run(&[&BEIR[..], &["--json"], more].concat()).check(0, &[]).json();
        json["recall@10"].as_f64().expect("a figure")
    };
    site.write("none.txt", "");
    assert_eq!(recall(&["--synonyms", "none.txt"]), 0.5);
    assert_eq!(recall(&["--synonyms", "synonyms.txt"]), 1.0);
    assert_eq!(recall(&[]), 1.0);
}
