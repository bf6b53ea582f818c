//! Objects cross the border.
//!
//! Into Rust they come as JSON: the core reads its manifest as JSON already, and serde_json names the fields that a
//! type does not have. Out of Rust they are built directly: printing floating-point numbers as text would put 14 kB
//! of tables into every module.

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
        Err(_) => {
            return Err(invalid("expected a plain object, got one that JSON cannot express".to_owned()));
        }
    };
    serde_json::from_str(&text).map_err(|error| invalid(without_position(error.to_string())))
}

/// Makes a JavaScript object of `value`.
pub(crate) fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::new();
    // A number beyond 2^53 could fail; no count and no length in `dto` comes near it.
    value.serialize(&serializer).expect("a data transfer type is a plain object")
}

/// A position in a text that the caller never saw would mislead.
#[cfg(any(feature = "search", feature = "ingest"))]
fn without_position(mut message: String) -> String {
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    message
}
