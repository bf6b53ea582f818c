mod convert;

use querent_core::{diversify, json::Json, query, rerank};
use serde::Serialize;
use tsify::Tsify;

/// One search. Every field may be left out.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchRequest {
    /// What the reader typed. Default: nothing, which finds nothing.
    pub query: Option<String>,
    /// Which candidates take part. Default `hybrid`.
    pub mode: Option<SearchMode>,
    /// Most documents to return: 1 to 1,000, default 10.
    pub limit: Option<usize>,
    /// Most further sections to show under a document's best one: 0 to 20, default 3.
    pub sections_per_document: Option<usize>,
    /// The query ends in the middle of a word, so the last word matches by prefix: default true.
    pub prefix: Option<bool>,
    /// How the lists become one.
    pub fusion: Option<FusionSettings>,
    /// What embeds the query where no vector is given. Default `model`: nothing does.
    pub query_encoder: Option<QueryEncoder>,
    /// What every hit has to have. `name:value` in the query is the same, where the index has such a filter.
    pub filters: Option<Vec<Filter>>,
    /// Filters whose values are counted over the documents that match.
    pub facets: Option<Vec<String>>,
    /// Another order than by score.
    pub sort: Option<Sort>,
    /// Add an explanation to every hit: default false. Costs a second pass over the hits' scores.
    pub explain: Option<bool>,
    /// Have the first candidates read together with the query: the response then has the passages to score, and the
    /// same request with their scores gives the final order. Default: not.
    pub rerank: Option<RerankRequest>,
    /// Have the first documents differ from one another (maximum marginal relevance). Default: not.
    pub diversify: Option<DiversifyRequest>,
    /// Documents that would show the same text as a better one are named below it instead of being hits of their own:
    /// default true.
    pub collapse: Option<bool>,
}

/// How the first documents are chosen when they should differ. Every field may be left out.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct DiversifyRequest {
    /// Documents to choose: 1 and up, default 6. All others follow in the order that they had.
    pub k: Option<usize>,
    /// Documents to choose from: `k` and up, default 20.
    pub fetch_k: Option<usize>,
    /// 0 (as different as can be) to 1 (the order as it was), default 0.5.
    pub lambda: Option<f32>,
}

/// What is reranked, and by which scores. Every field may be left out.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct RerankRequest {
    /// Documents that give passages: 1 to 100, default ten times `limit`.
    pub candidates: Option<usize>,
    /// Passages of each document: 1 to 10, default 2. The best one counts.
    pub chunks_per_document: Option<usize>,
    /// What the passage's relevance counts in the final score: 0 (the fused order) to 1 (the relevance alone),
    /// default 0.3.
    pub weight: Option<f32>,
    /// The passages' scores, in any order; passages may be missing. Without any, the response has the passages.
    pub scores: Option<Vec<PassageScore>>,
}

/// A filter: documents that have one of the values under the name. Several filters must all be met.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Filter {
    /// A filter of the documents (`tag`, `version`), `language`, or `path`, whose values are beginnings of paths.
    pub name: String,
    /// Values of which a document needs one.
    pub values: Vec<String>,
}

/// An order of hits other than by score.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sort {
    /// Name of a value in the documents' metadata. Values that are numbers are compared as numbers; documents without
    /// a value come last.
    pub key: String,
    /// Greatest first: default false.
    pub descending: Option<bool>,
}

/// How well a passage answers the query.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PassageScore {
    /// The passage's `id`.
    pub id: String,
    /// 0 (not at all) to 1 (fully).
    pub relevance: f32,
}

/// How the lexical and the semantic list become one. Every field may be left out.
#[derive(Debug, Clone, Copy, Default, Tsify)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct FusionSettings {
    /// The formula. Default `adaptive`.
    pub method: Option<FusionMethod>,
    /// Weight of the semantic list: 0 (lexical only) and up; default 0.6. Only the ratio of the two counts.
    pub vector_weight: Option<f32>,
    /// Weight of the lexical list: 0 (semantic only) and up; default 0.4.
    pub bm25_weight: Option<f32>,
    /// The constant of reciprocal rank fusion: 0 and up, default 60. Small values let the first ranks dominate,
    /// large ones flatten the lists.
    pub rrf_k: Option<f32>,
}

