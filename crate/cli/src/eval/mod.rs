//! `querent eval`: judged queries in, figures out.
//!
//! ```text
//! documents, queries, judgements -> index (as build makes it) -> search every query -> measures, run, latencies
//! ```
//!
//! A document is ranked by its best chunk, as in every search. The measures are those of
//! [`querent_core::evaluation`].

mod index_cache;
mod input;
mod report;

use crate::{
    Outcome,
    build::IndexOptions,
    index::{Index, Stopwatch},
    options::{EvalMode, Evaluator, mode_name},
    progress::{self, Progress},
    rerank::{RerankSettings, Reranking},
    transform::{self, TransformSettings},
    weights::Weights,
};
use anyhow::{Context, Result};
use input::Input;
use querent_core::{
    embedding::Embedder,
    engine::Clock,
    evaluation::{Measure, Run, beir::BeirQuery},
    query::{QueryEncoder, SearchMode, SearchRequest},
};
use report::{ModeReport, Report};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Everything that `eval` needs to know.
#[derive(Debug)]
pub(crate) struct EvalSettings {
    pub(crate) source: EvalSource,
    pub(crate) queries: PathBuf,
    pub(crate) qrels: PathBuf,
    pub(crate) mode: EvalMode,
    pub(crate) measures: Vec<Measure>,
    pub(crate) index: IndexOptions,
    /// Without query and mode.
    pub(crate) request: SearchRequest,
    pub(crate) model: Option<PathBuf>,
    /// Where every ranking is to be reranked.
    pub(crate) rerank: Option<RerankSettings>,
    /// Where every query is searched for in other words as well.
    pub(crate) transform: Option<TransformSettings>,
    pub(crate) run: Option<PathBuf>,
    pub(crate) floor: Option<PathBuf>,
    pub(crate) index_cache: Option<PathBuf>,
    pub(crate) json: bool,
}

/// Where the documents come from.
#[derive(Debug)]
pub(crate) enum EvalSource {
    /// JSON lines.
    Corpus(PathBuf),
    /// A folder of files.
    Folder(PathBuf),
}

/// Milliseconds by stage, one for each query.
type Latencies = BTreeMap<String, Vec<f64>>;

/// Measures and prints.
///
/// # Errors
/// When a file cannot be read, or when a mode needs a model that is not there.
pub(crate) fn run(settings: &EvalSettings) -> Result<Outcome> {
    let input = Input::read(settings)?;
    let floors = settings.floor.as_deref().map(report::read_floors).transpose()?;
    let modes = settings.mode.modes();
    let is_compared = modes.iter().any(|&mode| mode != SearchMode::Lexical);
    // Questions are evaluated by their vectors, whatever is searched for afterwards.
    let is_evaluated = settings.index.evaluator != Evaluator::Off;
    let semantic = is_evaluated || is_compared;
    let weights = if semantic { Some(Weights::load(settings.model.as_deref())?) } else { None };
    let model = weights.as_ref().map(|weights| &weights.model as &dyn Embedder);
    let (queries, judgements) = (&input.queries, &input.judgements);
    let by_model = model.filter(|_| is_compared && settings.request.query_encoder == QueryEncoder::Model);
    let vectors = by_model.map(|model| embed_queries(model, queries)).transpose()?;
    let mut index =
        index_cache::build(input.documents, settings, weights.as_ref().map(|weights| &weights.model))?;
    let variations = match &settings.transform {
        Some(transform) => {
            let texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
            transform.variations(&texts, true)?
        }
        None => vec![Vec::new(); queries.len()],
    };
    let rerank = settings.rerank.as_ref().map(|rerank| rerank.open(None)).transpose()?;
    let asked =
        AskedQueries { queries, vectors: vectors.as_deref(), variations: &variations, model: by_model };
    let mut reports = Vec::new();
    for &mode in modes {
        let request = SearchRequest { mode, ..settings.request.clone() };
        let (run, latencies) = search_all(&mut index, &request, &asked, rerank.as_ref())?;
        if let Some(path) = &settings.run {
            let text = run.to_trec(&format!("querent-{}", mode_name(mode)));
            let path = if modes.len() > 1 { run_of(path, mode) } else { path.clone() };
            fs::write(&path, text).with_context(|| format!("{}: cannot be written", path.display()))?;
        }
        reports.push(ModeReport::new(mode, &run, judgements, queries, &settings.measures, &latencies));
    }
    let report = Report::new(reports, index.engine.stats());
    report.print(settings.json)?;
    let breaches = floors.map_or(Ok(Vec::new()), |floors| report.breaches(&floors))?;
    for breach in &breaches {
        progress::error(breach);
    }
    Ok(if breaches.is_empty() { Outcome::Done } else { Outcome::Failed })
}

/// Where the run of one of several modes goes: `run.lexical.trec` for `run.trec`.
fn run_of(path: &Path, mode: SearchMode) -> PathBuf {
    let extension = path.extension().map(|extension| format!(".{}", extension.display())).unwrap_or_default();
    path.with_extension(format!("{}{extension}", mode_name(mode)))
}

/// A query's vector, and the milliseconds that it took.
type TimedVector = (Vec<f32>, f64);

/// Embeds one query after the other, as a reader's browser does, to measure how long one takes.
fn embed_queries(model: &dyn Embedder, queries: &[BeirQuery]) -> Result<Vec<TimedVector>> {
    let mut progress = Progress::new("queries", queries.len());
    let clock = Stopwatch::start();
    let mut vectors = Vec::with_capacity(queries.len());
    for query in queries {
        let from = clock.now_ms();
        let vector = model.embed(&[&query.text])?.pop().context("the model gave no vector")?;
        vectors.push((vector, clock.now_ms() - from));
        progress.advance(1);
    }
    Ok(vectors)
}

/// What is searched for.
struct AskedQueries<'a> {
    queries: &'a [BeirQuery],
    vectors: Option<&'a [TimedVector]>,
    /// Of each query, itself first; nothing where none are wanted.
    variations: &'a [Vec<String>],
    /// What embeds the variations.
    model: Option<&'a dyn Embedder>,
}

fn search_all(
    index: &mut Index,
    request: &SearchRequest,
    asked: &AskedQueries<'_>,
    rerank: Option<&Reranking>,
) -> Result<(Run, Latencies)> {
    let AskedQueries { queries, vectors, variations, model } = asked;
    let mut run = Run::new();
    let mut latencies = Latencies::new();
    let mut progress = Progress::new("searching", queries.len());
    for (at, query) in queries.iter().enumerate() {
        let vector = vectors.map(|vectors| &vectors[at]).filter(|_| request.mode != SearchMode::Lexical);
        let request = SearchRequest { query: query.text.clone(), ..request.clone() };
        let numbers = vector.map(|(vector, _)| vector.as_slice());
        let others = transform::embedded(&variations[at], &mut |query| match model {
            Some(model) if numbers.is_some() => Ok(model.embed(&[query])?.pop()),
            _ => Ok(None),
        })?;
        let response = transform::search(index, &request, numbers, &others, rerank)?;
        let mut total = 0.0;
        let embedding = vector.map(|(_, ms)| ("embedding".to_owned(), *ms));
        for (stage, ms) in embedding.into_iter().chain(response.timings.0) {
            total += ms;
            latencies.entry(stage).or_default().push(ms);
        }
        latencies.entry("total".into()).or_default().push(total);
        run.insert(&query.id, response.hits.into_iter().map(|hit| (hit.path, hit.score)));
        progress.advance(1);
    }
    Ok((run, latencies))
}
