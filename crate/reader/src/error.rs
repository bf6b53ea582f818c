//! Why a file gives no document.

/// A file gives no document. Each message names the file, what was found, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file's name and content tell of no known type.
    #[error(
        "{path}: expected a document (.md, .html, .txt, .pdf, .docx), code or data, got {found}; rename the file or \
         exclude it"
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
    /// The file cannot be read from this place on.
    #[error("{path}:{line}:{column}: {problem}; repair the file or exclude it")]
    Damaged {
        /// The file.
        path: String,
        /// Line of the damage, from 1.
        line: usize,
        /// Column of the damage in characters, from 1.
        column: usize,
        /// What was expected, and what was found.
        problem: String,
    },
    /// The file cannot be read as what it is.
    #[error("{path}: expected {expected}, got {found}; {remedy}")]
    Unreadable {
        /// The file.
        path: String,
        /// What kind of file was expected.
        expected: &'static str,
        /// What there is instead.
        found: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The file is larger than what is read of its kind, so that no file takes all memory.
    #[error("{path}: expected at most {limit} MB, got {megabytes}; split the file or exclude it")]
    TooLarge {
        /// The file.
        path: String,
        /// Most megabytes that are read.
        limit: usize,
        /// Megabytes of the file, rounded up.
        megabytes: usize,
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
