//! Quoted parts of a query.

use crate::lexical::{IndexedWord, atoms_of, forms_in, is_character, query_words, whole_form};

/// Words that have to stand one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The words as they were typed, without the quotes.
    pub text: String,
    /// Each word: the term of the whole, then its smallest parts. What is a form rather than words is one word.
    pub words: Vec<Vec<String>>,
    /// Whether the last word may be unfinished: its quote has not been closed.
    pub prefix: bool,
}

/// The phrases of `query`. A quote opens where no word stands before it: 5" is a size.
pub(super) fn phrases(query: &str, prefix: bool) -> Vec<Phrase> {
    let mut found = Vec::new();
    let mut is_inside = false;
    let mut parts = query.split(is_quote).peekable();
    while let Some(text) = parts.next() {
        if !is_inside {
            is_inside = !text.ends_with(char::is_alphanumeric);
            continue;
        }
        is_inside = false;
        let words = phrase_words(text);
        if !words.is_empty() {
            let prefix = prefix && parts.peek().is_none();
            found.push(Phrase { text: text.trim().to_owned(), words, prefix });
        }
    }
    found
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

fn phrase_words(text: &str) -> Vec<Vec<String>> {
    let found: Vec<Vec<String>> = query_words(text).map(whole_and_parts).collect();
    let mut is_marked = false;
    forms_in(text, &mut |form| is_marked |= Some(form) == whole_form(text));
    // `--locked` and `->` say more than the words in them, of which there may be none.
    match whole_form(text) {
        Some(form) if found.is_empty() || found.len() == 1 && is_marked => vec![vec![form]],
        _ => found,
    }
}

fn whole_and_parts(word: IndexedWord<'_>) -> Vec<String> {
    let whole = word.terms.into_iter().take(1);
    // A pair of characters takes one place, that of the first.
    if is_character(word.word.text) {
        return whole.collect();
    }
    whole.chain(atoms_of(word.word.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes() {
        let check = |query: &str, expected: &[(&str, &[&str], bool)]| {
            let found = phrases(query, true);
            let shown: Vec<(&str, Vec<&str>, bool)> = found
                .iter()
                .map(|phrase| {
                    let words = phrase.words.iter().map(|terms| terms[0].as_str()).collect();
                    (phrase.text.as_str(), words, phrase.prefix)
                })
                .collect();
            let expected: Vec<_> =
                expected.iter().map(|(text, words, prefix)| (*text, words.to_vec(), *prefix)).collect();
            assert_eq!(shown, expected, "{query:?}");
        };
        check("no quotes, don't", &[]);
        check(
            "\"to be\" or \"not to be\"",
            &[("to be", &["to", "be"], false), ("not to be", &["not", "to", "be"], false)],
        );
        check("the \u{201c}borrow checker\u{201d}", &[("borrow checker", &["borrow", "checker"], false)]);
        check("\"borrow che", &[("borrow che", &["borrow", "che"], true)]);
        check("a 5\" disk and \"\" \" \"", &[]);
        check(
            "\"--locked\" \"->\" \"use<'a, T>\"",
            &[
                ("--locked", &["--locked"], false),
                ("->", &["->"], false),
                ("use<'a, T>", &["use", "a", "t"], false),
            ],
        );
        check("\"", &[]);
    }
}
