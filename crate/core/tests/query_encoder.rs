//! A search whose query the table in the index embeds.

mod support;

use querent_core::{
    embedding::{Embedder, HashEmbedder, WordEstimate},
    engine::{Engine, SearchError},
    indexer::{BuiltSegment, IndexSettings, Indexer},
    query::{QueryEncoder, SearchMode, SearchRequest},
    query_encoder::{Example, FitSettings, Rows, Table, Vocabulary, fit, training_texts},
    question::RuleGenerator,
    segment::Manifest,
};
use support::{NoClock, library, search};

const DIMENSIONS: u32 = 32;

/// A table over whole words, fitted to the library's own texts and [`HashEmbedder`]'s embeddings of them.
fn table(indexer: &Indexer) -> Table {
    let embedder = HashEmbedder::new(DIMENSIONS);
    let texts = training_texts(indexer.documents());
    assert!(
        texts.iter().any(|text| text == "You cannot modify a variable while it is borrowed."),
        "{texts:?}"
    );
    let words: Vec<String> = texts
        .iter()
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
        .collect();
    let vocabulary = Vocabulary::new(words.iter().map(String::as_str));
    let targets = embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()).expect("embeds");
    let start = vec![0.01; vocabulary.len() * DIMENSIONS as usize];
    let examples: Vec<Example> = texts
        .iter()
        .zip(targets)
        .map(|(text, target)| Example {
            pieces: vocabulary.split(text).into_iter().flatten().collect(),
            target,
        })
        .collect();
    let settings = FitSettings { ridge: 0.01, ..FitSettings::default() };
    fit(&Rows::alone(vocabulary, start), &examples, &settings).table(settings.half_frequency)
}

fn built(with_table: bool) -> (Vec<u8>, BuiltSegment) {
    let mut indexer = Indexer::new(IndexSettings::default());
    for document in library() {
        indexer.add(document, &WordEstimate, Some(&RuleGenerator)).expect("adds");
    }
    if with_table {
        let table = table(&indexer);
        indexer.set_query_encoder(table);
    }
    let embedder = HashEmbedder::new(DIMENSIONS);
    let texts = indexer.texts();
    let vectors = embedder.embed(&texts.iter().map(String::as_str).collect::<Vec<_>>()).expect("embeds");
    let segment = indexer.finish(Some(&vectors)).expect("finishes");
    (Manifest::new(Some(embedder.identity().clone()), vec![segment.entry.clone()]).to_bytes(), segment)
}

fn opened(with_table: bool) -> (Engine, BuiltSegment) {
    let (manifest, segment) = built(with_table);
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    (engine, segment)
}

fn request(query: &str, mode: SearchMode) -> SearchRequest {
    SearchRequest { mode, query_encoder: QueryEncoder::Table, explain: true, ..SearchRequest::new(query) }
}

#[test]
fn the_table_finds_and_says_so() {
    let (mut engine, segment) = opened(true);
    for mode in [SearchMode::Semantic, SearchMode::Hybrid] {
        let asked = request("why can I not modify a borrowed variable", mode);
        let (response, ..) = search(&mut engine, &segment, &asked, None);
        assert_eq!((response.mode, response.query_encoder), (mode, Some(QueryEncoder::Table)));
        assert_eq!(response.hits[0].path, "ownership.md");
        let explanation = format!("{:?}", response.hits[0].explanation);
        assert!(explanation.contains("embedded by the table"), "{explanation}");
    }
    assert!(engine.has_query_encoder());
}

#[test]
fn what_is_fetched() {
    let (mut engine, segment) = opened(true);
    let lexical = SearchRequest::new("borrowed");
    let (response, _, files) = search(&mut engine, &segment, &lexical, None);
    assert_eq!((response.mode, response.query_encoder), (SearchMode::Lexical, None));
    assert!(
        files.iter().all(|name| ["encoder", "vectors", "codes"].iter().all(|kind| !name.starts_with(kind))),
        "{files:?}"
    );
    let (_, rounds, files) = search(&mut engine, &segment, &request("borrowed", SearchMode::Hybrid), None);
    // The head together with the vectors' codes, then the rows.
    assert_eq!(rounds, 3);
    assert_eq!(files.iter().filter(|name| name.starts_with("encoder")).count(), 2, "{files:?}");
    assert_eq!(files.iter().filter(|name| name.starts_with("codes")).count(), 1, "{files:?}");
    assert!(files.iter().all(|name| !name.starts_with("vectors")), "{files:?}");
}

#[test]
fn a_model_replaces_it() {
    let (mut engine, segment) = opened(true);
    let vector = support::vector("install a binary");
    let asked = request("borrowed variable", SearchMode::Semantic);
    let (response, _, files) = search(&mut engine, &segment, &asked, Some(&vector));
    assert_eq!(response.query_encoder, Some(QueryEncoder::Model));
    assert_eq!(response.hits[0].path, "cargo.md");
    assert!(files.iter().all(|name| !name.starts_with("encoder")), "{files:?}");
}

#[test]
fn unknown_words_and_no_table() {
    let (mut engine, segment) = opened(true);
    let (response, ..) = search(&mut engine, &segment, &request("zyzzyva", SearchMode::Semantic), None);
    assert!(response.hits.is_empty());
    let (response, ..) = search(&mut engine, &segment, &request("zyzzyva", SearchMode::Hybrid), None);
    assert_eq!((response.mode, response.query_encoder), (SearchMode::Lexical, None));
    let (mut engine, segment) = opened(false);
    let (response, ..) = search(&mut engine, &segment, &request("borrowed", SearchMode::Hybrid), None);
    assert_eq!((response.mode, response.query_encoder), (SearchMode::Lexical, None));
    let error =
        engine.search(&request("borrowed", SearchMode::Semantic), None, &NoClock).expect_err("has none");
    assert!(matches!(error, SearchError::NoVectors(reason) if reason.contains("table")), "{error}");
}

#[test]
fn broken_words_keep_the_order_of_a_list_that_is_alone() {
    let (mut engine, segment) = opened(true);
    for mode in [SearchMode::Semantic, SearchMode::Hybrid] {
        let (response, ..) = search(&mut engine, &segment, &request("borrowed", mode), None);
        let scores: Vec<f32> = response.hits.iter().map(|hit| hit.score).collect();
        assert!(scores[0] > 0.0 && scores.is_sorted_by(|a, b| a >= b), "{mode:?}: {scores:?}");
    }
}
