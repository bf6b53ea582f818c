//! A search through the engine by mode, in one run: `cargo bench -p querent-core --bench engine`.
//!
//! Read the ratio: what vectors add to a lexical search. The peers of a whole search are in tests/bench, where both
//! run in a browser. The collection repeats a few sentences with numbered words: 1,000 documents whose terms are as unevenly spread
//! as in real text. All files are loaded before the first measurement.

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use querent_core::{
    engine::Engine,
    indexer::IndexSettings,
    query::{SearchMode, SearchRequest},
};
use std::hint::black_box;

const DOCUMENTS: usize = 1_000;
const QUERY: &str = "how do I borrow value 77";

fn text(number: usize) -> String {
    let rare = number % 97;
    format!(
        "# Topic {number}\n\nValue {rare} has an owner. A reference borrows a value of kind {rare}.\n\n\
         ## Installing part {rare}\n\nTo install part {number}, run the command of topic {rare}.\n\n\
         ## Errors\n\nError {number} means that a borrow outlives its owner.\n"
    )
}

fn searches(c: &mut Criterion) {
    let documents = (0..DOCUMENTS).map(|number| support::document(&format!("{number}.md"), &text(number)));
    let (manifest, segment) = support::build(documents.collect(), IndexSettings::default());
    let mut engine = Engine::new();
    engine.mount("site", &manifest).expect("mounts");
    let vector = support::vector(QUERY);
    let mut group = c.benchmark_group("one query over 1,000 documents");
    for (name, mode) in [("lexical", SearchMode::Lexical), ("hybrid", SearchMode::Hybrid)] {
        let request = SearchRequest { mode, ..SearchRequest::new(QUERY) };
        support::search(&mut engine, &segment, &request, Some(&vector));
        group.bench_function(name, |b| {
            b.iter(|| engine.search(black_box(&request), Some(&vector), &support::NoClock));
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
