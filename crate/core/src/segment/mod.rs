//! The index on disk: immutable, content-hashed files and one manifest.

mod error;
mod manifest;

pub use error::SegmentError;
pub use manifest::{FileEntry, FileKind, Manifest, SegmentEntry};
