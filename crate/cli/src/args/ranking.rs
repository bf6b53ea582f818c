//! What `search` and `eval` take alike: how hits are ranked, reranked and chosen.

use crate::{
    Usage,
    config::SearchConfig,
    llm::LlmSettings,
    options::{Encoder, Fusion, Transform},
    rerank::{RerankSettings, RerankSource},
    transform::TransformSettings,
};
use anyhow::Result;
use clap::Args;
use querent_core::{
    diversify::DiversifyRequest,
    query::{Filter, FusionSettings, SearchRequest, Sort, transform::MAX_VARIATIONS},
    rerank::RerankRequest,
};
use std::{path::PathBuf, time::Duration};

/// What `search` and `eval` have in common.
#[derive(Debug, Args)]
pub(crate) struct RankingArgs {
    /// How the two lists become one: adaptive, min-max, reciprocal-rank [default:
    /// adaptive]
    #[arg(long, env = "QUERENT_FUSION")]
    fusion: Option<Fusion>,
    /// Weight of the semantic list, 0 and up [default: as measured best]
    #[arg(long, env = "QUERENT_VECTOR_WEIGHT", value_name = "W", allow_negative_numbers = true)]
    vector_weight: Option<f32>,
    /// Weight of the lexical list, 0 and up [default: as measured best]
    #[arg(long, env = "QUERENT_BM25_WEIGHT", value_name = "W", allow_negative_numbers = true)]
    bm25_weight: Option<f32>,
    /// What embeds the query: model (MiniLM), table (the one in the index) [default: model; in a search the table,
    /// where the model is not there]
    #[arg(long, env = "QUERENT_QUERY_ENCODER")]
    query_encoder: Option<Encoder>,
    /// The last word of a query is a whole word, not the beginning of one
    #[arg(long)]
    no_prefix: bool,
    /// Folder of MiniLM's weights [default: the pack in the index, or as for build]
    #[arg(long, env = "QUERENT_MODEL_DIR", value_name = "DIR")]
    pub(crate) model: Option<PathBuf>,
}

impl RankingArgs {
    /// What embeds the query, where that was said.
    pub(crate) fn encoder(&self, config: &SearchConfig) -> Option<Encoder> {
        self.query_encoder.or(config.query_encoder)
    }

    /// A request without a query.
    pub(crate) fn request(&self, config: &SearchConfig) -> Result<SearchRequest> {
        let default = FusionSettings::default();
        let vector_weight = self.vector_weight.or(config.vector_weight).unwrap_or(default.vector_weight);
        let bm25_weight = self.bm25_weight.or(config.bm25_weight).unwrap_or(default.bm25_weight);
        for (name, weight) in [("vector-weight", vector_weight), ("bm25-weight", bm25_weight)] {
            if !weight.is_finite() || weight < 0.0 {
                return Err(Usage(format!("{name}: expected a number of 0 or more, found {weight}")).into());
            }
        }
        if vector_weight + bm25_weight == 0.0 {
            return Err(
                Usage("vector-weight and bm25-weight: expected one above 0, found both 0".into()).into()
            );
        }
        let method = self.fusion.or(config.fusion).map_or(default.method, Into::into);
        Ok(SearchRequest {
            prefix: !self.no_prefix && config.prefix.unwrap_or(true),
            query_encoder: self.encoder(config).map_or_else(Default::default, Into::into),
            fusion: FusionSettings { method, vector_weight, bm25_weight, ..default },
            ..SearchRequest::default()
        })
    }
}

