//! What a language model is shown of a chunk: its kind, its place, and its text between marks that it cannot forge.

use super::analysis::ContentKind;
use crate::{chunk::Chunk, document::Document, llm::mark_beside};

/// Words of a chunk below which there is nothing to ask a model about.
const LEAST_WORDS: usize = 6;

/// One chunk, as it stands in a prompt.
#[derive(Debug, Clone)]
pub(crate) struct Material {
    pub(crate) kind: ContentKind,
    pub(crate) title: String,
    /// Headings from below the title down to the chunk.
    pub(crate) section: String,
    pub(crate) text: String,
}

impl Material {
    /// That of `chunk`; `None` where it says too little.
    pub(crate) fn of(document: &Document, chunk: &Chunk) -> Option<Self> {
        let text = document.plain(chunk.range.clone()).trim().to_owned();
        let is_unspaced =
            text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count() > 4 * LEAST_WORDS;
        if text.split_whitespace().count() < LEAST_WORDS && !is_unspaced {
            return None;
        }
        let path = document.heading_path(chunk.section);
        let (title, sections) = path.split_first().map_or(("", &[][..]), |(title, rest)| (*title, rest));
        let kind = ContentKind::of(document, chunk);
        Some(Self { kind, title: line(title), section: line(&sections.join(" > ")), text })
    }

    /// The message of the user: the material, and then what is to be done with it.
    pub(crate) fn with(&self, order: &str) -> String {
        let Self { kind, title, section, text } = self;
        let mark = mark_beside(text);
        let section = if section.is_empty() { String::new() } else { format!("Section: {section}\n") };
        let kind = kind.name();
        format!(
            "Kind: {kind}\nTitle: {title}\n{section}{mark} TEXT {mark}\n{text}\n{mark} END {mark}\n{order}"
        )
    }
}

/// One line: what comes from a document must not look like another line of the prompt.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
