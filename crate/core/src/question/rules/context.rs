//! What the rules see of a chunk: its blocks, the words around it, and the headings above it.

use super::{generic, heading};
use crate::{
    chunk::Chunk,
    document::{Document, Section},
    question::{
        casing::{Casing, is_identifier},
        grammar,
        passage::{Block, BlockKind, Word, blocks, words_of},
        subject::{KINDS, Subject, subject},
    },
};
use std::ops::Range;

/// Bytes around the chunk that are looked at for how words are used.
const AROUND: usize = 4096;

/// One chunk as the rules see it.
pub(in crate::question) struct Context<'a> {
    pub(in crate::question) document: &'a Document,
    pub(in crate::question) section: &'a Section,
    /// Whether the chunk holds its section's heading and beginning.
    pub(in crate::question) is_first: bool,
    pub(in crate::question) is_english: bool,
    /// The chunk's own blocks.
    pub(in crate::question) blocks: Vec<Block>,
    pub(in crate::question) casing: Casing,
    /// The words around, in lower case, for articles. An empty word is a sentence's end.
    around: Vec<String>,
    /// Title and headings down to the section, in lower case.
    topics: String,
    section_id: crate::document::SectionId,
}

impl<'a> Context<'a> {
    pub(in crate::question) fn new(document: &'a Document, chunk: &Chunk) -> Self {
        let section = &document.sections[chunk.section];
        let text = &document.text;
        let from = text.floor_char_boundary(chunk.range.start.saturating_sub(AROUND));
        let to = text.floor_char_boundary((chunk.range.end + AROUND).min(text.len()));
        let around = blocks(document, from..to);
        Self {
            document,
            section,
            is_first: chunk.range.start == section.range.start,
            is_english: is_english(document, &around),
            blocks: blocks(document, chunk.range.clone()),
            casing: Casing::of(&around),
            around: lower_words(&around),
            topics: document.heading_path(chunk.section).join(" ").to_lowercase(),
            section_id: chunk.section,
        }
    }

    /// The sentences of the chunk's prose.
    pub(in crate::question) fn sentences(&self) -> impl Iterator<Item = &[Word]> {
        self.blocks.iter().filter(|block| block.kind == BlockKind::Prose).flat_map(Block::sentences)
    }

    /// The texts of the chunk's code blocks with their places.
    pub(in crate::question) fn code(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let blocks = self.blocks.iter().filter(|block| block.kind == BlockKind::Code);
        blocks.map(|block| (block.range.clone(), &self.document.text[block.range.clone()]))
    }

    /// Whether the title or a heading above the chunk names `word` (in lower case).
    pub(in crate::question) fn is_topic(&self, word: &str) -> bool {
        let singular = word.trim_end_matches('s');
        self.topics.split(|c: char| !c.is_alphanumeric()).any(|topic| topic.trim_end_matches('s') == singular)
    }

    /// Whether a heading above the chunk, or the title, holds `name` as it is.
    pub(in crate::question) fn is_named_above(&self, name: &str) -> bool {
        self.topics.contains(&name.to_lowercase())
    }

    /// Whether the document tells what was changed: its instructions were done, and are for nobody.
    pub(in crate::question) fn is_history(&self) -> bool {
        ["changelog", "release notes", "unreleased", "what's new"]
            .iter()
            .any(|name| self.topics.contains(name))
    }

