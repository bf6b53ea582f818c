//! Assembly: from fused documents to hits that can be shown.
//!
//! Takes chunks and gives what a reader sees of them: an [`excerpt`] around the matches, the matches inside it,
//! the question that the chunk answers. Matching for display is matching for search: the same words, the same
//! terms, the same stems.

mod excerpt;
mod question;

pub use excerpt::{Excerpt, excerpt};
pub use question::nearest_question;

use crate::{
    lexical::{fold, stem, terms_of},
    query::Query,
};

/// What counts as a match in a text that is shown.
#[derive(Debug, Clone)]
pub struct Matcher {
    stems: Vec<String>,
    prefixes: Vec<String>,
}

impl Matcher {
    /// A matcher for the terms of `query`.
    pub fn new(query: &Query) -> Self {
        let wanted = query.terms.iter().flat_map(|term| std::iter::once(&term.text).chain(&term.synonyms));
        let stems = wanted.map(|text| stem(&fold(text)).into_owned()).collect();
        let prefixes = query.terms.iter().filter(|term| term.prefix).map(|term| term.text.clone()).collect();
        Self { stems, prefixes }
    }

    /// The stem of the query that `word` matches, if any.
    pub fn matches(&self, word: &str) -> Option<String> {
        terms_of(word).into_iter().find_map(|term| {
            let plain = fold(&term);
            let stemmed = stem(&plain);
            if self.stems.iter().any(|wanted| *wanted == stemmed) {
                return Some(stemmed.into_owned());
            }
            self.prefixes.iter().find(|prefix| term.starts_with(prefix.as_str())).cloned()
        })
    }
}

/// How many of a few stems are different.
fn count_different<T: PartialEq>(stems: &[T]) -> usize {
    stems.iter().enumerate().filter(|(i, stem)| !stems[..*i].contains(stem)).count()
}
