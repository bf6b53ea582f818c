//! The exact scan: every row against the query.

use super::{
    arch,
    index::Neighbour,
    quantise::{QuantisedVector, Rows, similarity},
};
use std::{cmp::Ordering, cmp::Reverse, collections::BinaryHeap};

/// Rows whose dot products are taken at once: their results stay in the first-level cache.
const BLOCK: usize = 256;

/// The `limit` rows most similar to `query` among those that `keep` keeps, in [`Ranked`] order.
///
/// Costs one dot product per row. `keep` is asked only about rows that would enter the result.
pub(super) fn scan(
    rows: &Rows,
    query: &QuantisedVector,
    limit: usize,
    keep: &dyn Fn(u32) -> bool,
) -> Vec<Neighbour> {
    let mut best = Best::new(limit);
    let mut dots = [0; BLOCK];
    let mut row = 0;
    for (values, scales) in rows.blocks(BLOCK) {
        let dots = &mut dots[..scales.len()];
        arch::dots(&query.values, values, dots);
        for (&dot, &scale) in dots.iter().zip(scales) {
            // A row without direction is similar to nothing.
            if scale > 0.0 {
                best.offer(Neighbour { row, similarity: similarity(dot, query.scale, scale) }, keep);
            }
            row += 1;
        }
    }
    best.into_sorted()
}

/// The `limit` best of `found` that `keep` keeps, in the order of [`scan`].
pub(super) fn best(
    found: impl Iterator<Item = Neighbour>,
    limit: usize,
    keep: &dyn Fn(u32) -> bool,
) -> Vec<Neighbour> {
    let mut best = Best::new(limit);
    found.for_each(|neighbour| best.offer(neighbour, keep));
    best.into_sorted()
}

/// Sorts and cuts neighbours that were found in any other way, in the order of [`scan`].
pub(super) fn best_of(found: Vec<Neighbour>, limit: usize) -> Vec<Neighbour> {
    let mut found: Vec<_> = found.into_iter().map(Ranked).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.truncate(limit);
    found.into_iter().map(|ranked| ranked.0).collect()
}

/// The best neighbours so far; the worst of them is at the top of the heap.
struct Best {
    limit: usize,
    heap: BinaryHeap<Reverse<Ranked>>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    fn offer(&mut self, neighbour: Neighbour, keep: &dyn Fn(u32) -> bool) {
        let ranked = Ranked(neighbour);
        if self.heap.len() < self.limit {
            if keep(neighbour.row) {
                self.heap.push(Reverse(ranked));
            }
        } else if self.heap.peek().is_some_and(|worst| ranked > worst.0) && keep(neighbour.row) {
            self.heap.pop();
            self.heap.push(Reverse(ranked));
        }
    }

    fn into_sorted(self) -> Vec<Neighbour> {
        // Ascending in `Reverse` is best first.
        self.heap.into_sorted_vec().into_iter().map(|ranked| ranked.0.0).collect()
    }
}

/// A neighbour that compares by similarity, then by row: greater is better, and the lower row is the better.
#[derive(Debug, Clone, Copy)]
struct Ranked(Neighbour);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.similarity.total_cmp(&other.0.similarity).then(other.0.row.cmp(&self.0.row))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
