//! The order in which points are inserted.
//!
//! The first points of the order are the upper layers of the graph, so it must be a shuffle. instant-distance
//! shuffles too, by a generator that differs between 32-bit and 64-bit targets: `arrange` prepares the
//! points so that its shuffle ends in our order, and native and wasm build the same graph.

use crate::random::split_mix;
use instant_distance::{Builder, PointId};

/// The numbers below `count` in an order that `seed` decides: a Fisher-Yates shuffle by SplitMix64.
pub(super) fn shuffled(count: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut state = seed;
    for last in (1..count).rev() {
        // The remainder prefers small numbers by less than one in 2^32: no matter here.
        let chosen = split_mix(&mut state) % (last as u64 + 1);
        order.swap(last, chosen as usize);
    }
    order
}

/// `points` arranged so that a builder that puts the points in these `places` inserts them in the order given.
pub(super) fn arrange<P: Clone>(points: &[P], places: &[PointId]) -> Vec<P> {
    places.iter().map(|place| points[place.into_inner() as usize].clone()).collect()
}

/// Where the library's shuffle puts each of `count` points. It depends on count and seed only, so that a graph
/// of points that have no distance, which costs next to nothing, shows it.
pub(super) fn places(count: usize, seed: u64) -> Vec<PointId> {
    #[derive(Clone)]
    struct Nowhere;
    impl instant_distance::Point for Nowhere {
        fn distance(&self, _: &Self) -> f32 {
            0.0
        }
    }
    let builder = Builder::default().seed(seed).ef_construction(1).select_heuristic(None);
    builder.build_hnsw(vec![Nowhere; count]).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order is part of the format: a graph is read with the order that it was written with.
    #[test]
    fn shuffle_is_fixed() {
        assert_eq!(shuffled(10, 1), SHUFFLED_BY_1);
        assert_eq!(shuffled(0, 1), [0; 0]);
        let mut sorted = shuffled(1_000, 7);
        assert_ne!(sorted, shuffled(1_000, 8));
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1_000).collect::<Vec<_>>());
    }

    const SHUFFLED_BY_1: [u32; 10] = [4, 2, 8, 1, 9, 3, 0, 6, 7, 5];
}
