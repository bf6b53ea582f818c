//! The pack: one file with everything that a browser needs to embed, a quarter of the weights' size.
//!
//! ```text
//! offset  bytes  field
//!      0      8  magic `QRNTPACK`
//!      8      4  format version, u32
//!     12     32  SHA-256 of everything from offset 44 on
//!     44      4  length of the header in bytes, u32
//!     48      h  header, JSON: identity, config, tokenizer, length of the vocabulary, tensors
//!   48+h      v  vocabulary: pieces in the order of their ids, each ended by a line feed, UTF-8
//!              …  tensors in the order of the header, nothing between them
//! ```
//!
//! Numbers are little-endian. A tensor of the header has its name, its shape and its kind: `int8` is one signed
//! byte per number, row after row, then one f32 per `group` numbers of a row, and stands for `byte * factor of the
//! group`; `f32` is the numbers themselves. Matrices are int8, vectors f32. The position table is cut to the tokens that the model
//! sees, and tensors that the forward pass does not touch are left out. Names are sorted and the JSON's fields
//! have a fixed order, so the same files give the same bytes.
//!
//! The identity is that of the full-precision weights: vectors of both are close enough to be compared.

mod reader;
mod writer;

pub(crate) use reader::read;
pub use writer::{pack, seal};

use crate::config::BertConfig;
use crate::tokenizer::TokenizerSpec;
use querent_core::embedding::ModelIdentity;
use serde::{Deserialize, Serialize};

const MAGIC: [u8; 8] = *b"QRNTPACK";
/// Grows with every change that an older reader would misread.
const VERSION: u32 = 1;
const CHECKSUM_AT: usize = 12;
const CHECKED_FROM: usize = 44;

#[derive(Serialize, Deserialize)]
struct Header {
    identity: ModelIdentity,
    config: BertConfig,
    tokenizer: TokenizerSpec,
    vocabulary_bytes: usize,
    tensors: Vec<TensorEntry>,
}

#[derive(Serialize, Deserialize)]
struct TensorEntry {
    name: String,
    shape: Vec<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    F32,
    /// `group` numbers of a row share a factor.
    Int8 {
        group: usize,
    },
}
