//! The read side: a query in, hits out.
//!
//! [`Engine`] does no IO. It is opened with a manifest; a search that needs a file which has not been handed
//! over says so ([`SearchError::Missing`]), and is called again when the caller has loaded it:
//!
//! ```text
//! loop { match engine.search(&request, vector, clock) {
//!     Err(SearchError::Missing(files)) => for file in files { engine.load(&file.name, &bytes)? },
//!     done => break done,
//! } }
//! ```

mod response;

pub use response::{Explanation, Hit, SearchResponse, SectionHit, StageTimings};

use crate::{
    embedding::ModelIdentity,
    query::SearchRequest,
    segment::{FileEntry, SegmentError},
};
use serde::{Deserialize, Serialize};

/// Milliseconds from any fixed point, for timings: `Instant` natively, `performance.now()` in a browser.
pub trait Clock {
    /// The time now.
    fn now_ms(&self) -> f64;
}

/// An index that can be searched.
#[derive(Debug, Default)]
pub struct Engine {}

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Documents that can be found.
    pub documents: usize,
    /// Chunks of those documents.
    pub chunks: usize,
    /// Questions of those chunks.
    pub questions: usize,
    /// Vectors of chunks and questions.
    pub vectors: usize,
    /// Bytes of all files of the index.
    pub bytes: u64,
}

/// Why a search gave no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Not an error: these files are needed first. See the module's documentation.
    #[error("{} file(s) of the index are needed first; load them and search again", .0.len())]
    Missing(Vec<FileEntry>),
    /// The query vector is not of the index's model.
    #[error(
        "the index holds vectors of {expected} numbers, the query vector has {got}; embed the query with the model of the index"
    )]
    Dimensions {
        /// Numbers in a vector of the index.
        expected: usize,
        /// Numbers in the query's vector.
        got: usize,
    },
    /// Semantic search was asked for, and no vector was given or the index has none.
    #[error("semantic search needs {0}")]
    NoVectors(&'static str),
    /// A file of the index cannot be used.
    #[error(transparent)]
    Segment(#[from] SegmentError),
}

impl Engine {
    /// An engine without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the index that `manifest` describes under the name `source`, or replaces the one mounted under that
    /// name. Files that both have stay loaded. Results of all mounted indexes are ranked together.
    ///
    /// # Errors
    /// When the manifest is damaged, of another format version, or of another model than the one mounted first.
    pub fn mount(&mut self, source: &str, manifest: &[u8]) -> Result<(), SegmentError> {
        let _ = (source, manifest);
        todo!()
    }

    /// Hands over the bytes of the file `name`.
    ///
    /// # Errors
    /// When no mounted manifest names the file, or when the bytes are not what the manifest promises: fetch
    /// the file again.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), SegmentError> {
        let _ = (name, bytes);
        todo!()
    }

    /// Files that every search needs, to be loaded ahead of the first one.
    pub fn essential_files(&self) -> Vec<FileEntry> {
        todo!()
    }

    /// Searches. `vector` is the query's embedding by the index's model, where there is one.
    ///
    /// # Errors
    /// [`SearchError::Missing`] until every file that this search needs was handed over; the others when the
    /// request does not fit the index.
    pub fn search(
        &self,
        request: &SearchRequest,
        vector: Option<&[f32]>,
        clock: &dyn Clock,
    ) -> Result<SearchResponse, SearchError> {
        let _ = (request, vector, clock);
        todo!()
    }

    /// The model whose vectors the index holds; `None` when it holds none.
    pub fn model(&self) -> Option<&ModelIdentity> {
        todo!()
    }

    /// What the mounted indexes hold.
    pub fn stats(&self) -> Stats {
        todo!()
    }
}
