//! Queries: what was asked, and the terms it is searched by.
//!
//! Takes a [`SearchRequest`] and gives a [`Query`]: its words and terms, each with the weight that it has beside
//! the others. A stop word weighs little unless there is nothing else; a part of an identifier weighs less than
//! the whole; the last word may be unfinished.

mod analysis;
mod filter;
mod phrase;
mod query_type;
mod request;
mod synonyms;
pub mod transform;

pub use analysis::QueryAnalysis;
pub use filter::{Facet, Filter, Sort, inline_filters, split_inline_filters};
pub use phrase::Phrase;
pub use query_type::QueryType;
pub use request::{FusionMethod, FusionSettings, QueryEncoder, SearchMode, SearchRequest};
pub use synonyms::synonym_key;

use crate::lexical::{Bm25fSettings, Word, forms_in, is_stop_word, query_words, whole_form};

/// Most terms that are searched for; a longer query is somebody's clipboard.
const MAX_TERMS: usize = 64;

/// A query, analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The query as it was asked.
    pub text: String,
    /// Its terms in order, none twice.
    pub terms: Vec<QueryTerm>,
    /// Its quoted parts: a hit has to hold them.
    pub phrases: Vec<Phrase>,
    /// What it asks for.
    pub analysis: QueryAnalysis,
}

/// A term of a query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub text: String,
    /// How much it counts: 0 to 1.
    pub weight: f32,
    /// Whether longer terms that begin with it match too.
    pub prefix: bool,
    /// Whether it is a word of the query rather than a part of one.
    pub is_whole: bool,
    /// Terms that stand for it by the site's own list.
    pub synonyms: Vec<String>,
}

impl Query {
    /// Analyses `request`.
    pub fn analyse(request: &SearchRequest, settings: &Bm25fSettings) -> Self {
        let mut terms: Vec<QueryTerm> = Vec::new();
        let indexed: Vec<_> = query_words(&request.query).collect();
        let query_words: Vec<_> = indexed.iter().map(|word| word.word).collect();
        let finished = request.query.ends_with(char::is_whitespace);
        let count = query_words.len();
        for (i, word) in indexed.into_iter().enumerate() {
            let last = i + 1 == count;
            for (position, text) in word.terms.into_iter().enumerate() {
                let is_whole = position == 0;
                if terms.len() < MAX_TERMS && terms.iter().all(|term| term.text != text) {
                    let weight = if is_whole { 1.0 } else { settings.part_weight };
                    let prefix = request.prefix && last && is_whole && !finished && text.chars().count() > 1;
                    terms.push(QueryTerm { text, weight, prefix, is_whole, ..QueryTerm::default() });
                }
            }
        }
        let phrases = phrase::phrases(&request.query, request.prefix && !finished);
        let analysis = QueryAnalysis::new(&request.query);
        weigh_stop_words(&mut terms, &phrases, &query_words, &analysis, settings.stop_word_weight);
        // A sentence is no name, and each of these looks into a stretch of the dictionary.
        if !analysis.is_sentence {
            add_compounds(&mut terms, &query_words, settings.compound_weight);
        }
        let whole = whole_form(&request.query).filter(|_| !analysis.is_sentence || query_words.len() < 2);
        add_forms(&mut terms, whole, request, settings.form_weight);
        Self { text: request.query.clone(), terms, phrases, analysis }
    }
}

/// Adds what of the query is a term as it is written, and the `whole` of it: headings and code have such terms.
fn add_forms(terms: &mut Vec<QueryTerm>, whole: Option<String>, request: &SearchRequest, weight: f32) {
    let prefix = request.prefix && !request.query.ends_with(char::is_whitespace);
    let mut add = |text: String| {
        if terms.len() < MAX_TERMS && terms.iter().all(|term| term.text != text) {
            terms.push(QueryTerm { text, weight, prefix, is_whole: false, ..QueryTerm::default() });
        }
    };
    whole.into_iter().for_each(&mut add);
    forms_in(&request.query, &mut add);
}

/// Adds what two neighbouring words would be as one: `hash map` also finds `HashMap` and `hashmap`.
fn add_compounds(terms: &mut Vec<QueryTerm>, query_words: &[Word<'_>], weight: f32) {
    let is_part = |word: &Word<'_>| {
        let lower = word.text.to_lowercase();
        word.text.len() > 1 && word.text.chars().all(char::is_alphabetic) && !is_stop_word(&lower)
    };
    for pair in query_words.windows(2) {
        let is_next = pair[0].range().end + 1 == pair[1].start;
        let text = format!("{}{}", pair[0].text, pair[1].text).to_lowercase();
        let is_new = terms.len() < MAX_TERMS && terms.iter().all(|term| term.text != text);
        if is_next && is_new && pair.iter().all(is_part) {
            terms.push(QueryTerm { text, weight, prefix: false, is_whole: false, ..QueryTerm::default() });
        }
    }
}

/// Most words of a query whose stop words may be its subject: `if let`, `end to end`, `IF NOT EXISTS`.
const SHORT: usize = 4;

/// Stop words weigh `weight` in short queries of keywords, and nothing in others, which also spares their postings;
/// but a query of nothing else is searched for as it is, a phrase needs all of its words, and what somebody typed in capitals
/// (`IF NOT EXISTS`) is meant.
fn weigh_stop_words(
    terms: &mut Vec<QueryTerm>,
    phrases: &[Phrase],
    query_words: &[Word<'_>],
    analysis: &QueryAnalysis,
    weight: f32,
) {
    let is_short = query_words.len() <= SHORT;
    let is_capital = |text: &str| text.len() > 1 && !text.contains(char::is_lowercase);
    let is_meant = |term: &QueryTerm| {
        phrases.iter().flat_map(|of| &of.words).any(|word| word[0] == term.text)
            || is_short
                && query_words
                    .iter()
                    .any(|word| is_capital(word.text) && word.text.to_lowercase() == term.text)
    };
    let is_light = |term: &QueryTerm| is_stop_word(&term.text) && !term.prefix && !is_meant(term);
    if terms.iter().all(is_light) {
        return;
    }
    let weight = if is_short && !analysis.is_sentence { weight } else { 0.0 };
    terms.iter_mut().filter(|term| is_light(term)).for_each(|term| term.weight *= weight);
    terms.retain(|term| term.weight > 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let check = |query: &str, expected: &[&str]| {
            let request = SearchRequest::new(query);
            let terms = Query::analyse(&request, &Bm25fSettings::default()).terms;
            let shown: Vec<_> = terms
                .iter()
                .map(|term| format!("{}{}", term.text, if term.prefix { "*" } else { "" }))
                .collect();
            assert_eq!(shown, expected, "{query:?}");
        };
        check("", &[]);
        check("why can't I modify a variable", &["modify", "variable*"]);
        check("modify ", &["modify"]);
        check("to be or not to be ", &["to", "be", "or", "not"]);
        check("Vec::push", &["vec::push*", "vec", "push"]);
        check("push push ", &["push", "pushpush", "push push"]);
        check("if let ", &["if", "let", "if let"]);
        check("the IF NOT ", &["the", "if", "not", "the if not"]);
        check("HASH Map", &["hash", "map*", "hashmap", "hash map*"]);
        check("CREATE IF NOT EXISTS ", &["create", "if", "not", "exists"]);
        check("--locked", &["locked*", "--locked*"]);
        check("? ", &["?"]);
        check("\"to be\" hamlet or not ", &["to", "be", "hamlet"]);
        check("the Vec<T, A> of [patch] ", &["vec", "t", "patch", "vec<t,a>", "[patch]"]);
        check("x", &["x"]);
    }
}
