//! Models by their files.

use crate::config::BertConfig;
use crate::hash::{hexadecimal, sha256};
use querent_core::embedding::ModelIdentity;

/// Weights that have a name. Others are named by their hash.
const KNOWN_WEIGHTS: [(&str, &str); 2] = [
    (
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "sentence-transformers/all-MiniLM-L6-v2",
    ),
    (
        "aeab168d21fe066d9ccee5f6af77babe180bbe43aed84e316edc2974efb1c6f6",
        "cross-encoder/ms-marco-MiniLM-L-12-v2",
    ),
];

/// Names the model by its files.
pub(crate) fn of(
    weights: &[u8],
    tokenizer_json: &[u8],
    config: &BertConfig,
    max_tokens: usize,
) -> ModelIdentity {
    let weights_sha256 = hexadecimal(&sha256(weights));
    let known = KNOWN_WEIGHTS.iter().find(|(hash, _)| *hash == weights_sha256);
    let id = known.map_or_else(|| format!("local/{}", &weights_sha256[..12]), |(_, id)| (*id).to_owned());
    ModelIdentity {
        id,
        weights_sha256,
        tokenizer_sha256: hexadecimal(&sha256(tokenizer_json)),
        dimensions: config.hidden_size as u32,
        max_tokens: max_tokens as u32,
    }
}
