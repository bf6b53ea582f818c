//! MiniLM embeddings: the same code native and in the browser.
//!
//! The stage takes bytes (weights, tokenizer, configuration, or all three in one [`pack`]) and gives an
//! [`Embedder`](querent_core::embedding::Embedder): texts in, vectors of length 1 out. It opens no file and
//! sends no request.
//!
//! ```text
//! text -> token ids (tokenizer) -> token vectors (bert) -> mean over the tokens -> length 1
//! ```
//!
//! What it promises:
//! - token ids and vectors are those of the reference implementation (`tests/golden/`): cosine at least 0.9999
//!   with the full-precision weights, at least 0.995 with the pack;
//! - a batch gives what single calls give. Texts of a batch are laid end to end, never padded, so that no
//!   text can see another or a padding token;
//! - bytes from outside give a [`ModelError`] that names the remedy, never a panic.
//!
//! Only the architecture of all-MiniLM-L6-v2 is understood: BERT with absolute positions and the error-function
//! GELU, WordPiece with BERT's normaliser, mean pooling.
#![forbid(unsafe_code)]

mod batch;
mod bert;
mod config;
mod error;
mod hash;
mod mini_lm;
pub mod pack;
mod tokenizer;
mod weights;

pub use error::ModelError;
pub use mini_lm::MiniLm;
