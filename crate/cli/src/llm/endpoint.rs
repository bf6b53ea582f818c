//! One request to a server with OpenAI's chat API, and its reply.

use super::{EndpointSettings, secret::Secret};
use crate::output;
use querent_core::llm::{Completion, Failure, Redactor, ReplyError, ReplyReader, retry_after};
use std::{
    io::Read,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Most bytes of an error.
const MOST_ERROR: u64 = 8 << 10;

/// The client of one server.
pub(crate) struct Endpoint {
    url: String,
    key: Option<Secret>,
    agent: ureq::Agent,
}

/// A request that gave no reply.
#[derive(Debug)]
pub(crate) struct Failed {
    /// What it means for asking again.
    pub(crate) failure: Failure,
    /// The status, where there was one.
    pub(crate) status: Option<u16>,
    /// What the server said, or what went wrong; without the key.
    pub(crate) reason: String,
    /// Whether more came than anybody asked for.
    pub(crate) is_huge: bool,
}

impl Endpoint {
    /// A client that waits for a whole reply no longer than the settings say. It follows no redirection: documents go
    /// to the address that was configured and to no other.
    pub(crate) fn new(settings: &EndpointSettings) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(settings.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Self { url: settings.url.clone(), key: settings.key.clone(), agent: config.into() }
    }

    /// Sends `body` and reads the reply, streamed or not. Its words also go to `heard` as they come, without the key,
    /// also where that comes in pieces.
    ///
    /// # Errors
    /// When no reply came, or one with another status than 200, or one that is none.
    pub(crate) fn send(&self, body: &[u8], heard: &mut dyn FnMut(&str)) -> Result<Completion, Failed> {
        let mut request = self.agent.post(&self.url).header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", key.authorization());
        }
        let mut reply = request.send(body).map_err(|error| self.broken(&error))?;
        let status = reply.status().as_u16();
        if status != 200 {
            let asked = reply.headers().get("Retry-After").and_then(|value| value.to_str().ok());
            let retry_after = asked.and_then(|value| retry_after(value, now()));
            let mut said = Vec::new();
            // What came before it broke off is as good a reason as the whole.
            let _ = reply.body_mut().as_reader().take(MOST_ERROR).read_to_end(&mut said);
            let failure = Failure::Status { code: status, retry_after };
            let reason = self.hide(String::from_utf8_lossy(&said).trim());
            return Err(Failed { failure, status: Some(status), reason, is_huge: false });
        }
        self.read(reply.body_mut().as_reader(), heard)
    }

    /// Reads what was streamed, and what was not although we asked for it.
    fn read(&self, mut body: impl Read, heard: &mut dyn FnMut(&str)) -> Result<Completion, Failed> {
        let mut reader = ReplyReader::new(self.redactor());
        let mut piece = vec![0; 16 << 10];
        while !reader.is_done() {
            let length = body.read(&mut piece).map_err(|error| self.broken(&error.into()))?;
            if length == 0 {
                break;
            }
            heard(&reader.push(&piece[..length]).map_err(|error| self.no_reply(&error))?);
        }
        let (completion, rest) = reader.finish().map_err(|error| self.no_reply(&error))?;
        heard(&rest);
        Ok(completion)
    }

    fn no_reply(&self, error: &ReplyError) -> Failed {
        Failed {
            failure: Failure::Reply,
            status: None,
            reason: self.hide(&error.to_string()),
            is_huge: matches!(error, ReplyError::TooLong { .. }),
        }
    }

    fn broken(&self, error: &ureq::Error) -> Failed {
        let failure = if is_timeout(error) { Failure::Timeout } else { Failure::Connection };
        Failed { failure, status: None, reason: self.hide(&error.to_string()), is_huge: false }
    }

    fn hide(&self, text: &str) -> String {
        self.redactor().cut(text)
    }

    fn redactor(&self) -> Redactor {
        self.key.as_ref().map(Secret::redactor).unwrap_or_default()
    }
}

impl Failed {
    /// What happened, for people, and whether the server wants nothing of us whatever we ask.
    pub(crate) fn explain(&self) -> (String, bool) {
        let words: Vec<_> = self.reason.split_whitespace().collect();
        let said: String = output::plain(&words.join(" ")).chars().take(200).collect();
        match (self.status, self.failure) {
            (Some(status @ (401 | 403)), _) => (
                format!(
                    "it refuses the key (status {status}: {said}); expected one in the variable that --llm-key-env \
                     names"
                ),
                true,
            ),
            (Some(status @ (300..=399 | 404 | 405 | 410)), _) => (
                format!(
                    "status {status}: {said}; check --llm-url, which ends before /chat/completions, and --llm-model"
                ),
                true,
            ),
            (Some(status), _) => (format!("status {status}: {said}"), false),
            (None, Failure::Timeout) => ("no whole reply in time; see --llm-timeout".into(), false),
            (None, _) => (said, false),
        }
    }
}

/// Whether time ran out; while a body is read, that is wrapped into an error of reading.
fn is_timeout(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Timeout(_) => true,
        ureq::Error::Io(error) => {
            error.kind() == std::io::ErrorKind::TimedOut
                || error.get_ref().and_then(|inner| inner.downcast_ref()).is_some_and(is_timeout)
        }
        _ => false,
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}
