use js_sys::Uint8Array;

/// Kind of a file that a reader stored: never thrown away to make room.
pub(crate) const DOCUMENT: &str = "document";
/// Kind of a record: kept like a document.
pub(crate) const RECORD: &str = "record";

/// What is known of a file without reading it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The file's key: its SHA-256, or a record's name behind a prefix.
    pub(crate) key: String,
    /// What the file is to its owner.
    pub(crate) kind: String,
    /// Length in bytes.
    pub(crate) bytes: f64,
    /// When it was last read or written, in milliseconds since 1970. Exact to [`super::keeper::TOUCH_AFTER_MS`].
    pub(crate) used: f64,
}

impl Entry {
    /// Whether the file can be fetched again, and so may make room.
    pub(crate) fn is_cached(&self) -> bool {
        self.kind != DOCUMENT && self.kind != RECORD
    }
}

/// Why a backing did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no room for the file.
    Full,
    /// The backing is gone or broken; the text is what the browser said.
    Lost(String),
}

/// A place to keep files.
///
/// Bytes stay in JavaScript's memory throughout: a model of 23 MB never passes through the module's own.
pub(crate) trait Backing: Sized {
    /// The file and what is known of it.
    async fn get(&self, key: &str) -> Result<Option<(Entry, Uint8Array)>, Refusal>;
    /// Keeps `bytes`, in place of what was kept under the key before.
    async fn put(&self, entry: &Entry, bytes: &Uint8Array) -> Result<(), Refusal>;
    /// Changes what is known of a file that is there.
    async fn touch(&self, entry: &Entry) -> Result<(), Refusal>;
    /// Forgets a file; nothing happens where there is none.
    async fn delete(&self, key: &str) -> Result<(), Refusal>;
    /// Everything that is kept, in the order of the keys.
    async fn entries(&self) -> Result<Vec<Entry>, Refusal>;
    /// Forgets everything.
    async fn clear(&self) -> Result<(), Refusal>;
    /// The same place after it was lost, if it can be had again.
    async fn reopen(&self) -> Option<Self>;
}
