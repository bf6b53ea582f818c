//! `querent build`: files in, a folder out that a site can copy as it is.
//!
//! ```text
//! walk -> read -> chunks (section, chunk, question by rules) -> finish (question by a model, embedding, segment) -> write
//! ```
//!
//! One file that cannot be read does not stop the build: it is reported and counted, the index is written, and
//! the exit status is 1.

pub(crate) mod embed;
mod embed_cache;
mod evaluate;
mod globs;
pub(crate) mod output;
mod plan;
pub(crate) mod read;
mod synonyms;
pub(crate) mod table;
mod walk;
mod weighted;

pub(crate) use embed_cache::hexadecimal;
pub(crate) use globs::Globs;
pub(crate) use plan::{IndexOptions, IndexPlan};
pub(crate) use table::{ENCODER_JSON, EncoderNote, EncoderPlan};
pub(crate) use walk::walk;

use crate::{
    Outcome, Usage,
    llm::{self, ByModel},
    options::Embeddings,
    output as stdout, progress,
    rerank::weights as reranker,
    weights::{self, Weights},
};
use anyhow::{Result, bail};
use output::OutputFile;
use querent_core::{
    document::Document, embedding::Embedder, indexer::BuiltSegment, question::evaluator::Evaluation,
    segment::Manifest,
};
use querent_reader::ReadSettings;
use read::Documents;
use serde::Serialize;
use std::{path::PathBuf, time::Instant};
use weighted::Weighted;

/// The browser's files, embedded by `build.rs`: (name, bytes).
static WEB_ASSETS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web_assets.rs"));

/// What is wrong with a document whose text gives no term.
const WITHOUT_TERMS: &str = "its text holds no word that can be searched for, so only its title finds it; exclude it, or check its encoding";

/// Everything that `build` needs to know.
#[derive(Debug)]
pub(crate) struct BuildSettings {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) out: PathBuf,
    pub(crate) index: IndexOptions,
    pub(crate) embeddings: Embeddings,
    pub(crate) read: ReadSettings,
    pub(crate) weights: Vec<String>,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) model: Option<PathBuf>,
    pub(crate) web: bool,
    /// Whether the cross-encoder's pack goes beside the index.
    pub(crate) reranker: bool,
    pub(crate) jobs: usize,
    pub(crate) json: bool,
}

/// What was done, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Summary {
    out: String,
    documents: u32,
    failed: usize,
    skipped: usize,
    without_terms: usize,
    chunks: u32,
    questions: u32,
    #[serde(flatten)]
    by_model: ByModel,
    #[serde(skip_serializing_if = "Option::is_none")]
    question_evaluation: Option<Evaluation>,
    vectors: u32,
    bytes: u64,
    seconds: f64,
}

