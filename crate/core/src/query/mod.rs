//! Queries: what was asked, and how it is to be searched.

mod request;

pub use request::{FusionMethod, FusionSettings, SearchMode, SearchRequest};
