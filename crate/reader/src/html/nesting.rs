//! A limit on nesting.
//!
//! A browser's parser looks through all open elements at every tag, so a file of nothing but `<div>` costs the
//! square of its length: a megabyte would take minutes. Browsers give up at a depth of some hundred elements;
//! here the tags beyond the limit are taken out before parsing, and their text stays.

use std::borrow::Cow;

/// Deeper than any document that was written to be read.
const MAX_DEPTH: usize = 1_000;

/// `source` without the tags beyond [`MAX_DEPTH`]; borrowed, as it is, for every ordinary document.
pub(super) fn limit(source: &str) -> Cow<'_, str> {
    let mut kept = String::new();
    let mut copied = 0;
    let mut depth = 0_usize;
    for (at, _) in source.match_indices('<') {
        let tag = &source[at + 1..];
        let (tag, closing) = tag.strip_prefix('/').map_or((tag, false), |tag| (tag, true));
        let len =
            tag.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').take(24).count();
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic()) || closes_by_itself(&tag[..len]) {
            continue;
        }
        if at >= copied && depth >= MAX_DEPTH + usize::from(closing) {
            kept.push_str(&source[copied..at]);
            copied = source[at..].find('>').map_or(source.len(), |end| at + end + 1);
        }
        depth = if closing { depth.saturating_sub(1) } else { depth + 1 };
    }
    if copied == 0 {
        return Cow::Borrowed(source);
    }
    kept.push_str(&source[copied..]);
    Cow::Owned(kept)
}

/// Elements that are empty, that the parser closes without an end tag, or of which it keeps no more than three
/// open: unclosed ones are common and do not pile up.
fn closes_by_itself(name: &str) -> bool {
    const NAMES: [&str; 47] = [
        "a", "area", "b", "base", "basefont", "big", "body", "br", "code", "col", "colgroup", "dd", "dt",
        "em", "embed", "font", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "html", "i", "img", "input",
        "li", "link", "meta", "nobr", "option", "p", "param", "s", "small", "source", "strike", "strong",
        "tbody", "td", "th", "tr", "tt", "u", "wbr",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_excess_is_taken_out() {
        let ordinary = "<div><p>a<li>b</div>".repeat(2_000) + &"<a name=x><p>".repeat(2_000);
        assert!(matches!(limit(&ordinary), Cow::Borrowed(_)));
        let deep = |open: usize, text: &str| "<DIV class=x>".repeat(open) + text + &"</DIV>".repeat(open);
        assert_eq!(limit(&deep(MAX_DEPTH, "t")), deep(MAX_DEPTH, "t"));
        assert_eq!(limit(&(deep(MAX_DEPTH + 5, "a < b") + "after")), deep(MAX_DEPTH, "a < b") + "after");
        assert_eq!(limit(&("<i-x>".repeat(MAX_DEPTH) + "t<div <")), "<i-x>".repeat(MAX_DEPTH) + "t");
    }
}
