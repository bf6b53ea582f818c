use crate::embedding::ModelIdentity;
use serde::{Deserialize, Serialize};

/// `manifest.json`: the only file of an index that changes in place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Version of the format, [`Manifest::VERSION`].
    pub format_version: u32,
    /// Changes when anything in the index changes: a hash of everything below.
    pub build_id: String,
    /// The model of the vectors; absent from an index without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelIdentity>,
    /// What is searched, in the order in which it was added.
    pub segments: Vec<SegmentEntry>,
}

/// One segment: the documents that were indexed together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentEntry {
    /// Free text; the path of the document where a page keeps one segment per document.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Documents in the segment, deleted ones included.
    pub documents: u32,
    /// Chunks in the segment.
    pub chunks: u32,
    /// Questions in the segment.
    pub questions: u32,
    /// Vectors in the segment.
    pub vectors: u32,
    /// Positions of deleted documents, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<u32>,
    /// All files of the segment.
    pub files: Vec<FileEntry>,
}

/// One file of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// File name: kind and the first 16 digits of the hash.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of the bytes, hexadecimal.
    pub sha256: String,
}

/// What a file of an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// Documents, chunks, field lengths and the table of the other files: needed by every search.
    Directory,
    /// A stretch of the term dictionary.
    Terms,
    /// Postings of a stretch of terms.
    Postings,
    /// Texts of a stretch of chunks with their documents' titles and URLs.
    Texts,
    /// A stretch of vectors.
    Vectors,
}

impl Manifest {
    /// The version of the format that this code writes and reads.
    pub const VERSION: u32 = 1;

    /// A manifest of `segments`.
    pub fn new(model: Option<ModelIdentity>, segments: Vec<SegmentEntry>) -> Self {
        let _ = (&model, &segments);
        todo!()
    }

    /// The manifest as JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// When `bytes` is no manifest of this format version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, super::SegmentError> {
        let _ = bytes;
        todo!()
    }
}
