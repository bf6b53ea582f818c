use super::{FileEntry, QueryEncoder, SearchMode, utf16};
use querent_core::{engine, query, rerank};
use serde::{Serialize, Serializer};
use std::ops::Range;
use tsify::Tsify;

/// What `search` returns: a response, or the files that are needed first.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(tag = "status", rename_all = "kebab-case")]
#[allow(clippy::large_enum_variant, reason = "one is made per search and moved once")]
pub enum SearchOutcome {
    /// Hand over these files with `load`, then search again.
    Missing {
        /// The files.
        files: Vec<FileEntry>,
    },
    /// The search ran.
    Done {
        /// What it found.
        #[tsify(type = "SearchResponse")]
        response: Box<SearchResponse>,
    },
}

/// What a search found.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// The query as it was asked.
    pub query: String,
    /// The mode that was really used: `lexical` where `hybrid` was asked for without a query vector.
    pub mode: SearchMode,
    /// What embedded the query; none in a lexical search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[tsify(optional)]
    pub query_encoder: Option<QueryEncoder>,
    /// Documents, best first.
    pub hits: Vec<Hit>,
    /// Documents that matched at all, before `limit`.
    pub total: usize,
    /// Counts for every filter that the request names as a facet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub facets: Vec<Facet>,
    /// Quoted phrases of the query, where no document holds them or all of them: the hits then match its words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub unmatched_phrases: Vec<String>,
    /// What the query asks for, where an explanation was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<QueryAnalysis>,
    /// What is to be scored, in this order, where the request asks for reranking and has no scores yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub passages: Vec<Passage>,
    /// Milliseconds per stage, in the order in which they ran.
    pub timings: Vec<(String, f64)>,
}

/// How many of the matching documents have each value of a filter.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The filter's name.
    pub name: String,
    /// Values and numbers of documents, most frequent first. Values that no matching document has are left out.
    pub values: Vec<(String, usize)>,
}

/// What is known about a query before anything is searched.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct QueryAnalysis {
    /// What kind of search it is: `factual`, `relationship`, `how-to`, `purpose`, `troubleshooting`,
    /// `navigational` or `identifier`.
    pub query_type: String,
    /// Whether it is phrased as a question, with a question mark or without.
    pub is_question: bool,
    /// Whether it is written as people speak: a question, or words joined by grammar. Keywords are not.
    pub is_sentence: bool,
    /// Names in it: identifiers, words in quotes or backticks, capitalised words that do not begin it.
    pub entities: Vec<String>,
    /// The terms that carry it, without function words, in order, none twice.
    pub key_terms: Vec<String>,
    /// The language that its script or its function words give away, as BCP 47 has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Up to three questions that a search for a subject may stand for; none when it is a sentence already.
    pub questions: Vec<String>,
}

/// A text to read together with the query.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Passage {
    /// Names the passage in a request's scores.
    pub id: String,
    /// Title and headings on one line, then the chunk's text.
    pub text: String,
}

/// One document that was found, shown by its best section.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// 1 for the best.
    pub rank: usize,
    /// The document's path: its identifier.
    pub path: String,
    /// Where to go: the document's URL with the best section's anchor.
    pub url: String,
    /// The best section's anchor, without `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// The document's title.
    pub title: String,
    /// Heading of the best section; the title where it has none.
    pub heading: String,
    /// Headings from the title down to the best section.
    pub heading_path: Vec<String>,
    /// The document's language, where it states one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What the document says about itself, by name.
    #[serde(serialize_with = "by_name")]
    #[tsify(type = "Record<string, string>")]
    pub metadata: Vec<(String, String)>,
    /// The fused score; comparable within one response only.
    pub score: f32,
    /// The question that the best chunk answers and that is nearest to the query, if the chunk has questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// A stretch of the best chunk around the matches.
    pub excerpt: String,
    /// Matches inside `excerpt`, in the units of JavaScript's strings.
    pub highlights: Vec<HighlightRange>,
    /// Further sections of the same document, best first.
    pub sections: Vec<SectionHit>,
    /// Documents that would have shown nearly the same text, best first.
    pub duplicates: Vec<Duplicate>,
    /// How the score came about, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A document whose text is nearly that of a better hit.
#[derive(Debug, Clone, Serialize, Tsify)]
pub struct Duplicate {
    /// The document's path: its identifier.
    pub path: String,
    /// Where to go: the document's URL with the section's anchor.
    pub url: String,
    /// The document's title.
    pub title: String,
}

