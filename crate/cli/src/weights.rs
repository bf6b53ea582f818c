//! MiniLM from the disk: the published weights for building, the pack for browsers.

use crate::{build::hexadecimal, build::output::OutputFile, places};
use anyhow::{Context, Result, anyhow};
use querent_core::embedding::{Embedder, ModelIdentity};
use querent_model::{MiniLm, pack::pack};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The weights' file.
pub(crate) const WEIGHTS: &str = "model.safetensors";
/// The pack's file, beside the weights.
pub(crate) const PACK: &str = "all-MiniLM-L6-v2.q8.bin";
/// What tells a browser where the pack is.
pub(crate) const MODEL_JSON: &str = "model.json";

/// A loaded model, and the folder that it came from.
#[derive(Debug)]
pub(crate) struct Weights {
    folder: PathBuf,
    /// The model with the published weights.
    pub(crate) model: MiniLm,
}

/// `model.json` beside an index.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PackEntry {
    /// The model whose weights are in the pack.
    pub(crate) identity: ModelIdentity,
    /// The pack, relative to `model.json`.
    pub(crate) file: String,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// SHA-256 of its bytes, hexadecimal.
    pub(crate) sha256: String,
}

impl Weights {
    /// Loads the model from `given`, or from where `./build.sh setup` puts it.
    ///
    /// # Errors
    /// When a file is missing or is not a model's; the message names the ways out.
    pub(crate) fn load(given: Option<&Path>) -> Result<Self> {
        let folder = places::minilm(given)?;
        let [weights, tokenizer, config] = read_model(&folder)?;
        let model = MiniLm::from_bytes(&weights, &tokenizer, &config)
            .with_context(|| format!("the model in {}", folder.display()))?;
        Ok(Self { folder, model })
    }
}

/// Weights, tokenizer and configuration.
fn read_model(folder: &Path) -> Result<[Vec<u8>; 3]> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|error| {
            anyhow!(
                "MiniLM's weights: {} cannot be read: {error}; run ./build.sh setup to fetch them, name their folder \
                 by --model or QUERENT_MODELS, or go without by --embeddings none (lexical search only)",
                path.display()
            )
        })
    };
    Ok([read(WEIGHTS)?, read("tokenizer.json")?, read("config.json")?])
}

/// Makes the pack of the weights in `folder` and writes it to `out`.
///
/// # Errors
/// When the weights cannot be read or packed, or `out` cannot be written.
pub(crate) fn write_pack(folder: &Path, out: &Path) -> Result<Vec<u8>> {
    let [weights, tokenizer, config] = read_model(folder)?;
    let bytes =
        pack(&weights, &tokenizer, &config).with_context(|| format!("the model in {}", folder.display()))?;
    write_whole(out, &bytes)?;
    Ok(bytes)
}

/// Renamed at the end, so that an interrupted run leaves no half of a file.
pub(crate) fn write_whole(out: &Path, bytes: &[u8]) -> Result<()> {
    let name = out.file_name().context("--out: expected a file")?.to_string_lossy().into_owned();
    let temporary = out.with_file_name(format!(".{name}.{}", std::process::id()));
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, out))
        .with_context(|| format!("{}: cannot be written", out.display()))
}

/// The pack beside the weights, made where it is missing, damaged or of other weights.
fn pack_bytes(weights: &Weights) -> Result<Vec<u8>> {
    let path = weights.folder.join(PACK);
    if let Ok(bytes) = fs::read(&path)
        && MiniLm::from_pack(&bytes).is_ok_and(|model| model.identity() == weights.model.identity())
    {
        return Ok(bytes);
    }
    match write_pack(&weights.folder, &path) {
        Ok(bytes) => Ok(bytes),
        // A folder that cannot be written costs the time to pack again.
        Err(_) => {
            let [weights, tokenizer, config] = read_model(&weights.folder)?;
            Ok(pack(&weights, &tokenizer, &config)?)
        }
    }
}

/// The pack and `model.json`, as they stand beside an index.
///
/// # Errors
/// When the weights cannot be packed.
pub(crate) fn pack_files(weights: &Weights) -> Result<Vec<OutputFile<'static>>> {
    files_of(pack_bytes(weights)?, weights.model.identity(), places::MINILM, MODEL_JSON)
}

/// `pack` as `model/NAME-HASH.q8.bin`, and the `json` that names it.
pub(crate) fn files_of(
    pack: Vec<u8>,
    identity: &ModelIdentity,
    name: &str,
    json: &str,
) -> Result<Vec<OutputFile<'static>>> {
    let sha256 = hexadecimal(&Sha256::digest(&pack));
    let file = format!("model/{name}-{}.q8.bin", &sha256[..16]);
    let (identity, bytes) = (identity.clone(), pack.len() as u64);
    let entry = serde_json::to_vec_pretty(&PackEntry { identity, file: file.clone(), bytes, sha256 })?;
    Ok(vec![
        OutputFile { name: file, bytes: pack.into() },
        OutputFile { name: json.into(), bytes: entry.into() },
    ])
}

/// What `json` says about a pack in the folder `index`, where there is one.
pub(crate) fn entry_in(index: &Path, json: &str) -> Option<PackEntry> {
    let entry: PackEntry = serde_json::from_slice(&fs::read(index.join(json)).ok()?).ok()?;
    // A description that was tampered with must not reach outside.
    let is_inside = entry.file.split('/').all(|part| part != "..") && !Path::new(&entry.file).has_root();
    is_inside.then_some(entry)
}

/// The model that embeds queries for an index of `expected`: from `given`, else from the pack in `index`, else
/// from where the weights are kept.
///
/// # Errors
/// When none can be loaded, or when it is another model than the index's.
pub(crate) fn query_model(
    index: Option<&Path>,
    given: Option<&Path>,
    expected: &ModelIdentity,
) -> Result<MiniLm> {
    let packed = index.filter(|_| given.is_none()).and_then(|index| packed_model(index, expected));
    let model = match packed {
        Some(model) => model,
        None => Weights::load(given)?.model,
    };
    if model.identity() != expected {
        return Err(anyhow!(
            "the index was built with the model {} ({}), found {} ({}); name its folder by --model, build the index \
             again, or search with --mode lexical",
            expected.id,
            short(&expected.weights_sha256),
            model.identity().id,
            short(&model.identity().weights_sha256),
        ));
    }
    Ok(model)
}

fn packed_model(index: &Path, expected: &ModelIdentity) -> Option<MiniLm> {
    let entry = entry_in(index, MODEL_JSON).filter(|entry| entry.identity == *expected)?;
    MiniLm::from_pack(&fs::read(index.join(entry.file)).ok()?).ok()
}

fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