/// Which candidates take part in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum SearchMode {
    /// Both lists, fused. Without a query vector this is `lexical`, and the response says so.
    Hybrid,
    /// Terms only.
    Lexical,
    /// Vectors only. Needs a query vector.
    Semantic,
}

/// What turns a query into a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum QueryEncoder {
    /// The model of the index's vectors, which the caller runs.
    Model,
    /// The table in the index, which needs no model.
    Table,
}

/// The formula of fusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum FusionMethod {
    /// Weighted sum of `1 / (k + rank + 1)`, ranks from 0.
    ReciprocalRank,
    /// Weighted sum of scores stretched to 0 to 1 within each list.
    MinMax,
    /// `min-max` with weights by the query: sentences trust vectors more, keywords trust words more.
    Adaptive,
}

impl SearchRequest {
    /// Reads one; `undefined` and `null` are no request.
    pub(crate) fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                query: fields.optional("query", Json::into_text)?,
                mode: fields.optional("mode", |mode| mode.into_one_of(&SearchMode::WORDS))?,
                limit: fields.optional("limit", Json::into_usize)?,
                sections_per_document: fields.optional("sectionsPerDocument", Json::into_usize)?,
                prefix: fields.optional("prefix", Json::into_bool)?,
                fusion: fields.optional("fusion", FusionSettings::from_json)?,
                query_encoder: fields
                    .optional("queryEncoder", |encoder| encoder.into_one_of(&QueryEncoder::WORDS))?,
                filters: fields.optional("filters", |list| list.into_list(Filter::from_json))?,
                facets: fields.optional("facets", |list| list.into_list(Json::into_text))?,
                sort: fields.optional("sort", Sort::from_json)?,
                explain: fields.optional("explain", Json::into_bool)?,
                rerank: fields.optional("rerank", RerankRequest::from_json)?,
                diversify: fields.optional("diversify", DiversifyRequest::from_json)?,
                collapse: fields.optional("collapse", Json::into_bool)?,
            })
        })
    }
}

impl DiversifyRequest {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                k: fields.optional("k", Json::into_usize)?,
                fetch_k: fields.optional("fetchK", Json::into_usize)?,
                lambda: fields.optional("lambda", Json::into_number)?,
            })
        })
    }
}

impl RerankRequest {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                candidates: fields.optional("candidates", Json::into_usize)?,
                chunks_per_document: fields.optional("chunksPerDocument", Json::into_usize)?,
                weight: fields.optional("weight", Json::into_number)?,
                scores: fields.optional("scores", |list| list.into_list(PassageScore::from_json))?,
            })
        })
    }
}

impl Filter {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                name: fields.required("name", Json::into_text)?,
                values: fields.required("values", |list| list.into_list(Json::into_text))?,
            })
        })
    }
}

impl Sort {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                key: fields.required("key", Json::into_text)?,
                descending: fields.optional("descending", Json::into_bool)?,
            })
        })
    }
}

impl PassageScore {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                id: fields.required("id", Json::into_text)?,
                relevance: fields.required("relevance", Json::into_number)?,
            })
        })
    }
}

impl FusionSettings {
    fn from_json(json: Json) -> Result<Self, String> {
        json.into_object(|fields| {
            Ok(Self {
                method: fields.optional("method", |method| method.into_one_of(&FusionMethod::WORDS))?,
                vector_weight: fields.optional("vectorWeight", Json::into_number)?,
                bm25_weight: fields.optional("bm25Weight", Json::into_number)?,
                rrf_k: fields.optional("rrfK", Json::into_number)?,
            })
        })
    }
}

impl SearchMode {
    const WORDS: [(&str, Self); 3] =
        [("hybrid", Self::Hybrid), ("lexical", Self::Lexical), ("semantic", Self::Semantic)];
}

impl QueryEncoder {
    const WORDS: [(&str, Self); 2] = [("model", Self::Model), ("table", Self::Table)];
}

impl FusionMethod {
    const WORDS: [(&str, Self); 3] =
        [("reciprocal-rank", Self::ReciprocalRank), ("min-max", Self::MinMax), ("adaptive", Self::Adaptive)];
}
