//! Arguments of `build`.

use super::index::IndexArgs;
use crate::{
    Usage,
    build::BuildSettings,
    config::BuildConfig,
    llm::{LlmBuildArgs, LlmConfig},
    options::{Embeddings, MarkdownUrl, Storage},
};
use anyhow::Result;
use clap::Args;
use querent_core::chunk::ChunkSettings;
use querent_reader::ReadSettings;
use std::{env, path::PathBuf};

/// What stands under the help of `build`.
pub(super) const EXAMPLE: &str = "querent.toml, every key optional:\n\n  \
    [build]\n  inputs = [\"docs\"]\n  out = \"public/search\"\n  questions = \"rules\"\n  embeddings = \"minilm\"\n  \
    query-encoder = true\n  storage = \"content\"\n  base-url = \"https://example.org/docs/\"\n  \
    language = \"en\"\n  \
    markdown-url = \"html\"\n  include-drafts = false\n  weights = [\"changelog/**=0.5\"]\n  include = [\"**/*.md\"]\n  \
    exclude = [\"drafts/\"]\n  model = \"models/all-MiniLM-L6-v2\"\n  max-tokens = 254\n  overlap-tokens = 0\n  \
    synonyms = \"synonyms.txt\"\n  embed-questions = false\n  question-evaluator = \"off\"\n  content-analysis = \"rules\"\n  context = \"rules\"\n  encoder-base = \"none\"\n  encoder-texts = 20000\n  \
    reranker = false\n  rerank-model = \"models/ms-marco-MiniLM-L-12-v2\"\n  \
    web = true\n  jobs = 2\n\n  \
    [search]\n  mode = \"hybrid\"\n  fusion = \"adaptive\"\n  vector-weight = 0.6\n  bm25-weight = 0.4\n  \
    query-encoder = \"model\"\n  limit = 10\n  prefix = true\n\n  [serve]\n  port = 8750\n\n  \
    [llm]\n  url = \"http://127.0.0.1:8080/v1\"\n  model = \"qwen2.5:0.5b\"\n  key-env = \"QUERENT_LLM_KEY\"\n  \
    concurrency = 2\n  timeout = 120\n  max-requests = 1000\n  max-tokens = 1000000\n  temperature = 0.3\n  \
    reply-tokens = 400\n  cache = \"questions\"";

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// Files and folders to index
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Folder to write
    #[arg(long, env = "QUERENT_OUT", value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    index: IndexArgs,
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
    /// Do not copy the browser's files and the model's pack beside the index
    #[arg(long)]
    no_web: bool,
    /// Also copy the cross-encoder's pack (34 MB) beside the index, so that browsers can rerank
    #[arg(long, env = "QUERENT_RERANKER", value_parser = clap::builder::FalseyValueParser::new())]
    reranker: bool,
    /// Folder or pack of the cross-encoder [default: ms-marco-MiniLM-L-12-v2 beside MiniLM]
    #[arg(long, env = "QUERENT_RERANK_MODEL", value_name = "DIR")]
    rerank_model: Option<PathBuf>,
    /// Do not fit the table that embeds queries without the model
    #[arg(long)]
    no_query_encoder: bool,
    #[command(flatten)]
    llm: LlmBuildArgs,
    /// Threads that read documents [default: as many as the machine runs at once]
    #[arg(long, env = "QUERENT_JOBS", value_name = "N")]
    jobs: Option<usize>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

impl BuildArgs {
    /// Fills what is missing from `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, config: &BuildConfig, llm: &LlmConfig) -> Result<BuildSettings> {
        let inputs = if self.inputs.is_empty() { config.inputs.clone() } else { self.inputs };
        if inputs.is_empty() {
            return Err(
                Usage("expected at least one INPUT, a file or folder to index; found none".into()).into()
            );
        }
        let out = self.out.or_else(|| config.out.clone()).ok_or_else(|| {
            Usage("expected --out DIR, the folder to write; found none, also not in querent.toml".into())
        })?;
        let web = !self.no_web && config.web.unwrap_or(true);
        let reranker = self.reranker || config.reranker.unwrap_or(false);
        if reranker && !web {
            return Err(Usage(
                "reranker: its pack is for browsers, whose files are not to be copied (--no-web); expected one \
                 of the two"
                    .into(),
            )
            .into());
        }
        let Storage::Content = self.storage.or(config.storage).unwrap_or(Storage::Content);
        let mut index = self.index.resolve(config)?;
        index.llm = self.llm.resolve(index.asks_model(), llm)?;
        index.rerank_model = self.rerank_model.or(index.rerank_model);
        if self.no_query_encoder || !config.query_encoder.unwrap_or(true) {
            index.encoder = None;
        }
        Ok(BuildSettings {
            inputs,
            out,
            index,
            embeddings: self.embeddings.or(config.embeddings).unwrap_or(Embeddings::Minilm),
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
            web,
            reranker,
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

pub(super) fn chunk_settings(max: Option<u32>, overlap: Option<u32>) -> Result<ChunkSettings> {
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

pub(super) fn jobs(given: Option<usize>) -> Result<usize> {
    match given {
        Some(0) => Err(Usage("jobs: expected 1 or more, found 0".into()).into()),
        Some(jobs) => Ok(jobs),
        None => Ok(std::thread::available_parallelism().map_or(1, std::num::NonZero::get)),
    }
}
