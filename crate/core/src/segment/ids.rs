use serde::{Deserialize, Serialize};

/// Position of a document in its segment, in the order in which documents were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocumentId(pub u32);

/// Position of a chunk in its segment: documents in order, each one's chunks in document order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChunkId(pub u32);

/// Position of a term in its segment's sorted dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TermId(pub u32);

/// A document of an engine: segment and position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentRef {
    /// Position of the segment among the mounted ones.
    pub segment: usize,
    /// The document in it.
    pub document: DocumentId,
}

/// A chunk of an engine: segment and position. Good as long as nothing is mounted or removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkRef {
    /// Position of the segment among the mounted ones.
    pub segment: usize,
    /// The chunk in it.
    pub chunk: ChunkId,
}
