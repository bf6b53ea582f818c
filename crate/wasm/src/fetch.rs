//! `fetchWithProgress`: a download that a reader can watch.

use crate::error::{Code, Failure};
use gloo_net::http::{Request, Response};
use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::ReadableStreamDefaultReader;

/// Fetches `url` and calls `onProgress(received, total)` for every piece that arrives, in bytes. `total` is
/// `undefined` where the server does not say, or where it compresses the file on the way: the length in the header
/// is then not the file's.
///
/// Throws `network` when the server cannot be reached or answers with an error.
#[wasm_bindgen(js_name = fetchWithProgress, unchecked_return_type = "Uint8Array")]
pub async fn fetch_with_progress(
    url: String,
    #[wasm_bindgen(
        js_name = onProgress,
        unchecked_optional_param_type = "(received: number, total: number | undefined) => void"
    )]
    on_progress: Option<Function>,
) -> Result<JsValue, Failure> {
    let failed = |reason: String| Failure::new(Code::Network, format!("{url}: {reason}; try again"));
    let response = Request::get(&url).send().await.map_err(|error| failed(error.to_string()))?;
    if !response.ok() {
        return Err(failed(format!("expected status 200, got {}", response.status())));
    }
    let total = total(&response);
    let mut received = 0;
    let pieces = pieces(&response, |piece| {
        received += piece.length();
        if let Some(on_progress) = &on_progress {
            // A callback that throws has its own problem; the download goes on.
            let _ = on_progress.call2(&JsValue::UNDEFINED, &received.into(), &total.into());
        }
    });
    let pieces = pieces.await.map_err(|error| failed(text(&error)))?;
    Ok(join(&pieces, received).into())
}

/// The length of the file, where the response states it.
fn total(response: &Response) -> Option<f64> {
    let headers = response.headers();
    if headers.get("content-encoding").is_some_and(|encoding| encoding != "identity") {
        return None;
    }
    headers.get("content-length")?.parse().ok()
}

/// The body as it arrives.
async fn pieces(
    response: &Response,
    mut arrived: impl FnMut(&Uint8Array),
) -> Result<Vec<Uint8Array>, JsValue> {
    let mut pieces = Vec::new();
    // Only responses without a body, such as to a HEAD request, have no stream.
    let Some(body) = response.body() else { return Ok(pieces) };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    loop {
        let read = JsFuture::from(reader.read()).await?;
        if Reflect::get(&read, &"done".into())?.is_truthy() {
            return Ok(pieces);
        }
        let piece: Uint8Array = Reflect::get(&read, &"value".into())?.dyn_into()?;
        arrived(&piece);
        pieces.push(piece);
    }
}

fn join(pieces: &[Uint8Array], length: u32) -> Uint8Array {
    let joined = Uint8Array::new_with_length(length);
    let mut at = 0;
    for piece in pieces {
        joined.set(piece, at);
        at += piece.length();
    }
    joined
}

fn text(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| error.message().into())
}
