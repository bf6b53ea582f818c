//! Why a file gives no document.

/// A file gives no document. Each message names the file, what was found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file's name and content tell of no known type.
    #[error(
        "{path}: expected Markdown (.md), HTML (.html) or text (.txt), got {found}; rename the file or exclude it"
    )]
    Unsupported {
        /// The file.
        path: String,
        /// Its extension, or that it has none.
        found: String,
    },
    /// The file is not text, whatever its name says.
    #[error("{path}: expected text, got {found}; exclude the file, or convert it to Markdown or HTML")]
    Binary {
        /// The file.
        path: String,
        /// What its bytes look like.
        found: &'static str,
    },
    /// Nothing in the file is to be read.
    #[error("{path}: expected text, got {found}; nothing to index here, exclude the file to silence this")]
    Empty {
        /// The file.
        path: String,
        /// What there is instead of text.
        found: &'static str,
    },
    /// The file asks not to be indexed.
    #[error("{path}: left out, because {reason}")]
    Skipped {
        /// The file.
        path: String,
        /// What the file says, and how to have it indexed all the same.
        reason: String,
    },
}

impl ReadError {
    /// True where the file is left out by intention or for want of text, which is no failure of a build.
    pub fn is_information(&self) -> bool {
        matches!(self, Self::Empty { .. } | Self::Skipped { .. })
    }
}
