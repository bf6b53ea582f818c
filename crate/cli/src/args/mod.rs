//! Flags and `QUERENT_*` variables, and how they become the settings of each verb.

mod ask;
mod build;
mod encoder;
mod eval;
mod index;
mod ranking;
mod search;

use crate::config::ServeConfig;
use ask::AskArgs;
use build::BuildArgs;
use clap::{Args, Parser, Subcommand};
use encoder::EncoderArgs;
use eval::EvalArgs;
use search::SearchArgs;
use std::path::PathBuf;

/// Search for documentation that knows which questions the documentation answers.
#[derive(Debug, Parser)]
#[command(name = "querent", version, max_term_width = 100, after_help = EXIT)]
pub(crate) struct Cli {
    /// Settings file [default: querent.toml of the current folder, where there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Also print what was skipped, and why
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXIT: &str = "Data goes to stdout, progress and diagnostics to stderr.\n\
    Exit status: 0 done, 1 failed, 2 the command line or querent.toml is wrong.\n\
    A setting is taken from the flag, then from QUERENT_<NAME>, then from querent.toml.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Index documents into a folder that a site can copy as it is
    #[command(after_help = build::EXAMPLE)]
    Build(BuildArgs),
    /// Search an index
    Search(SearchArgs),
    /// Answer a question from an index, by a language model with its sources; without one, show the best passages
    Ask(AskArgs),
    /// Show what an index holds and check every byte of it
    Inspect(InspectArgs),
    /// Measure the search over judged queries (BEIR layout, or a folder of documents)
    Eval(EvalArgs),
    /// Pack or verify the weights of MiniLM
    Model(ModelArgs),
    /// Train the base that query encoders are fitted from
    Encoder(EncoderArgs),
    /// Serve a folder on 127.0.0.1, to look at it in a browser
    Serve(ServeArgs),
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Folder of the index; or a document, to show what its chunks are about and which questions they answer
    #[arg(value_name = "DIR|FILE")]
    pub(crate) index: PathBuf,
    /// Show the chunks of this document of the index, with their contexts and questions
    #[arg(long, value_name = "PATH")]
    pub(crate) document: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) action: ModelAction,
}

/// What to do with the weights.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelAction {
    /// Write the compact file that browsers download
    Pack {
        /// Folder of the weights [default: all-MiniLM-L6-v2 in QUERENT_MODELS, or in ~/.cache/querent/models]
        #[arg(long, env = "QUERENT_MODEL_DIR", value_name = "DIR")]
        model: Option<PathBuf>,
        /// Pack the cross-encoder [default folder: ms-marco-MiniLM-L-12-v2 beside MiniLM's]
        #[arg(long)]
        reranker: bool,
        /// File to write [default: NAME.q8.bin in the folder of the weights]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Compare the weights with their published SHA-256
    Verify {
        /// Compare those of the cross-encoder [default folder: ms-marco-MiniLM-L-12-v2 beside MiniLM's]
        #[arg(long)]
        reranker: bool,
        /// Folder of the weights [default: all-MiniLM-L6-v2 in QUERENT_MODELS, or in ~/.cache/querent/models]
        #[arg(long, env = "QUERENT_MODEL_DIR", value_name = "DIR")]
        model: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Folder to serve
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Port; 0 takes a free one [default: 8750]
    #[arg(long, env = "QUERENT_PORT")]
    port: Option<u16>,
}

impl ServeArgs {
    /// The folder and the port.
    pub(crate) fn resolve(self, config: &ServeConfig) -> (PathBuf, u16) {
        (self.folder, self.port.or(config.port).unwrap_or(8750))
    }
}
