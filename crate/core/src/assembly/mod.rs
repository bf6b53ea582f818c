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
    lexical::{stem, terms_of},
    query::Query,
};
use std::collections::BTreeSet;

/// What counts as a match in a text that is shown.
#[derive(Debug, Clone)]
pub struct Matcher {
    stems: BTreeSet<String>,
    prefixes: Vec<String>,
}

impl Matcher {
    /// A matcher for the terms of `query`.
    pub fn new(query: &Query) -> Self {
        let stems = query.terms.iter().map(|term| stem(&term.text).into_owned()).collect();
        let prefixes = query.terms.iter().filter(|term| term.prefix).map(|term| term.text.clone()).collect();
        Self { stems, prefixes }
    }

    /// The stem of the query that `word` matches, if any.
    pub fn matches(&self, word: &str) -> Option<String> {
        terms_of(word).into_iter().find_map(|term| {
            let stemmed = stem(&term);
            if self.stems.contains(stemmed.as_ref()) {
                return Some(stemmed.into_owned());
            }
            self.prefixes.iter().find(|prefix| term.starts_with(prefix.as_str())).cloned()
        })
    }
}
