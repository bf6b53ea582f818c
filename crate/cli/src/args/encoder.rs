//! Arguments of `encoder`, and those of `build` and `eval` about the table that embeds queries.

use super::build::jobs;
use crate::{
    build::EncoderPlan,
    config::BuildConfig,
    encoder::{BaseChoice, TrainSettings},
};
use anyhow::Result;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// How a build makes the table that embeds queries.
#[derive(Debug, Args)]
pub(super) struct EncoderFitArgs {
    /// Base that the query encoder is fitted from, a file of `encoder train`, or none [default: the program's own]
    #[arg(long, env = "QUERENT_ENCODER_BASE", value_name = "FILE")]
    encoder_base: Option<BaseChoice>,
    /// Sentences, headings and questions of the site that the query encoder is fitted to, at most; 0 leaves it as the
    /// base is [default: 20000]
    #[arg(long, env = "QUERENT_ENCODER_TEXTS", value_name = "N")]
    encoder_texts: Option<usize>,
}

impl EncoderFitArgs {
    /// The base and the number of texts.
    pub(super) fn resolve(self, config: &BuildConfig) -> (BaseChoice, usize) {
        let base = self.encoder_base.or_else(|| config.encoder_base.clone()).unwrap_or_default();
        (base, self.encoder_texts.or(config.encoder_texts).unwrap_or(EncoderPlan::TEXTS))
    }
}

#[derive(Debug, Args)]
pub(crate) struct EncoderArgs {
    #[command(subcommand)]
    action: EncoderAction,
}

/// What to do with the query encoder's base.
#[derive(Debug, Subcommand)]
enum EncoderAction {
    /// Fit rows to the documentation in PATHs, as many texts of one PATH as of another
    Train(TrainArgs),
}

#[derive(Debug, Args)]
struct TrainArgs {
    /// Files and folders to read
    #[arg(value_name = "PATH", required = true)]
    inputs: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Read only documents that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave documents and folders out that match; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Sentences and headings to train on, at most
    #[arg(long, value_name = "N", default_value_t = 40_000)]
    texts: usize,
    /// Folder of MiniLM's weights [default: all-MiniLM-L6-v2 in QUERENT_MODELS, or in ~/.cache/querent/models]
    #[arg(long, env = "QUERENT_MODEL_DIR", value_name = "DIR")]
    model: Option<PathBuf>,
    /// Threads that read documents [default: as many as the machine runs at once]
    #[arg(long, env = "QUERENT_JOBS", value_name = "N")]
    jobs: Option<usize>,
}

impl EncoderArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &BuildConfig) -> Result<TrainSettings> {
        let EncoderAction::Train(args) = self.action;
        Ok(TrainSettings {
            inputs: args.inputs,
            out: args.out,
            include: args.include,
            exclude: args.exclude,
            texts: args.texts,
            model: args.model.or_else(|| config.model.clone()),
            jobs: jobs(args.jobs.or(config.jobs))?,
        })
    }
}
