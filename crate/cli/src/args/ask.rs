//! Arguments of `ask`.

use super::ranking::RankingArgs;
use crate::{
    Usage,
    ask::AskSettings,
    config::Config,
    llm::EndpointArgs,
    options::{Encoder, Mode},
    search::SearchSettings,
};
use anyhow::Result;
use clap::Args;
use querent_core::{
    diversify::DiversifyRequest,
    query::{QueryEncoder, SearchRequest},
    rerank::RerankRequest,
};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// What to answer; without it, one question is read from each line of stdin, and knows those before
    question: Option<String>,
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// File with the prompt; it holds {{sources}} and {{question}}
    #[arg(long, env = "QUERENT_TEMPLATE", value_name = "FILE")]
    template: Option<PathBuf>,
    /// Sources to answer from: 1 to 20 [default: 6]
    #[arg(long, value_name = "K")]
    k: Option<usize>,
    /// Documents to choose them from [default: 20]
    #[arg(long, value_name = "N")]
    fetch_k: Option<usize>,
    /// How they are chosen: 0 (as different as can be) to 1 (the best) [default: 0.5]
    #[arg(long, value_name = "L")]
    lambda: Option<f32>,
    /// Which candidates take part: hybrid, lexical (bm25), semantic (vector) [default: hybrid]
    #[arg(long, visible_alias = "search-type", env = "QUERENT_MODE")]
    mode: Option<Mode>,
    #[command(flatten)]
    ranking: RankingArgs,
    /// Print JSON when an answer is there, in a conversation one line for each
    #[arg(long)]
    json: bool,
}

impl AskArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &Config) -> Result<AskSettings> {
        let default = DiversifyRequest::default();
        let diversify = DiversifyRequest {
            k: self.k.unwrap_or(default.k),
            fetch_k: self.fetch_k.unwrap_or(default.fetch_k),
            lambda: self.lambda.unwrap_or(default.lambda),
        };
        if !(1..=20).contains(&diversify.k) || diversify.fetch_k < diversify.k || diversify.fetch_k > 1000 {
            return Err(Usage(format!(
                "k: expected 1 to 20, and fetch-k of k to 1000; found {} and {}",
                diversify.k, diversify.fetch_k
            ))
            .into());
        }
        if !(0.0..=1.0).contains(&diversify.lambda) {
            return Err(Usage(format!("lambda: expected 0 to 1, found {}", diversify.lambda)).into());
        }
        let encoder = self.ranking.encoder(&config.search);
        let request = self.ranking.request(&config.search)?;
        let request = SearchRequest {
            query: String::new(),
            mode: self.mode.or(config.search.mode).map_or(request.mode, Into::into),
            // Where the model gives a vector, the engine takes that.
            query_encoder: if encoder == Some(Encoder::Model) {
                QueryEncoder::Model
            } else {
                QueryEncoder::Table
            },
            limit: diversify.k,
            prefix: false,
            sections_per_document: 0,
            // Each hit then has the passage of the same place.
            collapse: false,
            rerank: Some(RerankRequest {
                candidates: diversify.k,
                chunks_per_document: 1,
                ..RerankRequest::default()
            }),
            diversify: Some(diversify),
            ..request
        };
        let search = SearchSettings {
            index: self.index,
            request,
            encoder,
            model: self.ranking.model,
            rerank: None,
            transform: None,
            assemble: None,
            json: self.json,
            details: false,
        };
        Ok(AskSettings {
            question: self.question,
            search,
            endpoint: self.endpoint.resolve(&config.llm)?,
            template: self.template,
        })
    }
}
