//! Flags and `QUERENT_*` variables, and how they become the settings of each verb.

use crate::{
    Usage,
    build::{BuildSettings, EncoderPlan},
    config::{BuildConfig, Config, SearchConfig, ServeConfig},
    encoder::{BaseChoice, TrainSettings},
    eval::{EvalSettings, EvalSource},
    options::{Embeddings, Encoder, EvalMode, MarkdownUrl, Mode, Questions, Storage},
    search::SearchSettings,
    search_args::{ChoiceArgs, RankingArgs, RerankArgs},
};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use querent_core::{
    chunk::ChunkSettings,
    evaluation::Measure,
    query::{QueryEncoder, SearchRequest},
};
use querent_reader::ReadSettings;
use std::{env, path::PathBuf};

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

/// How long a search may rerank where nothing is said. A reader at a prompt waits that long, and a hundred passages
/// take about as long on two cores.
const SEARCH_BUDGET_MS: f64 = 5000.0;

const BUILD_EXAMPLE: &str = "querent.toml, every key optional:\n\n  \
    [build]\n  inputs = [\"docs\"]\n  out = \"public/search\"\n  questions = \"rules\"\n  embeddings = \"minilm\"\n  \
    query-encoder = true\n  storage = \"content\"\n  base-url = \"https://example.org/docs/\"\n  \
    language = \"en\"\n  \
    markdown-url = \"html\"\n  include-drafts = false\n  weights = [\"changelog/**=0.5\"]\n  include = [\"**/*.md\"]\n  \
    exclude = [\"drafts/\"]\n  model = \"models/all-MiniLM-L6-v2\"\n  max-tokens = 254\n  overlap-tokens = 0\n  \
    synonyms = \"synonyms.txt\"\n  \
    web = true\n  jobs = 2\n\n  \
    [search]\n  mode = \"hybrid\"\n  fusion = \"adaptive\"\n  vector-weight = 0.6\n  bm25-weight = 0.4\n  \
    query-encoder = \"model\"\n  limit = 10\n  prefix = true\n\n  [serve]\n  port = 8750";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Index documents into a folder that a site can copy as it is
    #[command(after_help = BUILD_EXAMPLE)]
    Build(BuildArgs),
    /// Search an index
    Search(SearchArgs),
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
pub(crate) struct BuildArgs {
    /// Files and folders to index
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Folder to write
    #[arg(long, env = "QUERENT_OUT", value_name = "DIR")]
    out: Option<PathBuf>,
    /// Who makes the questions: rules, none [default: rules]
    #[arg(long, env = "QUERENT_QUESTIONS")]
    questions: Option<Questions>,
    /// Who makes the vectors: minilm, none [default: minilm]
    #[arg(long, env = "QUERENT_EMBEDDINGS")]
    embeddings: Option<Embeddings>,
    /// Where the documents' text is kept: content (in the index) [default: content]
    #[arg(long, env = "QUERENT_STORAGE")]
    storage: Option<Storage>,
    /// Address that the documents' paths are appended to [default: relative URLs]
    #[arg(long, env = "QUERENT_BASE_URL", value_name = "URL")]
    base_url: Option<String>,
    /// Language of documents that state none, for instance de or pt-BR [default: taken from their text where it is sure]
    #[arg(long, env = "QUERENT_LANGUAGE", value_name = "TAG")]
    language: Option<String>,
    /// How the URL of a Markdown file follows from its path: keep (a/b.md), html (a/b.html: mdBook), directory
    /// (a/b/: Hugo, MkDocs, Docusaurus) [default: keep]
    #[arg(long, env = "QUERENT_MARKDOWN_URL")]
    markdown_url: Option<MarkdownUrl>,
    /// Also read documents whose front matter says `draft: true`
    #[arg(long)]
    include_drafts: bool,
    /// What documents that match count beside others, above 0 and up to 15; may be repeated, the last match decides
    #[arg(long, value_name = "GLOB=W")]
    weight: Vec<String>,
    /// Index only documents that match; may be repeated, the variable separates by spaces
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave documents and folders out that match; may be repeated, the variable separates by spaces
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Folder of MiniLM's weights [default: all-MiniLM-L6-v2 in QUERENT_MODELS, or in ~/.cache/querent/models]
    #[arg(long, env = "QUERENT_MODEL_DIR", value_name = "DIR")]
    model: Option<PathBuf>,
    /// Most tokens of a chunk, headings included: 32 to 254 [default: 254]
    #[arg(long, env = "QUERENT_MAX_TOKENS", value_name = "N")]
    max_tokens: Option<u32>,
    /// Tokens of the chunk before that are embedded again: 0 to half of max-tokens [default: 0]
    #[arg(long, env = "QUERENT_OVERLAP_TOKENS", value_name = "N")]
    overlap_tokens: Option<u32>,
    /// File of the site's own synonyms: `a, b, c` or `a => b, c` on each line
    #[arg(long, env = "QUERENT_SYNONYMS", value_name = "FILE")]
    synonyms: Option<PathBuf>,
    /// Do not copy the browser's files and the model's pack beside the index
    #[arg(long)]
    no_web: bool,
    /// Do not fit the table that embeds queries without the model
    #[arg(long)]
    no_query_encoder: bool,
    #[command(flatten)]
    encoder: EncoderFitArgs,
    /// Threads that read documents [default: as many as the machine runs at once]
    #[arg(long, env = "QUERENT_JOBS", value_name = "N")]
    jobs: Option<usize>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

impl BuildArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &BuildConfig) -> Result<BuildSettings> {
        let inputs = if self.inputs.is_empty() { config.inputs.clone() } else { self.inputs };
        if inputs.is_empty() {
            return Err(
                Usage("expected at least one INPUT, a file or folder to index; found none".into()).into()
            );
        }
        let out = self.out.or_else(|| config.out.clone()).ok_or_else(|| {
            Usage("expected --out DIR, the folder to write; found none, also not in querent.toml".into())
        })?;
        let Storage::Content = self.storage.or(config.storage).unwrap_or(Storage::Content);
        Ok(BuildSettings {
            inputs,
            out,
            questions: self.questions.or(config.questions).unwrap_or(Questions::Rules),
            embeddings: self.embeddings.or(config.embeddings).unwrap_or(Embeddings::Minilm),
            encoder: (!self.no_query_encoder && config.query_encoder.unwrap_or(true))
                .then(|| self.encoder.resolve(config)),
            read: ReadSettings::default()
                .base_url(base_url(self.base_url.or_else(|| config.base_url.clone()))?)
                .markdown_url(
                    self.markdown_url.or(config.markdown_url).map_or_else(Default::default, Into::into),
                )
                .include_drafts(self.include_drafts || config.include_drafts.unwrap_or(false))
                .language(language(self.language.or_else(|| config.language.clone()))?),
            weights: list(self.weight, "QUERENT_WEIGHT", &config.weights),
            include: list(self.include, "QUERENT_INCLUDE", &config.include),
            exclude: list(self.exclude, "QUERENT_EXCLUDE", &config.exclude),
            model: self.model.or_else(|| config.model.clone()),
            chunk: chunk_settings(
                self.max_tokens.or(config.max_tokens),
                self.overlap_tokens.or(config.overlap_tokens),
            )?,
            web: !self.no_web && config.web.unwrap_or(true),
            synonyms: self.synonyms.or_else(|| config.synonyms.clone()),
            jobs: jobs(self.jobs.or(config.jobs))?,
            json: self.json,
        })
    }
}

