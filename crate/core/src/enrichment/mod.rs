//! Contextual enrichment: a sentence or two that place a chunk in its document.
//!
//! A chunk in the middle of a long document does not say what the document is about. The rules put the title and the
//! headings before its text when it is embedded ([`crate::chunk::embedding_text`]). A language model that has seen the
//! document's outline can say it in words, and in such that readers use:
//!
//! ```text
//! document, chunk -> context_prompt -> (somebody asks a model) -> context_from_reply -> Enrichment::fit
//! ```
//!
//! The sentences are embedded before the chunk's text, indexed in a field of their own ([`Field::Context`]), and stored
//! beside the text. They are never part of the text: no excerpt shows them, no phrase is found in them, no offset counts
//! them. After "Contextual Retrieval" (Anthropic, 2024).
//!
//! What a model says is data: sentences that have no word in common with the document, that speak of themselves, or that
//! are the prompt's example are dropped, and the chunk keeps what the rules do.
//!
//! [`Field::Context`]: crate::lexical::Field::Context

mod fit;
mod prompt;
mod read;
#[cfg(test)]
mod tests;

pub use fit::Enrichment;
pub use prompt::{CONTEXT_PROMPT_VERSION, context_prompt, context_schema};
pub use read::context_from_reply;
