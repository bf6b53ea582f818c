//! `querent.toml`: settings that a project keeps.
//!
//! ```toml
//! [build]
//! inputs = ["docs"]
//! out = "public/search"
//! questions = "rules"           # or "llm", "none"
//! question-evaluator = "off"    # or "on", "cross-encoder"
//! content-analysis = "rules"     # or "llm"
//! context = "rules"              # or "llm", "none"
//! embed-questions = false
//! embeddings = "minilm"         # or "none"
//! storage = "content"
//! base-url = "https://example.org/docs/"
//! language = "en"               # of documents that state none; else it is taken from their text
//! markdown-url = "html"         # or "keep", "directory"
//! include-drafts = false
//! weights = ["changelog/**=0.5"]
//! include = ["**/*.md"]
//! exclude = ["drafts/"]
//! model = "models/all-MiniLM-L6-v2"
//! max-tokens = 254
//! overlap-tokens = 0
//! synonyms = "synonyms.txt"
//! web = true                    # copy the browser's files beside the index
//! reranker = false              # copy the cross-encoder's pack beside the index
//! rerank-model = "models/ms-marco-MiniLM-L-12-v2"
//! query-encoder = true          # fit a table that embeds queries without the model
//! encoder-base = "none"         # or a file: what the table is fitted from
//! encoder-texts = 20000
//! jobs = 2
//!
//! [search]
//! mode = "hybrid"               # or "lexical", "semantic"
//! fusion = "adaptive"           # or "min-max", "reciprocal-rank"
//! vector-weight = 0.6
//! bm25-weight = 0.4
//! limit = 10
//! prefix = true
//!
//! [serve]
//! port = 8750
//!
//! [llm]                         # asked with questions = "llm", context = "llm" or content-analysis = "llm"
//! url = "http://127.0.0.1:8080/v1"
//! model = "qwen2.5:0.5b"
//! key-env = "QUERENT_LLM_KEY"   # the variable that holds the key
//! concurrency = 2
//! timeout = 120                 # seconds for a whole reply
//! max-requests = 1000           # of one build
//! max-tokens = 1000000
//! temperature = 0.3
//! reply-tokens = 400
//! cache = "questions"           # a folder that is committed, so that other machines need no model
//! ```
//!
//! Every key may be left out; an unknown key is an error. Paths are relative to the file. A flag and a
//! `QUERENT_*` variable come before the file.

use crate::{
    Usage,
    encoder::BaseChoice,
    llm::LlmConfig,
    options::{
        Analysis, Context, Embeddings, Encoder, Evaluator, Fusion, MarkdownUrl, Mode, Questions, Storage,
    },
};
use serde::Deserialize;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The file's name where `--config` does not name another.
const FILE: &str = "querent.toml";

/// All of `querent.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) build: BuildConfig,
    pub(crate) search: SearchConfig,
    pub(crate) serve: ServeConfig,
    pub(crate) llm: LlmConfig,
}

/// `[build]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct BuildConfig {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) questions: Option<Questions>,
    pub(crate) question_evaluator: Option<Evaluator>,
    pub(crate) content_analysis: Option<Analysis>,
    pub(crate) context: Option<Context>,
    pub(crate) embed_questions: Option<bool>,
    pub(crate) embeddings: Option<Embeddings>,
    pub(crate) query_encoder: Option<bool>,
    pub(crate) encoder_base: Option<BaseChoice>,
    pub(crate) encoder_texts: Option<usize>,
    pub(crate) storage: Option<Storage>,
    pub(crate) base_url: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) markdown_url: Option<MarkdownUrl>,
    pub(crate) include_drafts: Option<bool>,
    pub(crate) weights: Vec<String>,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) model: Option<PathBuf>,
    pub(crate) max_tokens: Option<u32>,
    pub(crate) overlap_tokens: Option<u32>,
    pub(crate) synonyms: Option<PathBuf>,
    pub(crate) web: Option<bool>,
    pub(crate) reranker: Option<bool>,
    pub(crate) rerank_model: Option<PathBuf>,
    pub(crate) jobs: Option<usize>,
}

/// `[search]`, which `eval` reads too.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SearchConfig {
    pub(crate) mode: Option<Mode>,
    pub(crate) fusion: Option<Fusion>,
    pub(crate) vector_weight: Option<f32>,
    pub(crate) bm25_weight: Option<f32>,
    pub(crate) limit: Option<usize>,
    pub(crate) prefix: Option<bool>,
    pub(crate) query_encoder: Option<Encoder>,
}

/// `[serve]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ServeConfig {
    pub(crate) port: Option<u16>,
}

impl Config {
    /// Reads `given`, or `querent.toml` of the current folder where there is one.
    ///
    /// # Errors
    /// When `given` cannot be read, or when the file holds an unknown key or a value of another kind.
    pub(crate) fn load(given: Option<&Path>) -> anyhow::Result<Self> {
        let path = given.unwrap_or(Path::new(FILE));
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if given.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(Usage(format!("{}: cannot be read: {error}", path.display())).into()),
        };
        let mut config: Self =
            toml::from_str(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
        config.anchor(path.parent().unwrap_or(Path::new("")));
        Ok(config)
    }

    /// Makes paths relative to the file's folder instead of the current one.
    fn anchor(&mut self, folder: &Path) {
        let build = &mut self.build;
        let models = build.model.iter_mut().chain(&mut build.rerank_model);
        let files = models.chain(&mut build.synonyms).chain(&mut self.llm.cache);
        let base = build.encoder_base.iter_mut().filter_map(BaseChoice::file_mut);
        for path in build.inputs.iter_mut().chain(&mut build.out).chain(files).chain(base) {
            *path = folder.join(&*path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_file_is_valid() {
        let example: String = include_str!("config.rs")
            .lines()
            .skip_while(|line| *line != "//! ```toml")
            .skip(1)
            .take_while(|line| *line != "//! ```")
            .map(|line| format!("{}\n", line.trim_start_matches("//!")))
            .collect();
        let config: Config = toml::from_str(&example).expect("is valid");
        assert_eq!(config.build.max_tokens, Some(254));
        assert_eq!(config.search.mode, Some(Mode::Hybrid));
        assert_eq!(config.serve.port, Some(8750));
    }

    #[test]
    fn unknown_keys_and_values_are_named() {
        for (text, parts) in [
            ("[build]\noutt = 'x'", ["outt", "overlap-tokens"]),
            ("[serach]\n", ["serach", "search"]),
            ("[build]\nstorage = 'reference'", ["reference", "not in this version"]),
            ("[llm]\nkey = 'sk-1'", ["key", "key-env"]),
            ("[search]\nlimit = 'many'", ["limit", "expected"]),
        ] {
            let error = toml::from_str::<Config>(text).expect_err("is refused").to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
