//! `--transform`: a query is searched for in other words as well, and the hits are fused.
//!
//! ```text
//! query -> variations (rules, or a language model) -> one search each -> fuse_variations -> hits
//! ```
//!
//! The query as it was typed leads. A model that does not reply in time, or says something else, is replaced by the
//! rules, and a warning says so.

use crate::{
    index::Index,
    llm::{self, LlmSettings, QuerySettings},
    progress,
    rerank::Reranking,
};
use anyhow::{Result, bail};
use querent_core::{
    engine::{Explanation, Hit, SearchResponse},
    query::{
        QueryAnalysis, SearchRequest,
        transform::{fuse_variations, transform_query},
    },
    vector::inner_product,
};
use std::{collections::HashMap, time::Duration};

/// Documents of each search that are fused, at least.
const DEPTH: usize = 50;

/// Who finds other words, and how many.
#[derive(Debug, Clone)]
pub(crate) struct TransformSettings {
    /// The language model; nothing for the rules.
    pub(crate) llm: Option<LlmSettings>,
    /// Variations, the query included.
    pub(crate) max_variations: usize,
    /// Longest wait for a model.
    pub(crate) timeout: Duration,
}

/// A query in other words.
#[derive(Debug, Clone)]
pub(crate) struct Variation {
    text: String,
    vector: Option<Vec<f32>>,
}

impl TransformSettings {
    /// The variations of each of `queries`, each one's first being itself.
    ///
    /// # Errors
    /// When replies cannot be kept; with `is_kept` (an evaluation, whose figures would be those of something else) also
    /// when the model says nothing at all.
    pub(crate) fn variations(&self, queries: &[&str], is_kept: bool) -> Result<Vec<Vec<String>>> {
        let mut by_model = HashMap::new();
        if let Some(llm) = &self.llm {
            let Self { max_variations, timeout, .. } = *self;
            let asked = llm::variations(queries, &QuerySettings { llm, max_variations, timeout, is_kept })?;
            match asked.trouble {
                Some(reason) if is_kept && !asked.is_there => bail!("--transform: {reason}"),
                Some(reason) => progress::warn(&format!("--transform: by rules, for {reason}")),
                None => {}
            }
            by_model = asked.variations;
        }
        let find = |query: &&str| {
            let by_rules = || transform_query(query, &QueryAnalysis::new(query), self.max_variations);
            by_model.remove(*query).unwrap_or_else(by_rules)
        };
        Ok(queries.iter().map(find).collect())
    }
}

/// The other variations behind the query, with what `embed` gives for each, where the search compares vectors.
///
/// # Errors
/// Those of `embed`.
pub(crate) fn embedded(
    variations: &[String],
    embed: &mut dyn FnMut(&str) -> Result<Option<Vec<f32>>>,
) -> Result<Vec<Variation>> {
    let others = variations.iter().skip(1);
    others.map(|text| Ok(Variation { text: text.clone(), vector: embed(text)? })).collect()
}

/// Searches for the query and its other `variations`, and fuses the hits.
///
/// # Errors
/// As [`Index::search`].
pub(crate) fn search(
    index: &mut Index,
    request: &SearchRequest,
    vector: Option<&[f32]>,
    variations: &[Variation],
    rerank: Option<&Reranking>,
) -> Result<SearchResponse> {
    let mut one = |request: &SearchRequest, vector: Option<&[f32]>| match rerank {
        Some(rerank) => rerank.search(index, request, vector),
        None => index.search(request, vector),
    };
    // An order by something else than the score is not for variations to change, and they do not hold its phrases.
    if variations.is_empty() || request.sort.is_some() || request.query.contains('"') {
        return one(request, vector);
    }
    let deep = SearchRequest { limit: request.limit.max(DEPTH), ..request.clone() };
    let mut response = one(&deep, vector)?;
    let mut lists = vec![std::mem::take(&mut response.hits)];
    let mut weights = Vec::new();
    for variation in variations {
        let query = with_filters(&request.query, &variation.text);
        // A variation is whole, wherever the reader has got to in the query.
        let deep = SearchRequest { query, prefix: false, ..deep.clone() };
        lists.push(one(&deep, variation.vector.as_deref())?.hits);
        weights.push(match (vector, &variation.vector) {
            (Some(query), Some(variation)) => inner_product(query, variation).clamp(0.0, 1.0),
            _ => 1.0,
        });
    }
    response.hits = fused(lists, &weights, variations, request);
    response.total = response.total.max(response.hits.len());
    Ok(response)
}

/// The variation with the filters that were typed into the query.
fn with_filters(query: &str, variation: &str) -> String {
    let filters =
        query.split_whitespace().filter(|word| querent_core::query::inline_filters(word).next().is_some());
    filters.chain([variation]).collect::<Vec<_>>().join(" ")
}

fn fused(
    lists: Vec<Vec<Hit>>,
    weights: &[f32],
    variations: &[Variation],
    request: &SearchRequest,
) -> Vec<Hit> {
    let scores: Vec<Vec<(&str, f32)>> =
        lists.iter().map(|hits| hits.iter().map(|hit| (hit.path.as_str(), hit.score)).collect()).collect();
    let order = fuse_variations(&scores, weights);
    let mut hits = Vec::new();
    for (at, varied) in order.into_iter().take(request.limit).enumerate() {
        let mut hit = lists[varied.list][varied.position].clone();
        (hit.rank, hit.score) = (at + 1, varied.score);
        hit.explanation = hit.explanation.map(|before| {
            let said = match varied.list.checked_sub(1).and_then(|list| variations.get(list)) {
                Some(variation) => format!("fused over variations, found by \"{}\"", variation.text),
                None => "fused over variations, found by the query".to_owned(),
            };
            Explanation { value: varied.score, description: said, details: vec![before] }
        });
        hits.push(hit);
    }
    hits
}
