//! The exact scan beside what it replaces, in one run: `cargo bench -p querent-core --bench vectors`.
//!
//! Read the ratios: the dot product of this processor against the scalar specification, and a search over 8-bit
//! rows against a plain loop over 32-bit ones that keeps the best ten.

use criterion::{Criterion, criterion_group, criterion_main};
use querent_core::vector::{VectorIndex, VectorSettings, VectorWriter, arch};
use std::hint::black_box;

const DIMENSIONS: usize = 384;
const ROWS: usize = 20_000;
const LIMIT: usize = 10;

/// Numbers from -1 to 1 that look random and are the same in every run (a linear congruential generator).
fn numbers(count: usize) -> Vec<f32> {
    let step = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some((*state >> 8) as f32 / f32::from(2_u16).powi(23) - 1.0)
    };
    std::iter::repeat_n((), count).scan(7_u32, |state, ()| step(state)).collect()
}

fn dot_products(c: &mut Criterion) {
    let row: Vec<i8> = numbers(DIMENSIONS).iter().map(|number| (number * 127.0) as i8).collect();
    let mut group = c.benchmark_group("dot product of 384 8-bit numbers");
    group.bench_function("this processor", |b| b.iter(|| arch::dot(black_box(&row), black_box(&row))));
    group.bench_function("scalar", |b| b.iter(|| arch::scalar::dot(black_box(&row), black_box(&row))));
    group.finish();
}

fn searches(c: &mut Criterion) {
    let values = numbers(DIMENSIONS * ROWS);
    let rows: Vec<&[f32]> = values.chunks_exact(DIMENSIONS).collect();
    let mut writer = VectorWriter::new(VectorSettings::new(DIMENSIONS));
    rows.iter().for_each(|row| writer.push(row));
    let shards = writer.finish();
    let shards: Vec<&[u8]> = shards.iter().map(Vec::as_slice).collect();
    let index = VectorIndex::from_shards(&shards).expect("what was written opens");
    let query = numbers(DIMENSIONS);
    let mut group = c.benchmark_group("ten nearest of 20,000 rows of 384");
    group.bench_function("querent, 8 bit", |b| b.iter(|| index.search(black_box(&query), LIMIT)));
    group.bench_function("plain loop, 32 bit", |b| b.iter(|| plain_search(&rows, black_box(&query))));
    group.finish();
}

fn plain_search(rows: &[&[f32]], query: &[f32]) -> Vec<(f32, usize)> {
    let dot = |row: &[f32]| row.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let mut scores: Vec<_> = rows.iter().enumerate().map(|(position, row)| (dot(row), position)).collect();
    scores.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    scores.truncate(LIMIT);
    scores
}

criterion_group!(benches, dot_products, searches);
criterion_main!(benches);
