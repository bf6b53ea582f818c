//! `--index-cache`: the index of an earlier evaluation, where nothing changed.

use super::EvalSettings;
use crate::{
    build::{
        self, EncoderPlan, IndexPlan, hexadecimal,
        output::{self, OutputFile},
    },
    index::Index,
    progress,
};
use anyhow::{Context, Result};
use querent_core::{document::Document, embedding::Embedder, segment::Manifest};
use querent_model::MiniLm;
use sha2::{Digest, Sha256};
use std::{env, fs, path::Path};

/// Builds the index in memory, or opens the one that an earlier run kept.
///
/// # Errors
/// When the index cannot be built or kept.
pub(super) fn build(
    documents: Vec<Document>,
    settings: &EvalSettings,
    model: Option<&MiniLm>,
) -> Result<Index> {
    let synonyms = settings.synonyms.as_deref().map_or(Ok(Vec::new()), build::synonyms::read)?;
    let encoder = settings.encoder_plan(model)?;
    let folder = match &settings.index_cache {
        // Which replies a model will give is not known before it is asked.
        Some(_) if settings.llm.is_some() => None,
        Some(cache) => Some(cache.join(key(&documents, settings, model, &synonyms, encoder.as_ref())?)),
        None => None,
    };
    if let Some(index) = folder.as_ref().and_then(|folder| Index::open(folder).ok()) {
        progress::detail("using the index that was kept");
        return Ok(index);
    }
    let mut failures = Vec::new();
    let plan = IndexPlan {
        questions: settings.questions,
        llm: settings.llm.as_ref(),
        embed_questions: settings.embed_questions,
        chunk: &settings.chunk,
        encoder: encoder.as_ref(),
    };
    let segment = build::index(documents, &plan, model, &mut failures)?;
    for failure in failures {
        progress::warn(&format!("left out: {failure}"));
    }
    let model = model.map(|model| model.identity().clone());
    let manifest = Manifest::new(model, vec![segment.entry]).with_synonyms(synonyms).to_bytes();
    if let Some(folder) = folder {
        keep(&folder, &segment.files, &manifest)?;
    }
    Index::in_memory(&manifest, segment.files)
}

fn keep(folder: &Path, files: &[(String, Vec<u8>)], manifest: &[u8]) -> Result<()> {
    let file =
        |(name, bytes): &(String, Vec<u8>)| OutputFile { name: name.clone(), bytes: bytes.clone().into() };
    output::write(folder, files.iter().map(file).collect(), manifest, Vec::new())
}

/// Everything that the index depends on: this program, the settings, the model, the documents.
fn key(
    documents: &[Document],
    settings: &EvalSettings,
    model: Option<&MiniLm>,
    synonyms: &[Vec<String>],
    encoder: Option<&EncoderPlan>,
) -> Result<String> {
    let program = env::current_exe().and_then(fs::read).context("this program's own file cannot be read")?;
    let identity = model.map(|model| model.identity());
    let encoder = encoder.map(|plan| (plan.texts, plan.base.as_ref().map(|base| &base.sha256)));
    let parts = serde_json::to_vec(&(
        &settings.chunk,
        settings.questions,
        settings.embed_questions,
        encoder,
        identity,
        synonyms,
        documents,
    ))?;
    let hash = Sha256::new().chain_update(program).chain_update(parts).finalize();
    Ok(hexadecimal(&hash[..8]))
}
