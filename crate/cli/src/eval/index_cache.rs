//! `--index-cache`: the index of an earlier evaluation, where nothing changed.

use super::EvalSettings;
use crate::{
    build::{
        IndexPlan, hexadecimal,
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
    let options = &settings.index;
    let plan = IndexPlan::new(options, model)?;
    let folder = match &settings.index_cache {
        // Which replies a model will give is not known before it is asked.
        Some(_) if options.llm.is_some() => None,
        Some(cache) => Some(cache.join(key(&documents, &plan)?)),
        None => None,
    };
    if let Some(index) = folder.as_ref().and_then(|folder| Index::open(folder).ok()) {
        progress::detail("using the index that was kept");
        return Ok(index);
    }
    let mut failures = Vec::new();
    let indexer = plan.chunks(documents, &mut failures);
    let (segment, _) = plan.finish(indexer)?;
    for failure in failures {
        progress::warn(&format!("left out: {failure}"));
    }
    let model = model.map(|model| model.identity().clone());
    let manifest = Manifest::new(model, vec![segment.entry]).with_synonyms(plan.synonyms).to_bytes();
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
fn key(documents: &[Document], plan: &IndexPlan<'_>) -> Result<String> {
    let program = env::current_exe().and_then(fs::read).context("this program's own file cannot be read")?;
    let IndexPlan { options, model, encoder, synonyms } = plan;
    let encoder = encoder.as_ref().map(|plan| (plan.texts, plan.base.as_ref().map(|base| &base.sha256)));
    let parts = serde_json::to_vec(&(
        &options.chunk,
        (options.questions, options.evaluator, &options.rerank_model, options.context),
        options.embed_questions,
        encoder,
        model.map(|model| model.identity()),
        synonyms,
        documents,
    ))?;
    let hash = Sha256::new().chain_update(program).chain_update(parts).finalize();
    Ok(hexadecimal(&hash[..8]))
}
