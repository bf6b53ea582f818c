use super::{beir::BeirError, *};
use proptest::prelude::*;

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() < 5e-5, "got {got}, expected {expected}");
}

fn mean(evaluation: &Evaluation, name: &str) -> f64 {
    evaluation.means[&name.parse::<Measure>().expect("a measure")]
}

/// Worked by hand: discounts 1, 0.63093, 0.5, 0.43068, 0.38685; gains 0, 1, 3, 7.
#[test]
fn known_measures() {
    for (grades, ideal, ndcg, recall_2, precision_2, reciprocal_rank) in [
        (&[][..], &[1][..], 0.0, 0.0, 0.0, 0.0),
        (&[0, 0], &[], 0.0, 0.0, 0.0, 0.0),
        (&[1], &[1], 1.0, 1.0, 0.5, 1.0),
        (&[0, 1], &[1], 0.630_93, 1.0, 0.5, 0.5),
        (&[0, 0, 1], &[1], 0.5, 0.0, 0.0, 0.333_33),
        // (1 + 3 * 0.63093) / (3 + 0.63093)
        (&[1, 2], &[2, 1], 0.796_71, 1.0, 1.0, 1.0),
        // (3 * 0.63093 + 7 * 0.43068) / (7 + 3 * 0.63093 + 1 * 0.5)
        (&[0, 2, 0, 3], &[3, 2, 1], 0.522_48, 0.333_33, 0.5, 0.5),
    ] {
        close(measure::ndcg(grades, ideal, 10, Gain::Exponential), ndcg);
        close(measure::recall(grades, ideal, 2), recall_2);
        close(measure::precision(grades, 2), precision_2);
        close(measure::reciprocal_rank(grades, 10), reciprocal_rank);
    }
    // Cut: the ideal is cut, too.
    close(measure::ndcg(&[1, 0, 2], &[2, 1, 1], 1, Gain::Exponential), 1.0 / 3.0);
    close(measure::ndcg(&[1, 0, 2], &[2, 1, 1], 1, Gain::Linear), 1.0 / 2.0);
    // (1 + 2 * 0.63093) / (2 + 0.63093)
    close(measure::ndcg(&[1, 2], &[2, 1], 10, Gain::Linear), 0.859_72);
    close(measure::ndcg(&[1], &[1], 0, Gain::Exponential), 0.0);
    close(measure::reciprocal_rank(&[0, 0, 1], 2), 0.0);
}

#[test]
fn names_of_measures() {
    for measure in Measure::USUAL {
        assert_eq!(measure.to_string().parse(), Ok(measure));
    }
    assert_eq!("ndcg-linear@7".parse(), Ok(Measure::Ndcg(Gain::Linear, 7)));
    for name in ["", "mrr@", "mrr@0", "recall", "ndcg@-1", "ndcg@10@5", "map@10", "NDCG@10"] {
        let error = name.parse::<Measure>().expect_err(name);
        assert!(error.to_string().contains(&format!("unknown measure {name:?}")), "{error}");
    }
}

/// A random run, as `ir_measures` 0.4.3 judged it: (position, grade) of the relevant documents, length of the
/// ranking, grades of all relevant documents, and nDCG (gain `exp-log2`) at 10, R@10, R@100, P@5, RR@10.
#[test]
fn same_as_ir_measures() {
    #[rustfmt::skip]
    let rows = [
        (vec![(0, 1), (1, 3), (2, 2), (3, 1), (4, 1), (5, 3), (10, 3)], 12, vec![3, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0.3705, 0.26087, 0.304348, 1.0, 1.0]),
        (vec![(0, 1), (1, 3), (2, 1), (3, 2), (34, 2), (45, 2), (51, 3), (54, 3), (100, 1), (103, 1), (111, 1), (113, 1)], 120, vec![3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1], [0.26848, 0.210526, 0.421053, 0.8, 1.0]),
        (vec![(0, 3), (7, 2), (51, 3), (66, 2)], 130, vec![3, 3, 2, 2], [0.55927, 0.5, 1.0, 0.2, 1.0]),
        (vec![(0, 2), (1, 3), (2, 1), (4, 3), (6, 1), (11, 3), (24, 1), (25, 3), (30, 1), (33, 3), (40, 3), (51, 2), (83, 1), (89, 2), (95, 2), (96, 3), (103, 3), (113, 1)], 120, vec![3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1], [0.35753, 0.238095, 0.761905, 0.8, 1.0]),
    ];
    for (places, len, ideal, expected) in rows {
        let mut judgements = Judgements::new();
        let mut ranking: Vec<String> = (0..len).map(|at| format!("other{at}")).collect();
        let mut left = ideal.clone();
        for &(at, grade) in &places {
            ranking[at] = format!("found{at}");
            judgements.insert("q", &ranking[at], grade);
            left.remove(left.iter().position(|&other| other == grade).expect("is in the ideal"));
        }
        for (at, &grade) in left.iter().enumerate() {
            judgements.insert("q", &format!("missed{at}"), grade);
        }
        let mut run = Run::new();
        run.insert("q", ranking.into_iter().map(|document| (document, 0.0)));
        let got = evaluate(&run, &judgements, &Measure::USUAL);
        let names = ["ndcg@10", "recall@10", "recall@100", "precision@5", "mrr@10"];
        for (name, expected) in names.into_iter().zip(expected) {
            close(mean(&got, name), expected);
        }
    }
}

