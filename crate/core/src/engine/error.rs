use crate::{
    candidate::lexical::LexicalError,
    segment::{FileEntry, Missing, SegmentError},
};

/// Why a search gave no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Not an error: these files are needed first. See the documentation of [`crate::engine`].
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
    /// A filter or a sort key that the index does not have.
    #[error("{what} \"{name}\": the index has none of that name; expected one of: {known}")]
    UnknownName {
        /// `filter` or `sort`.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A file of the index cannot be used.
    #[error(transparent)]
    Segment(#[from] SegmentError),
}

impl From<Missing> for SearchError {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing.into_files())
    }
}

impl From<LexicalError> for SearchError {
    fn from(error: LexicalError) -> Self {
        match error {
            LexicalError::Missing(missing) => missing.into(),
            LexicalError::Segment(error) => error.into(),
        }
    }
}
