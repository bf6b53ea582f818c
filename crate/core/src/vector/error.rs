/// Shards of vectors cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// There is not one shard.
    #[error("expected at least one shard of vectors, got none; load the index's vector files first")]
    Empty,
    /// A shard does not start as one.
    #[error("expected a shard of vectors, got a file of another kind; build the index again")]
    Magic,
    /// The format is another one.
    #[error(
        "the shard has format version {got}, this Querent reads version {expected}; build the index and its JavaScript with the same release"
    )]
    Version {
        /// The version that this code reads.
        expected: u16,
        /// The version that the shard states.
        got: u16,
    },
    /// A shard ends early, or goes on after its end.
    #[error("expected a shard of {expected} bytes, got {got}; fetch the file again")]
    Truncated {
        /// Bytes that the shard's header promises.
        expected: u64,
        /// Bytes handed over.
        got: u64,
    },
    /// A shard holds what no writer writes.
    #[error(
        "the shard is damaged: {reason}; fetch the file again, build the index again if that does not help"
    )]
    Corrupt {
        /// What is wrong with it.
        reason: String,
    },
    /// A shard does not continue the one before it, or is of another index.
    #[error(
        "the shards do not belong together: expected {expected}, got {got}; hand over all shards of one index in order"
    )]
    Order {
        /// What the shards before make necessary.
        expected: String,
        /// What the shard says.
        got: String,
    },
}

impl VectorError {
    /// [`VectorError::Corrupt`] for `reason`.
    pub(super) fn corrupt(reason: impl Into<String>) -> Self {
        Self::Corrupt { reason: reason.into() }
    }
}
