//! A first page that does not say the same thing twice.

mod support;

use querent_core::{
    diversify::DiversifyRequest,
    engine::{Engine, SearchResponse},
    indexer::IndexSettings,
    query::{SearchMode, SearchRequest},
};
use support::{build, document, search, vector};

const TIDES: &str =
    "# Tides\n\nThe tide rises twice a day because the moon pulls at the water on both sides of the earth.";
const MOON: &str =
    "# The moon\n\nWhere the moon stands is how a fisher knows when the tide of the harbour turns.";

fn searched(request: &SearchRequest) -> SearchResponse {
    let documents = [("v2/tides.md", TIDES), ("v1/tides.md", TIDES), ("moon.md", MOON)];
    let documents = documents.map(|(path, text)| document(path, text));
    let (manifest, segment) = build(documents.into(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    search(&mut engine, &segment, request, Some(&vector(&request.query))).0
}

fn paths(response: &SearchResponse) -> Vec<&str> {
    response.hits.iter().map(|hit| hit.path.as_str()).collect()
}

#[test]
fn the_same_text_is_shown_once() {
    let request = SearchRequest { mode: SearchMode::Lexical, ..SearchRequest::new("tide moon water") };
    let check = |limit, collapse, expected: &[&str]| {
        assert_eq!(paths(&searched(&SearchRequest { limit, collapse, ..request.clone() })), expected);
    };
    check(10, true, &["v2/tides.md", "moon.md"]);
    check(2, true, &["v2/tides.md", "moon.md"]);
    check(1, true, &["v2/tides.md"]);
    check(10, false, &["v2/tides.md", "v1/tides.md", "moon.md"]);
    let response = searched(&request);
    let duplicates =
        |at: usize| response.hits[at].duplicates.iter().map(|d| d.url.as_str()).collect::<Vec<_>>();
    assert_eq!((duplicates(0), duplicates(1)), (vec!["/v1/tides.html#tides"], vec![]));
    assert_eq!((response.total, response.hits[1].rank), (3, 2));
}

#[test]
fn the_first_documents_differ() {
    for mode in [SearchMode::Lexical, SearchMode::Hybrid] {
        let check = |lambda, expected: &[&str]| {
            let diversify = Some(DiversifyRequest { lambda, ..DiversifyRequest::default() });
            let request = SearchRequest {
                mode,
                diversify,
                collapse: false,
                explain: true,
                ..SearchRequest::new("tide moon water")
            };
            let response = searched(&request);
            assert_eq!(paths(&response), expected, "{mode:?} {lambda}");
            let explanation = response.hits[1].explanation.as_ref().expect("asked for");
            assert!(explanation.description.starts_with("diversified, rank"), "{}", explanation.description);
        };
        check(1.0, &["v2/tides.md", "v1/tides.md", "moon.md"]);
        check(0.3, &["v2/tides.md", "moon.md", "v1/tides.md"]);
    }
}
