use super::{Filter, QueryAnalysis, Sort};
use crate::{diversify::DiversifyRequest, rerank::RerankRequest};
use serde::{Deserialize, Serialize};

/// One search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SearchRequest {
    /// What the reader typed.
    pub query: String,
    /// Which candidates take part.
    pub mode: SearchMode,
    /// Most documents to return: 1 to 1,000, default 10.
    pub limit: usize,
    /// Most further sections to show under a document's best one: 0 to 20, default 3.
    pub sections_per_document: usize,
    /// The query ends in the middle of a word, so the last word matches by prefix: default true. A search box
    /// leaves it on; an evaluation of whole queries may turn it off.
    pub prefix: bool,
    /// How the lists become one.
    pub fusion: FusionSettings,
    /// What embeds the query where the caller gives no vector: default [`QueryEncoder::Model`], which is nobody.
    pub query_encoder: QueryEncoder,
    /// What every hit has to have. `name:value` in the query is the same, where the index has such a filter.
    pub filters: Vec<Filter>,
    /// Filters whose values are counted over the documents that match.
    pub facets: Vec<String>,
    /// Another order than by score; default none.
    pub sort: Option<Sort>,
    /// Add an [`crate::engine::Explanation`] to every hit. Costs a second pass over the hits' scores.
    pub explain: bool,
    /// Have the first candidates read together with the query. See [`crate::rerank`].
    pub rerank: Option<RerankRequest>,
    /// Have the first documents differ from one another. See [`crate::diversify`].
    pub diversify: Option<DiversifyRequest>,
    /// Documents that would show the same text as a better one are named below it instead of being hits of their own:
    /// default true. Off where every document counts, as in an evaluation.
    pub collapse: bool,
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            mode: SearchMode::Hybrid,
            limit: 10,
            sections_per_document: 3,
            prefix: true,
            fusion: FusionSettings::default(),
            query_encoder: QueryEncoder::default(),
            filters: Vec::new(),
            facets: Vec::new(),
            sort: None,
            explain: false,
            rerank: None,
            diversify: None,
            collapse: true,
        }
    }
}

impl SearchRequest {
    /// A search for `query` with every setting at its default.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }
}

/// Which candidates take part in a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchMode {
    /// Both lists, fused. Without a query vector this is `Lexical`, and the response says so.
    #[default]
    Hybrid,
    /// Terms only.
    Lexical,
    /// Vectors only. Needs a query vector.
    Semantic,
}

/// What turns a query into a vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryEncoder {
    /// The model of the index's vectors, which the caller runs.
    #[default]
    Model,
    /// The table in the index ([`crate::query_encoder`]), which the engine runs where it is given no vector.
    Table,
}

impl QueryEncoder {
    /// Name for people, as JSON writes it.
    pub fn name(self) -> &'static str {
        ["model", "table"][self as usize]
    }
}

/// How the lexical and the semantic list become one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FusionSettings {
    /// The formula.
    pub method: FusionMethod,
    /// Weight of the semantic list: 0 (lexical only) and up; default 0.6. Only the ratio of the two counts.
    /// [`FusionMethod::Adaptive`] takes it for sentences, and less of it for keywords.
    pub vector_weight: f32,
    /// Weight of the lexical list: 0 (semantic only) and up; default 0.4.
    pub bm25_weight: f32,
    /// The constant of reciprocal rank fusion: 0 and up, default 60. Small values let the first ranks
    /// dominate, large ones flatten the lists.
    pub rrf_k: f32,
}

impl Default for FusionSettings {
    fn default() -> Self {
        Self { method: FusionMethod::default(), vector_weight: 0.6, bm25_weight: 0.4, rrf_k: 60.0 }
    }
}

/// What [`FusionMethod::Adaptive`] leaves of the semantic list's weight when the query is keywords: with the
/// default weights, 0.35 of the whole. Measured on the development sets, see docs/decisions.
const KEYWORD_SHARE: f32 = 0.36;

/// What [`FusionMethod::Adaptive`] makes of the semantic list's weight when the table embedded the query, before
/// [`prominence`](crate::fusion::prominence), which is below 1 for most queries.
const TABLE_SHARE: f32 = 1.25;

impl FusionSettings {
    /// The settings for one query: [`FusionMethod::Adaptive`] becomes a formula with weights, others stay.
    ///
    /// A name, an option or the beginning of a word is looked for as it is written, and its embedding says little;
    /// a sentence is meant rather than quoted.
    /// What the table embedded (`encoder`) counts more or less by how much its best stands out among the lists. The pair are the parts of the query's words
    /// that the encoder knows, and knows as a whole: of a sentence it counts the first, of keywords the second, for there
    /// each word is all there is to say what is meant. A model knows every word; there the second is the part that the
    /// index holds as it was written, since the embedding of half a word, or of a misspelt one, is that of another.
    #[must_use]
    pub fn for_query(
        self,
        analysis: &QueryAnalysis,
        encoder: Option<QueryEncoder>,
        (known, whole): (f32, f32),
    ) -> Self {
        if self.method != FusionMethod::Adaptive {
            return self;
        }
        let (share, known) = if analysis.is_sentence { (1.0, known) } else { (KEYWORD_SHARE, whole) };
        let trust = if encoder == Some(QueryEncoder::Table) { TABLE_SHARE } else { 1.0 };
        // Never nothing: the list may be the only one, and its order is to be kept.
        let share = share * trust * known.max(0.05);
        Self { method: FusionMethod::MinMax, vector_weight: share * self.vector_weight, ..self }
    }
}

/// The formula of fusion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FusionMethod {
    /// Weighted sum of `1 / (k + rank + 1)`, ranks from 0 (Cormack, Clarke and Büttcher, SIGIR 2009).
    ReciprocalRank,
    /// Weighted sum of scores stretched to 0 to 1 within each list.
    MinMax,
    /// [`Self::MinMax`] with weights by the query: sentences trust vectors more, keywords trust words more.
    #[default]
    Adaptive,
}
