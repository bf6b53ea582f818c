//! Querent in the browser: bindings, and nothing else.
//!
//! This crate translates between JavaScript and the crates that do the work. One file per exported class, one
//! data transfer type per object that crosses, one error type. TypeScript's declarations are generated from the
//! types in [`dto`]; there is no second definition by hand.
//!
//! Seven modules come from seven features, because most readers need only the first:
//!
//! | features | module | classes and functions |
//! |---|---|---|
//! | `search` | `search` | `SearchEngine` |
//! | `search-languages` | `search-languages`: the same with stemmers of all languages | `SearchEngine` |
//! | `store` | `store` | `FileStore` |
//! | `model` | `model` | `EmbeddingModel`, `RerankModel`, `fetchWithProgress` |
//! | `ingest` | `ingest` | `Ingest`, `writeManifest` |
//! | `ingest-documents` | `ingest-documents`: the same with the readers of PDF and DOCX | `Ingest`, `writeManifest` |
//! | `ask` | `ask` | `answer`, `queryAfter` |
//!
//! The modules do not share memory: what passes between them is bytes and vectors.
//!
//! Everything that fails throws an `Error` with a `code` (see [`error`]). A panic is a defect; it leaves the
//! module unusable, and whoever runs the module must make a new one.

#![forbid(unsafe_code)]

#[cfg(any(feature = "search", feature = "model", feature = "ingest", feature = "ask"))]
pub mod dto;
#[cfg(any(feature = "search", feature = "model", feature = "ingest", feature = "ask"))]
pub mod error;
#[cfg(any(feature = "search", feature = "model", feature = "ingest", feature = "ask"))]
mod json;
mod panic;

#[cfg(feature = "ask")]
mod ask;
#[cfg(feature = "model")]
mod embedding_model;
#[cfg(feature = "model")]
mod fetch;
#[cfg(feature = "ingest")]
mod ingest;
#[cfg(feature = "model")]
mod rerank_model;
#[cfg(feature = "search")]
mod search_engine;
#[cfg(feature = "store")]
mod store;

#[cfg(feature = "ask")]
pub use ask::{answer, query_after_turns};
#[cfg(feature = "model")]
pub use embedding_model::EmbeddingModel;
#[cfg(feature = "model")]
pub use fetch::fetch_with_progress;
#[cfg(feature = "ingest")]
pub use ingest::{Ingest, write_manifest};
#[cfg(feature = "model")]
pub use rerank_model::RerankModel;
#[cfg(feature = "search")]
pub use search_engine::SearchEngine;
#[cfg(feature = "store")]
pub use store::FileStore;

#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
