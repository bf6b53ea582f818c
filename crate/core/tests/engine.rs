//! The whole of the core: documents in, hits out.

mod support;

use proptest::prelude::*;
use querent_core::{
    assembly::AssemblySettings,
    engine::{Engine, Hit, SearchError},
    indexer::IndexSettings,
    query::{Filter, SearchMode, SearchRequest, Sort},
    segment::{Manifest, SegmentError},
};
use support::{NoClock, build, document, library, search, vector};

fn first_path(query: &str, mode: SearchMode) -> Option<String> {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let request = SearchRequest { mode, ..SearchRequest::new(query) };
    let (response, ..) = search(&mut engine, &segment, &request, Some(&vector(query)));
    response.hits.into_iter().next().map(|hit| hit.path)
}

#[test]
fn finds() {
    let check = |query: &str, mode, expected: Option<&str>| {
        assert_eq!(first_path(query, mode).as_deref(), expected, "{query:?} {mode:?}");
    };
    check("why can't I modify a borrowed variable", SearchMode::Lexical, Some("ownership.md"));
    check("borrowing", SearchMode::Lexical, Some("ownership.md"));
    check("itera", SearchMode::Lexical, Some("iterators.md"));
    check("iteratro", SearchMode::Lexical, Some("iterators.md"));
    check("hash map", SearchMode::Lexical, Some("iterators.md"));
    check("e0502", SearchMode::Lexical, Some("errors.md"));
    check("Cargo is the package manager of Rust", SearchMode::Semantic, Some("cargo.md"));
    check("package manager of Rust", SearchMode::Hybrid, Some("cargo.md"));
    check("漢", SearchMode::Lexical, Some("naive.md"));
    check("zzzz", SearchMode::Lexical, None);
    check("", SearchMode::Lexical, None);
}

#[test]
fn a_hit_shows_where_it_stands() {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let request =
        SearchRequest { explain: true, mode: SearchMode::Lexical, ..SearchRequest::new("borrowed variable") };
    let (response, ..) = search(&mut engine, &segment, &request, None);
    let hit = &response.hits[0];
    assert_eq!((hit.url.as_str(), hit.heading.as_str()), ("/ownership.html#borrowing", "Borrowing"));
    assert_eq!(hit.heading_path, ["Ownership", "Borrowing"]);
    let marked: Vec<_> = hit.highlights.iter().map(|range| &hit.excerpt[range.clone()]).collect();
    assert_eq!(marked, ["borrows", "variable", "borrowed"]);
    assert!(hit.question.is_some());
    let explanation = hit.explanation.as_ref().expect("was asked for");
    assert!((explanation.value - hit.score).abs() < 1e-6);
    let list = &explanation.details[0];
    let sum = format!("score {:.4}", list.details[0].value);
    assert!(list.description.contains(&sum), "{sum} in {:?}", list.description);
    assert_eq!(response.timings.0.len(), 7);
}

#[test]
fn a_search_fetches_little_and_in_few_rounds() {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let lexical = SearchRequest { mode: SearchMode::Lexical, ..SearchRequest::new("borrow") };
    let (_, rounds, files) = search(&mut engine, &segment, &lexical, None);
    assert!(rounds <= 5, "{rounds} rounds");
    assert!(!files.iter().any(|name| name.starts_with("vectors")), "{files:?}");
    let (_, rounds, files) = search(&mut engine, &segment, &lexical, None);
    assert_eq!((rounds, files.len()), (1, 0));
}

#[test]
fn same_input_same_bytes() {
    assert_eq!(build(library(), IndexSettings::default()), build(library(), IndexSettings::default()));
}

