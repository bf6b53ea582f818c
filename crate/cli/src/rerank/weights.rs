//! The cross-encoder from the disk: its published weights, its pack, and the pack beside an index.

use crate::{
    build::output::OutputFile,
    places::{self, RERANKER},
    weights::{WEIGHTS, entry_in, files_of, write_whole},
};
use anyhow::{Context, Result, anyhow};
use querent_model::{CrossEncoder, pack::pack_reranker};
use std::{fs, path::Path};

/// What tells a browser where the pack is, beside the index.
const RERANKER_JSON: &str = "reranker.json";

/// The cross-encoder from `given`, a folder of weights or a pack; where nothing is given, from the pack in the
/// folder `index`, else from where `./build.sh setup` puts the weights.
///
/// # Errors
/// When a file cannot be read or is not a cross-encoder's; the message names the ways out.
pub(crate) fn load(given: Option<&Path>, index: Option<&Path>) -> Result<CrossEncoder> {
    if let Some(model) = index.filter(|_| given.is_none()).and_then(packed) {
        return Ok(model);
    }
    let place = places::model(given, RERANKER)?;
    let model = if place.is_file() {
        CrossEncoder::from_pack(&read(&place)?)
    } else {
        let [weights, tokenizer, config] = read_folder(&place)?;
        CrossEncoder::from_bytes(&weights, &tokenizer, &config)
    };
    model.with_context(|| context(&place))
}

fn packed(index: &Path) -> Option<CrossEncoder> {
    let entry = entry_in(index, RERANKER_JSON)?;
    CrossEncoder::from_pack(&fs::read(index.join(entry.file)).ok()?).ok()
}

/// The pack of `given`, as [`load`] takes it, and `reranker.json`, as they stand beside an index.
///
/// # Errors
/// As [`load`], and when the weights cannot be packed.
pub(crate) fn pack_files(given: Option<&Path>) -> Result<Vec<OutputFile<'static>>> {
    let place = places::model(given, RERANKER)?;
    let bytes = if place.is_file() { read(&place)? } else { pack_of(&place)? };
    let model = CrossEncoder::from_pack(&bytes).with_context(|| context(&place))?;
    files_of(bytes, model.identity(), RERANKER, RERANKER_JSON)
}

/// The pack beside the weights in `folder`, made where it is missing, damaged or of other weights.
fn pack_of(folder: &Path) -> Result<Vec<u8>> {
    let [weights, tokenizer, config] = read_folder(folder)?;
    let path = folder.join(pack_name());
    if let Ok(bytes) = fs::read(&path)
        && let Ok(kept) = CrossEncoder::from_pack(&bytes)
        && CrossEncoder::from_bytes(&weights, &tokenizer, &config)
            .is_ok_and(|model| model.identity() == kept.identity())
    {
        return Ok(bytes);
    }
    let bytes = pack_reranker(&weights, &tokenizer, &config).with_context(|| context(folder))?;
    // A folder that cannot be written costs the time to pack again.
    let _ = write_whole(&path, &bytes);
    Ok(bytes)
}

/// Makes the pack of the weights in `folder` and writes it to `out`.
///
/// # Errors
/// When the weights cannot be read or packed, or `out` cannot be written.
pub(crate) fn write_pack(folder: &Path, out: &Path) -> Result<Vec<u8>> {
    let [weights, tokenizer, config] = read_folder(folder)?;
    let bytes = pack_reranker(&weights, &tokenizer, &config).with_context(|| context(folder))?;
    write_whole(out, &bytes)?;
    Ok(bytes)
}

/// The pack's file, beside the weights.
pub(crate) fn pack_name() -> String {
    format!("{RERANKER}.q8.bin")
}

/// Weights, tokenizer and configuration.
fn read_folder(folder: &Path) -> Result<[Vec<u8>; 3]> {
    let file = |name: &str| read(&folder.join(name));
    Ok([file(WEIGHTS)?, file("tokenizer.json")?, file("config.json")?])
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| {
        anyhow!(
            "the cross-encoder: {} cannot be read: {error}; run ./build.sh setup to fetch its weights, or name their \
             folder or a pack by --rerank-model",
            path.display()
        )
    })
}

fn context(place: &Path) -> String {
    format!("the cross-encoder in {}", place.display())
}
