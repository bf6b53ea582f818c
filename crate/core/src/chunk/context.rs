//! The heading path within a number of bytes.

use crate::embedding::TokenCounter;

/// One heading a line: a line break is no token to the models that we know.
const SEPARATOR: &str = "\n";

/// Joins `path` within `max_bytes`. What is left out first is what says least about the chunk: the headings
/// between the title and the section, from the outermost inwards, then the title, then the end of the
/// section's own heading.
pub(super) fn shorten(path: &[&str], max_bytes: usize) -> String {
    let mut path = path.to_vec();
    while length(&path) > max_bytes && path.len() > 1 {
        path.remove(usize::from(path.len() > 2));
    }
    let mut text = path.join(SEPARATOR);
    if text.len() > max_bytes {
        let end = text.floor_char_boundary(max_bytes);
        let end = text[..end].rfind(char::is_whitespace).unwrap_or(end);
        text.truncate(end);
    }
    text
}

/// The most bytes within which `path` has at most `max_tokens` tokens, to within what halving finds, and those
/// tokens.
pub(super) fn fit(path: &[&str], counter: &dyn TokenCounter, max_tokens: usize) -> (u32, usize) {
    let mut bytes = length(path);
    loop {
        let text = shorten(path, bytes);
        let tokens = counter.count(&text);
        if tokens <= max_tokens || bytes == 0 {
            return (u32::try_from(bytes).unwrap_or(u32::MAX), tokens);
        }
        bytes = (text.len() * max_tokens / tokens).min(bytes - 1);
    }
}

fn length(path: &[&str]) -> usize {
    path.iter().map(|heading| heading.len()).sum::<usize>() + SEPARATOR.len() * path.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::WordEstimate;

    #[test]
    fn shortened_from_the_outermost_inwards() {
        let path = ["Title", "Part", "Chapter", "Own heading"];
        for (bytes, expected) in [
            (100, "Title\nPart\nChapter\nOwn heading"),
            (30, "Title\nPart\nChapter\nOwn heading"),
            (29, "Title\nChapter\nOwn heading"),
            (24, "Title\nOwn heading"),
            (16, "Own heading"),
            (10, "Own"),
            (2, "Ow"),
            (0, ""),
        ] {
            assert_eq!(shorten(&path, bytes), expected, "{bytes}");
        }
        assert_eq!(shorten(&["漢字"], 4), "漢");
    }

    #[test]
    fn fits_the_tokens() {
        let long = "word ".repeat(400);
        for path in [vec![], vec!["Title"], vec!["Title", long.trim()], vec![long.trim(), "Heading", "Own"]] {
            for limit in [0, 1, 8, 63] {
                let (bytes, tokens) = fit(&path, &WordEstimate, limit);
                assert!(tokens <= limit, "{path:?} {limit}");
                assert_eq!(WordEstimate.count(&shorten(&path, bytes as usize)), tokens);
            }
        }
    }
}
