//! Reranking: which passages are asked for, and what their scores make of the order.

mod support;

use proptest::prelude::*;
use querent_core::{
    engine::{Clock, Engine, SearchResponse},
    indexer::IndexSettings,
    query::{SearchMode, SearchRequest},
    rerank::{Passage, PassageScore, RerankError, RerankRequest, Reranker, within_budget},
};
use std::cell::Cell;
use support::{build, library, search};

/// All documents that hold `value`, `borrow` or `cargo`, reranked as `rerank` says.
fn ask(rerank: Option<RerankRequest>) -> SearchResponse {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let query = SearchRequest::new("value borrow cargo");
    let request = SearchRequest { mode: SearchMode::Lexical, explain: true, rerank, ..query };
    search(&mut engine, &segment, &request, None).0
}

fn paths(response: &SearchResponse) -> Vec<&str> {
    response.hits.iter().map(|hit| hit.path.as_str()).collect()
}

fn score(passage: &Passage, relevance: f32) -> PassageScore {
    PassageScore { id: passage.id.clone(), relevance }
}

/// The passages of single chunks, best document first, and the fused order of the documents.
fn asked() -> (Vec<Passage>, Vec<String>) {
    let response = ask(Some(RerankRequest { chunks_per_document: 1, ..RerankRequest::default() }));
    let order = response.hits.iter().map(|hit| hit.path.clone()).collect();
    (response.passages, order)
}

#[test]
fn passages_come_in_fused_order_with_their_headings() {
    let plain = ask(None);
    assert!(plain.passages.is_empty());
    let (passages, order) = asked();
    assert_eq!(paths(&plain), order);
    assert_eq!(passages.len(), order.len());
    assert!(
        passages.iter().any(|passage| passage.text.starts_with("Ownership > Borrowing\nA reference borrows"))
    );
    let all = ask(Some(RerankRequest { chunks_per_document: 9, ..RerankRequest::default() })).passages;
    assert!(all.len() > passages.len() && all[..passages.len()] == passages);
    for candidates in [1, 2] {
        let some =
            ask(Some(RerankRequest { candidates, chunks_per_document: 1, ..RerankRequest::default() }));
        assert_eq!(some.passages, passages[..candidates]);
    }
}

/// Scores the passages at these positions and gives the documents' positions in the fused order, best first.
fn check(weight: f32, scores: &[(usize, f32)], expected: &[usize]) {
    let (passages, order) = asked();
    let scores = scores.iter().map(|&(at, relevance)| score(&passages[at], relevance)).collect();
    let request = RerankRequest { chunks_per_document: 1, weight, ..RerankRequest::default() };
    let response = ask(Some(request.with_scores(scores)));
    let expected: Vec<&str> = expected.iter().map(|&at| order[at].as_str()).collect();
    assert_eq!(paths(&response)[..expected.len()], expected);
    assert!(response.passages.is_empty());
    for pair in response.hits.windows(2) {
        assert!(pair[0].score >= pair[1].score, "{} {}", pair[0].score, pair[1].score);
    }
    for hit in &response.hits {
        let explanation = hit.explanation.as_ref().expect("was asked for");
        assert!((explanation.value - hit.score).abs() < 1e-6);
    }
}

#[test]
fn what_is_scored_goes_first_and_the_rest_keeps_its_order() {
    check(1.0, &[(2, 0.9), (1, 0.8)], &[2, 1, 0, 3]);
    check(1.0, &[(2, 0.0), (1, 0.0)], &[1, 2, 0, 3]);
    check(1.0, &[(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)], &[3, 2, 1, 0]);
    check(0.0, &[(0, 0.1), (1, 0.2), (2, 0.3), (3, 0.4)], &[0, 1, 2, 3]);
    check(0.0, &[(3, 0.1), (2, 0.9)], &[2, 3, 0, 1]);
    check(1.0, &[(2, f32::NAN), (1, f32::INFINITY)], &[1, 2, 0, 3]);
}

#[test]
fn scores_of_other_indexes_change_nothing() {
    let (_, order) = asked();
    let strange = PassageScore { id: "elsewhere#0".into(), relevance: 1.0 };
    let response = ask(Some(RerankRequest::default().with_scores(vec![strange])));
    assert_eq!(paths(&response), order);
    let explanation = response.hits[0].explanation.as_ref().expect("was asked for");
    assert_eq!(explanation.description, "sum over the lists");
}

#[test]
fn the_explanation_names_the_relevance() {
    let (passages, _) = asked();
    let request = RerankRequest { chunks_per_document: 1, weight: 0.5, ..RerankRequest::default() };
    let response = ask(Some(request.with_scores(vec![score(&passages[1], 0.75)])));
    let first = response.hits[0].explanation.as_ref().expect("was asked for");
    assert!(first.description.starts_with("reranked: 0.5 * relevance"), "{}", first.description);
    assert_eq!(first.details[0].value, 0.75);
    assert!(
        first.details[1].description.starts_with("fused score, rank 2"),
        "{}",
        first.details[1].description
    );
    let second = response.hits[1].explanation.as_ref().expect("was asked for");
    assert!(second.description.starts_with("not reranked"), "{}", second.description);
}

/// A reranker that takes a millisecond for each passage, on a clock of its own.
#[derive(Default)]
struct Slow {
    now: Cell<f64>,
    fails_after: Option<f64>,
    reply: Option<Vec<f32>>,
}

impl Clock for Slow {
    fn now_ms(&self) -> f64 {
        self.now.get()
    }
}

impl Reranker for Slow {
    fn score(&self, _query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        self.now.set(self.now.get() + passages.len() as f64);
        if self.fails_after.is_some_and(|after| self.now.get() > after) {
            return Err(RerankError::Model("the test says so".into()));
        }
        Ok(self.reply.clone().unwrap_or_else(|| vec![0.5; passages.len()]))
    }
}

fn texts(count: usize) -> Vec<Passage> {
    (0..count).map(|at| Passage { id: at.to_string(), text: String::new() }).collect()
}

#[test]
fn errors_keep_what_was_scored() {
    for (slow, scored, part) in [
        (Slow { fails_after: Some(7.0), ..Slow::default() }, 6, "the test says so"),
        (Slow { fails_after: Some(0.0), ..Slow::default() }, 0, "the test says so"),
        (Slow { reply: Some(vec![0.5]), ..Slow::default() }, 0, "expected 3 scores, got 1"),
        (Slow { reply: Some(vec![0.5, 7.0, 0.5]), ..Slow::default() }, 0, "scores from 0 to 1, got 7"),
        (Slow { reply: Some(vec![0.5, f32::NAN, 0.5]), ..Slow::default() }, 0, "got NaN"),
    ] {
        let done = within_budget(&slow, "query", &texts(10), 3, f64::INFINITY, &slow);
        let error = done.error.expect("failed").to_string();
        assert_eq!(done.scores.len(), scored, "{error}");
        assert!(error.contains(part), "expected {part:?} in {error:?}");
    }
}

proptest! {
    #[test]
    fn what_counts_was_scored_within_the_budget(count in 0_usize..50, batch in 1_usize..9, budget in 0_u32..60) {
        let slow = Slow::default();
        let done = within_budget(&slow, "query", &texts(count), batch, f64::from(budget), &slow);
        prop_assert!(done.error.is_none());
        prop_assert!(slow.now.get() <= f64::from(budget.max(batch as u32)));
        prop_assert!(done.scores.len() as u32 <= budget);
        // No time is left that another batch would have fitted into.
        let rest = count - done.scores.len();
        prop_assert!(rest == 0 || slow.now.get() + batch as f64 > f64::from(budget));
    }
}
