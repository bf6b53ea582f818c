//! MiniLM embeddings and reranking: the same code native and in the browser.
//!
//! The stage takes bytes (weights, tokenizer, configuration, or all three in one [`pack`]) and gives an
//! [`Embedder`](querent_core::embedding::Embedder): texts in, vectors of length 1 out. It opens no file and
//! sends no request.
//!
//! ```text
//! text -> token ids (tokenizer) -> token vectors (bert) -> mean over the tokens -> length 1
//! ```
//!
//! A [`CrossEncoder`] is the same encoder with another end: a query and a passage in one row, one number out.
//!
//! ```text
//! query, passage -> token ids -> token vectors -> pooler and classifier on the first one -> score
//! ```
//!
//! What it promises:
//! - token ids and vectors are those of the reference implementation (`tests/golden/`): cosine at least 0.9999
//!   with the full-precision weights, at least 0.995 with the pack; scores of pairs differ by
//!   at most 0.001 and 0.15, on a scale from -11 to 11, from those of the formulas in f64;
//! - a batch gives what single calls give. Texts of a batch are laid end to end, never padded, so that no
//!   text can see another or a padding token;
//! - bytes from outside give a [`ModelError`] that names the remedy, never a panic.
//!
//! Only the architecture of all-MiniLM-L6-v2 and of its relatives with one label is understood: BERT with absolute positions and the error-function
//! GELU, WordPiece with BERT's normaliser, mean pooling.
#![forbid(unsafe_code)]

mod batch;
mod bert;
mod config;
mod cross_encoder;
mod error;
mod hash;
mod identity;
mod mini_lm;
pub mod pack;
mod tokenizer;
mod weights;

pub use cross_encoder::CrossEncoder;
pub use error::ModelError;
pub use mini_lm::MiniLm;
