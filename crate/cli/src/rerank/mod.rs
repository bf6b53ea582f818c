//! `--rerank`: the cross-encoder from the disk, or a service, for `search` and `eval`.

mod endpoint;
pub(crate) mod weights;

use crate::{
    index::{Index, Stopwatch},
    progress,
};
use anyhow::Result;
use endpoint::Endpoint;
use querent_core::{
    engine::{Clock, SearchResponse},
    query::SearchRequest,
    rerank::{RerankRequest, Reranker, within_budget},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// Passages that are scored between two looks at the clock. Two threads share them in a few rounds.
const MODEL_BATCH: usize = 16;
/// A service is asked once.
const ENDPOINT_BATCH: usize = 1000;

/// What `--rerank` and its kin say.
#[derive(Debug, Clone)]
pub(crate) struct RerankSettings {
    /// Candidates and weight; no scores.
    pub(crate) request: RerankRequest,
    /// Milliseconds after which no further passage is scored.
    pub(crate) budget_ms: f64,
    pub(crate) source: RerankSource,
}

/// Who scores.
#[derive(Debug, Clone)]
pub(crate) enum RerankSource {
    /// The cross-encoder in a folder or a pack; where `None`, the pack in the index, or where `./build.sh setup` puts it.
    Model(Option<PathBuf>),
    /// A service.
    Endpoint {
        /// Its address.
        url: String,
        /// The name of its model.
        model: String,
    },
}

/// Somebody who scores, ready to be asked.
pub(crate) struct Reranking {
    request: RerankRequest,
    budget_ms: f64,
    batch: usize,
    reranker: Box<dyn Reranker>,
}

impl RerankSettings {
    /// Loads the model, or makes the client of the service. The pack in the folder `index` is what its readers'
    /// browsers rerank with.
    ///
    /// # Errors
    /// When the model's files cannot be used, or the service's address is none.
    pub(crate) fn open(&self, index: Option<&Path>) -> Result<Reranking> {
        let (reranker, batch): (Box<dyn Reranker>, usize) = match &self.source {
            RerankSource::Model(given) => (Box::new(weights::load(given.as_deref(), index)?), MODEL_BATCH),
            RerankSource::Endpoint { url, model } => {
                let timeout = Duration::from_secs_f64((self.budget_ms / 1000.0).clamp(0.001, 600.0));
                (Box::new(Endpoint::new(url, model, timeout)?), ENDPOINT_BATCH)
            }
        };
        Ok(Reranking { request: self.request.clone(), budget_ms: self.budget_ms, batch, reranker })
    }
}

impl Reranking {
    /// Searches, scores what the search names for as long as there is time, and searches again with the scores.
    ///
    /// A reranker that fails costs the order, not the search: what it scored before counts, a warning says why.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub(crate) fn search(
        &self,
        index: &mut Index,
        request: &SearchRequest,
        vector: Option<&[f32]>,
    ) -> Result<SearchResponse> {
        let request = SearchRequest { rerank: Some(self.request.clone()), ..request.clone() };
        let mut fused = index.search(&request, vector)?;
        let clock = Stopwatch::start();
        let scored = within_budget(
            &*self.reranker,
            &index.words_of(&request.query)?,
            &fused.passages,
            self.batch,
            self.budget_ms,
            &clock,
        );
        let ms = clock.now_ms();
        if let Some(error) = scored.error {
            progress::warn(&format!("not everything is reranked: {error}"));
        }
        progress::detail(&format!("reranked {} of {} passages", scored.scores.len(), fused.passages.len()));
        if scored.scores.is_empty() {
            if !fused.passages.is_empty() {
                progress::warn(
                    "nothing was reranked in time, so the order is the fused one; see --rerank-budget",
                );
            }
            fused.passages.clear();
            return Ok(fused);
        }
        let request =
            SearchRequest { rerank: Some(self.request.clone().with_scores(scored.scores)), ..request };
        let mut response = index.search(&request, vector)?;
        response.timings.0.push(("cross-encoder".into(), ms));
        Ok(response)
    }
}
