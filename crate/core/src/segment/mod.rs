//! The index on disk: immutable, content-hashed files and one manifest.
//!
//! A segment is the documents that were indexed together. Its [`Directory`] is needed by every search; it names
//! all other files of the segment: stretches of the term dictionary, of the postings, of the texts and of the
//! vectors. Every file is an envelope ([`seal`]) around bytes whose writer and reader stand in one file of this
//! crate. A file's name and entry carry its hash, the manifest carries the directory's: what was opened is
//! what was written, or an error. docs/format.md is the specification.

mod attributes;
mod bytes;
mod directory;
mod envelope;
mod error;
mod ids;
mod inverted;
mod lists;
mod manifest;
mod missing;
mod open;
mod source;
mod texts;
mod writer;

pub use attributes::{Attributes, LANGUAGE, PATH};
pub use bytes::{ByteReader, DecodeError, write_varint};
pub use directory::Directory;
pub use envelope::{seal, unseal};
pub use error::SegmentError;
pub use ids::{ChunkId, ChunkRef, DocumentId, DocumentRef, TermId};
pub use manifest::{FileEntry, FileKind, Manifest, SegmentEntry};
pub use missing::Missing;
pub use open::Segment;
pub use source::ChunkSource;
pub use texts::{ChunkText, DocumentText, StoredQuestion, TextShard};
pub use writer::{PreparedDocument, ShardSizes, write_segment};
