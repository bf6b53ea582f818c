//! Objects cross the border.
//!
//! Into Rust they come as [`Json`] trees, which the core reads by name. Out of Rust they are built directly: printing
//! floating-point numbers as text would put 14 kB of tables into every module.

use serde::Serialize;
use wasm_bindgen::prelude::*;
#[cfg(any(feature = "search", feature = "ingest"))]
use {
    crate::error::{Code, Failure},
    js_sys::{Array, Object},
    querent_core::json::Json,
};

/// Objects within objects beyond this are refused: no data transfer type goes deeper, and a circle never ends.
#[cfg(any(feature = "search", feature = "ingest"))]
const MAX_DEPTH: usize = 8;

/// Reads `value` by `read`, where `what` names it in the error.
#[cfg(any(feature = "search", feature = "ingest"))]
pub(crate) fn from_js<T>(
    value: &JsValue,
    code: Code,
    what: &str,
    read: impl FnOnce(Json) -> Result<T, String>,
) -> Result<T, Failure> {
    read(to_json(value, MAX_DEPTH)).map_err(|reason| Failure::new(code, format!("{what}: {reason}")))
}

/// Parses JSON by the browser's parser, where `what` names it in the error.
#[cfg(feature = "search")]
pub(crate) fn parse(bytes: &[u8], code: Code, what: &str) -> Result<Json, Failure> {
    let invalid = |reason: &str| Failure::new(code, format!("{what}: expected JSON, got {reason}"));
    let text = std::str::from_utf8(bytes).map_err(|_| invalid("bytes that are no UTF-8"))?;
    let value = js_sys::JSON::parse(text).map_err(|_| invalid("another text; build the index again"))?;
    Ok(to_json(&value, MAX_DEPTH))
}

/// The tree of a plain object. `undefined` is null.
#[cfg(any(feature = "search", feature = "ingest"))]
fn to_json(value: &JsValue, depth: usize) -> Json {
    if value.is_null() || value.is_undefined() {
        return Json::Null;
    }
    if let Some(value) = value.as_bool() {
        return Json::Bool(value);
    }
    if let Some(number) = value.as_f64() {
        return Json::Number(number);
    }
    if let Some(text) = value.as_string() {
        return Json::Text(text);
    }
    if depth == 0 {
        return Json::Other("objects within objects without end");
    }
    if let Some(items) = value.dyn_ref::<Array>() {
        return Json::List(items.iter().map(|item| to_json(&item, depth - 1)).collect());
    }
    match value.dyn_ref::<Object>().filter(|_| !value.is_function()) {
        Some(object) => {
            Json::Object(Object::entries(object).iter().map(|pair| field(&pair, depth)).collect())
        }
        None => Json::Other("something that JSON does not have"),
    }
}

/// A name and its value, as `Object.entries` gives them.
#[cfg(any(feature = "search", feature = "ingest"))]
fn field(pair: &JsValue, depth: usize) -> (String, Json) {
    let pair = pair.unchecked_ref::<Array>();
    (pair.get(0).as_string().unwrap_or_default(), to_json(&pair.get(1), depth - 1))
}

/// Makes a JavaScript object of `value`.
pub(crate) fn to_js<T: Serialize>(value: &T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::new();
    // A number beyond 2^53 could fail; no count and no length in `dto` comes near it.
    value.serialize(&serializer).expect("a data transfer type is a plain object")
}
