//! From a chunk that matched to the text that a reader needs: which chunks, and how they are joined.
//!
//! The work is in the choice of chunks, which depends on what the document is; joining is simple, since chunks were cut
//! so that they can be put together again.
//!
//! 1. [`strategy_of`] chooses by the document's type; what has none is prose.
//! 2. The strategy selects chunks, then assembles their text.
//! 3. Where a structured document's hierarchy is broken, prose takes over, and the reason says so.
//! 4. Whatever came of it is cut to the limit.

use super::{Hierarchical, Prose};
use crate::{document::ContentType, segment::ChunkText};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How much is assembled. See the fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssemblySettings {
    /// Most characters of the text: 1 and up, default 20,000. Less shows a method where its class is too long; more
    /// shows long classes and takes as much longer to read.
    pub max_characters: usize,
    /// Most chunks that are looked at on each side of the match: 1 and up, default 256. Less bounds what a search
    /// reads of a huge document, and shows a unit that has more chunks in part only.
    pub max_chunks: usize,
}

impl Default for AssemblySettings {
    fn default() -> Self {
        Self { max_characters: 20_000, max_chunks: 256 }
    }
}

/// What was assembled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assembled {
    /// The text: of code and data a part of the source, byte for byte.
    pub text: String,
    /// The strategy's name: `prose` or `hierarchical`.
    pub strategy: String,
    /// The chunks that it was made of, by their position in the document from 0, ascending.
    pub chunks: Vec<usize>,
    /// Whether everything that the strategy wants is there.
    pub complete: bool,
    /// Why not, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Chunks of one document, as far as they are there.
#[derive(Debug, Clone)]
pub struct DocumentChunks<'a> {
    /// What the document was made from; `None` where nobody knows.
    pub content_type: Option<ContentType>,
    /// Chunks of the whole document.
    pub total: usize,
    /// Chunks that are there, ascending by the position in the document that stands beside each. Some may be missing.
    pub chunks: Vec<(usize, &'a ChunkText)>,
}

/// What a strategy selected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Places in [`DocumentChunks::chunks`], ascending.
    pub chunks: Vec<usize>,
    /// Bytes of the document's text that are to be shown of them, ascending and apart; empty for all.
    pub ranges: Vec<Range<u32>>,
    /// What of the strategy's wishes could not be had.
    pub shortfall: Option<String>,
}

/// A way to put chunks together.
pub trait AssemblyStrategy {
    /// Its name in results.
    fn name(&self) -> &'static str;

    /// The chunks to show for those that `matched`, places in `document.chunks`.
    ///
    /// # Errors
    /// What is wrong with the hierarchy, where chunks cannot be selected by it.
    fn select_chunks(
        &self,
        document: &DocumentChunks<'_>,
        matched: &[usize],
        settings: &AssemblySettings,
    ) -> Result<Selection, String>;

    /// Their text.
    ///
    /// # Errors
    /// What is wrong with the chunks, where they are not what was selected.
    fn assemble(&self, document: &DocumentChunks<'_>, selection: &Selection) -> Result<String, String>;
}

/// The strategy for documents of `content_type`.
pub fn strategy_of(content_type: Option<ContentType>) -> &'static dyn AssemblyStrategy {
    match content_type {
        Some(content_type) if content_type.is_structured() => &Hierarchical,
        _ => &Prose,
    }
}

/// Assembles what belongs to the chunks that `matched`, places in `document.chunks`. Places that are not there are left
/// out; where none is left, so is all text.
///
/// Cost: linear in the chunks that are there.
pub fn assemble(document: &DocumentChunks<'_>, matched: &[usize], settings: &AssemblySettings) -> Assembled {
    let mut matched: Vec<_> =
        matched.iter().copied().filter(|&place| place < document.chunks.len()).collect();
    matched.sort_unstable();
    matched.dedup();
    let strategy = strategy_of(document.content_type);
    let assembled = run(strategy, document, &matched, settings).or_else(|problem| {
        let mut assembled = run(&Prose, document, &matched, settings)?;
        assembled.complete = false;
        assembled.reason = Some(format!("shown as prose: {problem}"));
        Ok::<_, String>(assembled)
    });
    let nothing = |problem| Assembled {
        text: String::new(),
        strategy: strategy.name().to_owned(),
        chunks: Vec::new(),
        complete: false,
        reason: Some(problem),
    };
    cut(assembled.unwrap_or_else(nothing), settings.max_characters.max(1))
}

fn run(
    strategy: &dyn AssemblyStrategy,
    document: &DocumentChunks<'_>,
    matched: &[usize],
    settings: &AssemblySettings,
) -> Result<Assembled, String> {
    let selection = strategy.select_chunks(document, matched, settings)?;
    Ok(Assembled {
        text: strategy.assemble(document, &selection)?,
        strategy: strategy.name().to_owned(),
        chunks: selection.chunks.iter().map(|&place| document.chunks[place].0).collect(),
        complete: selection.shortfall.is_none(),
        reason: selection.shortfall,
    })
}

/// A single chunk may be longer than the limit.
fn cut(mut assembled: Assembled, max_characters: usize) -> Assembled {
    if let Some((at, _)) = assembled.text.char_indices().nth(max_characters) {
        assembled.text.truncate(at);
        assembled.complete = false;
        assembled.reason.get_or_insert_with(|| limit_reached(max_characters, "the text is cut"));
    }
    assembled
}

pub(super) fn limit_reached(max_characters: usize, consequence: &str) -> String {
    format!("limit of {max_characters} characters reached: {consequence}")
}
