//! Assembly: from fused documents to hits that can be shown.
//!
//! Takes chunks and gives what a reader sees of them: an [`excerpt`] around the matches, the matches inside it,
//! the question that the chunk answers. Matching for display is matching for search: the same words, the same
//! terms, the same stems.
//!
//! Where an excerpt is too little, [`assemble()`] puts chunks together again: an [`AssemblyStrategy`] by the type of the
//! document selects them, broadly for prose ([`Prose`]) and as the complete unit for code and data ([`Hierarchical`]).

mod excerpt;
mod hierarchical;
mod prose;
mod question;
mod strategy;
#[cfg(test)]
mod tests;

pub use excerpt::{Excerpt, excerpt};
pub use hierarchical::Hierarchical;
pub use prose::Prose;
pub use question::nearest_question;
pub use strategy::{
    Assembled, AssemblySettings, AssemblyStrategy, DocumentChunks, Selection, assemble, strategy_of,
};

use crate::{
    lexical::{IndexedWord, Language, fold, indexed_words, is_character},
    query::Query,
};
use std::ops::Range;

/// What counts as a match in a text that is shown.
#[derive(Debug, Clone)]
pub struct Matcher {
    languages: Vec<Language>,
    /// For each term of the query, its stem in each of the languages.
    stems: Vec<Vec<String>>,
    prefixes: Vec<String>,
}

impl Matcher {
    /// A matcher for the terms of `query` in a document of `language`, a BCP 47 tag.
    pub fn new(query: &Query, language: Option<&str>) -> Self {
        let language = language.filter(|_| cfg!(feature = "languages"));
        let own = language.and_then(Language::of_tag).filter(|&language| language != Language::English);
        let languages: Vec<_> = [Language::English].into_iter().chain(own).collect();
        let stems_of = |term: &String| languages.iter().map(|&of| stem_in(of, term)).collect();
        let wanted = query.terms.iter().flat_map(|term| std::iter::once(&term.text).chain(&term.synonyms));
        let stems = wanted.map(stems_of).collect();
        let prefixes = query
            .terms
            .iter()
            .filter(|term| term.prefix || is_character(&term.text))
            .map(|term| term.text.clone())
            .collect();
        Self { languages, stems, prefixes }
    }

    /// The stretches of `text` that match, each with the stem of the query that it matches: ascending by their
    /// beginning. Pairs of characters may overlap.
    pub fn matches(&self, text: &str) -> Vec<(Range<usize>, String)> {
        let of_word = |word: IndexedWord<'_>| {
            let (start, end) = (word.word.start, word.word.range().end);
            let (stem, is_whole) = word.terms.iter().find_map(|term| self.stem_of(term))?;
            Some((start..if is_whole { word.end } else { end }, stem))
        };
        indexed_words(text).filter_map(of_word).collect()
    }

    /// The stem of the query that `term` matches, and whether all of it matches rather than its beginning.
    fn stem_of(&self, term: &str) -> Option<(String, bool)> {
        for (at, &language) in self.languages.iter().enumerate() {
            let stem = stem_in(language, term);
            if let Some(wanted) = self.stems.iter().find(|wanted| wanted[at] == stem) {
                return Some((wanted[0].clone(), true));
            }
        }
        let prefix = self.prefixes.iter().find(|prefix| term.starts_with(prefix.as_str()))?;
        Some((prefix.clone(), !is_character(prefix)))
    }
}

/// Readers of English leave accents out; in other languages they tell forms apart.
fn stem_in(language: Language, term: &str) -> String {
    let plain = if language == Language::English { fold(term) } else { term.into() };
    language.stem(&plain).into_owned()
}

/// How many of a few stems are different.
fn count_different<T: PartialEq>(stems: &[T]) -> usize {
    stems.iter().enumerate().filter(|(i, stem)| !stems[..*i].contains(stem)).count()
}
