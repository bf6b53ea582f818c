//! Offsets in bytes become offsets in UTF-16 units, the ones of JavaScript's strings.

use std::ops::Range;

/// The UTF-16 ranges of `text` that the byte ranges `ranges` cover.
///
/// One pass over `text` where the ranges ascend; each step back starts again at the front. An offset inside a
/// character counts as the character's start, one behind the text as its end.
pub(crate) fn ranges(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut at = Position::default();
    ranges.iter().map(|range| at.seek(text, range.start)..at.seek(text, range.end)).collect()
}

/// The same place in both units; `bytes` is always on a character's boundary.
#[derive(Default)]
struct Position {
    bytes: usize,
    units: usize,
}

impl Position {
    fn seek(&mut self, text: &str, target: usize) -> usize {
        if target < self.bytes {
            *self = Self::default();
        }
        for c in text[self.bytes..].chars() {
            if self.bytes + c.len_utf8() > target {
                break;
            }
            self.bytes += c.len_utf8();
            self.units += c.len_utf16();
        }
        self.units
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one range is what is meant")]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn check(text: &str, bytes: &[Range<usize>], expected: &[Range<usize>]) {
        assert_eq!(ranges(text, bytes), expected, "{text:?} {bytes:?}");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn offsets() {
        check("", &[], &[]);
        check("plain text", &[0..5, 6..10], &[0..5, 6..10]);
        check("a\u{e9}b", &[1..3, 3..4], &[1..2, 2..3]);
        check("\u{6f22}\u{5b57} word", &[0..6, 7..11], &[0..2, 3..7]);
        // An emoji is four bytes and two units; a family of them is joined by zero-width joiners.
        check("\u{1f980} crab", &[5..9], &[3..7]);
        check("\u{1f468}\u{200d}\u{1f469} x", &[0..11, 12..13], &[0..5, 6..7]);
        // Out of order, inside a character, behind the end.
        check("\u{1f980}ab", &[5..6, 4..5], &[3..4, 2..3]);
        check("\u{1f980}ab", &[1..5], &[0..3]);
        check("ab", &[1..99], &[1..2]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn agrees_with_the_standard_library() {
        let text = "x\u{1f980}\u{6f22}\u{e9}\u{301}yz\u{10ffff}";
        let boundaries: Vec<_> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
        for &start in &boundaries {
            for &end in boundaries.iter().filter(|&&end| end >= start) {
                let units = |to: usize| text[..to].encode_utf16().count();
                check(text, &[start..end], &[units(start)..units(end)]);
            }
        }
    }
}