/// Builds the index.
///
/// # Errors
/// When nothing could be written. A file that could not be read is no error but [`Outcome::Failed`].
pub(crate) fn run(settings: &BuildSettings) -> Result<Outcome> {
    let started = Instant::now();
    refuse_out_as_input(settings)?;
    let weights = match settings.embeddings {
        Embeddings::Minilm => Some(Weights::load(settings.model.as_deref())?),
        Embeddings::None => None,
    };
    let model = weights.as_ref().map(|weights| &weights.model);
    let plan = IndexPlan::new(&settings.index, model)?;
    // Read now: nobody wants to wait for the embeddings to hear that it is not there.
    let dry_run = settings.index.llm.as_ref().filter(|llm| llm.dry_run);
    let reranker = if settings.reranker && dry_run.is_none() {
        reranker::pack_files(settings.index.rerank_model.as_deref())?
    } else {
        Vec::new()
    };
    let Documents { documents, mut failures, skipped } = collect(settings)?;
    let without_terms = warn_without_terms(&documents);
    let indexer = plan.chunks(documents, &mut failures);
    if let Some(llm) = dry_run {
        failures.iter().for_each(|failure| progress::error(failure));
        llm::forecast(&indexer, &settings.index, llm, failures.len(), settings.json)?;
        return Ok(if failures.is_empty() { Outcome::Done } else { Outcome::Failed });
    }
    let (segment, made) = plan.finish(indexer)?;
    let entry = segment.entry.clone();
    write(settings, segment, &plan, weights.as_ref(), reranker)?;
    for failure in &failures {
        progress::error(failure);
    }
    for reason in &skipped {
        progress::detail(&format!("skipped: {reason}"));
    }
    let summary = Summary {
        out: settings.out.display().to_string(),
        documents: entry.documents,
        failed: failures.len(),
        skipped: skipped.len(),
        without_terms,
        chunks: entry.chunks,
        questions: entry.questions,
        by_model: made.by_model,
        question_evaluation: made.evaluation,
        vectors: entry.vectors,
        bytes: entry.bytes,
        seconds: started.elapsed().as_secs_f64(),
    };
    report(settings, &summary)?;
    Ok(if failures.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// The index's own files are no documents, so a folder cannot be both.
fn refuse_out_as_input(settings: &BuildSettings) -> Result<()> {
    let out = settings.out.canonicalize().ok();
    let same = |input: &PathBuf| out.is_some() && input.canonicalize().ok() == out;
    match settings.inputs.iter().find(|input| same(input)) {
        Some(input) => {
            let text = format!(
                "--out: expected a folder other than the INPUT {}; use one below it",
                input.display()
            );
            Err(Usage(text).into())
        }
        None => Ok(()),
    }
}

fn collect(settings: &BuildSettings) -> Result<Documents> {
    let globs = Globs::new(&settings.include, &settings.exclude)?;
    let walked = walk(&settings.inputs, &globs, Some(&settings.out))?;
    let weighted = Weighted::new(&settings.weights)?;
    let mut documents = read::read_all(&walked.files, &settings.read, settings.jobs);
    documents.documents.iter_mut().for_each(|document| weighted.apply(document));
    documents.failures.splice(0..0, walked.failures);
    documents.skipped.splice(0..0, walked.skipped);
    if documents.documents.is_empty() {
        for reason in documents.failures.iter().chain(&documents.skipped) {
            progress::note(reason);
        }
        let files = walked.files.len();
        bail!(
            "no document to index among {files} file(s); expected Markdown, HTML, text, PDF, DOCX, code or data. Nothing was written"
        );
    }
    Ok(documents)
}

/// Says which documents no word of their text finds, and how many there are: better now than when a reader misses one.
fn warn_without_terms(documents: &[Document]) -> usize {
    let silent = documents.iter().filter(|document| !document.has_terms());
    silent.map(|document| progress::warn(&format!("{}: {WITHOUT_TERMS}", document.path))).count()
}

fn write(
    settings: &BuildSettings,
    segment: BuiltSegment,
    plan: &IndexPlan<'_>,
    weights: Option<&Weights>,
    reranker: Vec<OutputFile<'static>>,
) -> Result<()> {
    let model = weights.map(|weights| weights.model.identity().clone());
    let manifest = Manifest::new(model, vec![segment.entry]).with_synonyms(plan.synonyms.clone()).to_bytes();
    let files =
        segment.files.into_iter().map(|(name, bytes)| OutputFile { name, bytes: bytes.into() }).collect();
    let mut assets: Vec<OutputFile<'_>> =
        plan.encoder.as_ref().map(EncoderPlan::note).transpose()?.into_iter().collect();
    if settings.web {
        if WEB_ASSETS.is_empty() {
            progress::warn(
                "this binary carries no web assets, so the folder has no JavaScript; run ./build.sh cli, or give \
                 --no-web to silence this",
            );
        }
        let web =
            |&(name, bytes): &(&str, &'static [u8])| OutputFile { name: name.into(), bytes: bytes.into() };
        assets.extend(WEB_ASSETS.iter().map(web));
        if let Some(weights) = weights {
            assets.extend(weights::pack_files(weights)?);
        }
        assets.extend(reranker);
    }
    output::write(&settings.out, files, &manifest, assets)
}

fn report(settings: &BuildSettings, summary: &Summary) -> Result<()> {
    let silent = match summary.without_terms {
        0 => String::new(),
        count => format!(", {count} without a word to search for"),
    };
    summary.by_model.lines().for_each(|line| progress::note(&line));
    if let Some(evaluation) = &summary.question_evaluation {
        progress::note(&evaluation.to_string());
    }
    progress::note(&format!(
        "{} documents, {} failed, {} skipped{silent}; {} chunks, {} questions, {} vectors; {} in {} after {:.1} s",
        summary.documents,
        summary.failed,
        summary.skipped,
        summary.chunks,
        summary.questions,
        summary.vectors,
        stdout::bytes(summary.bytes),
        summary.out,
        summary.seconds
    ));
    if settings.json { stdout::json(summary) } else { Ok(()) }
}
