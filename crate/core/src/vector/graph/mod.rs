//! The instant-distance graph over the different rows of an index.
//!
//! A Hierarchical Navigable Small World graph (Malkov and Yashunin, arXiv:1603.09320) links each point to points
//! near it; a search walks along the links and sees a few thousand rows instead of all. What this folder adds to
//! the library:
//! - `distinct`: equal rows become one point, because a point whose nearest neighbours are all copies of it is a
//!   dead end, and questions are often equal;
//! - `order`: the order of insertion is ours, and the same on every target;
//! - `build`: one thread, so that the same rows and settings give the same graph;
//! - `codec` and `bits`: links as coded gaps, about 60 bytes a point instead of 308.

mod bits;
mod build;
mod codec;
mod distinct;
mod order;

use super::{
    GraphSettings, VectorError, exact,
    index::Neighbour,
    quantise::{QuantisedVector, Rows},
};
use distinct::Distinct;
use instant_distance::{Hnsw, Search};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A graph that can be searched.
pub(super) struct Graph {
    settings: GraphSettings,
    distinct: Distinct,
    hnsw: Hnsw<Point>,
}

impl Graph {
    /// Builds the graph over `rows` and writes its shard; `None` where there are not more than `graph_above`
    /// different rows.
    pub(super) fn write(rows: Rows, graph_above: usize, settings: &GraphSettings) -> Option<Vec<u8>> {
        let distinct = Distinct::new(&rows);
        if distinct.representatives.len() <= graph_above {
            return None;
        }
        let rows = Arc::new(rows);
        let links = build::links(&rows, &distinct, settings);
        Some(codec::write(&rows, &distinct, &links, settings))
    }

    /// Reads the shard of the graph over `rows`.
    pub(super) fn read(shard: &[u8], rows: &Rows) -> Result<Self, VectorError> {
        codec::read(shard, rows)
    }

    pub(super) fn settings(&self) -> &GraphSettings {
        &self.settings
    }

    /// The best `limit` of the rows that the graph finds and `keep` keeps; `None` where the graph cannot tell,
    /// because too many are asked for or too few are kept.
    pub(super) fn search(
        &self,
        rows: &Arc<Rows>,
        query: &QuantisedVector,
        limit: usize,
        keep: &dyn Fn(u32) -> bool,
    ) -> Option<Vec<Neighbour>> {
        // The far half of what a walk has kept is less complete than the near half.
        if limit.saturating_mul(2) > self.settings.ef_search {
            return None;
        }
        let query = Query { rows: Arc::clone(rows), vector: query.clone() };
        let query = Point { row: 0, asker: Asker::Query(Arc::new(query)) };
        let mut found = Vec::new();
        for item in self.hnsw.search(&query, &mut Search::default()) {
            let similarity = -item.distance;
            let equal = self.distinct.rows_equal_to(item.point.row);
            found.extend(equal.filter(|&row| keep(row)).map(|row| Neighbour { row, similarity }));
        }
        (found.len() >= limit).then(|| exact::best_of(found, limit))
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("settings", &self.settings)
            .field("points", &self.distinct.representatives.len())
            .finish_non_exhaustive()
    }
}

/// A point of the graph: the number of its row.
///
/// The library measures distances from the point that looks for neighbours to others, so only the one that asks
/// needs to know where the rows are.
#[derive(Clone, Serialize, Deserialize)]
struct Point {
    row: u32,
    #[serde(skip)]
    asker: Asker,
}

/// How a point that asks finds the numbers of rows.
#[derive(Clone, Default)]
enum Asker {
    /// A point of a graph that was read: it is found, it never asks.
    #[default]
    Nobody,
    /// A point while the graph is built.
    Row(Arc<Rows>),
    /// A query.
    Query(Arc<Query>),
}

struct Query {
    rows: Arc<Rows>,
    vector: QuantisedVector,
}

impl instant_distance::Point for Point {
    /// The similarity with its sign changed: the library only compares, and this loses no digit.
    fn distance(&self, other: &Self) -> f32 {
        match &self.asker {
            Asker::Row(rows) => -rows.similarity_of_rows(self.row, other.row),
            Asker::Query(query) => -query.rows.similarity(&query.vector, other.row),
            Asker::Nobody => unreachable!("a search measures distances from the query only"),
        }
    }
}
