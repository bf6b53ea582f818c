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
    /// A graph is built above this number of different rows: default 100,000; 0 always builds one, `usize::MAX`
    /// never. A graph costs some 60 bytes a row, minutes to build, a few times as long to open, and a few of the
    /// nearest rows, so the default is where it is worth that rather than where it first wins. Measured with 384
    /// numbers a row on one thread of x86-64 with AVX2, ten rows a search:
    ///
    /// | rows | exact scan | graph | recall@10 |
    /// |---|---|---|---|
    /// | 20,000 in clusters | 0.25 ms | 0.34 ms | 1.000 |
    /// | 50,000 in clusters | 0.69 ms | 0.57 ms | 1.000 |
    /// | 100,000 in clusters | 1.56 ms | 0.83 ms | 1.000 |
    /// | 20,000 nearly without clusters | 0.35 ms | 1.11 ms | 0.996 |
    /// | 50,000 nearly without clusters | 0.74 ms | 1.29 ms | 0.991 |
    ///
    /// WebAssembly with simd128 scans 50,000 rows in 1.2 ms in Node.
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
    /// 64. More give a better graph and take longer to build.
    pub ef_construction: usize,
    /// Candidates that are kept while a query is answered (`ef`): 1 to 4,096, default 200. More find more of the
    /// nearest rows and take longer. A search for more than half as many rows is answered by the exact scan.
    pub ef_search: usize,
    /// Links of a point that are stored, half as many above layer zero: 2 to 64, default 32. More find more of
    /// the nearest rows and cost bytes, about 10 bits each.
    pub links: usize,
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
        Self { dimensions, shard_rows, graph_above: 100_000, graph: GraphSettings::default() }
    }

    /// The longest vector: the sum of so many products of two 8-bit numbers still fits into 32 bits.
    pub const MAX_DIMENSIONS: usize = 65_536;
}

impl GraphSettings {
    /// The first setting that is out of its range, with the range, as a sentence.
    pub(super) fn defect(&self) -> Option<String> {
        let ranges = [
            ("ef_construction", self.ef_construction, 1..=4_096),
            ("ef_search", self.ef_search, 1..=4_096),
            ("links", self.links, 2..=64),
        ];
        let wrong = ranges.into_iter().find(|(_, value, range)| !range.contains(value))?;
        let (name, value, range) = wrong;
        Some(format!("{name} is {value}, it can be {} to {}", range.start(), range.end()))
    }
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { ef_construction: 64, ef_search: 200, links: 32, seed: 1 }
    }
}
