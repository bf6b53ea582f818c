//! Files that a search needs and that are not there.

use super::manifest::FileEntry;

/// Files that are needed before a stage can answer. Stages collect all of theirs, so that they can be fetched
/// together.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Missing(Vec<FileEntry>);

impl Missing {
    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes a file, once.
    pub fn push(&mut self, file: FileEntry) {
        if !self.0.contains(&file) {
            self.0.push(file);
        }
    }

    /// `value` when nothing is missing.
    ///
    /// # Errors
    /// What is missing.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// The files.
    pub fn into_files(self) -> Vec<FileEntry> {
        self.0
    }
}
