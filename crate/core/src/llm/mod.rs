//! Language models: prompts in, parsed replies out. Nothing here sends a request.
//!
//! The protocol is the chat API that OpenAI introduced and that Ollama, llama.cpp, vLLM and most proxies speak:
//! `POST {base}/chat/completions`. Whoever has a network (the command line's threads, a browser's fetch) drives
//! these parts, none of which waits, reads a clock or draws a random number:
//!
//! ```text
//! ChatRequest + Dialect -> body       what is sent
//! refusal               -> Dialect    a server that knows less is asked for less
//! bytes                 -> Completion whole (Completion::from_json) or streamed (StreamReader): ReplyReader tells which
//! failure               -> again, wait or give up (Attempts, by a RetryPolicy)
//! words                 -> words without the key, also when it comes in pieces (Redactor)
//! requests, tokens      -> whether one more may be sent (Budget)
//! Completion            -> items of a list (parse_list)
//! ```
//!
//! What comes back is data, whatever it says: text that is parsed, checked against the chunk that was asked about,
//! and otherwise dropped.

mod attempts;
mod budget;
mod chat;
mod field;
mod list;
mod reader;
mod redact;
mod reply;
mod retry;
mod stream;

pub use attempts::{Attempts, Next};
pub use budget::{Budget, Usage, estimate_tokens};
pub use chat::{ChatRequest, Dialect, Message, ReplyFormat, ReplySchema, Role, is_too_long, mark_beside};
pub use field::parse_field;
pub use list::{ListItem, parse_list};
pub use reader::ReplyReader;
pub use redact::Redactor;
pub use reply::{Completion, FinishReason, ReplyError};
pub use retry::{Decision, Failure, RetryPolicy, retry_after};
pub use stream::StreamReader;
