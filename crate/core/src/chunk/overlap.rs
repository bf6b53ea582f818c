//! How far a chunk reaches back into the chunk before it.

use super::boundary::{Level, cut};
use crate::{document::Document, embedding::TokenCounter};
use std::ops::Range;

/// No model that we know has tokens longer than this on average, so no more bytes need to be looked at.
const BYTES_PER_TOKEN: usize = 16;

/// Bytes at the end of `before` that hold at most `max_tokens` tokens: whole sentences where at least one
/// fits, else whole words.
pub(super) fn reach(
    document: &Document,
    counter: &dyn TokenCounter,
    before: Range<usize>,
    max_tokens: usize,
) -> usize {
    if max_tokens == 0 {
        return 0;
    }
    let mut start = before.start.max(before.end.saturating_sub(max_tokens.saturating_mul(BYTES_PER_TOKEN)));
    while !document.text.is_char_boundary(start) {
        start -= 1;
    }
    let window = start..before.end;
    [Level::Sentence, Level::Word]
        .into_iter()
        .map(|level| suffix(document, counter, window.clone(), level, max_tokens))
        .find(|&bytes| !document.plain(before.end - bytes..before.end).trim().is_empty())
        .unwrap_or(0)
}

/// Bytes of the pieces at the end of `window` that together have at most `max_tokens` tokens.
fn suffix(
    document: &Document,
    counter: &dyn TokenCounter,
    window: Range<usize>,
    level: Level,
    max_tokens: usize,
) -> usize {
    let pieces = cut(document, window.clone(), level);
    let mut left = max_tokens;
    let mut start = window.end;
    // The window may begin inside a sentence or word, so its first piece is taken only with the whole of it.
    for piece in pieces.into_iter().skip(1).rev() {
        match left.checked_sub(counter.count(&document.plain(piece.clone()))) {
            Some(rest) => left = rest,
            None => break,
        }
        start = piece.start;
    }
    window.end - start
}
