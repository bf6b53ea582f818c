//! The read side: a query in, hits out.
//!
//! [`Engine`] does no IO. It is opened with a manifest; a search that needs a file which has not been handed
//! over says so ([`SearchError::Missing`]), and is called again when the caller has loaded it:
//!
//! ```text
//! loop { match engine.search(&request, vector, clock) {
//!     Err(SearchError::Missing(files)) => for file in files { engine.load(&file.name, &bytes)? },
//!     done => break done,
//! } }
//! ```

mod response;

pub use response::{Explanation, Hit, SearchResponse, SectionHit, StageTimings};
