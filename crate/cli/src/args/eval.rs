//! Arguments of `eval`.

use super::{
    index::IndexArgs,
    ranking::{RankingArgs, RerankArgs, TransformArgs},
};
use crate::{
    Usage,
    config::Config,
    eval::{EvalSettings, EvalSource},
    llm::LlmArgs,
    options::{EvalMode, Mode},
};
use anyhow::Result;
use clap::Args;
use querent_core::{
    evaluation::Measure,
    query::{QueryEncoder, SearchRequest},
};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Documents as JSON lines with _id, title and text (BEIR)
    #[arg(long, value_name = "FILE", conflicts_with = "docs", required_unless_present = "docs")]
    corpus: Option<PathBuf>,
    /// Folder of documents; a document's id is its path relative to the folder
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Queries as JSON lines with _id and text, and type where the report is to have a line per type
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,
    /// Judgements as tab-separated lines: query-id, corpus-id, score
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,
    /// Which modes to measure: hybrid, lexical (bm25), semantic (vector), all [default: hybrid]
    #[arg(long, visible_alias = "search-type", env = "QUERENT_MODE")]
    mode: Option<EvalMode>,
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    llm: LlmArgs,
    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    rerank: RerankArgs,
    #[command(flatten)]
    transform: TransformArgs,
    /// What to measure, separated by commas: ndcg@K, ndcg-linear@K, recall@K, precision@K, mrr@K, mrr
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = Measure::USUAL)]
    measures: Vec<Measure>,
    /// Write the ranking, 100 documents per query, in the six columns of TREC; of several modes each into a
    /// file of its own, run.lexical.trec for run.trec
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Least values, as JSON {"lexical": {"ndcg@10": 0.5}}: exit status 1 when a measure is below its own
    #[arg(long, value_name = "FILE")]
    floor: Option<PathBuf>,
    /// Keep the built index in this folder and use it again while nothing changed
    #[arg(long, value_name = "DIR")]
    index_cache: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl EvalArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &Config) -> Result<EvalSettings> {
        // Every document counts by itself, so none is folded under another.
        let request = SearchRequest {
            limit: 100,
            sections_per_document: 0,
            collapse: false,
            ..self.ranking.request(&config.search)?
        };
        let config_mode = config.search.mode.map(|mode| match mode {
            Mode::Hybrid => EvalMode::Hybrid,
            Mode::Lexical => EvalMode::Lexical,
            Mode::Semantic => EvalMode::Semantic,
        });
        let mode = self.mode.or(config_mode).unwrap_or(EvalMode::Hybrid);
        let build = &config.build;
        let source = match (self.corpus, self.docs) {
            (Some(corpus), _) => EvalSource::Corpus(corpus),
            (None, Some(docs)) => EvalSource::Folder(docs),
            (None, None) => {
                return Err(Usage("expected --corpus FILE or --docs DIR; found neither".into()).into());
            }
        };
        let mut index = self.index.resolve(build)?;
        // A table takes minutes to fit, so there is one only where it is measured.
        index.encoder = index.encoder.filter(|_| request.query_encoder == QueryEncoder::Table);
        let llm = match index.asks_model() {
            None if self.transform.may_ask_model() => self.llm.configured(&config.llm)?,
            asked => self.llm.resolve(asked, &config.llm)?,
        };
        index.llm = llm.clone().filter(|_| index.asks_model().is_some());
        Ok(EvalSettings {
            source,
            queries: self.queries,
            qrels: self.qrels,
            mode,
            measures: self.measures,
            index,
            request,
            model: self.ranking.model.or_else(|| build.model.clone()),
            rerank: self.rerank.resolve(f64::INFINITY)?,
            transform: self.transform.resolve(llm)?,
            run: self.run,
            floor: self.floor,
            index_cache: self.index_cache,
            json: self.json,
        })
    }
}
