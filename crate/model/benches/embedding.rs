//! Embedding with MiniLM's real weights: the pack that readers download beside the full weights, in one run:
//! `cargo bench -p querent-model` (after `./build.sh setup`).
//!
//! Read the ratio at each length. The peer in the browser, onnxruntime-web, is in tests/bench/embedding.mjs.

#[path = "../tests/common/mod.rs"]
mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use querent_model::{MiniLm, pack};
use std::hint::black_box;

/// Text lengths in tokens, as the browser's benchmark has them.
const TOKENS: [usize; 3] = [8, 64, 254];

fn embedding(c: &mut Criterion) {
    let files = common::mini_lm();
    let full = MiniLm::from_bytes(&files.weights, &files.tokenizer, &files.config).expect("loads");
    let bytes = pack::pack(&files.weights, &files.tokenizer, &files.config).expect("packs");
    let packed = MiniLm::from_pack(&bytes).expect("loads");
    let mut group = c.benchmark_group("one text");
    group.sample_size(20);
    for tokens in TOKENS {
        let text = "word ".repeat(tokens - 2);
        for (name, model) in [("full weights", &full), ("pack", &packed)] {
            group.bench_with_input(BenchmarkId::new(name, tokens), &text, |b, text| {
                b.iter(|| model.embed_batch(&[black_box(text)]));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, embedding);
criterion_main!(benches);
