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
mod embed;
mod error;
mod response;
mod select;
mod timer;

pub use error::SearchError;
pub(crate) use response::Rounded;
pub use response::{Duplicate, Explanation, Hit, SearchResponse, SectionHit, StageTimings};
pub use timer::Clock;

use crate::{
    candidate::{lexical, semantic},
    diversify,
    embedding::ModelIdentity,
    fusion,
    lexical::{Bm25fSettings, ExpansionLimits},
    order::sort_by,
    query::{FusionMethod, Query, QueryEncoder, SearchMode, SearchRequest},
    rerank,
    segment::{DocumentRef, FileEntry, Manifest, Missing, Segment, SegmentError},
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

    /// Adds the index that `manifest` describes under the name `source`, or replaces the one mounted under that
    /// name. Files that both have stay loaded. Results of all mounted indexes are ranked together.
    ///
    /// # Errors
    /// When the manifest is damaged, of another format version, or of another model than the one mounted first.
    pub fn mount(&mut self, source: &str, manifest: &[u8]) -> Result<(), SegmentError> {
        self.mount_manifest(source, Manifest::from_bytes(manifest)?)
    }

    /// [`Self::mount`] of a manifest that was read.
    ///
    /// # Errors
    /// When it is of another model than the one mounted first.
    pub fn mount_manifest(&mut self, source: &str, manifest: Manifest) -> Result<(), SegmentError> {
        self.check_model(source, &manifest)?;
        let mut before = self.unmount(source).map_or_else(Vec::new, |mount| mount.segments);
        let reuse = |entry: &crate::segment::SegmentEntry| {
            let known = before.iter().position(|segment| segment.entry().directory == entry.directory);
            let mut segment = known.map_or_else(|| Segment::new(entry.clone()), |at| before.swap_remove(at));
            segment.set_entry(entry.clone());
            segment
        };
        let segments = manifest.segments.iter().map(reuse).collect();
        self.mounts.push(Mount { source: source.to_owned(), manifest, segments });
        // The order of mounting must not decide between equal scores.
        sort_by(&mut self.mounts, |a, b| a.source.cmp(&b.source));
        Ok(())
    }

    /// Takes the index that was mounted under the name `source` away. Says whether there was one.
    pub fn remove(&mut self, source: &str) -> bool {
        self.unmount(source).is_some()
    }

    fn unmount(&mut self, source: &str) -> Option<Mount> {
        let at = self.mounts.iter().position(|mount| mount.source == source)?;
        Some(self.mounts.remove(at))
    }

    fn check_model(&self, source: &str, manifest: &Manifest) -> Result<(), SegmentError> {
        let others = self.mounts.iter().filter(|mount| mount.source != source);
        let in_use = others.filter_map(|mount| mount.manifest.model.as_ref()).next();
        match (in_use, &manifest.model) {
            (Some(expected), Some(got)) if expected != got => {
                Err(SegmentError::Model { expected: expected.to_string(), got: got.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// Hands over the bytes of the file `name`.
    ///
    /// # Errors
    /// When no mounted manifest names the file, or when the bytes are not what the manifest promises: fetch
    /// the file again.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), SegmentError> {
        let mut is_known = false;
        for segment in self.mounts.iter_mut().flat_map(|mount| &mut mount.segments) {
            if let Some(file) = segment.file(name) {
                segment.load(&file, bytes)?;
                is_known = true;
            }
        }
        if is_known { Ok(()) } else { Err(SegmentError::Unknown { name: name.to_owned() }) }
    }

    /// Files that every search needs and that are not there yet: the directories.
    pub fn essential_files(&self) -> Vec<FileEntry> {
        let mut missing = Missing::default();
        self.segments().for_each(|segment| {
            segment.directory(&mut missing);
        });
        missing.into_files()
    }

    /// All files of the mounted indexes, as far as their directories have been loaded.
    pub fn files(&self) -> Vec<FileEntry> {
        let of_segment = |segment: &Segment| {
            let named = segment
                .directory(&mut Missing::default())
                .map(|directory| directory.files().collect::<Vec<_>>());
            std::iter::once(segment.entry().directory.clone())
                .chain(named.unwrap_or_default())
                .collect::<Vec<_>>()
        };
        self.segments().flat_map(of_segment).collect()
    }

    /// The model whose vectors the index holds; `None` when it holds none.
    pub fn model(&self) -> Option<&ModelIdentity> {
        self.mounts.iter().find_map(|mount| mount.manifest.model.as_ref())
    }

    /// Whether a query can be embedded without a model, as far as the directories have been loaded.
    pub fn has_query_encoder(&self) -> bool {
        self.segments().any(|segment| segment.has_encoder(&mut Missing::default()) == Some(true))
    }

    /// What of `query` is to be embedded: all but the filters in it, as far as the files that name them have been loaded.
    /// They have been when a lexical search for the query is done.
    pub fn words_of(&self, query: &str) -> String {
        select::words_of(query, self.segments())
    }

    /// What the mounted indexes hold.
    pub fn stats(&self) -> Stats {
        self.segments().map(Segment::entry).fold(Stats::default(), |stats, entry| Stats {
            documents: stats.documents + entry.documents as usize
                - entry.tombstones.len().min(entry.documents as usize),
            chunks: stats.chunks + entry.chunks as usize,
            questions: stats.questions + entry.questions as usize,
            vectors: stats.vectors + entry.vectors as usize,
            bytes: stats.bytes + entry.bytes,
        })
    }

    fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.mounts.iter().flat_map(|mount| &mount.segments)
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
