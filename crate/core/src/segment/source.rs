//! What a chunk of code or data holds besides its text, so that its source can be put together again.
//!
//! [`ChunkText::text`](super::ChunkText) is made to be read: without the marks of comments, without the space around it.
//! A class that is shown complete, or an object that is to be parsed, needs those bytes too, and needs to know where it
//! begins and ends. Both are small: a mark and some indentation per line of a comment, two numbers per unit. Prose has
//! neither; what is shown of it is its text.

use crate::{chunk::Chunk, document::Document};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Of a chunk of code or data: what its text leaves out, and the units that it stands in. Empty for prose.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkSource {
    /// What stands in the source and not in the text, in order: bytes of the text since the one before, and what is
    /// left out there.
    pub(super) left_out: Vec<(u32, String)>,
    /// Bytes of the document's text that the units around the chunk's section take, the outermost first and the root
    /// left out: start and length of each, one after the other.
    pub(super) units: Vec<u32>,
}

impl ChunkSource {
    /// The source of `chunk`, of which `text` is shown.
    pub(super) fn new(document: &Document, chunk: &Chunk, kept: &[Range<usize>], text: &str) -> Self {
        if !document.content_type.is_structured() {
            return Self::default();
        }
        let kept = trimmed(document, kept, text);
        let mut left_out = Vec::new();
        let (mut at, mut said) = (chunk.range.start, 0);
        let end = std::iter::once(chunk.range.end..chunk.range.end);
        for range in kept.into_iter().chain(end) {
            if range.start > at {
                left_out.push((said as u32, document.text[at..range.start].to_owned()));
                said = 0;
            }
            said += range.len();
            at = range.end;
        }
        let path = document.sections.path(chunk.section);
        let sections = path.into_iter().map(|id| &document.sections[id]);
        let units = sections.filter(|section| !section.heading.is_empty());
        let units = units.flat_map(|unit| [unit.extent.start as u32, unit.extent.len() as u32]).collect();
        Self { left_out, units }
    }

    /// The source of the chunk whose text is `text`, byte for byte; `None` where the two do not fit together.
    pub fn restore(&self, text: &str) -> Option<String> {
        let mut source = String::with_capacity(text.len());
        let mut rest = text;
        for (before, left_out) in &self.left_out {
            let (said, after) = rest.split_at_checked(*before as usize)?;
            source.push_str(said);
            source.push_str(left_out);
            rest = after;
        }
        source.push_str(rest);
        Some(source)
    }

    /// Bytes of the document's text that each unit around the chunk takes, the outermost first; the root is none.
    pub fn units(&self) -> impl DoubleEndedIterator<Item = Range<u32>> + '_ {
        self.units.chunks_exact(2).map(|unit| unit[0]..unit[0].saturating_add(unit[1]))
    }
}

/// `kept` without what trimming took from both ends of the text.
fn trimmed(document: &Document, kept: &[Range<usize>], text: &str) -> Vec<Range<usize>> {
    let whole: String = kept.iter().map(|range| &document.text[range.clone()]).collect();
    let start = whole.len() - whole.trim_start().len();
    let end = start + text.len();
    let mut at = 0;
    let cut = |range: &Range<usize>| {
        let first = at;
        at += range.len();
        let (from, to) = (start.clamp(first, at) - first, end.clamp(first, at) - first);
        range.start + from..range.start + to
    };
    kept.iter().map(cut).filter(|range| !range.is_empty()).collect()
}