    /// The headings above the section's own, the nearest first, then the title.
    pub(in crate::question) fn parents(&self) -> Vec<&'a str> {
        let mut path = self.document.heading_path(self.section_id);
        if path.len() > 1 || self.section.heading == self.document.title {
            path.pop();
        }
        path.reverse();
        path
    }

    /// What "this method" or "the command" means: the thing of that kind that the heading names.
    pub(in crate::question) fn meant_by(&self, words: &[Word]) -> Option<Subject> {
        let [pointer, kind] = words else { return None };
        let is_pointing = pointer.is("this") || pointer.is("the");
        if !is_pointing || kind.is_code || !kind.before.is_empty() {
            return None;
        }
        let kind = kind.lower();
        let headings = self.document.heading_path(self.section_id);
        let mut speaking = headings.iter().rev().filter(|heading| !generic::is_generic(heading));
        speaking.find_map(|heading| self.named_by(heading, &kind))
    }

    /// The thing of `kind` that `heading` names: "The `use` keyword", or "Match guards" for a guard.
    fn named_by(&self, heading: &str, kind: &str) -> Option<Subject> {
        let mut words = words_of(heading::without_number(heading));
        let is_list = words.iter().any(|word| word.is("and") || word.is("or"));
        let last = words.last_mut().filter(|_| !is_list)?;
        let is_identified = KINDS.contains(kind) && is_identifier(last);
        let is_plural = last.lower().strip_suffix('s') == Some(kind);
        // "Common Options" names a list, not the option that the text speaks of.
        if is_plural && KINDS.contains(kind) {
            return None;
        }
        if is_plural {
            last.text = kind.to_owned();
        }
        let is_of_kind = is_plural || last.is(kind);
        match words.len() {
            1 if is_identified => {}
            2..=5 if is_of_kind => {}
            _ => return None,
        }
        let subject = subject(self, &words, true).filter(|subject| !subject.is_plural)?;
        let has_article = subject.text.split(' ').next().is_some_and(grammar::is_article);
        let text = if is_plural && !has_article {
            format!("{} {}", grammar::indefinite_article(&subject.text), subject.text)
        } else {
            subject.text
        };
        Some(Subject { text, is_plural: false })
    }

    /// How the text around uses the words of `noun`: `Some(None)` without an article, `None` not at all.
    pub(in crate::question) fn article_before(&self, noun: &[Word]) -> Option<Option<&'static str>> {
        let noun: Vec<_> = noun.iter().map(Word::lower).collect();
        let (mut indefinite, mut definite, mut bare) = (0_u32, 0_u32, 0_u32);
        for at in 1..self.around.len().saturating_sub(noun.len() - 1) {
            if self.around[at..at + noun.len()] != noun {
                continue;
            }
            match self.around[at - 1].as_str() {
                "a" | "an" => indefinite += 1,
                "the" => definite += 1,
                "of" | "with" | "use" | "uses" | "using" | "about" | "by" | "through" | "for" | "via" => {
                    bare += 1
                }
                _ => {}
            }
        }
        if indefinite + definite + bare == 0 {
            return None;
        }
        if bare >= indefinite + definite {
            return Some(None);
        }
        let word = grammar::indefinite_article(noun.first()?);
        Some(Some(if indefinite * 2 >= definite { word } else { "the" }))
    }
}

/// The lower-case words of all sentences, an empty word at each end.
fn lower_words(blocks: &[Block]) -> Vec<String> {
    let prose = blocks.iter().filter(|block| block.kind == BlockKind::Prose);
    let mut words = vec![String::new()];
    for word in prose.flat_map(|block| &block.words) {
        words.push(word.lower());
        if !word.after.is_empty() {
            words.push(String::new());
        }
    }
    words
}

/// Whether the rules may be used: the document says that it is English, or says nothing and looks like it.
fn is_english(document: &Document, around: &[Block]) -> bool {
    const FREQUENT: &[&str] =
        &["the", "a", "is", "to", "of", "and", "in", "for", "you", "this", "are", "with"];
    match &document.language {
        Some(language) => language.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("en")),
        None => {
            let words = around.iter().flat_map(|block| &block.words).filter(|word| !word.is_code);
            let (mut all, mut frequent, mut ascii) = (0_usize, 0_usize, 0_usize);
            for word in words {
                all += 1;
                frequent += usize::from(FREQUENT.contains(&word.lower().as_str()));
                ascii += usize::from(word.text.is_ascii());
            }
            ascii * 10 >= all * 8 && (all < 20 || frequent * 20 >= all)
        }
    }
}
