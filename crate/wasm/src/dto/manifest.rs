use querent_core::{embedding, segment};
use serde::Serialize;
use tsify::Tsify;

/// Which model made a vector. Two vectors may be compared only when this is equal. The fields are named as in
/// `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Tsify)]
pub struct ModelIdentity {
    /// Name with owner, for instance `sentence-transformers/all-MiniLM-L6-v2`.
    pub id: String,
    /// SHA-256 of the full-precision weights, hexadecimal.
    pub weights_sha256: String,
    /// SHA-256 of the tokenizer's file, hexadecimal.
    pub tokenizer_sha256: String,
    /// Length of a vector.
    pub dimensions: u32,
    /// Tokens that the model sees, special tokens included.
    pub max_tokens: u32,
}

impl From<&embedding::ModelIdentity> for ModelIdentity {
    fn from(model: &embedding::ModelIdentity) -> Self {
        let embedding::ModelIdentity { id, weights_sha256, tokenizer_sha256, dimensions, max_tokens } =
            model.clone();
        Self { id, weights_sha256, tokenizer_sha256, dimensions, max_tokens }
    }
}

/// What a file of an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
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
    /// What documents are filtered, counted and sorted by.
    Attributes,
    /// Positions of a stretch of terms.
    Positions,
    /// The head of the query encoder's table, or a stretch of its rows.
    Encoder,
    /// The vectors in fewer bits, for the query encoder.
    Codes,
}

impl From<segment::FileKind> for FileKind {
    fn from(kind: segment::FileKind) -> Self {
        match kind {
            segment::FileKind::Directory => Self::Directory,
            segment::FileKind::Terms => Self::Terms,
            segment::FileKind::Postings => Self::Postings,
            segment::FileKind::Texts => Self::Texts,
            segment::FileKind::Vectors => Self::Vectors,
            segment::FileKind::Attributes => Self::Attributes,
            segment::FileKind::Positions => Self::Positions,
            segment::FileKind::Encoder => Self::Encoder,
            segment::FileKind::Codes => Self::Codes,
        }
    }
}

/// One file of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// File name, beside the manifest.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// Length in bytes.
    pub bytes: u64,
    /// The first 16 hexadecimal digits of the SHA-256 of the bytes.
    pub sha256: String,
}

impl From<segment::FileEntry> for FileEntry {
    fn from(file: segment::FileEntry) -> Self {
        let segment::FileEntry { name, kind, bytes, sha256 } = file;
        Self { name, kind: kind.into(), bytes, sha256 }
    }
}

/// One segment: the documents that were indexed together. `manifest.json` holds a list of these.
#[derive(Debug, Clone, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SegmentEntry {
    /// Free text; the path of the document where a page keeps one segment per document.
    pub label: String,
    /// Documents in the segment, deleted ones included.
    pub documents: u32,
    /// Chunks in the segment.
    pub chunks: u32,
    /// Questions in the segment.
    pub questions: u32,
    /// Vectors in the segment.
    pub vectors: u32,
    /// Bytes of all files of the segment.
    pub bytes: u64,
    /// Languages of its documents, other than English, whose stemmers a search needs: BCP 47 subtags, ascending.
    pub languages: Vec<String>,
    /// Positions of deleted documents, ascending.
    pub tombstones: Vec<u32>,
    /// The file that names all other files of the segment.
    pub directory: FileEntry,
}

impl From<segment::SegmentEntry> for SegmentEntry {
    fn from(entry: segment::SegmentEntry) -> Self {
        Self {
            label: entry.label,
            documents: entry.documents,
            chunks: entry.chunks,
            questions: entry.questions,
            vectors: entry.vectors,
            bytes: entry.bytes,
            languages: entry.languages,
            tombstones: entry.tombstones,
            directory: entry.directory.into(),
        }
    }
}
