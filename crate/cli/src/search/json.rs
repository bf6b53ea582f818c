//! What `search --json` prints.

use crate::options::mode_name;
use querent_core::{
    assembly::Assembled,
    engine::{Duplicate, Explanation, Hit, SearchResponse, SectionHit},
    query::{QueryAnalysis, QueryEncoder},
};
use serde::Serialize;
use std::{collections::BTreeMap, ops::Range};

/// What `--json` prints. Scripts rely on the names.
#[derive(Debug, Serialize)]
pub(super) struct JsonResponse<'a> {
    query: &'a str,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_encoder: Option<&'static str>,
    /// The query and what it was searched for as besides; absent without `--transform`.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    variations: &'a [String],
    hits: Vec<JsonHit<'a>>,
    /// Quoted phrases that no document holds: the hits match their words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unmatched_phrases: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<JsonAnalysis<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    facets: BTreeMap<&'a str, &'a [(String, usize)]>,
    timings_ms: BTreeMap<&'a str, f64>,
}

#[derive(Debug, Serialize)]
struct JsonHit<'a> {
    rank: usize,
    path: &'a str,
    url: &'a str,
    anchor: Option<&'a str>,
    title: &'a str,
    heading: &'a str,
    score: f32,
    question: Option<&'a str>,
    excerpt: &'a str,
    /// Documents that would have shown nearly the same text.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    duplicates: &'a [Duplicate],
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<JsonDetails<'a>>,
    /// What the hit stands in; absent without `--assemble`.
    #[serde(skip_serializing_if = "Option::is_none")]
    assembled: Option<&'a Assembled>,
}

/// What `--show-details` says of the query: snake case, as everything that scripts read.
#[derive(Debug, Serialize)]
struct JsonAnalysis<'a> {
    query_type: &'static str,
    is_question: bool,
    is_sentence: bool,
    entities: &'a [String],
    key_terms: &'a [String],
    language: Option<&'a str>,
    /// Questions that the query may stand for, where it is none itself.
    questions: &'a [String],
}

/// What `--show-details` adds.
#[derive(Debug, Serialize)]
struct JsonDetails<'a> {
    heading_path: &'a [String],
    language: Option<&'a str>,
    metadata: BTreeMap<&'a str, &'a str>,
    highlights: &'a [Range<usize>],
    sections: &'a [SectionHit],
    explanation: Option<&'a Explanation>,
}

impl<'a> JsonResponse<'a> {
    pub(super) fn new(
        response: &'a SearchResponse,
        variations: &'a [String],
        embedding_ms: Option<f64>,
        details: bool,
    ) -> Self {
        let mut timings_ms: BTreeMap<&str, f64> = BTreeMap::new();
        timings_ms.extend(embedding_ms.map(|ms| ("embedding", ms)));
        for (stage, ms) in &response.timings.0 {
            *timings_ms.entry(stage).or_default() += ms;
        }
        Self {
            query: &response.query,
            mode: mode_name(response.mode),
            query_encoder: response.query_encoder.map(QueryEncoder::name),
            variations,
            hits: response.hits.iter().map(|hit| JsonHit::new(hit, details)).collect(),
            unmatched_phrases: &response.unmatched_phrases,
            analysis: response.analysis.as_ref().filter(|_| details).map(JsonAnalysis::new),
            facets: response
                .facets
                .iter()
                .map(|facet| (facet.name.as_str(), facet.values.as_slice()))
                .collect(),
            timings_ms,
        }
    }
}

impl<'a> JsonResponse<'a> {
    /// The same with what each hit stands in, in the order of the hits.
    pub(super) fn with_assembled(mut self, assembled: &'a [Option<Assembled>]) -> Self {
        let hits = self.hits.iter_mut().zip(assembled);
        hits.for_each(|(hit, assembled)| hit.assembled = assembled.as_ref());
        self
    }
}

impl<'a> JsonAnalysis<'a> {
    fn new(analysis: &'a QueryAnalysis) -> Self {
        Self {
            query_type: analysis.query_type.name(),
            is_question: analysis.is_question,
            is_sentence: analysis.is_sentence,
            entities: &analysis.entities,
            key_terms: &analysis.key_terms,
            language: analysis.language.as_deref(),
            questions: &analysis.questions,
        }
    }
}

impl<'a> JsonHit<'a> {
    fn new(hit: &'a Hit, details: bool) -> Self {
        let details = details.then(|| JsonDetails {
            heading_path: &hit.heading_path,
            language: hit.language.as_deref(),
            metadata: hit.metadata.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            highlights: &hit.highlights,
            sections: &hit.sections,
            explanation: hit.explanation.as_ref(),
        });
        Self {
            rank: hit.rank,
            path: &hit.path,
            url: &hit.url,
            anchor: hit.anchor.as_deref(),
            title: &hit.title,
            heading: &hit.heading,
            score: hit.score,
            question: hit.question.as_deref(),
            excerpt: &hit.excerpt,
            duplicates: &hit.duplicates,
            details,
            assembled: None,
        }
    }
}
