//! What comes back, whole.

use super::Usage;
use serde_json::Value;

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub finish: FinishReason,
    /// What it used, where the server tells.
    pub usage: Option<Usage>,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// It had said everything.
    Stop,
    /// The limit of tokens was reached: the reply is cut.
    Length,
    /// Anything else, or nothing was said about it.
    Other,
}

/// Bytes that are no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// The stream ended before the reply did.
    #[error("the reply was cut off; expected a finish_reason or [DONE]; ask again")]
    Cut,
    /// More than anybody asked for.
    #[error("the reply has more than {limit} bytes; ask for fewer tokens or another model")]
    TooLong {
        /// Most bytes that are read.
        limit: usize,
    },
    /// The server sent an error in place of a reply.
    #[error("the server says: {message}")]
    Server {
        /// Its words, cut to a line.
        message: String,
    },
    /// Something else.
    #[error("expected a chat completion, found {got}; check that the address is that of a chat API")]
    NotAReply {
        /// How it begins.
        got: String,
    },
}

/// Most characters that an error quotes.
const QUOTED: usize = 160;

/// The beginning of `text` on one line.
pub(super) fn quoted(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(QUOTED).collect()
}

/// The server's words where `value` is an error.
pub(super) fn server_error(value: &Value) -> Option<ReplyError> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let message = error.get("message").unwrap_or(error);
    let message = message.as_str().map_or_else(|| message.to_string(), str::to_owned);
    Some(ReplyError::Server { message: quoted(&message) })
}

/// The words of a `content`: a string, or parts that have a `text`.
pub(super) fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

pub(super) fn finish(value: &Value) -> Option<FinishReason> {
    match value.as_str()? {
        "stop" => Some(FinishReason::Stop),
        "length" => Some(FinishReason::Length),
        _ => Some(FinishReason::Other),
    }
}

pub(super) fn usage(value: &Value) -> Option<Usage> {
    let usage = value.get("usage")?;
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let (prompt_tokens, completion_tokens) = (count("prompt_tokens")?, count("completion_tokens")?);
    Some(Usage { prompt_tokens, completion_tokens })
}

impl Completion {
    /// Reads the body of a reply that was not streamed, or one that was although nobody asked for it.
    ///
    /// # Errors
    /// When the bytes are no chat completion, or are an error of the server.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ReplyError> {
        let not_a_reply = || ReplyError::NotAReply { got: quoted(&String::from_utf8_lossy(bytes)) };
        let value: Value = serde_json::from_slice(bytes).map_err(|_| not_a_reply())?;
        if let Some(error) = server_error(&value) {
            return Err(error);
        }
        let choice = value.get("choices").and_then(|choices| choices.get(0)).ok_or_else(not_a_reply)?;
        let message = choice.get("message").filter(|message| message.is_object()).ok_or_else(not_a_reply)?;
        Ok(Self {
            text: content(&message["content"]),
            finish: finish(&choice["finish_reason"]).unwrap_or(FinishReason::Other),
            usage: usage(&value),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn replies() {
        let check = |value: Value, expected: Result<(&str, FinishReason), &str>| {
            let read = Completion::from_json(value.to_string().as_bytes());
            match (read, expected) {
                (Ok(read), Ok(expected)) => assert_eq!((read.text.as_str(), read.finish), expected),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
                (read, expected) => panic!("expected {expected:?}, got {read:?}"),
            }
        };
        let choice = |content: Value, finish: Value| json!({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": finish}]});
        check(choice(json!("Hi"), json!("stop")), Ok(("Hi", FinishReason::Stop)));
        check(choice(json!("H"), json!("length")), Ok(("H", FinishReason::Length)));
        check(choice(json!(null), json!(null)), Ok(("", FinishReason::Other)));
        check(
            choice(json!([{"type": "text", "text": "a"}, {"type": "x"}, {"text": "b"}]), json!("eos")),
            Ok(("ab", FinishReason::Other)),
        );
        check(json!({"error": {"message": "no\nsuch model"}}), Err("no such model"));
        check(json!({"error": "overloaded"}), Err("overloaded"));
        check(json!({"choices": []}), Err("expected a chat completion, found {\"choices\":[]}"));
        check(json!([1]), Err("check that the address"));
        assert!(Completion::from_json(b"<html>\xff").is_err());
    }

    #[test]
    fn tokens_are_counted_by_the_server() {
        let value = json!({"choices": [{"message": {"content": ""}}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
        let read = Completion::from_json(value.to_string().as_bytes()).expect("a reply");
        assert_eq!(read.usage.map(Usage::total), Some(9));
    }
}
