//! Arguments of `search`.

use super::ranking::{ChoiceArgs, RankingArgs, RerankArgs, TransformArgs};
use crate::{
    Usage,
    config::SearchConfig,
    llm::{EndpointArgs, LlmConfig},
    options::{Encoder, Mode},
    search::SearchSettings,
};
use anyhow::Result;
use clap::Args;
use querent_core::query::QueryEncoder;
use std::path::PathBuf;

/// How long a search may rerank where nothing is said. A reader at a prompt waits that long, and a hundred passages
/// take about as long on two cores.
const SEARCH_BUDGET_MS: f64 = 5000.0;

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// What to search for
    query: String,
    /// Which candidates take part: hybrid, lexical (bm25), semantic (vector) [default: hybrid]
    #[arg(long, visible_alias = "search-type", env = "QUERENT_MODE")]
    mode: Option<Mode>,
    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    rerank: RerankArgs,
    #[command(flatten)]
    transform: TransformArgs,
    #[command(flatten)]
    endpoint: EndpointArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Most documents to print: 1 to 1000 [default: 10]
    #[arg(long, env = "QUERENT_LIMIT", value_name = "N")]
    limit: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also print further sections, and how each score came about
    #[arg(long)]
    show_details: bool,
}

impl SearchArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &SearchConfig, llm: &LlmConfig) -> Result<SearchSettings> {
        let encoder = self.ranking.encoder(config);
        let mut request = self.ranking.request(config)?;
        request.query = self.query;
        if encoder != Some(Encoder::Model) {
            // Where the model gives a vector, the engine takes that.
            request.query_encoder = QueryEncoder::Table;
        }
        self.choice.apply(&mut request)?;
        request.mode = self.mode.or(config.mode).map_or(request.mode, Into::into);
        request.limit = self.limit.or(config.limit).unwrap_or(request.limit);
        request.explain = self.show_details;
        if !(1..=1000).contains(&request.limit) {
            return Err(Usage(format!("limit: expected 1 to 1000, found {}", request.limit)).into());
        }
        // Whoever asks no model need not have set one up.
        let may_ask = self.transform.may_ask_model();
        let llm = if may_ask { self.endpoint.for_queries(llm)? } else { None };
        Ok(SearchSettings {
            index: self.index,
            request,
            encoder,
            model: self.ranking.model,
            rerank: self.rerank.resolve(SEARCH_BUDGET_MS)?,
            transform: self.transform.resolve(llm)?,
            json: self.json,
            details: self.show_details,
        })
    }
}
