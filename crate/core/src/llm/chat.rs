//! What is sent: messages, and the body for a server's dialect of the protocol.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instruction.
    System,
    /// Who asks.
    User,
    /// The model; in a prompt, a worked example of its replies.
    Assistant,
}

/// One message of a chat.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message of `role`.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }
}

/// A mark to put before and behind `text` in a prompt: `text` does not hold it, so no text can pretend to have ended.
pub fn mark_beside(text: &str) -> String {
    let mut mark = "=====".to_owned();
    while text.contains(&mark) {
        mark.push('=');
    }
    mark
}

/// The form that a reply is to have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplySchema {
    /// Letters, digits and `_`.
    pub name: String,
    /// A JSON Schema of an object.
    pub schema: Value,
}

/// What to ask, whoever answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChatRequest {
    /// The server's name of the model.
    pub model: String,
    /// The chat so far, the instruction first.
    pub messages: Vec<Message>,
    /// 0 (the likeliest reply) to 2.
    pub temperature: f64,
    /// Most tokens of the reply.
    pub max_tokens: u32,
    /// The form of the reply; `None` for text.
    pub schema: Option<ReplySchema>,
}

/// How a reply is held to a form, from the strictest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyFormat {
    /// `response_format: json_schema`: the server lets no other reply come.
    JsonSchema,
    /// `response_format: json_object`: some JSON object.
    JsonObject,
    /// No `response_format`: the prompt alone says it.
    Text,
}

/// Which parts of the protocol a server understands. It begins with all of them; what a server refuses is left out
/// the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// How the reply is held to the form.
    pub format: ReplyFormat,
    /// Whether the reply comes in pieces, so that neither a proxy nor we take a slow model for a dead one.
    pub stream: bool,
    /// Whether a streamed reply is to end with its count of tokens.
    pub stream_usage: bool,
    /// Whether the limit is called `max_completion_tokens` instead of `max_tokens`.
    pub completion_limit: bool,
    /// Whether a temperature may be given.
    pub temperature: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            format: ReplyFormat::JsonSchema,
            stream: true,
            stream_usage: true,
            completion_limit: false,
            temperature: true,
        }
    }
}

impl Dialect {
    /// What to try after a reply of `status` with `body`; `None` where it was no refusal of what the dialect holds,
    /// or where nothing is left to leave out.
    ///
    /// Named parts go first. A refusal that names none takes the next weaker form of reply, then no streaming.
    pub fn after_refusal(self, status: u16, body: &str) -> Option<Self> {
        if !matches!(status, 400 | 422 | 501) || is_too_long(body) {
            return None;
        }
        if body.contains("max_completion_tokens") && !self.completion_limit {
            return Some(Self { completion_limit: true, ..self });
        }
        if body.contains("stream_options") && self.stream_usage {
            return Some(Self { stream_usage: false, ..self });
        }
        if body.contains("temperature") && self.temperature {
            return Some(Self { temperature: false, ..self });
        }
        match self.format {
            ReplyFormat::JsonSchema => Some(Self { format: ReplyFormat::JsonObject, ..self }),
            ReplyFormat::JsonObject => Some(Self { format: ReplyFormat::Text, ..self }),
            ReplyFormat::Text if self.stream_usage => Some(Self { stream_usage: false, ..self }),
            ReplyFormat::Text if self.stream => Some(Self { stream: false, ..self }),
            ReplyFormat::Text => None,
        }
    }
}

/// Whether the body of a refusal says that the prompt is longer than the model reads: asking otherwise does not help.
pub fn is_too_long(body: &str) -> bool {
    let body = body.to_ascii_lowercase();
    ["context_length", "context length", "context size", "context_size", "context window", "too long"]
        .iter()
        .any(|sign| body.contains(sign))
}

