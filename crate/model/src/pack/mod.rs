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
//! A pack is an embedder's, or a reranker's (`kind` in the header), which has a head besides and all positions of its
//! table. Neither is read as the other.
//!
//! The identity is that of the full-precision weights: vectors of both are close enough to be compared.

mod reader;
mod writer;

pub(crate) use reader::read;
pub use writer::{pack, pack_reranker, seal};

use crate::config::BertConfig;
use crate::tokenizer::TokenizerSpec;
use querent_core::embedding::ModelIdentity;
use serde::{Deserialize, Serialize};

const MAGIC: [u8; 8] = *b"QRNTPACK";
/// Grows with every change that an older reader would misread.
const VERSION: u32 = 1;
const CHECKSUM_AT: usize = 12;
const CHECKED_FROM: usize = 44;

/// What a pack's model does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PackKind {
    /// Texts to vectors.
    #[default]
    Embedder,
    /// Pairs of texts to scores.
    Reranker,
}

impl PackKind {
    /// Left out of the header: packs of embedders had no field for it.
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    fn is_embedder(&self) -> bool {
        *self == Self::Embedder
    }

    /// For messages.
    fn name(self) -> &'static str {
        match self {
            Self::Embedder => "an embedder",
            Self::Reranker => "a reranker",
        }
    }

    /// Positions of the table that the model uses.
    fn positions(self, config: &BertConfig) -> usize {
        match self {
            Self::Embedder => config.max_tokens(),
            Self::Reranker => config.max_position_embeddings,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(default, skip_serializing_if = "PackKind::is_embedder")]
    kind: PackKind,
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
