//! `querent search`: one query, for people or as JSON.

mod json;
mod text;

use crate::{
    Outcome,
    index::{Index, Stopwatch},
    options::Encoder,
    output, progress,
    rerank::RerankSettings,
    transform::{self, TransformSettings},
    weights,
};
use anyhow::{Result, bail};
use json::JsonResponse;
use querent_core::{
    assembly::AssemblySettings,
    embedding::Embedder,
    engine::Clock,
    query::{SearchMode, SearchRequest},
};
use querent_model::MiniLm;
use std::path::PathBuf;

/// Everything that `search` needs to know.
#[derive(Debug)]
pub(crate) struct SearchSettings {
    pub(crate) index: PathBuf,
    pub(crate) request: SearchRequest,
    /// What embeds the query, where that was said.
    pub(crate) encoder: Option<Encoder>,
    pub(crate) model: Option<PathBuf>,
    /// Where other words are to be searched for as well.
    pub(crate) transform: Option<TransformSettings>,
    /// Where reranking is asked for.
    pub(crate) rerank: Option<RerankSettings>,
    /// Where complete sections are asked for.
    pub(crate) assemble: Option<AssemblySettings>,
    pub(crate) json: bool,
    pub(crate) details: bool,
}

/// Searches and prints.
///
/// # Errors
/// When the index cannot be used, or when semantic search is asked for and cannot be had.
pub(crate) fn run(settings: &SearchSettings) -> Result<Outcome> {
    let mut index = Index::open(&settings.index)?;
    let clock = Stopwatch::start();
    let mut model = QueryModel::default();
    let vector = embed_query(settings, &settings.request.query, &mut index, &mut model)?;
    let embedding_ms = vector.is_some().then(|| clock.now_ms());
    let variations = match &settings.transform {
        Some(transform) => {
            let words = index.words_of(&settings.request.query)?;
            transform.variations(&[&words], false)?.pop().unwrap_or_default()
        }
        None => Vec::new(),
    };
    let others = transform::embedded(&variations, &mut |query| {
        if vector.is_some() { embed_query(settings, query, &mut index, &mut model) } else { Ok(None) }
    })?;
    let rerank = settings.rerank.as_ref().map(|rerank| rerank.open(Some(&settings.index))).transpose()?;
    let response =
        transform::search(&mut index, &settings.request, vector.as_deref(), &others, rerank.as_ref())?;
    let assembled = match &settings.assemble {
        Some(assemble) => {
            response.hits.iter().map(|hit| index.assemble(hit, assemble)).collect::<Result<_>>()?
        }
        None => Vec::new(),
    };
    if settings.json {
        let json = JsonResponse::new(&response, &variations, embedding_ms, settings.details);
        output::json(&json.with_assembled(&assembled))?;
    } else {
        output::line(&text::for_people(&response, &variations, &assembled, settings.details))?;
    }
    Ok(Outcome::Done)
}

/// The embedding model, once it was needed.
#[derive(Debug, Default)]
pub(crate) struct QueryModel(Option<MiniLm>);

/// The vector of `query`, where the mode needs one.
///
/// A hybrid search that cannot have one goes on by words, and says so; a semantic one cannot.
pub(crate) fn embed_query(
    settings: &SearchSettings,
    query: &str,
    index: &mut Index,
    loaded: &mut QueryModel,
) -> Result<Option<Vec<f32>>> {
    let mode = settings.request.mode;
    if mode == SearchMode::Lexical || settings.encoder == Some(Encoder::Table) {
        return Ok(None);
    }
    let Some(identity) = index.engine.model().cloned() else {
        if mode == SearchMode::Semantic {
            bail!(
                "{}: semantic search needs vectors, and the index has none; build it with --embeddings minilm, or \
                 search with --mode lexical",
                settings.index.display()
            );
        }
        progress::detail("the index has no vectors: searching by words only");
        return Ok(None);
    };
    let model = match loaded.0.take() {
        Some(model) => Ok(model),
        None => weights::query_model(Some(&settings.index), settings.model.as_deref(), &identity),
    };
    match model {
        Ok(model) => {
            let model = loaded.0.insert(model);
            Ok(model.embed(&[index.words_of(query)?.as_str()])?.pop())
        }
        Err(error) if settings.encoder.is_none() && index.has_query_encoder()? => {
            progress::detail(&format!("the table in the index embeds the query: {error:#}"));
            Ok(None)
        }
        Err(error) if mode == SearchMode::Hybrid => {
            progress::warn(&format!("searching by words only: {error:#}"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
