//! The command line of Querent: `build`, `search`, `ask`, `inspect`, `eval`, `model`, `encoder` and `serve`.
//!
//! Everything that computes is in the libraries; this crate opens files, shows progress and prints. What a
//! script may rely on: data goes to stdout, progress and diagnostics to stderr; the exit status is 0, 1 (failed)
//! or 2 (usage); a setting is taken from the flag, then from the `QUERENT_*` environment variable, then from
//! `querent.toml`.
#![forbid(unsafe_code)]

mod args;
mod ask;
mod build;
mod config;
mod encoder;
mod eval;
mod index;
mod inspect;
mod llm;
mod model;
mod options;
mod output;
mod places;
mod progress;
mod rerank;
mod search;
mod serve;
mod transform;
mod weights;

use args::{Cli, Verb};
use clap::Parser;
use config::Config;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    progress::set_verbosity(cli.quiet, cli.verbose);
    match run(cli) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            progress::error(&format!("{error:#}"));
            ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Outcome> {
    let config = Config::load(cli.config.as_deref())?;
    match cli.verb {
        Verb::Build(args) => build::run(&args.resolve(&config.build, &config.llm)?),
        Verb::Search(args) => search::run(&args.resolve(&config.search, &config.llm)?),
        Verb::Ask(args) => ask::run(&args.resolve(&config)?),
        Verb::Inspect(args) => inspect::run(&args),
        Verb::Eval(args) => eval::run(&args.resolve(&config)?),
        Verb::Model(args) => model::run(&args, &config.build),
        Verb::Encoder(args) => encoder::train(&args.resolve(&config.build)?),
        Verb::Serve(args) => serve::run(&args.resolve(&config.serve)),
    }
}

/// How a verb ended that ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// Everything is as asked: exit status 0.
    Done,
    /// Something failed, and was reported where it happened: exit status 1.
    Failed,
}

/// The command cannot be carried out as it was written: exit status 2.
#[derive(Debug)]
struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}
