//! What narrows, counts and orders hits beside the words of a query.

use serde::{Deserialize, Serialize};

/// A filter: documents that have one of the values under the name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// A filter of the documents (`tag`, `version`), `language`, or `path`, whose values are beginnings of paths.
    pub name: String,
    /// Values of which a document needs one. Several filters must all be met.
    pub values: Vec<String>,
}

/// An order of hits other than by score.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sort {
    /// Name of a value in the documents' metadata. Values that are numbers are compared as numbers; documents
    /// without a value come last.
    pub key: String,
    /// Greatest first.
    #[serde(default)]
    pub descending: bool,
}

/// How many of the matching documents have each value of a filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facet {
    /// The filter's name.
    pub name: String,
    /// Values and numbers of documents, most frequent first. Values that no matching document has are left out.
    pub values: Vec<(String, usize)>,
}

/// The parts of a query that have the form `name:value`.
///
/// Whether they are filters is for the index to say: `std:io` is a search for words where no filter is called `std`.
pub fn inline_filters(query: &str) -> impl Iterator<Item = Filter> {
    query.split_whitespace().filter_map(inline_filter)
}

/// `query` as words to search for, and as the filters whose names the index knows.
pub fn split_inline_filters(query: &str, is_known: impl Fn(&str) -> bool) -> (String, Vec<Filter>) {
    let mut words = Vec::new();
    let mut filters = Vec::new();
    for word in query.split_whitespace() {
        match inline_filter(word).filter(|filter| is_known(&filter.name)) {
            Some(filter) => filters.push(filter),
            None => words.push(word),
        }
    }
    (words.join(" "), filters)
}

fn inline_filter(word: &str) -> Option<Filter> {
    let (name, value) = word.split_once(':')?;
    let value = value.trim_matches('"');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let is_value = !value.is_empty() && !value.starts_with([':', '/']);
    (is_name && is_value).then(|| Filter { name: name.to_owned(), values: vec![value.to_owned()] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let check = |query: &str, expected: &[(&str, &str)]| {
            let found: Vec<_> = inline_filters(query).collect();
            let shown: Vec<_> =
                found.iter().map(|filter| (filter.name.as_str(), filter.values[0].as_str())).collect();
            assert_eq!(shown, expected, "{query:?}");
        };
        check("tag:rust borrow", &[("tag", "rust")]);
        check("path:guides/ language:en", &[("path", "guides/"), ("language", "en")]);
        check("version:\"1.2\"", &[("version", "1.2")]);
        check("Vec::push error: mismatched http://x a: :b", &[]);
    }

    #[test]
    fn known_names_are_taken_out() {
        let check = |query: &str, words: &str, filters: usize| {
            let (left, taken) = split_inline_filters(query, |name| name == "tag");
            assert_eq!((left.as_str(), taken.len()), (words, filters), "{query:?}");
        };
        check("tag:rust  borrow tag:async", "borrow", 2);
        check("std:io borrow", "std:io borrow", 0);
        check("", "", 0);
    }
}