fn judged(rows: &[(&str, &str, u32)]) -> Judgements {
    let mut judgements = Judgements::new();
    for (query, document, grade) in rows {
        judgements.insert(query, document, *grade);
    }
    judgements
}

fn ran(rows: &[(&str, &[&str])]) -> Run {
    let mut run = Run::new();
    for (query, documents) in rows {
        let scored = documents.iter().enumerate().map(|(at, document)| (document.to_string(), -(at as f32)));
        run.insert(query, scored);
    }
    run
}

#[test]
fn means() {
    let judgements =
        judged(&[("a", "x", 2), ("a", "y", 1), ("b", "x", 1), ("c", "x", 0), ("d", "z", 1), ("d", "w", 0)]);
    // "d" is not in the run and counts 0, "c" has nothing relevant, "e" is not judged, the second "x" is no hit.
    let run = ran(&[("a", &["x", "x", "y"]), ("b", &["w", "x"]), ("c", &["x"]), ("e", &["x"])]);
    let evaluation = evaluate(&run, &judgements, &Measure::USUAL);
    assert_eq!((evaluation.queries, evaluation.without_relevant), (3, 1));
    close(mean(&evaluation, "ndcg@10"), (1.0 + 0.630_93) / 3.0);
    close(mean(&evaluation, "recall@10"), 2.0 / 3.0);
    close(mean(&evaluation, "recall@100"), 2.0 / 3.0);
    close(mean(&evaluation, "precision@5"), (0.4 + 0.2) / 3.0);
    close(mean(&evaluation, "mrr@10"), (1.0 + 0.5) / 3.0);
    // The means of draws of the three queries: between the worst query's and the best one's.
    assert_eq!(evaluation.intervals[&Measure::Recall(10)], Interval(0.0, 1.0));
    let nothing = evaluate(&run, &Judgements::new(), &Measure::USUAL);
    assert_eq!((nothing.queries, mean(&nothing, "mrr"), nothing.intervals.len()), (0, 0.0, 0));

    let by = evaluate_by(&run, &judgements, &Measure::USUAL, |query| match query {
        "a" | "c" => Some("keyword"),
        "b" => Some("question"),
        _ => None,
    });
    assert_eq!(by.keys().collect::<Vec<_>>(), ["keyword", "question"]);
    assert_eq!((by["keyword"].queries, by["keyword"].without_relevant), (1, 1));
    close(mean(&by["keyword"], "ndcg@10"), 1.0);
    close(mean(&by["question"], "mrr@10"), 0.5);
    let each = evaluate_queries(&run, &judgements, &Measure::USUAL);
    assert_eq!(each.iter().map(|scores| scores.query.as_str()).collect::<Vec<_>>(), ["a", "b", "c", "d"]);
    let json = serde_json::to_value(evaluation).expect("serialises");
    for measure in Measure::USUAL.map(|measure| measure.to_string()) {
        assert!(json[&measure].is_number() && json["intervals"][&measure][1].is_number(), "{measure}");
    }
    assert_eq!(json["queries"], 3);
}

#[test]
fn trec_lines() {
    let mut run = Run::new();
    run.insert("q 1", [("b".to_owned(), 0.5), ("a c".to_owned(), 0.5), ("d".to_owned(), f32::NAN)]);
    run.insert("p", [("a".to_owned(), 2.0)]);
    let lines = run.to_trec("querent");
    let lines: Vec<Vec<&str>> = lines.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(lines[0], ["p", "Q0", "a", "1", "2", "querent"]);
    assert_eq!(lines[1], ["q%201", "Q0", "b", "1", "0.5", "querent"]);
    assert_eq!(lines[2], ["q%201", "Q0", "a%20c", "2", "0.49999997", "querent"]);
    assert_eq!(lines[3][..4], ["q%201", "Q0", "d", "3"]);
    assert!(lines[3][4].parse::<f32>().expect("a number") < 0.499_999_97);
}

#[test]
fn percentiles_by_nearest_rank() {
    assert_eq!(percentiles(&[]), None);
    let of = |times: &[f64]| percentiles(times).map(|p| [p.p50, p.p90, p.p95, p.p99, p.max]);
    assert_eq!(of(&[7.0]), Some([7.0; 5]));
    assert_eq!(of(&[15.0, 20.0, 35.0, 40.0, 50.0]), Some([35.0, 50.0, 50.0, 50.0, 50.0]));
    let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    assert_eq!(of(&hundred), Some([50.0, 90.0, 95.0, 99.0, 100.0]));
}

