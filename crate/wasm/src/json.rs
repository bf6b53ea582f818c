//! Objects cross as JSON.
//!
//! The core reads its manifest as JSON already, so this costs the `search` module nothing, where a serializer
//! that walks JavaScript objects would be one more kind of code in it. It also rejects fields that a type does
//! not have, by name.

use serde::Serialize;
use wasm_bindgen::prelude::*;
#[cfg(any(feature = "search", feature = "ingest"))]
use {
    crate::error::{Code, Failure},
    serde::de::DeserializeOwned,
};

/// Reads `value`, where `what` names it in the error. `undefined` is read as `null`.
#[cfg(any(feature = "search", feature = "ingest"))]
pub(crate) fn from_js<T: DeserializeOwned>(value: &JsValue, code: Code, what: &str) -> Result<T, Failure> {
    let invalid = |reason: String| Failure::new(code, format!("{what}: {reason}"));
    let text = match js_sys::JSON::stringify(value) {
        Ok(text) => text.as_string().unwrap_or_else(|| "null".to_owned()),
        Err(_) => return Err(invalid("expected a plain object, got one that JSON cannot express".to_owned())),
    };
    serde_json::from_str(&text).map_err(|error| invalid(without_position(error.to_string())))
}

/// Makes a JavaScript object of `value`.
pub(crate) fn to_js<T: Serialize>(value: &T) -> JsValue {
    // The types in `dto` have string keys only, and serde_json writes what JSON.parse reads.
    let text = serde_json::to_string(value).expect("a data transfer type is JSON");
    js_sys::JSON::parse(&text).expect("serde_json writes JSON")
}

/// A position in a text that the caller never saw would mislead.
#[cfg(any(feature = "search", feature = "ingest"))]
fn without_position(mut message: String) -> String {
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    message
}
