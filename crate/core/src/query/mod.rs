//! Queries: what was asked, and the terms it is searched by.
//!
//! Takes a [`SearchRequest`] and gives a [`Query`]: its words and terms, each with the weight that it has beside
//! the others. A stop word weighs little unless there is nothing else; a part of an identifier weighs less than
//! the whole; the last word may be unfinished.

mod analysis;
mod filter;
mod request;

pub use analysis::{QueryAnalysis, QueryType};
pub use filter::{Facet, Filter, Sort, inline_filters};
pub use request::{FusionMethod, FusionSettings, QueryEncoder, SearchMode, SearchRequest};

use crate::lexical::{Bm25fSettings, is_stop_word, terms_of, words};

/// Most terms that are searched for; a longer query is somebody's clipboard.
const MAX_TERMS: usize = 64;

/// A query, analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The query as it was asked.
    pub text: String,
    /// Its terms in order, none twice.
    pub terms: Vec<QueryTerm>,
    /// What it asks for.
    pub analysis: QueryAnalysis,
}

/// A term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTerm {
    /// The term.
    pub text: String,
    /// How much it counts: 0 to 1.
    pub weight: f32,
    /// Whether longer terms that begin with it match too.
    pub prefix: bool,
    /// Whether it is a word of the query rather than a part of one.
    pub is_whole: bool,
}

impl Query {
    /// Analyses `request`.
    pub fn analyse(request: &SearchRequest, settings: &Bm25fSettings) -> Self {
        let mut terms: Vec<QueryTerm> = Vec::new();
        let query_words: Vec<_> = words(&request.query).collect();
        let finished = request.query.ends_with(char::is_whitespace);
        for (i, word) in query_words.iter().enumerate() {
            let last = i + 1 == query_words.len();
            for (position, text) in terms_of(word.text).into_iter().enumerate() {
                let is_whole = position == 0;
                if terms.len() < MAX_TERMS && terms.iter().all(|term| term.text != text) {
                    let weight = if is_whole { 1.0 } else { settings.part_weight };
                    let prefix = request.prefix && last && is_whole && !finished && text.chars().count() > 1;
                    terms.push(QueryTerm { text, weight, prefix, is_whole });
                }
            }
        }
        weigh_stop_words(&mut terms, settings.stop_word_weight);
        Self { text: request.query.clone(), terms, analysis: QueryAnalysis::new(&request.query) }
    }
}

/// Stop words weigh `weight`, unless the query has no other word: then they are all there is to search for. At
/// weight 0 they are left out, which also spares their postings.
fn weigh_stop_words(terms: &mut Vec<QueryTerm>, weight: f32) {
    let is_light = |term: &QueryTerm| is_stop_word(&term.text) && !term.prefix;
    if terms.iter().all(is_light) {
        return;
    }
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
            let settings = Bm25fSettings { stop_word_weight: 0.0, ..Bm25fSettings::default() };
            let terms = Query::analyse(&request, &settings).terms;
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
        check("push push", &["push"]);
        check("x", &["x"]);
    }
}
