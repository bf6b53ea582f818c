use super::{
    GraphSettings, VectorError, exact,
    graph::Graph,
    quantise::{QuantisedVector, Rows},
    shard,
};
use std::sync::Arc;

/// A row that is near to a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// The row's number, in the order in which vectors were pushed.
    pub row: u32,
    /// The cosine of the two quantised vectors, -1 to 1 up to rounding.
    pub similarity: f32,
}

/// How an index was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorParameters {
    /// Numbers in a vector.
    pub dimensions: usize,
    /// Rows of the index.
    pub rows: usize,
    /// The graph's settings; `None` where the index is searched by the exact scan only.
    pub graph: Option<GraphSettings>,
}

/// The rows of all shards, ready to be searched.
#[derive(Debug)]
pub struct VectorIndex {
    rows: Arc<Rows>,
    graph: Option<Graph>,
}

impl VectorIndex {
    /// Opens the shards that one [`VectorWriter`](super::VectorWriter) gave, all of them in their order.
    ///
    /// # Errors
    /// When a shard is damaged or missing, or of another index or format version.
    pub fn from_shards(shards: &[&[u8]]) -> Result<Self, VectorError> {
        let (rows, graph) = shard::read_shards(shards)?;
        let graph = graph.map(|graph| Graph::read(graph, &rows)).transpose()?;
        Ok(Self { rows: Arc::new(rows), graph })
    }

    /// Numbers in a vector.
    pub fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How the index was built.
    pub fn parameters(&self) -> VectorParameters {
        let graph = self.graph.as_ref().map(|graph| graph.settings().clone());
        VectorParameters { dimensions: self.dimensions(), rows: self.len(), graph }
    }

    /// The `limit` rows most similar to `query`, best first, equal ones by row.
    ///
    /// Rows without direction are never found, and a query without direction (all zero, or not finite) finds
    /// nothing: there is no telling what is near to it.
    ///
    /// # Panics
    /// When the query has not [`Self::dimensions`] numbers.
    pub fn search(&self, query: &[f32], limit: usize) -> Vec<Neighbour> {
        self.search_filtered(query, limit, &|_| true)
    }

    /// As [`Self::search`], among the rows for which `keep` holds.
    ///
    /// # Panics
    /// When the query has not [`Self::dimensions`] numbers.
    pub fn search_filtered(&self, query: &[f32], limit: usize, keep: &dyn Fn(u32) -> bool) -> Vec<Neighbour> {
        assert_eq!(query.len(), self.dimensions(), "a query has as many numbers as the index's vectors");
        let query = QuantisedVector::new(query);
        if query.scale == 0.0 || limit == 0 {
            return Vec::new();
        }
        let walked = self.graph.as_ref().and_then(|graph| graph.search(&self.rows, &query, limit, keep));
        walked.unwrap_or_else(|| exact::scan(&self.rows, &query, limit, keep))
    }

    /// The vector of `row`, of length 1 (or 0 where it had no direction), as exact as 8 bits allow.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn vector(&self, row: u32) -> Vec<f32> {
        let scale = self.rows.scale(row);
        self.rows.row(row).iter().map(|&value| f32::from(value) * scale).collect()
    }
}
