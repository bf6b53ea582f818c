//! What crosses between Rust and JavaScript, as plain objects.
//!
//! The types mirror those of `querent-core` field by field; what differs is said at the field. Their names, docs
//! and shapes become TypeScript's declarations.

#[cfg(feature = "ask")]
mod ask;
#[cfg(any(feature = "search", feature = "model", feature = "ingest"))]
mod manifest;
#[cfg(feature = "search")]
mod request;
#[cfg(feature = "search")]
mod response;
#[cfg(feature = "search")]
mod utf16;

#[cfg(feature = "ingest")]
mod ingest;

#[cfg(feature = "ask")]
pub use ask::{AskAnswer, AskRequest, AskServer, AskSource, AskTurn};
#[cfg(feature = "ingest")]
pub use ingest::{AddReport, BuiltFile, BuiltSegment, IngestSettings, MarkdownUrl};
#[cfg(any(feature = "search", feature = "model", feature = "ingest"))]
pub use manifest::{FileEntry, FileKind, ModelIdentity, SegmentEntry};
#[cfg(feature = "search")]
pub use request::{
    DiversifyRequest, FusionMethod, FusionSettings, PassageScore, QueryEncoder, RerankRequest, SearchMode,
    SearchRequest,
};
#[cfg(feature = "search")]
pub use response::{
    Duplicate, Explanation, HighlightRange, Hit, Passage, SearchOutcome, SearchResponse, SectionHit, Stats,
};
