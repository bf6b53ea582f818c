use super::{Matcher, count_different};
use std::ops::Range;

/// Longest excerpt in bytes, before it is widened to whole words.
const EXCERPT_BYTES: usize = 240;

/// A stretch of a text around the matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The stretch, on one line, with an ellipsis where the text goes on.
    pub text: String,
    /// Bytes of `text` that match, ascending, without overlap.
    pub highlights: Vec<Range<usize>>,
}

/// The stretch of `text` that holds most different matches, the earliest of equal ones; the beginning when
/// nothing matches.
pub fn excerpt(text: &str, matcher: &Matcher) -> Excerpt {
    let matches = matcher.matches(text);
    let window = window(text, best_start(&matches));
    let (shown, map) = one_line(&text[window.clone()]);
    let leading = if window.start > 0 { "… " } else { "" };
    let trailing = if window.end < text.trim_end().len() { " …" } else { "" };
    let inside = matches.iter().filter(|(range, _)| window.start <= range.start && range.end <= window.end);
    let moved = inside.map(|(range, _)| {
        let at = |byte: usize| leading.len() + map[byte - window.start];
        at(range.start)..at(range.end)
    });
    let highlights = joined(moved);
    Excerpt { text: format!("{leading}{shown}{trailing}"), highlights }
}

/// Ascending ranges, those that touch made one: pairs of characters do.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

/// First byte of the window that holds most different matches, then most matches.
fn best_start(matches: &[(Range<usize>, String)]) -> usize {
    let value = |first: usize| {
        let start = matches[first].0.start;
        let inside = matches[first..].iter().take_while(|(range, _)| range.end <= start + EXCERPT_BYTES);
        let stems: Vec<&str> = inside.map(|(_, stem)| stem.as_str()).collect();
        let different = count_different(&stems);
        (different, stems.len().min(6), std::cmp::Reverse(first))
    };
    (0..matches.len()).max_by_key(|&first| value(first)).map_or(0, |first| matches[first].0.start)
}

/// A window of whole words that begins a little before `start`, at the beginning of a sentence if one is near.
fn window(text: &str, start: usize) -> Range<usize> {
    let lead = floor_boundary(text, start.saturating_sub(EXCERPT_BYTES / 4));
    let near = &text[lead..start];
    let ends = near.rmatch_indices(['\n', '.', '!', '?', '。', '！', '？']).next();
    let sentence = ends.map(|(at, end)| lead + at + end.len());
    let word = near.find(char::is_whitespace).map(|at| lead + at);
    let from = if lead == 0 { 0 } else { sentence.or(word).unwrap_or(start) };
    let from = from + (text[from..].len() - text[from..].trim_start().len());
    let limit = floor_boundary(text, from + EXCERPT_BYTES);
    let to = if limit == text.len() {
        limit
    } else {
        text[from..limit]
            .rfind(char::is_whitespace)
            .filter(|&at| at > EXCERPT_BYTES / 2)
            .map_or(limit, |at| from + at)
    };
    from..from + text[from..to.max(from)].trim_end().len()
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Runs of white space as one space, and where each byte went (the end included).
fn one_line(text: &str) -> (String, Vec<usize>) {
    let mut line = String::with_capacity(text.len());
    let mut map = Vec::with_capacity(text.len() + 1);
    for c in text.chars() {
        map.extend(std::iter::repeat_n(line.len(), c.len_utf8()));
        if !c.is_whitespace() {
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    map.push(line.len());
    (line, map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lexical::Bm25fSettings,
        query::{Query, SearchRequest},
    };
    use proptest::prelude::*;

    fn matcher(query: &str) -> Matcher {
        Matcher::new(&Query::analyse(&SearchRequest::new(query), &Bm25fSettings::default()), None)
    }

    fn marked(text: &str, query: &str) -> String {
        let Excerpt { text, highlights } = excerpt(text, &matcher(query));
        let mut marked = text.clone();
        for range in highlights.into_iter().rev() {
            marked.replace_range(range.clone(), &format!("[{}]", &text[range]));
        }
        marked
    }

    #[test]
    fn rows() {
        assert_eq!(marked("The borrow\n checker borrows.", "borrowing"), "The [borrow] checker [borrows].");
        assert_eq!(marked("Café 🦀 HashMap", "map"), "Café 🦀 [HashMap]");
        assert_eq!(marked("nothing here", "else"), "nothing here");
        assert_eq!(marked("日本語の文章。日本の本", "日本語"), "[日本語]の文章。[日本]の本");
        assert_eq!(marked("語学と日本語", "語"), "[語]学と日本[語]");
        assert_eq!(marked("학교에서 배운 것", "학교는"), "[학교]에서 배운 것");
        assert_eq!(marked("", "x"), "");
        let long =
            format!("{}Then slices come. {}", "Words and words. ".repeat(40), "More of it. ".repeat(40));
        let shown = marked(&long, "slice");
        assert!(shown.starts_with("… ") && shown.contains("[slices]") && shown.ends_with(" …"), "{shown}");
        assert!(shown.len() < 300, "{shown}");
    }

    proptest! {
        #[test]
        fn highlights_lie_on_characters(text in "\\PC{0,400}", query in "\\PC{0,20}") {
            let Excerpt { text, highlights } = excerpt(&text, &matcher(&query));
            let mut end = 0;
            for range in highlights {
                prop_assert!(range.start >= end && text.get(range.clone()).is_some());
                end = range.end;
            }
        }
    }
}
