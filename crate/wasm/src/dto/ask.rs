//! What asking a language model takes, and what it gives.

use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// Something that an answer may be made from: what a search names a passage.
#[derive(Debug, Clone, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskSource {
    /// The document's title and the headings down to the chunk.
    pub heading_path: Vec<String>,
    /// The passage as the search gave it.
    pub passage: String,
}

/// One question of a conversation, and what was answered.
#[derive(Debug, Clone, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AskTurn {
    /// As it was asked.
    pub question: String,
    /// As it was shown.
    pub answer: String,
}

/// A server with OpenAI's chat API, and how it is asked.
#[derive(Debug, Clone, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskServer {
    /// Its address up to `/chat/completions`, absolute.
    pub url: String,
    /// The server's name of the model.
    pub model: String,
    /// 0 (the likeliest answer) to 2, default 0.3.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Most tokens of the answer: 1 and up, default 400. Models that think aloud need thousands.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// Milliseconds to wait for a whole answer: 1 and up, default 60,000. A model that is slower is not asked again.
    #[serde(default)]
    pub timeout: Option<u32>,
}

/// One question with everything that its answer is made from.
#[derive(Debug, Clone, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AskRequest {
    /// The question as it was asked.
    pub question: String,
    /// Sources, numbered from 1 in this order.
    pub sources: Vec<AskSource>,
    /// Earlier turns, the latest last.
    #[serde(default)]
    pub history: Vec<AskTurn>,
    /// Who is asked.
    pub server: AskServer,
    /// The prompt, with `{{sources}}` and `{{question}}` in it, once each. Default: the one that the program has.
    #[serde(default)]
    pub template: Option<String>,
}

/// A model's answer, its citations checked.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AskAnswer {
    /// The answer with citations such as `[1]`.
    pub answer: String,
    /// Numbers of the sources that it cites, in order.
    pub citations: Vec<usize>,
    /// Numbers that the model cited although no source has them. They are not in the answer.
    pub invented: Vec<usize>,
    /// Whether the answer is that the documents do not say.
    pub says_nothing: bool,
    /// Whether the limit of tokens ended it.
    pub is_cut: bool,
}