/// What `search` and `eval` say about reranking.
#[derive(Debug, Args)]
pub(crate) struct RerankArgs {
    /// Have the first candidates read together with the query by a cross-encoder
    #[arg(long, env = "QUERENT_RERANK", value_parser = clap::builder::FalseyValueParser::new())]
    rerank: bool,
    /// Folder or pack of the cross-encoder [default: ms-marco-MiniLM-L-12-v2 beside MiniLM]
    #[arg(long, env = "QUERENT_RERANK_MODEL", value_name = "DIR", conflicts_with = "rerank_endpoint")]
    rerank_model: Option<PathBuf>,
    /// Ask this service instead (Jina's and Cohere's protocol); its key is taken from QUERENT_RERANK_KEY
    #[arg(long, env = "QUERENT_RERANK_ENDPOINT", value_name = "URL")]
    rerank_endpoint: Option<String>,
    /// The service's name of its model
    #[arg(long, env = "QUERENT_RERANK_SERVICE_MODEL", value_name = "NAME", default_value = "rerank")]
    rerank_service_model: String,
    /// Milliseconds for reranking, 1 and up; what is not scored by then keeps its order behind what was
    /// [default: 5000 in a search, no limit in an evaluation]
    #[arg(long, env = "QUERENT_RERANK_BUDGET", value_name = "MS")]
    rerank_budget: Option<f64>,
    /// Documents to rerank, 1 to 100 [default: ten times the limit, at most 100]
    #[arg(long, env = "QUERENT_RERANK_CANDIDATES", value_name = "N")]
    rerank_candidates: Option<usize>,
    /// Chunks of each document to read, 1 to 10; its best one counts [default: 2]
    #[arg(long, env = "QUERENT_RERANK_CHUNKS", value_name = "N")]
    rerank_chunks: Option<usize>,
    /// What the cross-encoder counts beside the fused score, 0 to 1 [default: 0.3]
    #[arg(long, env = "QUERENT_RERANK_WEIGHT", value_name = "W")]
    rerank_weight: Option<f32>,
}

impl RerankArgs {
    /// The settings, where reranking is asked for.
    pub(crate) fn resolve(self, budget_ms: f64) -> Result<Option<RerankSettings>> {
        if !self.rerank {
            return Ok(None);
        }
        let default = RerankRequest::default();
        let request = RerankRequest {
            candidates: self.rerank_candidates.unwrap_or(default.candidates),
            chunks_per_document: self.rerank_chunks.unwrap_or(default.chunks_per_document),
            weight: self.rerank_weight.unwrap_or(default.weight),
            scores: Vec::new(),
        };
        let budget_ms = self.rerank_budget.unwrap_or(budget_ms);
        for (name, range, value) in [
            ("candidates", 1.0..=100.0, self.rerank_candidates.map_or(1.0, |value| value as f64)),
            ("chunks", 1.0..=10.0, request.chunks_per_document as f64),
            ("weight", 0.0..=1.0, f64::from(request.weight)),
            ("budget", 1.0..=f64::MAX, budget_ms.min(f64::MAX)),
        ] {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                let to = if *high == f64::MAX { "or more".to_owned() } else { format!("to {high}") };
                return Err(Usage(format!("rerank-{name}: expected {low} {to}, found {value}")).into());
            }
        }
        let source = match self.rerank_endpoint {
            Some(url) => RerankSource::Endpoint { url, model: self.rerank_service_model },
            None => RerankSource::Model(self.rerank_model),
        };
        Ok(Some(RerankSettings { request, budget_ms, source }))
    }
}

/// What `search` and `eval` say about other words for a query.
#[derive(Debug, Args)]
pub(crate) struct TransformArgs {
    /// Search in other words as well: rules, llm (a language model is sent the query) [WHO: llm where one is configured,
    /// else rules]
    #[arg(long, value_name = "WHO", num_args = 0..=1, require_equals = true, default_missing_value = "auto")]
    transform: Option<Transform>,
    /// Variations of a query, itself included: 1 to 10 [default: 3]
    #[arg(long, value_name = "N", requires = "transform")]
    max_variations: Option<usize>,
    /// Seconds to wait for the model before rules find the variations [default: 10]
    #[arg(long, value_name = "S", requires = "transform")]
    transform_timeout: Option<f64>,
}

impl TransformArgs {
    /// Whether a model is to be asked where one is configured.
    pub(crate) fn may_ask_model(&self) -> bool {
        matches!(self.transform, Some(Transform::Llm | Transform::Auto))
    }

