//! Search for documentation that knows which questions the documentation answers.
//!
//! `querent-core` holds every stage of Querent that is not input or output:
//!
//! ```text
//! document -> section -> chunk -> question -> embedding -> segment      (write side, [`indexer::Indexer`])
//! query -> candidates -> fusion -> assembly -> result                    (read side,  [`engine::Engine`])
//! ```
//!
//! Each stage is a folder of that name. The crate takes bytes and gives bytes: it opens no file, sends no
//! request, reads no clock, starts no thread and draws no random number, so the command line, the browser and
//! the tests run the same code.
#![deny(unsafe_code)]

pub mod answer;
pub mod assembly;
pub mod candidate;
pub mod chunk;
pub mod diversify;
pub mod document;
pub mod embedding;
pub mod engine;
pub mod enrichment;
pub mod evaluation;
pub mod fusion;
pub mod indexer;
pub mod json;
pub mod lexical;
pub mod llm;
mod order;
pub mod query;
pub mod query_encoder;
pub mod question;
mod random;
pub mod rerank;
pub mod segment;
pub mod vector;
