//! Questions by a language model: the prompt, and what becomes of the reply.
//!
//! ```text
//! document, chunk -> question_prompt -> (somebody asks a model) -> questions_from_reply -> questions
//! ```
//!
//! Both ends are pure, so replies can be kept in a cache and read again by other rules. What a model says is data: an
//! item becomes a question only if it has the form of one, can be understood without its chunk, has words in common
//! with what was asked about, and is not one of the prompt's own examples with another subject (`copied`: small
//! models do that). What is left takes the way of the questions by rules: normal form, quality, selection. A reply
//! that leaves nothing is [`Unusable`]; the caller asks again, and in the end takes the rules.

mod copied;
mod kind;
mod prompt;
mod read;
#[cfg(test)]
mod tests;
pub(crate) mod vocabulary;

pub use prompt::{PROMPT_VERSION, question_prompt, question_schema};
pub use read::{Unusable, questions_from_reply};
