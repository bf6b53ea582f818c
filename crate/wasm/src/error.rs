//! The one error: a JavaScript `Error` with a stable `code` for programs and a message for people.

use querent_core::{engine::SearchError, indexer::IndexError, segment::SegmentError};
use serde::Serialize;
use std::fmt::Display;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

/// What went wrong. The words are part of the interface and stay the same between releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The manifest is not one. Build the index again.
    Manifest,
    /// The index is of another format version than this code.
    Version,
    /// A file of the index is too short or too long. Fetch it again, past every cache.
    Length,
    /// A file of the index is damaged. Fetch it again, past every cache.
    Checksum,
    /// A file of the index is intact but makes no sense. Build the index again.
    Corrupt,
    /// No mounted manifest names the file.
    UnknownFile,
    /// The indexes, or the index and the model, do not belong together.
    ModelMismatch,
    /// A vector has another length than the index's.
    Dimensions,
    /// Semantic search was asked for without vectors.
    NoVectors,
    /// An argument has the wrong form. The message names the field.
    Request,
    /// A document cannot be read.
    Read,
    /// A document or its vectors do not fit into the index.
    Index,
    /// The embedding model's file cannot be used, or embedding failed.
    Model,
    /// The browser's storage failed in a way that memory could not stand in for.
    Storage,
    /// A request over the network failed.
    Network,
    /// Nobody waits for the answer any more.
    Aborted,
    /// The language model's server gave no whole answer in time.
    Timeout,
    /// The language model's server refuses, or is none.
    Endpoint,
    /// The language model's server has no time now. Ask again later.
    Busy,
    /// An answer broke off of which some was shown.
    Cut,
    /// The language model said nothing.
    NoAnswer,
}

pub(crate) use ErrorCode as Code;

impl ErrorCode {
    /// The word that JavaScript sees.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Version => "version",
            Self::Length => "length",
            Self::Checksum => "checksum",
            Self::Corrupt => "corrupt",
            Self::UnknownFile => "unknown-file",
            Self::ModelMismatch => "model-mismatch",
            Self::Dimensions => "dimensions",
            Self::NoVectors => "no-vectors",
            Self::Request => "request",
            Self::Read => "read",
            Self::Index => "index",
            Self::Model => "model",
            Self::Storage => "storage",
            Self::Network => "network",
            Self::Aborted => "aborted",
            Self::Timeout => "timeout",
            Self::Endpoint => "endpoint",
            Self::Busy => "busy",
            Self::Cut => "cut",
            Self::NoAnswer => "no-answer",
        }
    }
}

#[wasm_bindgen(typescript_custom_section)]
const QUERENT_ERROR: &str = "
/** What every function of this module throws. */
export interface QuerentError extends Error { code: ErrorCode }
";

/// An error on its way to JavaScript.
#[derive(Debug)]
pub struct Failure {
    code: ErrorCode,
    message: String,
}

impl Failure {
    pub(crate) fn new(code: ErrorCode, message: impl Display) -> Self {
        Self { code, message: message.to_string() }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = js_sys::Error::new(&failure.message);
        error.set_name("QuerentError");
        // Setting a property of an object that was just made cannot fail.
        let _ = js_sys::Reflect::set(&error, &"code".into(), &failure.code.as_str().into());
        error.into()
    }
}

impl From<SegmentError> for Failure {
    fn from(error: SegmentError) -> Self {
        let code = match error {
            SegmentError::Manifest { .. } => Code::Manifest,
            SegmentError::Version { .. } => Code::Version,
            SegmentError::Length { .. } => Code::Length,
            SegmentError::Checksum { .. } => Code::Checksum,
            SegmentError::Unknown { .. } => Code::UnknownFile,
            SegmentError::Model { .. } => Code::ModelMismatch,
            _ => Code::Corrupt,
        };
        Self::new(code, error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        let code = match error {
            SearchError::Segment(error) => return error.into(),
            SearchError::Dimensions { .. } => Code::Dimensions,
            SearchError::NoVectors(_) => Code::NoVectors,
            _ => Code::Request,
        };
        Self::new(code, error)
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        Self::new(Code::Index, error)
    }
}
