use serde::{Deserialize, Serialize};

/// Bytes of rows in a shard by default: large enough that a request's overhead does not count, small enough that
/// a shard that did not change is not fetched again for one that did.
const SHARD_BYTES: usize = 512 * 1024;

/// How vectors are stored. See the fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorSettings {
    /// Numbers in a vector: 1 to 65,536. Decided by the model, no default.
    pub dimensions: usize,
    /// Rows in a shard: at least 1, default such that a shard has about 512 kB. Small shards are reused more
    /// often when a part of the vectors changes; large ones take fewer requests.
    pub shard_rows: usize,
    /// A graph is built above this number of different rows: default 50,000; 0 always builds one, `usize::MAX`
    /// never. A graph answers faster and costs bytes, time to build, and a few of the nearest rows.
    pub graph_above: usize,
    /// How the graph is built and searched.
    pub graph: GraphSettings,
}

/// How the graph is built and searched. See the fields.
///
/// The names are those of the paper: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor
/// search using Hierarchical Navigable Small World graphs", arXiv:1603.09320.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphSettings {
    /// Candidates that are kept while a point looks for its neighbours (`efConstruction`): 1 to 4,096, default
    /// 100. More give a better graph and take longer to build.
    pub ef_construction: usize,
    /// Candidates that are kept while a query is answered (`ef`): 1 to 4,096, default 100. More find more of the
    /// nearest rows and take longer. A search for more rows than this is answered by the exact scan.
    pub ef_search: usize,
    /// Decides the order in which points are inserted, and with it their layers: any number, default 1. Nothing
    /// but bytes depends on it.
    pub seed: u64,
}

impl VectorSettings {
    /// The defaults for vectors of `dimensions` numbers.
    ///
    /// # Panics
    /// When `dimensions` is 0 or above [`VectorSettings::MAX_DIMENSIONS`].
    pub fn new(dimensions: usize) -> Self {
        assert!(
            (1..=Self::MAX_DIMENSIONS).contains(&dimensions),
            "a vector has 1 to {} numbers, not {dimensions}",
            Self::MAX_DIMENSIONS
        );
        let shard_rows = (SHARD_BYTES / dimensions).max(1);
        Self { dimensions, shard_rows, graph_above: 50_000, graph: GraphSettings::default() }
    }

    /// The longest vector: the sum of so many products of two 8-bit numbers still fits into 32 bits.
    pub const MAX_DIMENSIONS: usize = 65_536;
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { ef_construction: 100, ef_search: 100, seed: 1 }
    }
}
