//! The content analyzer: what a chunk is about, before anybody asks what it answers.
//!
//! ```text
//! document, chunk -> analyze (rules)                                   -> ContentAnalysis
//! document, chunk -> by_model::prompt -> a model -> by_model::read     -> ContentAnalysis
//! ```
//!
//! Both give the same five lists. The rules take them from what the rules for questions see anyway (headings, phrases
//! that come back, code, what is told how to do): there is no second finder of key phrases. A model also names what
//! the text does not spell out; what it says is data, and a name of which the chunk holds no word is dropped.
//!
//! The analysis tells a language model what to ask about ([`question_prompt`](super::by_model::question_prompt)), and the
//! evaluator which topics questions have to cover ([`evaluate`](super::evaluator)).

pub mod by_model;
mod content_type;
mod rules;
#[cfg(test)]
mod tests;

pub use content_type::ContentKind;

use crate::{chunk::Chunk, document::Document};
use serde::Serialize;

/// Most entries of a list.
const MOST: usize = 8;

/// What a chunk is about. Each list begins with what tells most, holds nothing twice and at most eight entries.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ContentAnalysis {
    /// What the chunk is a piece of.
    pub content_type: ContentKind,
    /// What it is about: headings that say something, and phrases that come back.
    pub topics: Vec<String>,
    /// What has a name: identifiers, options, products.
    pub entities: Vec<String>,
    /// What it tells how to do, as it follows "How do I": "change the port".
    pub actions: Vec<String>,
    /// What it explains or works with: nouns with their adjectives.
    pub concepts: Vec<String>,
    /// How the text is built.
    pub structure: ContentStructure,
}

/// How a chunk's text is built, and where in its document it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ContentStructure {
    /// The document's title and the headings down to the chunk.
    pub heading_path: Vec<String>,
    /// Paragraphs, list items and table cells.
    pub paragraphs: usize,
    /// Sentences in these.
    pub sentences: usize,
    /// Words, those of headings and code not counted.
    pub words: usize,
    /// Blocks of code.
    pub code_blocks: usize,
}

impl ContentAnalysis {
    /// Topics, concepts, entities and actions: what questions about the chunk should cover, what tells most first.
    pub fn aspects(&self) -> impl Iterator<Item = &str> {
        let lists = [&self.topics, &self.concepts, &self.entities, &self.actions];
        lists.into_iter().flatten().map(String::as_str)
    }
}

/// Analyses `chunk` by rules: the content, its type and its heading path are all in `document`.
///
/// English only, as the rules for questions are: in other languages topics are headings, entities what is marked as
/// code, and there are no actions and concepts. Cost: about that of finding the chunk's questions by rules.
pub fn analyze(document: &Document, chunk: &Chunk) -> ContentAnalysis {
    rules::analyze(document, chunk)
}

/// Adds what is not there yet, as long as there is room. Names that differ in case or plural only are one.
fn add(list: &mut Vec<String>, name: &str) {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let key = |name: &str| name.to_lowercase().trim_end_matches('s').to_owned();
    if list.len() < MOST && !name.is_empty() && list.iter().all(|known| key(known) != key(&name)) {
        list.push(name);
    }
}
