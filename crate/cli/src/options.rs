//! The values that options take, read the same from a flag, a variable and `querent.toml`.

use querent_core::query::{FusionMethod, QueryEncoder, SearchMode};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Finds `text` among the `names`; those of `later` are known and not to be had yet.
fn choose<T: Copy>(text: &str, names: &[(&str, T)], later: &[&str]) -> Result<T, String> {
    if let Some((_, value)) = names.iter().find(|(name, _)| *name == text) {
        return Ok(*value);
    }
    let choices = names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if later.contains(&text) {
        return Err(format!("`{text}` is not in this version of Querent yet; choose one of: {choices}"));
    }
    Err(format!("expected one of: {choices}; found `{text}`"))
}

/// Reads a type from its names, for clap (`FromStr`) and for serde (`TryFrom<String>`).
macro_rules! named {
    ($type:ident: $($name:literal => $value:ident),+; later $later:expr) => {
        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                choose(text, &[$(($name, Self::$value)),+], $later)
            }
        }

        impl TryFrom<String> for $type {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                text.parse()
            }
        }
    };
}

/// Who makes the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub(crate) enum Questions {
    /// The rules of querent-core.
    Rules,
    /// A language model, and the rules where it says nothing of use.
    Llm,
    /// Nobody: the index holds no questions.
    None,
}
named!(Questions: "rules" => Rules, "llm" => Llm, "none" => None; later &[]);

/// Who says what a chunk is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub(crate) enum Analysis {
    /// The rules of querent-core.
    Rules,
    /// A language model, which is then told so when it is asked for questions.
    Llm,
}
named!(Analysis: "rules" => Rules, "llm" => Llm; later &[]);

/// Who places a chunk in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub(crate) enum Context {
    /// The title and the headings.
    Rules,
    /// The same, and a sentence or two of a language model.
    Llm,
    /// Nobody: a chunk is embedded by itself.
    None,
}
named!(Context: "rules" => Rules, "llm" => Llm, "none" => None; later &[]);

/// Who finds other words for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transform {
    /// The model where one is configured, else the rules.
    Auto,
    /// The rules of querent-core.
    Rules,
    /// A language model, and the rules where it says nothing of use.
    Llm,
}
named!(Transform: "auto" => Auto, "rules" => Rules, "llm" => Llm; later &[]);

/// Who decides which questions are worth searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", rename_all = "kebab-case")]
pub(crate) enum Evaluator {
    /// Nobody: each chunk keeps what was found for it.
    Off,
    /// querent-core, by the vectors of questions and chunks.
    On,
    /// The same, with a cross-encoder that reads each question with its chunk.
    CrossEncoder,
}
named!(Evaluator: "off" => Off, "on" => On, "cross-encoder" => CrossEncoder; later &[]);

/// Who makes the vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Embeddings {
    /// all-MiniLM-L6-v2.
    Minilm,
    /// Nobody: the index answers lexical searches only.
    None,
}
named!(Embeddings: "minilm" => Minilm, "none" => None; later &[]);

/// What embeds a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Encoder {
    /// MiniLM.
    Model,
    /// The table in the index.
    Table,
}
named!(Encoder: "model" => Model, "table" => Table; later &[]);

impl From<Encoder> for QueryEncoder {
    fn from(encoder: Encoder) -> Self {
        match encoder {
            Encoder::Model => Self::Model,
            Encoder::Table => Self::Table,
        }
    }
}

/// How the URL of a Markdown file follows from its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum MarkdownUrl {
    /// `a/b.md` stays.
    Keep,
    /// `a/b.html`.
    Html,
    /// `a/b/`.
    Directory,
}
named!(MarkdownUrl: "keep" => Keep, "html" => Html, "directory" => Directory; later &[]);

impl From<MarkdownUrl> for querent_reader::MarkdownUrl {
    fn from(url: MarkdownUrl) -> Self {
        match url {
            MarkdownUrl::Keep => Self::Keep,
            MarkdownUrl::Html => Self::Html,
            MarkdownUrl::Directory => Self::Directory,
        }
    }
}

/// Where the documents' text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Storage {
    /// In the index.
    Content,
}
named!(Storage: "content" => Content; later &["reference"]);

/// Which candidates take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Mode {
    /// Both lists, fused.
    Hybrid,
    /// Terms only.
    Lexical,
    /// Vectors only.
    Semantic,
}
named!(Mode: "hybrid" => Hybrid, "lexical" => Lexical, "bm25" => Lexical, "semantic" => Semantic, "vector" => Semantic;
    later &[]);

/// Which modes an evaluation measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EvalMode {
    /// Both lists, fused.
    Hybrid,
    /// Terms only.
    Lexical,
    /// Vectors only.
    Semantic,
    /// Each of the three.
    All,
}
named!(EvalMode: "hybrid" => Hybrid, "lexical" => Lexical, "bm25" => Lexical, "semantic" => Semantic,
    "vector" => Semantic, "all" => All; later &[]);

/// The formula of fusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Fusion {
    /// Scores stretched to 0 to 1, weighted by the query.
    Adaptive,
    /// Weighted sum of scores stretched to 0 to 1.
    MinMax,
    /// Weighted sum of reciprocal ranks.
    ReciprocalRank,
}
named!(Fusion: "adaptive" => Adaptive, "min-max" => MinMax, "reciprocal-rank" => ReciprocalRank, "rrf" => ReciprocalRank; later &[]);

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Lexical => Self::Lexical,
            Mode::Semantic => Self::Semantic,
        }
    }
}

impl EvalMode {
    /// The modes to measure, in the order of the report.
    pub(crate) fn modes(self) -> &'static [SearchMode] {
        match self {
            Self::Hybrid => &[SearchMode::Hybrid],
            Self::Lexical => &[SearchMode::Lexical],
            Self::Semantic => &[SearchMode::Semantic],
            Self::All => &[SearchMode::Lexical, SearchMode::Semantic, SearchMode::Hybrid],
        }
    }
}

impl From<Fusion> for FusionMethod {
    fn from(fusion: Fusion) -> Self {
        match fusion {
            Fusion::Adaptive => Self::Adaptive,
            Fusion::MinMax => Self::MinMax,
            Fusion::ReciprocalRank => Self::ReciprocalRank,
        }
    }
}

/// The name of a mode, as options and JSON write it.
pub(crate) fn mode_name(mode: SearchMode) -> &'static str {
    match mode {
        SearchMode::Hybrid => "hybrid",
        SearchMode::Lexical => "lexical",
        SearchMode::Semantic => "semantic",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!("bm25".parse(), Ok(Mode::Lexical));
        assert_eq!("rrf".parse(), Ok(Fusion::ReciprocalRank));
        for (error, part) in [
            ("reference".parse::<Storage>().map(drop), "not in this version"),
            ("fast".parse::<Mode>().map(drop), "expected one of: hybrid, lexical, bm25"),
        ] {
            let error = error.expect_err("is refused");
            assert!(error.contains(part), "{error}");
        }
    }
}