#[test]
fn two_indexes_are_ranked_together_and_one_can_be_replaced() {
    let (site, first) = build(library(), IndexSettings::default());
    let (local, second) = build(
        vec![document("mine.md", "# Mine\n\nThe owner of a borrow is me.\n")],
        IndexSettings::default(),
    );
    let mut all = first.clone();
    all.files.extend(second.files.clone());
    let mut engine = Engine::new();
    engine.mount("site", &site).expect("mounts");
    engine.mount("local", &local).expect("mounts");
    let request = SearchRequest::new("owner borrow");
    let (response, ..) = search(&mut engine, &all, &request, None);
    let paths: Vec<_> = response.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert!(paths.contains(&"mine.md") && paths.contains(&"ownership.md"), "{paths:?}");
    assert_eq!(engine.stats().documents, 6);
    engine.mount("local", &Manifest::new(None, Vec::new()).to_bytes()).expect("mounts");
    let (response, rounds, _) = search(&mut engine, &all, &request, None);
    assert_eq!(rounds, 1);
    assert!(response.hits.iter().all(|hit| hit.path != "mine.md"));
}

#[test]
fn filters_narrow_count_and_sort() {
    let mut documents = library();
    for (document, (tag, weight)) in documents.iter_mut().zip([("a", "9"), ("b", "10"), ("a", "2")]) {
        document.filters.insert("tag".into(), vec![tag.into()]);
        document.metadata.insert("weight".into(), weight.into());
    }
    let (manifest, segment) = build(documents, IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let mut check =
        |query: &str, filters: &[(&str, &[&str])], sort: Option<(&str, bool)>, expected: &[&str]| {
            let filter = |(name, values): &(&str, &[&str])| Filter {
                name: (*name).to_owned(),
                values: values.iter().map(|&value| value.to_owned()).collect(),
            };
            let request = SearchRequest {
                mode: SearchMode::Lexical,
                filters: filters.iter().map(filter).collect(),
                sort: sort.map(|(key, descending)| Sort { key: key.into(), descending }),
                facets: vec!["tag".into()],
                ..SearchRequest::new(query)
            };
            let (response, ..) = search(&mut engine, &segment, &request, None);
            let paths: Vec<_> = response.hits.iter().map(|hit| hit.path.as_str()).collect();
            assert_eq!(paths, expected, "{query:?} {filters:?}");
            assert_eq!(response.query, query);
            response.facets[0].values.clone()
        };
    let tag_a: (&str, &[&str]) = ("tag", &["a"]);
    check("value", &[tag_a], None, &["ownership.md", "iterators.md"]);
    check("value tag:a path:own", &[], None, &["ownership.md"]);
    check("value", &[tag_a, ("path", &["cargo", "iter"])], None, &["iterators.md"]);
    check("value", &[("language", &["de"])], None, &[]);
    let all = ("tag", &["a", "b"][..]);
    let facet = check("", &[all], Some(("weight", false)), &["iterators.md", "ownership.md", "cargo.md"]);
    assert_eq!(facet, [("a".to_owned(), 2), ("b".to_owned(), 1)]);
    check("", &[all], Some(("weight", true)), &["cargo.md", "ownership.md", "iterators.md"]);
    for (query, words) in
        [("value tag:a path:own", "value"), ("std:io  value", "std:io value"), ("tag:a", "")]
    {
        assert_eq!(engine.words_of(query), words, "{query:?}");
    }
    let unknown = SearchRequest { facets: vec!["tga".into()], ..SearchRequest::new("value") };
    let error = engine.search(&unknown, None, &NoClock).expect_err("is refused").to_string();
    assert!(error.contains("\"tga\"") && error.contains("language, tag, path"), "{error}");
}

#[test]
fn a_search_without_filters_does_not_fetch_attributes() {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let fetched = |engine: &mut Engine, query: &str| {
        let (_, _, files) = search(engine, &segment, &SearchRequest::new(query), None);
        files.iter().any(|name| name.starts_with("attributes"))
    };
    assert!(!fetched(&mut engine, "HashMap::iter error: mismatched"));
    assert!(fetched(&mut engine, "std:io"));
}

#[test]
fn deleted_documents_are_not_found() {
    let (_, segment) = build(library(), IndexSettings::default());
    let mut entry = segment.entry.clone();
    entry.tombstones = vec![0];
    let mut engine = Engine::new();
    engine.mount("site", &Manifest::new(None, vec![entry]).to_bytes()).expect("mounts");
    let (response, ..) = search(&mut engine, &segment, &SearchRequest::new("borrow"), None);
    assert!(!response.hits.is_empty() && response.hits.iter().all(|hit| hit.path != "ownership.md"));
}

#[test]
fn requests_that_do_not_fit() {
    let (manifest, _) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let semantic = SearchRequest { mode: SearchMode::Semantic, ..SearchRequest::new("x") };
    assert!(matches!(engine.search(&semantic, None, &NoClock), Err(SearchError::NoVectors(_))));
    let wrong = engine.search(&SearchRequest::new("x"), Some(&[1.0; 3]), &NoClock);
    assert!(matches!(wrong, Err(SearchError::Dimensions { expected: 32, got: 3 })));
    let mut other = Manifest::from_bytes(&manifest).expect("reads");
    other.model.as_mut().expect("has one").weights_sha256 = "another".into();
    let other = Manifest::new(other.model, other.segments).to_bytes();
    assert!(matches!(engine.mount("local", &other), Err(SegmentError::Model { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damage_is_an_error(file: prop::sample::Index, at: prop::sample::Index, flip in 1_u8.., cut: bool) {
        let (manifest, segment) = build(library(), IndexSettings::default());
        let mut engine = Engine::new();
        engine.mount("site", &manifest).expect("mounts");
        search(&mut engine, &segment, &SearchRequest::new("borrow"), Some(&vector("borrow")));
        let (name, bytes) = &segment.files[file.index(segment.files.len())];
        let at = at.index(bytes.len());
        let mut damaged = bytes.clone();
        damaged[at] ^= flip;
        if cut {
            damaged.truncate(at);
        }
        let error = engine.load(name, &damaged).expect_err("the damage is seen");
        let is_typed = matches!(error, SegmentError::Length { .. } | SegmentError::Checksum { .. });
        prop_assert!(is_typed, "{}", error);
    }
}

#[test]
fn vectors_count_less_for_words_that_are_not_there() {
    let (manifest, segment) = build(library(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let mut check = |query: &str, expected: &str| {
        let request = SearchRequest { explain: true, ..SearchRequest::new(query) };
        let (response, ..) = search(&mut engine, &segment, &request, Some(&vector(query)));
        let shown = format!("{:?}", response.hits[0].explanation);
        assert!(shown.contains(&format!("by the model: weight {expected} *")), "{query}: {shown}");
    };
    check("How can I modify a borrowed variable?", "0.6");
    check("package managers ", "0.216");
    check("package manajer ", "0.108");
    check("packa", "0.0108");
}

/// A hit in its context, read from files that the search did not need.
#[test]
fn a_hit_is_shown_in_context() {
    let text = "# Birds\n\nA wren is small.\n\n## Song\n\nIt is loud.\n\n## Nest\n\nIt is round.\n";
    let (manifest, segment) = build(vec![document("birds.md", text)], IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let (response, ..) = search(&mut engine, &segment, &SearchRequest::new("loud"), None);
    let hit = &response.hits[0];
    let settings = AssemblySettings::default();
    let assemble = |hit: &Hit| engine.assemble(hit, &settings).expect("its texts were read by the search");
    let assembled = assemble(hit).expect("it is there");
    assert_eq!(assembled.text, "A wren is small.\n\nSong\n\nIt is loud.\n\nNest\n\nIt is round.");
    assert_eq!((assembled.chunks.as_slice(), assembled.complete), (&[0, 1, 2][..], true));
    assert_eq!(assemble(&Hit { path: "other.md".into(), ..hit.clone() }), None);
    let mut cold = Engine::new();
    cold.mount("site", &manifest).expect("mounts");
    assert!(matches!(cold.assemble(hit, &settings), Err(SearchError::Missing(files)) if files.len() == 1));
    assert_eq!(Engine::new().assemble(hit, &settings).expect("nothing is missing"), None);
}
