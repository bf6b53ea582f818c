//! What a query asks for, by rules.
//!
//! Takes the query as it was typed and says what kind of search it is, which words carry it and whether it is
//! written in sentences or in keywords. Ranking uses little of it, and only where it was measured to help
//! (fusion); the rest explains a result to a person, and is what a language model would be told.
//!
//! The rules know English. A query in another language is analysed by its form only.

use super::QueryType;
use crate::lexical::{Word, is_stop_word, terms_of, words};
use serde::{Deserialize, Serialize};

/// What is known about a query before anything is searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryAnalysis {
    /// What kind of search it is.
    pub query_type: QueryType,
    /// Whether it is phrased as a question, with a question mark or without.
    pub is_question: bool,
    /// Whether it is written as people speak: a question, or words joined by grammar. Keywords are not.
    pub is_sentence: bool,
    /// Names in it: identifiers, words in quotes or backticks, capitalised words that do not begin it.
    pub entities: Vec<String>,
    /// The terms that carry it, without function words, in order, none twice.
    pub key_terms: Vec<String>,
    /// The language that its script or its function words give away, as BCP 47 has it.
    pub language: Option<String>,
    /// Up to three questions that a search for a subject may stand for; none when it is a sentence already. The first
    /// asks what the subject is, the others how it is used and how it works: the kinds that chunks answer most often.
    pub questions: Vec<String>,
}

/// Words that begin a question.
const OPENERS: &[&str] = &[
    "am", "are", "can", "cant", "could", "did", "do", "does", "how", "is", "may", "must", "should", "was",
    "were", "what", "whats", "when", "where", "which", "who", "whose", "why", "will", "would",
];
/// From so many words on, words with enough grammar between them are a sentence.
const SENTENCE_WORDS: usize = 4;
/// Part of a sentence's words that only carry grammar, in hundredths.
const SENTENCE_GRAMMAR: usize = 25;

impl QueryAnalysis {
    /// Analyses `query`. Costs two passes over its words.
    pub fn new(query: &str) -> Self {
        let words: Vec<Word<'_>> = words(query).collect();
        let plain: Vec<String> =
            words.iter().filter_map(|word| terms_of(word.text).into_iter().next()).collect();
        let is_question = query.trim_end().ends_with(['?', '？'])
            || plain.len() > 2 && plain.first().is_some_and(|first| OPENERS.contains(&first.as_str()));
        let grammar = plain.iter().filter(|word| is_stop_word(word)).count();
        let is_sentence =
            is_question || plain.len() >= SENTENCE_WORDS && grammar * 100 >= plain.len() * SENTENCE_GRAMMAR;
        let entities = entities(query, &words);
        let query_type = QueryType::of(&plain, is_sentence, entities.len() == words.len() && is_code(&words));
        let key_terms = key_terms(&plain);
        let is_subject = !is_sentence && !key_terms.is_empty();
        let questions = if is_subject { questions(query, query_type) } else { Vec::new() };
        let language = language(query, grammar);
        Self { query_type, is_question, is_sentence, entities, key_terms, language, questions }
    }
}

/// What somebody who typed the subject `query` may want to know.
fn questions(query: &str, query_type: QueryType) -> Vec<String> {
    let subject = query.split_whitespace().collect::<Vec<_>>().join(" ");
    let forms: &[(&str, &str)] = match query_type {
        QueryType::Troubleshooting => &[("Why do I get", ""), ("How do I fix", ""), ("What does", " mean")],
        QueryType::Relationship => &[("What is the difference of", "")],
        _ => &[("What is", ""), ("How do I use", ""), ("How does", " work")],
    };
    forms.iter().map(|(before, after)| format!("{before} {subject}{after}?")).collect()
}

/// Whether every word looks like code rather than like language.
fn is_code(words: &[Word<'_>]) -> bool {
    !words.is_empty() && words.iter().all(|word| looks_like_code(word.text))
}

fn looks_like_code(word: &str) -> bool {
    let has_joint = word.contains("::") || word.contains('_') || word.contains('.');
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = word.chars().any(char::is_alphabetic);
    let mut pairs = word.chars().zip(word.chars().skip(1));
    has_letter && (has_joint || has_digit || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase()))
}

fn entities(query: &str, words: &[Word<'_>]) -> Vec<String> {
    let is_quoted = |word: &Word<'_>| {
        let before = query[..word.start].chars().next_back();
        let after = query[word.range().end..].chars().next();
        matches!((before, after), (Some('`'), Some('`')) | (Some('"'), Some('"')))
    };
    // What stands behind two dashes is an option, what stands in brackets an attribute.
    let is_marked = |word: &Word<'_>| query[..word.start].ends_with(['-', '[', '#']);
    let is_name = |position: usize, word: &Word<'_>| {
        position > 0 && word.text.starts_with(char::is_uppercase) && word.text.chars().count() > 1
    };
    let mut found: Vec<String> = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let is_entity =
            looks_like_code(word.text) || is_quoted(word) || is_marked(word) || is_name(position, word);
        if is_entity && !found.iter().any(|known| known == word.text) {
            found.push(word.text.to_owned());
        }
    }
    found
}

fn key_terms(plain: &[String]) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for word in plain.iter().filter(|word| !is_stop_word(word)) {
        if !terms.contains(word) {
            terms.push(word.clone());
        }
    }
    terms
}

/// By script where one language owns it, else English where its function words are there.
fn language(query: &str, english_words: usize) -> Option<String> {
    let any = |from: char, to: char| query.chars().any(|c| (from..=to).contains(&c));
    let code = if any('\u{3040}', '\u{30ff}') {
        "ja"
    } else if any('\u{ac00}', '\u{d7af}') {
        "ko"
    } else if any('\u{4e00}', '\u{9fff}') {
        "zh"
    } else if english_words > 0 && query.is_ascii() {
        "en"
    } else {
        return None;
    };
    Some(code.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_and_terms() {
        let check = |query: &str, entities: &[&str], key_terms: &[&str]| {
            let analysis = QueryAnalysis::new(query);
            assert_eq!(analysis.entities, entities, "{query:?}");
            assert_eq!(analysis.key_terms, key_terms, "{query:?}");
        };
        check("What does Rc::clone do in Rust?", &["Rc::clone", "Rust"], &["rc::clone", "rust"]);
        check("the --locked option", &["locked"], &["locked", "option"]);
        check("the `fold` of `fold`", &["fold"], &["fold"]);
        check("to be or not to be", &[], &[]);
    }

    #[test]
    fn languages() {
        for (query, expected) in [
            ("how do I install it", Some("en")),
            ("所有権", Some("zh")),
            ("所有権とは", Some("ja")),
            ("소유권", Some("ko")),
            ("tokio", None),
        ] {
            assert_eq!(QueryAnalysis::new(query).language.as_deref(), expected, "{query:?}");
        }
    }

    #[test]
    fn subjects_become_questions() {
        let check = |query: &str, expected: &[&str]| {
            assert_eq!(QueryAnalysis::new(query).questions, expected, "{query:?}");
        };
        check(
            "trait  objects",
            &["What is trait objects?", "How do I use trait objects?", "How does trait objects work?"],
        );
        check(
            "link error",
            &["Why do I get link error?", "How do I fix link error?", "What does link error mean?"],
        );
        check("what is a trait object", &[]);
        check("", &[]);
    }

    proptest! {
        #[test]
        fn nothing_panics(query in "\\PC{0,60}") {
            let analysis = QueryAnalysis::new(&query);
            prop_assert!(analysis.questions.len() <= 3);
        }
    }
}
