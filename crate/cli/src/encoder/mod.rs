//! `querent encoder`: the base of the query encoder, rows that are fitted to a broad text once.
//!
//! ```text
//! walk -> read -> training texts of each PATH -> even choice -> embed -> fit -> FILE
//! ```
//!
//! A site has a few thousand sentences, which say nothing of most words that readers use. So `querent build` starts from
//! a base where it finds one, and fits it to the site's own sentences.

mod base;

pub(crate) use base::{Base, BaseChoice};

use crate::{
    Outcome,
    build::{self, Globs, read::read_all, table},
    output, places, progress,
    weights::Weights,
};
use anyhow::{Result, bail};
use querent_core::{
    embedding::{Embedder, WordEstimate},
    indexer::{IndexSettings, Indexer},
    query_encoder::{BaseRecipe, BaseSource, FitSettings, fit, sample_evenly, training_texts},
};
use querent_reader::ReadSettings;
use std::path::{Path, PathBuf};

/// Everything that `encoder train` needs to know.
#[derive(Debug)]
pub(crate) struct TrainSettings {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) out: PathBuf,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) texts: usize,
    pub(crate) model: Option<PathBuf>,
    pub(crate) jobs: usize,
}

/// Trains a base and writes it.
///
/// # Errors
/// When an input cannot be walked, when no text was found, when the model fails, or when the file cannot be written.
pub(crate) fn train(settings: &TrainSettings) -> Result<Outcome> {
    let weights = Weights::load(settings.model.as_deref())?;
    let mut sources = Vec::new();
    let mut groups = Vec::new();
    for input in &settings.inputs {
        let (documents, texts) = read_input(input, settings)?;
        progress::detail(&format!("{}: {documents} documents, {} texts", input.display(), texts.len()));
        sources.push(BaseSource { name: name_of(input), documents });
        groups.push(texts);
    }
    let texts = sample_evenly(groups, settings.texts);
    if texts.is_empty() {
        bail!("no text to train on; expected Markdown, HTML or text with sentences. Nothing was written");
    }
    let embedder = &weights.model as &dyn Embedder;
    // A cache of its own: builds of sites should not have to read embeddings that they never need.
    let targets = build::embed::embed_in(&places::cache()?.join("embeddings/base"), embedder, &texts)?;
    let start = table::alone(&weights.model)?;
    let examples = table::examples(&start.vocabulary, &texts, targets);
    let fit_settings = FitSettings::default();
    let rows = fit(&start, &examples, &fit_settings);
    let recipe = BaseRecipe {
        model: weights.model.identity().clone(),
        sources,
        texts: rows.texts,
        half_frequency: fit_settings.half_frequency,
        ridge: fit_settings.ridge,
    };
    let bytes = rows.to_bytes(&recipe);
    crate::weights::write_whole(&settings.out, &bytes)?;
    let (file, size) = (settings.out.display(), output::bytes(bytes.len() as u64));
    output::line(&format!("{file} {size}, fitted to {} texts", recipe.texts))?;
    Ok(Outcome::Done)
}

/// How many documents an input has, and their training texts.
fn read_input(input: &PathBuf, settings: &TrainSettings) -> Result<(u32, Vec<String>)> {
    let globs = Globs::new(&settings.include, &settings.exclude)?;
    let walked = build::walk(std::slice::from_ref(input), &globs, None)?;
    let read = read_all(&walked.files, &ReadSettings::default(), settings.jobs);
    // Training needs no document in particular, so what cannot be read is only told to who asks.
    for reason in walked.failures.iter().chain(&walked.skipped).chain(&read.failures).chain(&read.skipped) {
        progress::detail(reason);
    }
    let mut indexer = Indexer::new(IndexSettings::default());
    let mut progress = progress::Progress::new("sentences", read.documents.len());
    for document in read.documents {
        // Sentences do not depend on where chunks end, so lengths may be estimates. Questions by rules would be most of
        // the time that reading takes, and repeat the words of sentences that are there anyway.
        if let Err(error) = indexer.add(document, &WordEstimate, None) {
            progress::detail(&error.to_string());
        }
        progress.advance(1);
    }
    Ok((indexer.documents().len() as u32, training_texts(indexer.documents())))
}

/// The last part of the path: enough to know what it is, and nothing about the machine's folders.
fn name_of(input: &Path) -> String {
    let input = input.canonicalize().unwrap_or_else(|_| input.to_path_buf());
    input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
