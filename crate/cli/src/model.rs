//! `querent model`: the weights of MiniLM.

use crate::{
    Outcome,
    args::{ModelAction, ModelArgs},
    build::hexadecimal,
    config::BuildConfig,
    output, places, progress,
    rerank::weights as reranker,
    weights::{self, PACK},
};
use anyhow::{Context, Result};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What the repository says about the models that it uses.
const MODELS: &str = include_str!("../../../models/manifest.json");

#[derive(Debug, Deserialize)]
struct Models {
    models: Vec<ModelEntry>,
}

#[derive(Debug, Deserialize)]
struct ModelEntry {
    directory: String,
    files: Vec<ModelFile>,
}

#[derive(Debug, Deserialize)]
struct ModelFile {
    name: String,
    sha256: String,
}

/// Packs or verifies.
///
/// # Errors
/// When the weights cannot be read or the pack cannot be written.
pub(crate) fn run(args: &ModelArgs, config: &BuildConfig) -> Result<Outcome> {
    match &args.action {
        ModelAction::Pack { model, reranker: true, out } => pack_reranker(model.as_deref(), out.as_ref()),
        ModelAction::Pack { model, reranker: false, out } => {
            pack(model.as_deref().or(config.model.as_deref()), out.as_ref())
        }
        ModelAction::Verify { model, reranker: true } => {
            verify(&places::model(model.as_deref(), places::RERANKER)?, places::RERANKER)
        }
        ModelAction::Verify { model, reranker: false } => {
            verify(&places::minilm(model.as_deref().or(config.model.as_deref()))?, places::MINILM)
        }
    }
}

fn pack(model: Option<&Path>, out: Option<&PathBuf>) -> Result<Outcome> {
    let folder = places::minilm(model)?;
    let out = out.cloned().unwrap_or_else(|| folder.join(PACK));
    let bytes = weights::write_pack(&folder, &out)?;
    written(&out, &bytes)
}

fn pack_reranker(model: Option<&Path>, out: Option<&PathBuf>) -> Result<Outcome> {
    let folder = places::model(model, places::RERANKER)?;
    let out = out.cloned().unwrap_or_else(|| folder.join(reranker::pack_name()));
    let bytes = reranker::write_pack(&folder, &out)?;
    written(&out, &bytes)
}

fn written(out: &Path, bytes: &[u8]) -> Result<Outcome> {
    output::line(&format!("{} {}", out.display(), output::bytes(bytes.len() as u64)))?;
    Ok(Outcome::Done)
}

fn verify(folder: &Path, name: &str) -> Result<Outcome> {
    let models: Models = serde_json::from_str(MODELS).context("models/manifest.json of this release")?;
    let entry = models.models.into_iter().find(|entry| entry.directory == name);
    let entry = entry.with_context(|| format!("models/manifest.json of this release names no {name}"))?;
    let mut outcome = Outcome::Done;
    for file in entry.files {
        let path = folder.join(&file.name);
        match sha256_of(&path) {
            Ok(found) if found == file.sha256 => output::line(&format!("{}: as published", path.display()))?,
            Ok(found) => {
                outcome = Outcome::Failed;
                progress::error(&format!(
                    "{}: the SHA-256 is {found}, expected {}; run ./build.sh setup to fetch it again",
                    path.display(),
                    file.sha256
                ));
            }
            Err(error) => {
                outcome = Outcome::Failed;
                progress::error(&format!(
                    "{}: cannot be read: {error}; run ./build.sh setup to fetch it",
                    path.display()
                ));
            }
        }
    }
    Ok(outcome)
}

fn sha256_of(path: &Path) -> io::Result<String> {
    Ok(hexadecimal(&Sha256::digest(fs::read(path)?)))
}
