//! Splits one section: the driver of the steps.

use super::{
    Chunk, ChunkSettings, context, embedding_text,
    merge::{Group, divide, fill},
    overlap,
};
use crate::{
    document::{Document, SectionId},
    embedding::TokenCounter,
};
use std::ops::Range;

/// One section on its way into chunks.
pub(super) struct Splitter<'a> {
    document: &'a Document,
    counter: &'a dyn TokenCounter,
    section: SectionId,
    /// Limit of a chunk's embedded text.
    max_tokens: usize,
    /// Tokens wanted from the chunk before.
    overlap_tokens: usize,
    /// Bytes for the heading path.
    context: u32,
    /// Tokens that the heading path leaves for the text.
    text_tokens: usize,
}

impl<'a> Splitter<'a> {
    pub(super) fn new(
        document: &'a Document,
        counter: &'a dyn TokenCounter,
        settings: &ChunkSettings,
        section: SectionId,
    ) -> Self {
        let max_tokens = settings.max_tokens.max(4) as usize;
        let path = document.heading_path(section);
        let (context, context_tokens) = context::fit(&path, counter, max_tokens / 4);
        Self {
            document,
            counter,
            section,
            max_tokens,
            overlap_tokens: (settings.overlap_tokens as usize).min(max_tokens / 2),
            context,
            text_tokens: max_tokens - context_tokens.min(max_tokens / 4),
        }
    }

    /// Adds the section's chunks to `chunks`.
    ///
    /// 1. A section that fits is one chunk.
    /// 2. Else groups of pieces are filled, with room for the context and the overlap.
    /// 3. Each group becomes a chunk, once its embedded text has been counted.
    pub(super) fn run(&self, chunks: &mut Vec<Chunk>) {
        let range = self.document.sections[self.section].range.clone();
        let whole = self.chunk(range.clone(), 0);
        if whole.tokens as usize <= self.max_tokens {
            chunks.push(whole);
            return;
        }
        let room = (self.text_tokens - self.overlap_tokens.min(self.text_tokens - 1)).max(1);
        let mut waiting = fill(self.document, self.counter, range, room);
        waiting.reverse();
        let mut before = None;
        while let Some(group) = waiting.pop() {
            match self.accept(&group, before.clone()) {
                Ok(chunk) => {
                    before = Some(chunk.range.clone());
                    chunks.push(chunk);
                }
                Err((left, right)) => waiting.extend([right, left]),
            }
        }
    }

    /// The chunk of `group`, or the group in halves where its embedded text is over the limit after all: the
    /// counts of pieces need not add up exactly, above all where a word was cut.
    fn accept(&self, group: &Group, before: Option<Range<usize>>) -> Result<Chunk, (Group, Group)> {
        let range = group[0].range.start..group[group.len() - 1].range.end;
        let overlap = before
            .map_or(0, |before| overlap::reach(self.document, self.counter, before, self.overlap_tokens));
        let mut chunk = self.chunk(range.clone(), overlap);
        if chunk.tokens as usize > self.max_tokens && overlap > 0 {
            chunk = self.chunk(range, 0);
        }
        if chunk.tokens as usize <= self.max_tokens {
            return Ok(chunk);
        }
        self.halve(group).ok_or(chunk).map_or_else(Ok, Err)
    }

    /// Two groups of about equal size; `None` for a single character.
    fn halve(&self, group: &Group) -> Option<(Group, Group)> {
        let mut left = match group.as_slice() {
            [piece] => divide(self.document, self.counter, piece)?,
            pieces => pieces.to_vec(),
        };
        let half = left.iter().map(|piece| piece.tokens).sum::<usize>() / 2;
        let mut sum = 0;
        let reached = left.iter().position(|piece| {
            sum += piece.tokens;
            sum > half
        });
        let at = reached.unwrap_or(left.len() / 2).clamp(1, left.len() - 1);
        let right = left.split_off(at);
        Some((left, right))
    }

    fn chunk(&self, range: Range<usize>, overlap: usize) -> Chunk {
        let mut chunk = Chunk { section: self.section, range, overlap, context: self.context, tokens: 0 };
        let tokens = self.counter.count(&embedding_text(self.document, &chunk, ""));
        chunk.tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
        chunk
    }
}
