//! Fills chunks with pieces, each as fully as its limit allows.

use super::boundary::{Level, cut};
use crate::{
    document::{Document, SpanKind},
    embedding::TokenCounter,
};
use std::ops::Range;

/// A stretch of the document that is not cut unless it has to be.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) tokens: usize,
    /// Kind of the boundary at which it starts.
    pub(super) start: Level,
    /// Level at which it is cut next; `None` for a single character.
    pub(super) next: Option<Level>,
}

/// Pieces that become one chunk: at least one.
pub(super) type Group = Vec<Piece>;

/// A group below this part of the limit is tiny: it is filled with part of the next piece, or balanced.
const TINY: usize = 3;

/// Puts `range` into groups of at most `room` tokens each (a single character may have more).
///
/// 1. A piece that fits into the group joins it.
/// 2. A piece that fits into a group of its own starts one, unless that leaves a tiny group behind.
/// 3. Any other piece is cut at the next finer level, and its parts take its place.
pub(super) fn fill(
    document: &Document,
    counter: &dyn TokenCounter,
    range: Range<usize>,
    room: usize,
) -> Vec<Group> {
    let whole = Piece { range, tokens: usize::MAX, start: Level::Paragraph, next: Some(Level::Paragraph) };
    let mut waiting = vec![whole];
    let mut groups: Vec<Group> = Vec::new();
    let mut group = Group::new();
    let mut used = 0;
    while let Some(piece) = waiting.pop() {
        if piece.tokens <= room - used {
            used += piece.tokens;
            group.push(piece);
            continue;
        }
        let is_worth_cutting = used > 0 && used * TINY < room && may_fill(document, &piece);
        if (piece.tokens > room || is_worth_cutting)
            && let Some(parts) = divide(document, counter, &piece)
        {
            waiting.extend(parts.into_iter().rev());
            continue;
        }
        if !group.is_empty() {
            groups.push(std::mem::take(&mut group));
        }
        used = piece.tokens.min(room);
        group.push(piece);
    }
    if !group.is_empty() {
        groups.push(group);
    }
    balance(&mut groups, room);
    groups
}

/// The parts of `piece` at the first finer level that cuts it, each counted; `None` for a single character.
pub(super) fn divide(document: &Document, counter: &dyn TokenCounter, piece: &Piece) -> Option<Vec<Piece>> {
    let mut level = piece.next?;
    loop {
        let ranges = cut(document, piece.range.clone(), level);
        if ranges.len() > 1 || piece.tokens == usize::MAX {
            let parts = ranges.into_iter().enumerate().map(|(index, range)| Piece {
                tokens: counter.count(&document.plain(range.clone())),
                range,
                start: if index == 0 { piece.start } else { level },
                next: level.finer(),
            });
            return Some(parts.collect());
        }
        level = level.finer()?;
    }
}

/// Whether part of `piece`, which would fit into a chunk of its own, may fill up the chunk before: prose down
/// to whole sentences, never part of a code block.
fn may_fill(document: &Document, piece: &Piece) -> bool {
    let is_coarse = piece.next.is_some_and(|level| level <= Level::Sentence);
    is_coarse && document.spans_in(piece.range.clone()).all(|(_, span)| span.kind != SpanKind::Code)
}

/// Where the last group is tiny, cuts the last two groups again, nearer to the middle.
fn balance(groups: &mut Vec<Group>, room: usize) {
    let tokens = |group: &[Piece]| group.iter().map(|piece| piece.tokens).sum::<usize>();
    if groups.len() < 2 || tokens(&groups[groups.len() - 1]).saturating_mul(TINY) >= room {
        return;
    }
    let last = groups.pop().expect("there are two groups");
    let before = groups.pop().expect("there are two groups");
    let pieces: Group = before.into_iter().chain(last).collect();
    let total = tokens(&pieces);
    let mut left = 0;
    let best = (1..pieces.len())
        .filter_map(|at| {
            left += pieces[at - 1].tokens;
            let right = total - left;
            // A finer boundary has to be worth it: each level counts as an eighth of the limit out of balance.
            let cost = left.abs_diff(right) + pieces[at].start as usize * (room / 8);
            (left <= room && right <= room).then_some((cost, at))
        })
        .min();
    let mut pieces = pieces;
    if let Some((_, at)) = best {
        let right = pieces.split_off(at);
        groups.push(pieces);
        groups.push(right);
    } else {
        // Only a single character above the limit leaves no cut: then each piece stands alone.
        groups.extend(pieces.into_iter().map(|piece| vec![piece]));
    }
}
