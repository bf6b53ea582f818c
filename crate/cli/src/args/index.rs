//! What `build` and `eval` take alike: what an index is made of.

use super::{build::chunk_settings, encoder::EncoderFitArgs};
use crate::{
    build::IndexOptions,
    config::BuildConfig,
    options::{Analysis, Context, Evaluator, Questions},
};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// What an index is made of, apart from documents and model.
#[derive(Debug, Args)]
pub(super) struct IndexArgs {
    /// Who makes the questions: rules, llm (a language model), none [default: rules]
    #[arg(long, env = "QUERENT_QUESTIONS")]
    questions: Option<Questions>,
    /// Who decides which questions are searched: off, on (by meaning, among all chunks), cross-encoder [default: off]
    #[arg(long, env = "QUERENT_QUESTION_EVALUATOR")]
    question_evaluator: Option<Evaluator>,
    /// Who says what a chunk is about: rules, llm (and is asked for questions about that) [default: rules]
    #[arg(long, env = "QUERENT_CONTENT_ANALYSIS")]
    content_analysis: Option<Analysis>,
    /// Who places a chunk in its document: rules (title and headings), llm (and a sentence or two), none [default: rules]
    #[arg(long, env = "QUERENT_CONTEXT")]
    context: Option<Context>,
    /// Embed the questions, too: more vectors to download, for collections whose readers ask in sentences
    #[arg(long, env = "QUERENT_EMBED_QUESTIONS", value_parser = clap::builder::FalseyValueParser::new())]
    embed_questions: bool,
    /// Most tokens of a chunk, headings included: 32 to 254 [default: 254]
    #[arg(long, env = "QUERENT_MAX_TOKENS", value_name = "N")]
    max_tokens: Option<u32>,
    /// Tokens of the chunk before that are embedded again: 0 to half of max-tokens [default: 0]
    #[arg(long, env = "QUERENT_OVERLAP_TOKENS", value_name = "N")]
    overlap_tokens: Option<u32>,
    /// File of the site's own synonyms: `a, b, c` or `a => b, c` on each line
    #[arg(long, env = "QUERENT_SYNONYMS", value_name = "FILE")]
    synonyms: Option<PathBuf>,
    #[command(flatten)]
    encoder: EncoderFitArgs,
}

impl IndexArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults; no language model is asked yet.
    pub(super) fn resolve(self, config: &BuildConfig) -> Result<IndexOptions> {
        Ok(IndexOptions {
            questions: self.questions.or(config.questions).unwrap_or(Questions::Rules),
            evaluator: self.question_evaluator.or(config.question_evaluator).unwrap_or(Evaluator::Off),
            analysis: self.content_analysis.or(config.content_analysis).unwrap_or(Analysis::Rules),
            context: self.context.or(config.context).unwrap_or(Context::Rules),
            llm: None,
            embed_questions: self.embed_questions || config.embed_questions.unwrap_or(false),
            chunk: chunk_settings(
                self.max_tokens.or(config.max_tokens),
                self.overlap_tokens.or(config.overlap_tokens),
            )?,
            synonyms: self.synonyms.or_else(|| config.synonyms.clone()),
            encoder: Some(self.encoder.resolve(config)),
            rerank_model: config.rerank_model.clone(),
        })
    }
}
