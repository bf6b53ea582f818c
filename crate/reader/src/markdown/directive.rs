//! Generators' directives in Markdown: Hugo's shortcodes, mdBook's includes, rule names of the Rust reference.
//!
//! They are instructions to the generator, not text. The CommonMark parser knows nothing of them and would take
//! a shortcode's quotes for text and its `<` for a tag, so it is given a copy in which each directive is covered
//! by as many bytes of [`COVER`], a control character without meaning in Markdown: all offsets stay true.

use std::{borrow::Cow, ops::Range};

/// What covers directives: a control character that no text has a use for.
pub(crate) const COVER: char = '\u{1}';

/// mdBook's directives, as they begin.
const INCLUDES: [&str; 6] =
    ["{{#include", "{{#rustdoc_include", "{{#playground", "{{#shiftinclude", "{{#title", "{{#template"];

/// Longest directive in bytes; images with long descriptions have some hundred.
const MAX_DIRECTIVE: usize = 4_000;

/// Shortcodes whose content is code.
const CODE_SHORTCODES: [&str; 3] = ["code-toggle", "highlight", "code"];

#[derive(Debug)]
struct Directive<'a> {
    range: Range<usize>,
    /// A shortcode that opens or closes code, and stands alone on its line: a code fence can take its place.
    /// Settings shown in YAML would otherwise be read as headings.
    fence: Option<Fence>,
    name: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fence {
    Open,
    Close,
}

/// The source with its directives covered; borrowed where there are none. Of the same length always.
pub(crate) fn cover(source: &str) -> Cow<'_, str> {
    let mut found = directives(source);
    if found.is_empty() {
        return Cow::Borrowed(source);
    }
    found.sort_by_key(|directive| directive.range.start);
    keep_pairs(&mut found);
    let mut copy = String::with_capacity(source.len());
    for Directive { range, fence, .. } in found {
        if range.start < copy.len() {
            continue; // A rule's name inside a directive is covered with it.
        }
        copy.push_str(&source[copy.len()..range.start]);
        // Tildes, so that a directive shown inside a fence of backticks does not end it. A closing fence has
        // nothing but space behind it.
        let (mark, filler) = match fence {
            Some(Fence::Open) => ("~~~", COVER),
            Some(Fence::Close) => ("~~~", ' '),
            None => ("", COVER),
        };
        copy.push_str(mark);
        copy.extend(std::iter::repeat_n(filler, range.len() - mark.len()));
    }
    copy.push_str(&source[copy.len()..]);
    Cow::Owned(copy)
}

/// The parts of `range` that are not covered.
pub(crate) fn uncovered(covered: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    for (at, _) in covered[range.clone()].match_indices(COVER) {
        let at = range.start + at;
        if at > start {
            parts.push(start..at);
        }
        start = at + COVER.len_utf8();
    }
    if start < range.end {
        parts.push(start..range.end);
    }
    parts
}

/// All directives, those that stand inside another included.
fn directives(source: &str) -> Vec<Directive<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let words = line.trim();
        if is_rule_name(words) {
            let start = at + line.len() - line.trim_start().len();
            found.push(Directive { range: start..start + words.len(), fence: None, name: "" });
        }
        at += line.len();
    }
    let mut at = 0;
    while let Some(start) = source[at..].find("{{").map(|found| at + found) {
        let Some(len) = directive_len(&source[start..]) else {
            at = start + 2;
            continue;
        };
        at = start + len;
        let (fence, name) = fence(source, start..at);
        found.push(Directive { range: start..at, fence, name });
    }
    found
}

/// Takes the fence from every directive that lacks its other half.
fn keep_pairs(found: &mut [Directive<'_>]) {
    let mut open: Option<usize> = None;
    for at in 0..found.len() {
        match (found[at].fence.take(), open) {
            (Some(Fence::Open), None) => open = Some(at),
            (Some(Fence::Close), Some(first)) if found[first].name == found[at].name => {
                found[first].fence = Some(Fence::Open);
                found[at].fence = Some(Fence::Close);
                open = None;
            }
            (Some(Fence::Open), Some(_)) => open = Some(at),
            _ => {}
        }
    }
}

/// Length of the directive that `text` begins with.
///
/// An escaped one (`{{</* x */>}}`) shows the reader a directive and is text.
fn directive_len(text: &str) -> Option<usize> {
    let escaped = text.get(3..).is_some_and(|rest| rest.starts_with("/*"));
    let close = match text.as_bytes().get(2)? {
        b'<' if !escaped => ">}}",
        b'%' if !escaped => "%}}",
        b'#' if INCLUDES.iter().any(|name| text.starts_with(name)) => "}}",
        _ => return None,
    };
    // A directive does not run over a blank line, nor over another one's beginning, nor on and on: that one was
    // never closed.
    let text = &text[..text.floor_char_boundary(MAX_DIRECTIVE)];
    let limit = text.find("\n\n").unwrap_or(text.len());
    let limit = text[2..limit].find("{{").map_or(limit, |at| at + 2);
    Some(text[..limit].find(close)? + close.len())
}

/// `r[items.traits]` alone on a line names a rule.
fn is_rule_name(line: &str) -> bool {
    let name = line.strip_prefix("r[").and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)))
}

/// The fence that can take the directive's place, and its name.
fn fence(source: &str, range: Range<usize>) -> (Option<Fence>, &str) {
    let text = &source[range.clone()];
    let name = text[3..].trim_start();
    let (name, fence) = name.strip_prefix('/').map_or((name, Fence::Open), |name| (name, Fence::Close));
    let name = name.trim_start().split([' ', '>', '%', '\t']).next().unwrap_or_default();
    let single = text.ends_with("/>}}") || text.ends_with("/%}}") || text.contains(['\n', '`']);
    if single || !CODE_SHORTCODES.contains(&name) {
        return (None, name);
    }
    let space = [' ', '\t', '\r'];
    let before = source[..range.start].trim_end_matches(space);
    let after = source[range.end..].trim_start_matches(space);
    let begins = before.is_empty() || before.ends_with('\n');
    let ends = after.is_empty() || after.starts_with('\n');
    ((begins && ends).then_some(fence), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_covered() {
        let rows = [
            ("no {{ directive }}", "no {{ directive }}"),
            ("a {{< x \"é\" >}} b", "a .............. b"),
            ("a {{% x %}}{{</* y */>}}", "a .........{{</* y */>}}"),
            ("{{#include a.rs}}", "................."),
            ("{{#if x}}", "{{#if x}}"),
            ("{{< open\n\n>}}", "{{< open\n\n>}}"),
            ("{{< a {{< b >}}", "{{< a ........."),
            ("r[items.a]\ntext r[b]", "..........\ntext r[b]"),
            ("{{< code x >}}\na\n{{< /code >}}", "~~~...........\na\n~~~          "),
            ("{{< code x >}}\na", "..............\na"),
            ("{{< code x />}}\na\n{{< /code >}}", "...............\na\n............."),
            ("{{<", "{{<"),
            ("{{", "{{"),
        ];
        for (source, expected) in rows {
            let covered = cover(source);
            assert_eq!(covered.len(), source.len(), "{source}");
            assert_eq!(covered.replace(COVER, "."), expected, "{source}");
        }
    }

    #[test]
    fn uncovered_parts() {
        let covered = "a \u{1}\u{1}b\u{1}";
        assert_eq!(uncovered(covered, 0..6), [0..2, 4..5]);
        assert_eq!(uncovered(covered, 2..4), Vec::<Range<usize>>::new());
    }
}