/// A tag as BCP 47 has it, as far as that can be told by its form.
fn language(given: Option<String>) -> Result<String> {
    let Some(tag) = given else { return Ok(String::new()) };
    let mut subtags = tag.split('-');
    let is_first =
        |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_other =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if subtags.next().is_some_and(is_first) && subtags.all(is_other) {
        return Ok(tag);
    }
    Err(Usage(format!("language: expected a BCP 47 tag such as de or pt-BR, found {tag:?}")).into())
}

/// Where documents are: an address with a scheme, or a path on the site.
fn base_url(given: Option<String>) -> Result<String> {
    let url = given.unwrap_or_default();
    let is_web =
        ["https://", "http://"].iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
    let has_scheme = url.split('/').next().is_some_and(|start| start.contains(':'));
    if url.contains(|c: char| c.is_whitespace() || c.is_control() || "?#<>\"\\".contains(c))
        || (has_scheme && !is_web)
    {
        let expected = "expected an address such as https://example.org/docs/ or a path such as /docs/";
        return Err(Usage(format!("base-url: {expected}; found {url:?}")).into());
    }
    Ok(url)
}

/// Globs hold commas, so the variable separates by spaces.
fn list(flags: Vec<String>, variable: &str, config: &[String]) -> Vec<String> {
    if !flags.is_empty() {
        return flags;
    }
    match env::var(variable) {
        Ok(value) => value.split_whitespace().map(str::to_owned).collect(),
        Err(_) => config.to_vec(),
    }
}

