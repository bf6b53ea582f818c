//! Full-precision files to a pack.

use super::{CHECKED_FROM, Header, Kind, MAGIC, PackKind, TensorEntry, VERSION};
use crate::config::BertConfig;
use crate::hash::sha256;
use crate::tokenizer::TokenizerSpec;
use crate::weights::{WeightFile, group_of, quantise};
use crate::{CrossEncoder, MiniLm, ModelError};
use querent_core::embedding::ModelIdentity;

/// Packs the files that sentence-transformers publishes. The same files give the same bytes.
///
/// Takes about a second for MiniLM and as much memory as the weights.
///
/// # Errors
/// As [`MiniLm::from_bytes`](crate::MiniLm::from_bytes): what cannot be loaded is not packed.
pub fn pack(weights: &[u8], tokenizer_json: &[u8], config_json: &[u8]) -> Result<Vec<u8>, ModelError> {
    let identity = MiniLm::from_bytes(weights, tokenizer_json, config_json)?.into_identity();
    pack_as(PackKind::Embedder, identity, weights, tokenizer_json, config_json)
}

/// Packs the files of a cross-encoder. The same files give the same bytes.
///
/// # Errors
/// As [`CrossEncoder::from_bytes`]: what cannot be loaded is not packed.
pub fn pack_reranker(
    weights: &[u8],
    tokenizer_json: &[u8],
    config_json: &[u8],
) -> Result<Vec<u8>, ModelError> {
    let identity = CrossEncoder::from_bytes(weights, tokenizer_json, config_json)?.identity().clone();
    pack_as(PackKind::Reranker, identity, weights, tokenizer_json, config_json)
}

fn pack_as(
    kind: PackKind,
    identity: ModelIdentity,
    weights: &[u8],
    tokenizer_json: &[u8],
    config_json: &[u8],
) -> Result<Vec<u8>, ModelError> {
    let mut config = BertConfig::from_json(config_json)?;
    let tokenizer = TokenizerSpec::from_json(tokenizer_json)?;
    config.max_position_embeddings = kind.positions(&config);
    let file = WeightFile::from_safetensors(weights)?;
    let (entries, numbers) = tensors(&file, &config, kind)?;
    let vocabulary: String = tokenizer.pieces.iter().flat_map(|piece| [piece.as_str(), "\n"]).collect();
    let vocabulary_bytes = vocabulary.len();
    let header = Header { kind, identity, config, tokenizer, vocabulary_bytes, tensors: entries };
    let header = serde_json::to_vec(&header)
        .map_err(|error| ModelError::Compute { reason: format!("the pack's header: {error}") })?;

    let mut bytes = Vec::with_capacity(CHECKED_FROM + header.len() + vocabulary_bytes + numbers.len() + 4);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([0; 32]);
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend(vocabulary.into_bytes());
    bytes.extend(numbers);
    seal(&mut bytes);
    Ok(bytes)
}

/// Writes the checksum over everything behind it. For tests that damage a pack in other ways than by accident.
///
/// # Panics
/// When there are fewer bytes than a pack's first fields take.
#[doc(hidden)]
pub fn seal(bytes: &mut [u8]) {
    let checksum = sha256(&bytes[CHECKED_FROM..]);
    bytes[super::CHECKSUM_AT..CHECKED_FROM].copy_from_slice(&checksum);
}

/// The directory and the numbers of every tensor that the forward pass touches, sorted by name.
fn tensors(
    file: &WeightFile<'_>,
    config: &BertConfig,
    kind: PackKind,
) -> Result<(Vec<TensorEntry>, Vec<u8>), ModelError> {
    let mut entries = Vec::new();
    let mut bytes = Vec::new();
    let used = file.tensors.iter().filter(|(name, _)| is_used(name, kind));
    for (name, tensor) in used {
        let mut shape = tensor.shape.clone();
        let mut numbers = file.numbers(name, &shape)?;
        if name == "embeddings.position_embeddings.weight" {
            shape[0] = config.max_position_embeddings;
            numbers.truncate(shape[0] * config.hidden_size);
        }
        let kind = if let [_, columns] = shape[..] {
            let group = group_of(columns);
            let (quantised, scales) = quantise(&numbers, group);
            bytes.extend(quantised);
            bytes.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
            Kind::Int8 { group }
        } else {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            Kind::F32
        };
        entries.push(TensorEntry { name: name.clone(), shape, kind });
    }
    Ok((entries, bytes))
}

/// Position ids are counted, not stored, and an embedder has no use for a pooler.
fn is_used(name: &str, kind: PackKind) -> bool {
    let of_head = name.starts_with("pooler.dense.") || name.starts_with("classifier.");
    (name.starts_with("embeddings.") && name != "embeddings.position_ids")
        || name.starts_with("encoder.layer.")
        || (kind == PackKind::Reranker && of_head)
}
