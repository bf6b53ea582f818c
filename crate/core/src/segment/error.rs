/// A manifest or a file of an index cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// The manifest is not one.
    #[error("the manifest cannot be read: {reason}; build the index again")]
    Manifest {
        /// What is wrong with it.
        reason: String,
    },
    /// The format is another one.
    #[error(
        "the index has format version {got}, this Querent reads version {expected}; build the index and its JavaScript with the same release"
    )]
    Version {
        /// The version that this code reads.
        expected: u32,
        /// The version that the index states.
        got: u32,
    },
    /// A file is shorter or longer than the manifest says.
    #[error("{name}: expected {expected} bytes, got {got}; fetch the file again")]
    Length {
        /// The file.
        name: String,
        /// Bytes according to the manifest.
        expected: u64,
        /// Bytes handed over.
        got: u64,
    },
    /// A file's bytes are not the ones that were written.
    #[error(
        "{name}: the checksum is {got}, expected {expected}; fetch the file again, and build the index again if that does not help"
    )]
    Checksum {
        /// The file.
        name: String,
        /// Start of the SHA-256 according to the manifest.
        expected: String,
        /// Start of the SHA-256 of the bytes handed over.
        got: String,
    },
    /// A file is what was written, but it does not hold what its kind promises.
    #[error("{name}: {reason}; build the index again")]
    Corrupt {
        /// The file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No mounted manifest names the file.
    #[error("no mounted index has a file named {name}; mount its manifest first")]
    Unknown {
        /// The file.
        name: String,
    },
    /// Vectors of two models cannot be compared.
    #[error(
        "the index was built with the model {got}, here {expected} is in use; build the index again with that model"
    )]
    Model {
        /// Name and hash of the model in use.
        expected: String,
        /// Name and hash of the model that the index names.
        got: String,
    },
}

impl SegmentError {
    pub(crate) fn corrupt(name: &str, reason: impl ToString) -> Self {
        Self::Corrupt { name: name.to_owned(), reason: reason.to_string() }
    }
}
