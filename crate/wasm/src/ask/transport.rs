//! One request over the browser's fetch, and its reply.
//!
//! It follows no redirection: a question goes to the address that was configured and to no other.

use crate::error::{Code, Failure};
use gloo_net::http::{Request, Response};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use querent_core::llm::{Completion, Failure as Kind, Redactor, ReplyError, ReplyReader, retry_after};
use std::{cell::Cell, rc::Rc};
use wasm_bindgen::{closure::Closure, prelude::*};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, ReadableStreamDefaultReader, RequestRedirect};

/// Most characters of an error that are shown.
const MOST_ERROR: usize = 200;

/// Who is asked, and how long.
pub(super) struct Transport {
    pub(super) url: String,
    pub(super) headers: Option<Function>,
    pub(super) timeout_ms: u32,
    pub(super) signal: Option<AbortSignal>,
}

/// A request that gave no reply.
pub(super) enum Failed {
    /// Because of the server or of what is between.
    Theirs {
        /// What it means for asking again.
        failure: Kind,
        /// What the server said, or what went wrong; without the key.
        reason: String,
    },
    /// Because of the page: nothing is asked again.
    Ours(Failure),
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Self {
        Self::Ours(failure)
    }
}

impl Transport {
    /// Sends `body` and reads the reply, streamed or not. Its words also go to `heard` as they come.
    pub(super) async fn send(&self, body: &[u8], heard: &mut dyn FnMut(&str)) -> Result<Completion, Failed> {
        self.check_signal()?;
        let headers = self.fresh_headers().await?;
        let redactor = redactor(&headers);
        let limit = Limit::new(self.timeout_ms, self.signal.as_ref())?;
        let sent = self.exchange(body, &headers, &redactor, &limit.controller.signal(), heard).await;
        let Err(Failed::Theirs { failure: Kind::Connection, reason }) = sent else { return sent };
        self.check_signal()?;
        let failure = if limit.has_ended.get() { Kind::Timeout } else { Kind::Connection };
        Err(Failed::Theirs { failure, reason: redactor.cut(&reason) })
    }

    async fn exchange(
        &self,
        body: &[u8],
        headers: &[(String, String)],
        redactor: &Redactor,
        signal: &AbortSignal,
        heard: &mut dyn FnMut(&str),
    ) -> Result<Completion, Failed> {
        let mut request = Request::post(&self.url)
            .header("content-type", "application/json")
            .redirect(RequestRedirect::Error)
            .abort_signal(Some(signal));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request =
            request.body(Uint8Array::from(body)).map_err(|error| wrong_headers(&error.to_string()))?;
        let response = request.send().await.map_err(|error| broken(error.to_string()))?;
        if response.status() != 200 {
            return Err(refused(&response, redactor).await);
        }
        let mut reader = ReplyReader::new(redactor.clone());
        read(&response, &mut reader, heard).await?;
        let (completion, rest) = reader.finish().map_err(|error| no_reply(&error))?;
        heard(&rest);
        Ok(completion)
    }

    /// What the page's callback gives for this request.
    async fn fresh_headers(&self) -> Result<Vec<(String, String)>, Failure> {
        let Some(callback) = &self.headers else { return Ok(Vec::new()) };
        let given = match callback.call0(&JsValue::UNDEFINED) {
            Ok(given) => JsFuture::from(Promise::resolve(&given)).await,
            Err(thrown) => Err(thrown),
        };
        let given = given.map_err(|thrown| wrong_headers(&text(&thrown)))?;
        let Some(object) = given.dyn_ref::<Object>() else {
            return Err(wrong_headers("expected an object with the headers' names and values"));
        };
        let entries = Object::entries(object);
        let pairs = entries.iter().map(|pair| {
            let pair = Array::from(&pair);
            let value = pair.get(1).as_string().ok_or_else(|| wrong_headers("expected texts as values"))?;
            Ok((pair.get(0).as_string().unwrap_or_default(), value))
        });
        pairs.collect()
    }

    /// Throws `aborted` when nobody waits any more.
    pub(super) fn check_signal(&self) -> Result<(), Failure> {
        match &self.signal {
            Some(signal) if signal.aborted() => Err(Failure::new(Code::Aborted, "the question was given up")),
            _ => Ok(()),
        }
    }
}

/// What ends a request: time, or the page.
struct Limit {
    controller: AbortController,
    has_ended: Rc<Cell<bool>>,
    _timer: Timeout,
    page: Option<(AbortSignal, Closure<dyn FnMut()>)>,
}