fn chunk_settings(max: Option<u32>, overlap: Option<u32>) -> Result<ChunkSettings> {
    let default = ChunkSettings::default();
    let max_tokens = max.unwrap_or(default.max_tokens);
    let overlap_tokens = overlap.unwrap_or(default.overlap_tokens);
    // MiniLM sees 256 tokens, two of which are special: more would be cut off silently.
    if !(32..=254).contains(&max_tokens) {
        return Err(Usage(format!("max-tokens: expected 32 to 254, found {max_tokens}")).into());
    }
    if overlap_tokens > max_tokens / 2 {
        let most = max_tokens / 2;
        return Err(Usage(format!(
            "overlap-tokens: expected 0 to {most}, half of max-tokens; found {overlap_tokens}"
        ))
        .into());
    }
    Ok(ChunkSettings { max_tokens, overlap_tokens })
}

fn jobs(given: Option<usize>) -> Result<usize> {
    match given {
        Some(0) => Err(Usage("jobs: expected 1 or more, found 0".into()).into()),
        Some(jobs) => Ok(jobs),
        None => Ok(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}

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
    pub(crate) fn resolve(self, config: &SearchConfig) -> Result<SearchSettings> {
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
        Ok(SearchSettings {
            index: self.index,
            request,
            encoder,
            model: self.ranking.model,
            rerank: self.rerank.resolve(SEARCH_BUDGET_MS)?,
            json: self.json,
            details: self.show_details,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) index: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

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
    /// Who makes the questions: rules, none [default: rules]
    #[arg(long, env = "QUERENT_QUESTIONS")]
    questions: Option<Questions>,
    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    rerank: RerankArgs,
    /// Most tokens of a chunk, headings included: 32 to 254 [default: 254]
    #[arg(long, env = "QUERENT_MAX_TOKENS", value_name = "N")]
    max_tokens: Option<u32>,
    /// Tokens of the chunk before that are embedded again: 0 to half of max-tokens [default: 0]
    #[arg(long, env = "QUERENT_OVERLAP_TOKENS", value_name = "N")]
    overlap_tokens: Option<u32>,
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
    #[command(flatten)]
    encoder: EncoderFitArgs,
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
        Ok(EvalSettings {
            source,
            queries: self.queries,
            qrels: self.qrels,
            mode,
            measures: self.measures,
            encoder: self.encoder.resolve(build),
            questions: self.questions.or(build.questions).unwrap_or(Questions::Rules),
            request,
            model: self.ranking.model.or_else(|| build.model.clone()),
            chunk: chunk_settings(
                self.max_tokens.or(build.max_tokens),
                self.overlap_tokens.or(build.overlap_tokens),
            )?,
            rerank: self.rerank.resolve(f64::INFINITY)?,
            run: self.run,
            floor: self.floor,
            index_cache: self.index_cache,
            json: self.json,
        })
    }
}

/// How a build makes the table that embeds queries.
#[derive(Debug, Args)]
struct EncoderFitArgs {
    /// Base that the query encoder is fitted from, a file of `encoder train`, or none [default: query-encoder.base in
    /// QUERENT_MODELS, or in ~/.cache/querent/models, where there is one]
    #[arg(long, env = "QUERENT_ENCODER_BASE", value_name = "FILE")]
    encoder_base: Option<BaseChoice>,
    /// Sentences, headings and questions of the site that the query encoder is fitted to, at most; 0 leaves it as the
    /// base is [default: 20000]
    #[arg(long, env = "QUERENT_ENCODER_TEXTS", value_name = "N")]
    encoder_texts: Option<usize>,
}

impl EncoderFitArgs {
    fn resolve(self, config: &BuildConfig) -> (BaseChoice, usize) {
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
    /// Sentences, headings and questions to train on, at most
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
