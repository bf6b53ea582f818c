//! The read side: a query in, hits out.
//!
//! [`Engine`] does no IO. It is opened with a manifest; a search that needs a file which has not been handed
//! over says so ([`SearchError::Missing`]), and is called again when the caller has loaded it:
//!
//! ```text
//! loop { match engine.search(&request, vector, clock) {
//!     Err(SearchError::Missing(files)) => for file in files { engine.load(&file.name, &bytes)? },
//!     done => break done,
//! } }
//! ```

mod assemble;
mod context;
mod embed;
mod error;
mod mounts;
mod response;
mod select;
mod timer;

pub use error::SearchError;
pub(crate) use response::Rounded;
pub use response::{Duplicate, Explanation, Hit, SearchResponse, SectionHit, StageTimings};
pub use timer::Clock;

use crate::{
    candidate::{lexical, semantic},
    diversify, fusion,
    lexical::{Bm25fSettings, ExpansionLimits},
    query::{FusionMethod, Query, QueryEncoder, SearchMode, SearchRequest},
    rerank,
    segment::{DocumentRef, Manifest, Segment},
};
use embed::QueryVector;
use select::Selection;
use serde::{Deserialize, Serialize};
use timer::Timer;

/// An index that can be searched.
#[derive(Debug, Default)]
pub struct Engine {
    mounts: Vec<Mount>,
    ranking: Bm25fSettings,
    expansion: ExpansionLimits,
}

#[derive(Debug)]
struct Mount {
    source: String,
    manifest: Manifest,
    segments: Vec<Segment>,
}

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Documents that can be found.
    pub documents: usize,
    /// Chunks, those of deleted documents included.
    pub chunks: usize,
    /// Questions of those chunks.
    pub questions: usize,
    /// Vectors of chunks and questions.
    pub vectors: usize,
    /// Bytes of all files of the index.
    pub bytes: u64,
}

impl Engine {
    /// An engine without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same engine with other weights for fields and terms.
    #[must_use]
    pub fn with_ranking(mut self, ranking: Bm25fSettings) -> Self {
        self.ranking = ranking;
        self
    }

    /// Searches. `vector` is the query's embedding by the index's model, where there is one; without it the engine may
    /// make one from the index's table ([`SearchRequest::query_encoder`]).
    ///
    /// # Errors
    /// [`SearchError::Missing`] until every file that this search needs was handed over; the others when the
    /// request does not fit the index.
    pub fn search(
        &self,
        request: &SearchRequest,
        vector: Option<&[f32]>,
        clock: &dyn Clock,
    ) -> Result<SearchResponse, SearchError> {
        let mut timer = Timer::new(clock);
        let segments: Vec<&Segment> = self.segments().collect();
        let asked = &request.query;
        let selection = timer.stage("select", || Selection::new(request, &segments))?;
        let request = &*selection.request;
        let vector = timer.stage("encode", || QueryVector::new(vector, request, &segments))?;
        let mode = self.effective_mode(request, &vector)?;
        let query = timer.stage("analyse", || self.analyse(request));
        let by_terms = timer.stage("lexical", || self.by_terms(mode, &query, &segments, &selection))?;
        let by_vectors = timer.stage("semantic", || match &vector.numbers {
            Some(numbers) if mode != SearchMode::Lexical => {
                let encoder = vector.encoder.unwrap_or_default();
                semantic::search(numbers, encoder, &segments, &|at| {
                    selection.allows(at) && by_terms.allows(at)
                })
            }
            _ => Ok(Vec::new()),
        })?;
        let encoder = vector.encoder.filter(|_| mode != SearchMode::Lexical);
        let known = match encoder {
            Some(QueryEncoder::Model) => (1.0, by_terms.written(&query)),
            _ => vector.known,
        };
        let mut settings = request.fusion.for_query(&query.analysis, encoder, known);
        if encoder == Some(QueryEncoder::Table) && request.fusion.method == FusionMethod::Adaptive {
            settings.vector_weight *= fusion::prominence(&by_terms.documents, &by_vectors);
        }
        let weight_of = |at: DocumentRef| select::weight_of(&segments, at);
        let fused =
            timer.stage("fusion", || fusion::fuse(&by_terms.documents, &by_vectors, &settings, &weight_of));
        let mut fused = match request.rerank {
            Some(_) => timer.stage("rerank", || rerank::reorder(fused, &segments, request)),
            None => fused,
        };
        if request.diversify.is_some() {
            fused = timer.stage("diversify", || diversify::reorder(fused, mode, &segments, request))?;
        }
        selection.sort(&mut fused);
        let assemble = assemble::Assemble {
            request,
            fusion: &settings,
            encoder,
            query: &query,
            segments: &segments,
            by_terms: &by_terms,
            ranking: &self.ranking,
        };
        let hits = timer.stage("assembly", || assemble.hits(&fused))?;
        Ok(SearchResponse {
            query: asked.to_owned(),
            mode,
            query_encoder: encoder,
            hits,
            total: fused.len(),
            facets: selection.facets(&by_terms.documents, &fused),
            passages: rerank::passages(request, &fused, &segments)?,
            unmatched_phrases: by_terms.unmatched_phrases,
            analysis: request.explain.then_some(query.analysis),
            timings: timer.finish(),
        })
    }

    /// The query with the synonyms of all mounted indexes.
    fn analyse(&self, request: &SearchRequest) -> Query {
        let mut query = Query::analyse(request, &self.ranking);
        self.mounts.iter().for_each(|mount| query.add_synonyms(&mount.manifest.synonyms));
        query
    }

    /// The lexical list, of the documents that may be hits.
    fn by_terms(
        &self,
        mode: SearchMode,
        query: &Query,
        segments: &[&Segment],
        selection: &Selection<'_>,
    ) -> Result<lexical::LexicalCandidates, SearchError> {
        let mut candidates = match mode {
            SearchMode::Semantic => lexical::LexicalCandidates::default(),
            _ => {
                lexical::search(query, segments, &self.ranking, &self.expansion, &|at| selection.allows(at))?
            }
        };
        selection.narrow(query, &mut candidates.documents, segments)?;
        Ok(candidates)
    }

    fn effective_mode(
        &self,
        request: &SearchRequest,
        vector: &QueryVector<'_>,
    ) -> Result<SearchMode, SearchError> {
        let has_vectors = self.segments().any(|segment| segment.entry().vectors > 0);
        match (request.mode, vector.numbers.as_deref(), self.model()) {
            (SearchMode::Lexical, ..) => Ok(SearchMode::Lexical),
            // A table that knows no word of the query finds nothing, which is an answer.
            (SearchMode::Semantic, None, _) if vector.encoder.is_some() => Ok(SearchMode::Semantic),
            (SearchMode::Semantic, None, Some(_)) if request.query_encoder == QueryEncoder::Table => {
                Err(SearchError::NoVectors("an index with a table; build it again with this release"))
            }
            (SearchMode::Semantic, None, _) => {
                Err(SearchError::NoVectors("the query's vector; embed the query first"))
            }
            (SearchMode::Semantic, Some(_), None) => {
                Err(SearchError::NoVectors("an index with vectors; build it with `--embeddings minilm`"))
            }
            (_, Some(vector), Some(model)) if vector.len() != model.dimensions as usize => {
                Err(SearchError::Dimensions { expected: model.dimensions as usize, got: vector.len() })
            }
            (mode, Some(_), Some(_)) if has_vectors => Ok(mode),
            _ => Ok(SearchMode::Lexical),
        }
    }
}