impl Limit {
    fn new(timeout_ms: u32, signal: Option<&AbortSignal>) -> Result<Self, Failure> {
        let controller = AbortController::new().map_err(|error| Failure::new(Code::Network, text(&error)))?;
        let has_ended = Rc::new(Cell::new(false));
        let (timed, flag) = (controller.clone(), Rc::clone(&has_ended));
        let timer = Timeout::new(timeout_ms, move || {
            flag.set(true);
            timed.abort();
        });
        let page = signal.map(|signal| {
            let controller = controller.clone();
            let abort = Closure::<dyn FnMut()>::new(move || controller.abort());
            // A signal that cannot be listened to is looked at between requests.
            let _ = signal.add_event_listener_with_callback("abort", abort.as_ref().unchecked_ref());
            (signal.clone(), abort)
        });
        Ok(Self { controller, has_ended, _timer: timer, page })
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        if let Some((signal, abort)) = &self.page {
            let _ = signal.remove_event_listener_with_callback("abort", abort.as_ref().unchecked_ref());
        }
    }
}

async fn read(
    response: &Response,
    into: &mut ReplyReader,
    heard: &mut dyn FnMut(&str),
) -> Result<(), Failed> {
    let Some(body) = response.body() else { return Ok(()) };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    while !into.is_done() {
        let read = JsFuture::from(reader.read()).await.map_err(|error| broken(text(&error)))?;
        let field = |name: &str| Reflect::get(&read, &name.into()).unwrap_or_default();
        if field("done").is_truthy() {
            return Ok(());
        }
        let piece: Uint8Array = field("value").unchecked_into();
        match into.push(&piece.to_vec()) {
            Ok(words) => heard(&words),
            Err(error) => {
                let _ = reader.cancel();
                return Err(no_reply(&error));
            }
        }
    }
    let _ = reader.cancel();
    Ok(())
}

async fn refused(response: &Response, redactor: &Redactor) -> Failed {
    let asked = response.headers().get("retry-after");
    let now = (js_sys::Date::now() / 1000.0) as u64;
    let failure = Kind::Status {
        code: response.status(),
        retry_after: asked.and_then(|value| retry_after(&value, now)),
    };
    let said = response.text().await.unwrap_or_default();
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    Failed::Theirs { failure, reason: redactor.cut(&said).chars().take(4 * MOST_ERROR).collect() }
}

fn no_reply(error: &ReplyError) -> Failed {
    Failed::Theirs { failure: Kind::Reply, reason: error.to_string() }
}

fn broken(reason: String) -> Failed {
    Failed::Theirs { failure: Kind::Connection, reason }
}

fn wrong_headers(reason: &str) -> Failure {
    Failure::new(Code::Request, format!("headers: {reason}"))
}

/// What a failure of the server means for whoever asked.
pub(super) fn explain(failure: Kind, url: &str, reason: &str) -> Failure {
    let said: String = reason.chars().take(MOST_ERROR).collect();
    let (code, message) = match failure {
        Kind::Status { code: status @ (429 | 502..=504 | 520..=529), .. } => (
            Code::Busy,
            format!("{url}: the language model has no time now (status {status}: {said}); ask again later"),
        ),
        Kind::Status { code: status, .. } => (
            Code::Endpoint,
            format!("{url}: status {status}: {said}; check the address, the model's name and the headers"),
        ),
        Kind::Timeout => {
            (Code::Timeout, format!("{url}: no whole answer in time; ask again, or allow more time"))
        }
        Kind::Connection => (
            Code::Network,
            format!(
                "{url} cannot be reached ({said}); check the connection, connect-src of the page's policy, and that the \
                 server allows this origin"
            ),
        ),
        Kind::Reply | Kind::Unusable => (Code::Endpoint, format!("{url}: {said}")),
    };
    Failure::new(code, message)
}

/// What cuts the key out: the last word of `Authorization`, else the longest one that a header ends with. Servers name the
/// header as they like.
fn redactor(headers: &[(String, String)]) -> Redactor {
    let last = |(_, value): &'_ (String, String)| value.split_whitespace().last().map(str::to_owned);
    let authorization = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let key =
        authorization.and_then(last).or_else(|| headers.iter().filter_map(last).max_by_key(String::len));
    key.map(|key| Redactor::new(&key)).unwrap_or_default()
}

fn text(error: &JsValue) -> String {
    let message = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    message.or_else(|| error.as_string()).unwrap_or_else(|| format!("{error:?}"))
}