impl ChatRequest {
    /// The body to send, as JSON, in `dialect`. The same request gives the same bytes.
    pub fn body(&self, dialect: Dialect) -> Vec<u8> {
        let mut body = Map::new();
        body.insert("model".into(), json!(self.model));
        body.insert("messages".into(), json!(self.messages));
        let limit = if dialect.completion_limit { "max_completion_tokens" } else { "max_tokens" };
        body.insert(limit.into(), json!(self.max_tokens));
        if dialect.temperature {
            body.insert("temperature".into(), json!(self.temperature));
        }
        if dialect.stream {
            body.insert("stream".into(), json!(true));
        }
        if dialect.stream && dialect.stream_usage {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
        if let Some(format) = self.response_format(dialect.format) {
            body.insert("response_format".into(), format);
        }
        Value::Object(body).to_string().into_bytes()
    }

    fn response_format(&self, format: ReplyFormat) -> Option<Value> {
        let ReplySchema { name, schema } = self.schema.as_ref()?;
        match format {
            ReplyFormat::JsonSchema => Some(json!({
                "type": "json_schema",
                "json_schema": {"name": name, "strict": true, "schema": schema},
            })),
            ReplyFormat::JsonObject => Some(json!({"type": "json_object"})),
            ReplyFormat::Text => None,
        }
    }

    /// About how many tokens the messages have, those between them included.
    pub fn prompt_tokens(&self) -> u64 {
        self.messages.iter().map(|message| super::estimate_tokens(&message.content) + 4).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> ChatRequest {
        ChatRequest {
            model: "m".into(),
            messages: vec![Message::new(Role::System, "Be brief."), Message::new(Role::User, "Hi \"you\"")],
            temperature: 0.2,
            max_tokens: 64,
            schema: Some(ReplySchema { name: "list".into(), schema: json!({"type": "object"}) }),
        }
    }

    fn body(dialect: Dialect) -> Value {
        serde_json::from_slice(&request().body(dialect)).expect("JSON")
    }

    #[test]
    fn bodies() {
        let all = body(Dialect::default());
        assert_eq!(
            all,
            json!({
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Hi \"you\""},
                ],
                "max_tokens": 64,
                "temperature": 0.2,
                "stream": true,
                "stream_options": {"include_usage": true},
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "list", "strict": true, "schema": {"type": "object"}},
                },
            })
        );
        let least = Dialect {
            format: ReplyFormat::Text,
            stream: false,
            stream_usage: true,
            completion_limit: true,
            temperature: false,
        };
        let keys: Vec<_> = body(least).as_object().expect("an object").keys().cloned().collect();
        assert_eq!(keys, ["max_completion_tokens", "messages", "model"]);
        let object = body(Dialect { format: ReplyFormat::JsonObject, ..Dialect::default() });
        assert_eq!(object["response_format"], json!({"type": "json_object"}));
    }

    #[test]
    fn refusals() {
        let all = Dialect::default();
        let object = Dialect { format: ReplyFormat::JsonObject, ..all };
        for (from, status, text, expected) in [
            (all, 400, "'response_format.type' must be 'json_object'", Some(object)),
            (all, 422, "", Some(object)),
            (object, 400, "", Some(Dialect { format: ReplyFormat::Text, ..all })),
            (
                all,
                400,
                "use 'max_completion_tokens' instead",
                Some(Dialect { completion_limit: true, ..all }),
            ),
            (all, 400, "temperature does not support 0.2", Some(Dialect { temperature: false, ..all })),
            (all, 400, "Unrecognized: stream_options", Some(Dialect { stream_usage: false, ..all })),
            (all, 400, "the request exceeds the available context size", None),
            (all, 401, "", None),
            (all, 500, "response_format", None),
        ] {
            assert_eq!(from.after_refusal(status, text), expected, "{status} {text}");
        }
    }

    #[test]
    fn refusals_come_to_an_end() {
        let everything = "max_completion_tokens stream_options temperature response_format";
        for body in [everything, ""] {
            let mut dialect = Dialect::default();
            let mut steps = 0;
            while let Some(next) = dialect.after_refusal(400, body) {
                dialect = next;
                steps += 1;
            }
            assert!(steps <= 6, "{steps}");
            assert_eq!((dialect.format, dialect.stream), (ReplyFormat::Text, false));
        }
    }
}
