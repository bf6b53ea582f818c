use super::{Asker, Point, distinct::Distinct, order};
use crate::vector::{GraphSettings, quantise::Rows};
use instant_distance::{Builder, Heuristic, Hnsw};
use serde::Deserialize;
use std::sync::Arc;

/// `M` of the paper, a constant of the library: links of a point above layer zero; twice as many in it.
pub(super) const M: usize = 32;

/// `mL` of the paper, `1 / ln(M)`, as a number because targets may round a logarithm differently.
const ML: f32 = 0.288_539;

/// What the library writes where a point has no further link.
pub(super) const NO_LINK: u32 = u32::MAX;

/// The links of a graph. Points are numbered in the order of insertion.
pub(super) struct Links {
    /// Of each point in layer zero.
    pub(super) zero: Vec<Vec<u32>>,
    /// Of the first points, in the layers above, from the lowest.
    pub(super) layers: Vec<Vec<Vec<u32>>>,
}

/// Builds the graph over the representatives of `distinct`.
pub(super) fn links(rows: &Arc<Rows>, distinct: &Distinct, settings: &GraphSettings) -> Links {
    let order = order::shuffled(distinct.representatives.len(), settings.seed);
    let points: Vec<_> = order
        .iter()
        .map(|&index| Point {
            row: distinct.representatives[index as usize],
            asker: Asker::Row(Arc::clone(rows)),
        })
        .collect();
    let builder = Builder::default()
        .ef_construction(settings.ef_construction)
        .ml(ML)
        .seed(settings.seed)
        .select_heuristic(Some(Heuristic::default()));
    let hnsw = on_one_thread(|| {
        let places = order::places(points.len(), settings.seed);
        let (hnsw, taken) = builder.build_hnsw(order::arrange(&points, &places));
        assert!(taken == places, "the library's shuffle depends on count and seed only");
        hnsw
    });
    Links::of(&hnsw, settings.links)
}

/// Runs `build` where rayon, which the library inserts points with, has one thread: with more, the graph would
/// depend on which of them was faster.
#[cfg(not(target_arch = "wasm32"))]
fn on_one_thread<T: Send>(build: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("the system can start one thread").install(build)
}

/// There are no threads: rayon works on the only one there is.
#[cfg(target_arch = "wasm32")]
fn on_one_thread<T>(build: impl FnOnce() -> T) -> T {
    build()
}

impl Links {
    /// The first `keep` links of each point, half as many above layer zero. The heuristic of the library puts the
    /// links that lead in different directions first.
    fn of(hnsw: &Hnsw<Point>, keep: usize) -> Self {
        // The library shows its links to nobody but serde.
        let bytes = postcard::to_allocvec(hnsw).expect("a vector takes all bytes");
        let stored: StoredGraph = postcard::from_bytes(&bytes).expect("the structure is that of the library");
        let zero = stored.zero.iter().map(|node| first_links(node.as_flattened(), keep)).collect();
        let upper = |layer: &Vec<[u32; M]>| layer.iter().map(|node| first_links(node, keep / 2)).collect();
        Self { zero, layers: stored.layers.iter().map(upper).collect() }
    }
}

fn first_links(node: &[u32], keep: usize) -> Vec<u32> {
    node.iter().copied().take_while(|&link| link != NO_LINK).take(keep).collect()
}

/// The structure of the library's graph. serde knows arrays of up to 32, so the 64 links of layer zero are twice
/// 32 here: postcard writes both alike.
#[derive(Deserialize)]
#[allow(dead_code, reason = "the fields before the links have to be read, too")]
struct StoredGraph {
    ef_search: usize,
    points: Vec<Point>,
    zero: Vec<[[u32; M]; 2]>,
    layers: Vec<Vec<[u32; M]>>,
}