fn by_name<S: Serializer>(pairs: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// A further section of a document that was found.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SectionHit {
    /// Where to go: the document's URL with the section's anchor.
    pub url: String,
    /// The section's anchor, without `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Heading of the section.
    pub heading: String,
    /// The chunk's score; comparable within one response only.
    pub score: f32,
    /// A stretch of the chunk around the matches.
    pub excerpt: String,
    /// Matches inside `excerpt`, in the units of JavaScript's strings.
    pub highlights: Vec<HighlightRange>,
}

/// A match: `excerpt.slice(start, end)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
pub struct HighlightRange {
    /// First UTF-16 unit of the match.
    pub start: usize,
    /// First UTF-16 unit after the match.
    pub end: usize,
}

/// How a score came about: a value, what it is, and the values that it was made from.
#[derive(Debug, Clone, Serialize, Tsify)]
pub struct Explanation {
    /// The value.
    pub value: f32,
    /// What the value is, with the formula's numbers.
    pub description: String,
    /// What it was made from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[tsify(optional)]
    pub details: Vec<Explanation>,
}

/// What the mounted indexes hold.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Documents that can be found.
    pub documents: usize,
    /// Chunks of those documents.
    pub chunks: usize,
    /// Questions of those chunks.
    pub questions: usize,
    /// Vectors of chunks and questions.
    pub vectors: usize,
    /// Bytes of all files of the index.
    pub bytes: u64,
}

impl From<query::QueryAnalysis> for QueryAnalysis {
    fn from(analysis: query::QueryAnalysis) -> Self {
        Self {
            query_type: analysis.query_type.name().to_owned(),
            is_question: analysis.is_question,
            is_sentence: analysis.is_sentence,
            entities: analysis.entities,
            key_terms: analysis.key_terms,
            language: analysis.language,
            questions: analysis.questions,
        }
    }
}

impl From<engine::SearchResponse> for SearchResponse {
    fn from(response: engine::SearchResponse) -> Self {
        let facet = |query::Facet { name, values }| Facet { name, values };
        let passage = |passage: rerank::Passage| Passage { id: passage.id, text: passage.text };
        Self {
            query: response.query,
            mode: response.mode.into(),
            query_encoder: response.query_encoder.map(Into::into),
            hits: response.hits.into_iter().map(Into::into).collect(),
            total: response.total,
            facets: response.facets.into_iter().map(facet).collect(),
            unmatched_phrases: response.unmatched_phrases,
            analysis: response.analysis.map(Into::into),
            passages: response.passages.into_iter().map(passage).collect(),
            timings: response.timings.0,
        }
    }
}

impl From<engine::Hit> for Hit {
    fn from(hit: engine::Hit) -> Self {
        Self {
            rank: hit.rank,
            path: hit.path,
            url: hit.url,
            anchor: hit.anchor,
            title: hit.title,
            heading: hit.heading,
            heading_path: hit.heading_path,
            language: hit.language,
            metadata: hit.metadata,
            score: hit.score,
            question: hit.question,
            highlights: highlights(&hit.excerpt, &hit.highlights),
            excerpt: hit.excerpt,
            sections: hit.sections.into_iter().map(Into::into).collect(),
            duplicates: hit.duplicates.into_iter().map(Into::into).collect(),
            explanation: hit.explanation.map(Into::into),
        }
    }
}

impl From<engine::Duplicate> for Duplicate {
    fn from(engine::Duplicate { path, url, title }: engine::Duplicate) -> Self {
        Self { path, url, title }
    }
}

impl From<engine::SectionHit> for SectionHit {
    fn from(hit: engine::SectionHit) -> Self {
        Self {
            url: hit.url,
            anchor: hit.anchor,
            heading: hit.heading,
            score: hit.score,
            highlights: highlights(&hit.excerpt, &hit.highlights),
            excerpt: hit.excerpt,
        }
    }
}

fn highlights(excerpt: &str, ranges: &[Range<usize>]) -> Vec<HighlightRange> {
    utf16::ranges(excerpt, ranges)
        .into_iter()
        .map(|Range { start, end }| HighlightRange { start, end })
        .collect()
}

impl From<engine::Explanation> for Explanation {
    fn from(explanation: engine::Explanation) -> Self {
        let engine::Explanation { value, description, details } = explanation;
        Self { value, description, details: details.into_iter().map(Into::into).collect() }
    }
}

impl From<engine::Stats> for Stats {
    fn from(stats: engine::Stats) -> Self {
        let engine::Stats { documents, chunks, questions, vectors, bytes } = stats;
        Self { documents, chunks, questions, vectors, bytes }
    }
}