#[test]
fn beir_files() {
    let queries = beir::queries(
        "\u{feff}{\"_id\": \"a\", \"text\": \"msrv\", \"type\": \"keyword\", \"metadata\": {}}\r\n\n{\"_id\": 7, \"text\": \"x\"}",
    )
    .expect("reads");
    let flat: Vec<_> =
        queries.iter().map(|query| (query.id.as_str(), query.text.as_str(), query.kind.as_deref())).collect();
    assert_eq!(flat, [("a", "msrv", Some("keyword")), ("7", "x", None)]);
    let corpus = beir::corpus("{\"_id\":\"d\",\"text\":\"t\"}\n").expect("reads");
    assert_eq!((corpus[0].id.as_str(), corpus[0].title.as_str()), ("d", ""));
    let expected = judged(&[("a", "x", 2), ("a", "y z", 0)]);
    for text in ["query-id\tcorpus-id\tscore\na\tx\t2\na\ty z\t-1\n", "a\tx\t2\r\n\r\na\ty z\t0\r\na\tx\t2"] {
        assert_eq!(beir::qrels(text).expect("reads"), expected, "{text:?}");
    }
}

#[test]
fn beir_errors() {
    fn check<T: std::fmt::Debug>(result: Result<T, BeirError>, line: usize, part: &str) {
        let error = result.expect_err(part);
        assert_eq!(error.line, line, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    check(beir::queries("{\"_id\":\"a\",\"text\":\"\"}\n{\"_id\":\"b\"}"), 2, "missing field `text`");
    check(
        beir::queries("{\"_id\":\"a\",\"text\":\"\"}\n\n{\"_id\":\"a\",\"text\":\"\"}"),
        3,
        "was there before",
    );
    check(beir::queries("{\"_id\":[],\"text\":\"\"}"), 1, "whole number");
    check(beir::corpus("a,b"), 1, "corpus.jsonl, line 1");
    check(beir::qrels("h\th\th\na\tb"), 2, "2 column(s)");
    check(beir::qrels("h\th\th\na b 1"), 2, "1 column(s)");
    check(beir::qrels("h\th\th\na\tb\tc"), 2, "the grade is \"c\"");
    check(beir::qrels("a\tb\t31"), 1, "the grade is \"31\"");
    check(beir::qrels("a\tb\t1\na\tb\t2"), 2, "another grade");
}

proptest! {
    #[test]
    fn best_order_is_perfect(mut ideal in proptest::collection::vec(1_u32..5, 1..30)) {
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        close(measure::ndcg(&ideal, &ideal, 10, Gain::Linear), 1.0);
        close(measure::reciprocal_rank(&ideal, 10), 1.0);
        close(measure::recall(&ideal, &ideal, 30), 1.0);
    }

    #[test]
    fn any_order_is_at_most_perfect(grades in proptest::collection::vec(0_u32..5, 0..30), k in 0_usize..40) {
        let mut ideal: Vec<_> = grades.iter().copied().filter(|&grade| grade > 0).collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        for value in [
            measure::ndcg(&grades, &ideal, k, Gain::Exponential),
            measure::ndcg(&grades, &ideal, k, Gain::Linear),
            measure::recall(&grades, &ideal, k),
            measure::precision(&grades, k),
            measure::reciprocal_rank(&grades, k),
        ] {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value));
        }
        // More places never find less.
        prop_assert!(measure::recall(&grades, &ideal, k) <= measure::recall(&grades, &ideal, k + 1));
    }

    #[test]
    fn moving_a_better_document_up_helps(grades in proptest::collection::vec(0_u32..5, 2..10), at in 0_usize..8) {
        prop_assume!(at + 1 < grades.len() && grades[at] < grades[at + 1]);
        let mut ideal = grades.clone();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let mut better = grades.clone();
        better.swap(at, at + 1);
        for gain in [Gain::Linear, Gain::Exponential] {
            prop_assert!(measure::ndcg(&better, &ideal, 10, gain) > measure::ndcg(&grades, &ideal, 10, gain));
        }
    }

    #[test]
    fn names_of_irrelevant_documents_do_not_matter(seed in any::<u64>()) {
        let judgements = judged(&[("q", "a", 1), ("q", "b", 3), ("q", "n", 0)]);
        let [one, two] = [seed, seed.rotate_left(17)].map(|salt| {
            let names: Vec<String> = (0..12).map(|at| match at {
                3 => "a".to_owned(),
                7 => "b".to_owned(),
                _ => format!("{:x}", salt ^ at),
            }).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            evaluate_queries(&ran(&[("q", &names)]), &judgements, &Measure::USUAL)
        });
        prop_assert_eq!(one, two);
    }
}