    /// The settings, where variations are wanted; `llm` is the model that is configured.
    pub(crate) fn resolve(self, llm: Option<LlmSettings>) -> Result<Option<TransformSettings>> {
        let Some(who) = self.transform else { return Ok(None) };
        if who == Transform::Llm && llm.is_none() {
            return Err(Usage(
                "--transform=llm: expected --llm-url, the address of a server with OpenAI's chat API such as \
                 http://127.0.0.1:8080/v1; found none"
                    .into(),
            )
            .into());
        }
        let max_variations = self.max_variations.unwrap_or(MAX_VARIATIONS);
        if !(1..=10).contains(&max_variations) {
            return Err(Usage(format!("max-variations: expected 1 to 10, found {max_variations}")).into());
        }
        let timeout = self.transform_timeout.unwrap_or(10.0);
        if !(0.001..=600.0).contains(&timeout) {
            return Err(Usage(format!("transform-timeout: expected 0.001 to 600, found {timeout}")).into());
        }
        Ok(Some(TransformSettings {
            llm: llm.filter(|_| who != Transform::Rules),
            max_variations,
            timeout: Duration::from_secs_f64(timeout),
        }))
    }
}

/// Which hits are shown, in which order, and what is counted beside them.
#[derive(Debug, Args)]
pub(crate) struct ChoiceArgs {
    /// Only documents with this value: a filter of theirs, language, or path (matched by beginning). May be repeated;
    /// of one NAME any value will do. In the query, NAME:VALUE does the same
    #[arg(long, value_name = "NAME=VALUE")]
    filter: Vec<String>,
    /// Count the values of this filter over the documents that match. May be repeated
    #[arg(long, value_name = "NAME")]
    facet: Vec<String>,
    /// Order by this value of the documents' metadata instead of by score; with :desc the greatest first
    #[arg(long, value_name = "KEY[:desc]")]
    sort: Option<String>,
    /// Have the first K documents differ from one another (maximum marginal relevance) [K: 6]
    #[arg(long, value_name = "K", num_args = 0..=1, require_equals = true, default_missing_value = "6")]
    diversify: Option<usize>,
    /// Documents to choose the K from [default: 20]
    #[arg(long, value_name = "N", requires = "diversify")]
    fetch_k: Option<usize>,
    /// 0 (as different as can be) to 1 (the order as it was) [default: 0.5]
    #[arg(long, value_name = "L", requires = "diversify")]
    lambda: Option<f32>,
    /// Show documents with the text of a better hit as hits of their own
    #[arg(long)]
    no_collapse: bool,
}

impl ChoiceArgs {
    /// Adds what was asked for to `request`.
    pub(crate) fn apply(self, request: &mut SearchRequest) -> Result<()> {
        for filter in self.filter {
            let Some((name, value)) = filter.split_once('=').filter(|(name, _)| !name.is_empty()) else {
                return Err(Usage(format!("filter: expected NAME=VALUE, found {filter:?}")).into());
            };
            match request.filters.iter_mut().find(|known| known.name == name) {
                Some(known) => known.values.push(value.to_owned()),
                None => {
                    request.filters.push(Filter { name: name.to_owned(), values: vec![value.to_owned()] })
                }
            }
        }
        request.facets = self.facet;
        request.collapse = !self.no_collapse;
        request.diversify = diversify_request(self.diversify, self.fetch_k, self.lambda)?;
        request.sort = self.sort.map(|sort| match sort.strip_suffix(":desc") {
            Some(key) => Sort { key: key.to_owned(), descending: true },
            None => Sort { key: sort, descending: false },
        });
        Ok(())
    }
}

fn diversify_request(
    k: Option<usize>,
    fetch_k: Option<usize>,
    lambda: Option<f32>,
) -> Result<Option<DiversifyRequest>> {
    let Some(k) = k else { return Ok(None) };
    let default = DiversifyRequest::default();
    let request = DiversifyRequest {
        k,
        fetch_k: fetch_k.unwrap_or(default.fetch_k.max(k)),
        lambda: lambda.unwrap_or(default.lambda),
    };
    if k == 0 || request.fetch_k < k {
        let found = format!("found {k} of {}", request.fetch_k);
        return Err(Usage(format!("diversify: expected 1 or more, and at most fetch-k; {found}")).into());
    }
    if !(0.0..=1.0).contains(&request.lambda) {
        return Err(Usage(format!("lambda: expected 0 to 1, found {}", request.lambda)).into());
    }
    Ok(Some(request))
}
