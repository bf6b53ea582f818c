//! Synonyms of a site: other names for the things that its documents are about.
//!
//! The index holds one list per name: the name, then whatever stands for it, each as the terms of its words with spaces
//! between them ([`synonym_key`]). A query that says the name, in any form of its words, also finds documents that say
//! what stands for it, for less.

use super::{MAX_TERMS, Query, QueryTerm};
use crate::lexical::{Language, is_stop_word, query_words};
use std::borrow::Cow;

/// A name as lists of synonyms write it: `Switch-Case!` is `switch-case`, `If  expression` is `if expression`. Empty
/// when there is no word in `name`.
pub fn synonym_key(name: &str) -> String {
    spoken(name).join(" ")
}

fn spoken(text: &str) -> Vec<String> {
    query_words(text).filter_map(|word| word.terms.into_iter().next()).collect()
}

fn stem(word: &str) -> Cow<'_, str> {
    Language::English.stem(word)
}

impl Query {
    /// Adds what stands for the names in this query.
    pub fn add_synonyms(&mut self, lists: &[Vec<String>]) {
        if lists.is_empty() {
            return;
        }
        let spoken = spoken(&self.text);
        let stems: Vec<_> = spoken.iter().map(|word| stem(word)).collect();
        for list in lists {
            let Some((name, others)) = list.split_first() else { continue };
            let wanted: Vec<_> = name.split(' ').map(stem).collect();
            if stems.windows(wanted.len()).any(|words| words == wanted) {
                self.add_synonyms_of(name, others);
            }
        }
    }

    fn add_synonyms_of(&mut self, name: &str, others: &[String]) {
        let wanted = stem(name);
        let known = self.terms.iter().position(|term| stem(&term.text) == wanted);
        let at = known.unwrap_or(self.terms.len());
        if at == self.terms.len() {
            if at == MAX_TERMS {
                return;
            }
            self.terms.push(QueryTerm { text: name.to_owned(), weight: 1.0, ..QueryTerm::default() });
        }
        for other in others {
            let is_light = |word: &&str| other.contains(' ') && is_stop_word(word);
            let words = other.split(' ').filter(|word| !is_light(word));
            self.terms[at].synonyms.extend(words.map(str::to_owned));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lexical::Bm25fSettings, query::SearchRequest};

    #[test]
    fn rows() {
        let list = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        let lists =
            [list("ternary,conditional,if expression"), list("switch case,match"), list("to,towards")];
        let check = |query: &str, expected: &[(&str, &str)]| {
            let mut found = Query::analyse(&SearchRequest::new(query), &Bm25fSettings::default());
            found.add_synonyms(&lists);
            let shown: Vec<_> = found
                .terms
                .iter()
                .filter(|term| !term.synonyms.is_empty())
                .map(|term| (term.text.as_str(), term.synonyms.join(",")))
                .collect();
            let expected: Vec<_> = expected.iter().map(|&(term, others)| (term, others.to_owned())).collect();
            assert_eq!(shown, expected, "{query:?}");
        };
        check("ternary operator", &[("ternary", "conditional,expression")]);
        check("Ternaries ", &[("ternaries", "conditional,expression")]);
        check("switch cases in C", &[("switch case", "match")]);
        check("case switch", &[]);
        check("how to go", &[("to", "towards")]);
        check("", &[]);
    }

    #[test]
    fn keys() {
        for (name, key) in [("If  Expression", "if expression"), (" Vec::push! ", "vec::push"), ("?", "")] {
            assert_eq!(synonym_key(name), key);
        }
    }
}
