//! Embeds what was not embedded before.

use super::embed_cache::{EmbedCache, Key};
use crate::{places, progress::Progress};
use anyhow::Result;
use querent_core::embedding::Embedder;
use std::{collections::HashSet, path::Path};

/// Texts that are embedded between two writes of the cache: what an interruption costs at most.
const GROUP: usize = 64;

/// One vector per text, in order, from the cache where it has them.
///
/// Every group of new vectors is on disk before the next one begins, so an interrupted build goes on where it was.
///
/// # Errors
/// When the model fails, or when the cache cannot be written.
pub(crate) fn embed(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    embed_in(&places::cache()?.join("embeddings"), embedder, texts)
}

/// As [`embed`], with the cache in `folder`.
///
/// # Errors
/// As [`embed`].
pub(crate) fn embed_in(folder: &Path, embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vec<f32>>> {
    let mut cache = EmbedCache::open(folder, embedder.identity())?;
    let keys: Vec<Key> = texts.iter().map(|text| cache.key(text)).collect();
    let mut seen = HashSet::new();
    let missing: Vec<usize> = (0..texts.len())
        .filter(|&index| cache.get(&keys[index]).is_none() && seen.insert(keys[index]))
        .collect();
    let mut progress = Progress::new("embedding", missing.len());
    for group in missing.chunks(GROUP) {
        let batch: Vec<&str> = group.iter().map(|&index| texts[index].as_str()).collect();
        let vectors = embedder.embed(&batch)?;
        cache.add(group.iter().map(|&index| keys[index]).zip(vectors).collect())?;
        progress.advance(group.len());
    }
    let known = |key| cache.get(key).expect("every key is in the cache now").to_vec();
    Ok(keys.iter().map(known).collect())
}
