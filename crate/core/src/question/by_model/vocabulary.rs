//! The words that a text is about, by their stems.

use crate::{
    chunk::Chunk,
    document::Document,
    lexical::{Language, is_stop_word, terms_of, words},
};
use std::collections::BTreeSet;

/// Words of questions that say nothing about their subject.
const ASKING: &[&str] = &[
    "best",
    "between",
    "difference",
    "different",
    "happen",
    "happens",
    "help",
    "make",
    "mean",
    "means",
    "might",
    "must",
    "need",
    "purpose",
    "there",
    "type",
    "use",
    "used",
    "using",
    "way",
    "work",
    "works",
];

/// Stems of words, for comparing texts of one language.
#[derive(Debug, Clone)]
pub(crate) struct Vocabulary {
    language: Language,
    stems: BTreeSet<String>,
}

impl Vocabulary {
    /// The words of `chunk`, its title and its headings.
    pub(crate) fn of_chunk(document: &Document, chunk: &Chunk) -> Self {
        let mut vocabulary = Self::of_language(document);
        vocabulary.add(&document.plain(chunk.range.clone()));
        vocabulary.add(&document.heading_path(chunk.section).join("\n"));
        vocabulary
    }

    /// The words of all of `document`, its title among them.
    pub(crate) fn of_document(document: &Document) -> Self {
        let mut vocabulary = Self::of_language(document);
        vocabulary.add(&document.plain(0..document.text.len()));
        vocabulary.add(&document.title);
        vocabulary
    }

    /// No words, in the language of `document`: for [`Self::subjects`].
    pub(crate) fn of_language(document: &Document) -> Self {
        let language = document.language.as_deref().and_then(Language::of_tag).unwrap_or(Language::English);
        Self { language, stems: BTreeSet::new() }
    }

    /// All stems, ascending.
    pub(crate) fn into_stems(self) -> impl Iterator<Item = String> {
        self.stems.into_iter()
    }

    fn add(&mut self, text: &str) {
        for term in words(text).flat_map(|word| terms_of(word.text)) {
            self.stems.insert(self.language.stem(&term).into_owned());
        }
    }

    /// Whether the text holds `word` in any form. Of a compound any part will do, and of words in scripts without
    /// spaces any character: where those end cannot be told.
    pub(crate) fn holds(&self, word: &str) -> bool {
        let is_known = |term: &String| self.stems.contains(self.language.stem(term).as_ref());
        terms_of(word).iter().any(is_known) || word.chars().any(is_ideograph) && self.shares_character(word)
    }

    fn shares_character(&self, word: &str) -> bool {
        word.chars().filter(|&c| is_ideograph(c)).any(|c| self.stems.iter().any(|stem| stem.contains(c)))
    }

    /// The stems of `question`'s words that say what it is about, with the words.
    pub(crate) fn subjects<'q>(&self, question: &'q str) -> Vec<(String, &'q str)> {
        let is_subject = |term: &str| !is_stop_word(term) && !ASKING.contains(&term);
        let whole = |word: &str| terms_of(word).into_iter().next().unwrap_or_default();
        words(question)
            .map(|word| (whole(word.text), word.text))
            .filter(|(term, _)| !term.is_empty() && is_subject(term))
            .map(|(term, word)| (self.language.stem(&term).into_owned(), word))
            .collect()
    }

    /// The share of the question's subjects that the text holds, 0 to 1; `None` for a question about nothing.
    pub(crate) fn grounding(&self, question: &str) -> Option<f32> {
        let subjects = self.subjects(question);
        let held = subjects.iter().filter(|(_, word)| self.holds(word)).count();
        (!subjects.is_empty()).then(|| held as f32 / subjects.len() as f32)
    }
}

/// Whether `c` is of a script that separates no words.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}
