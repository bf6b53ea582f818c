//! What kind of search a query is, by the words that give it away.

use serde::{Deserialize, Serialize};

/// What kind of search a query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueryType {
    /// Asks what something is or whether it is so.
    Factual,
    /// Asks how things relate or differ.
    Relationship,
    /// Asks how something is done.
    HowTo,
    /// Asks what something is for, or why it is as it is.
    Purpose,
    /// Asks why something fails, and what to do about it.
    Troubleshooting,
    /// Names a subject, to get to its page.
    Navigational,
    /// Names a piece of code: a function, an option, an error's number.
    Identifier,
}

/// Words of somebody who is stuck.
const TROUBLE: &[&str] = &[
    "broken",
    "cannot",
    "cant",
    "conflict",
    "crash",
    "crashes",
    "denied",
    "doesnt",
    "error",
    "errors",
    "fail",
    "failed",
    "failing",
    "fails",
    "fix",
    "freezes",
    "hangs",
    "invalid",
    "missing",
    "panic",
    "panicked",
    "panics",
    "refused",
    "stuck",
    "timeout",
    "unable",
    "unexpected",
    "unresolved",
    "wont",
    "wrong",
];
const COMPARING: &[&str] =
    &["between", "compare", "compared", "comparison", "difference", "differences", "differ", "versus", "vs"];
impl QueryType {
    /// Name for people, as JSON writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Factual => "factual",
            Self::Relationship => "relationship",
            Self::HowTo => "how-to",
            Self::Purpose => "purpose",
            Self::Troubleshooting => "troubleshooting",
            Self::Navigational => "navigational",
            Self::Identifier => "identifier",
        }
    }

    /// The first kind whose signs are there: trouble is told by single words, the others by how the query begins.
    pub(super) fn of(plain: &[String], is_sentence: bool, is_identifier: bool) -> Self {
        let has = |list: &[&str]| plain.iter().any(|word| contains(list, word));
        let begins = |openings: &[&[&str]]| {
            openings
                .iter()
                .any(|opening| opening.iter().zip(plain).filter(|(a, b)| *a == *b).count() == opening.len())
        };
        let ends_with_for = plain.last().is_some_and(|word| word == "for");
        if is_identifier {
            Self::Identifier
        } else if has(TROUBLE) || begins(&[&["why"]]) && plain.iter().any(|word| word == "not") {
            Self::Troubleshooting
        } else if has(COMPARING) {
            Self::Relationship
        } else if begins(&[&["why"], &["when", "should"], &["what", "for"]]) || is_sentence && ends_with_for {
            Self::Purpose
        } else if begins(&[&["how", "many"], &["how", "much"], &["how", "long"]]) {
            Self::Factual
        } else if begins(&[&["how"], &["can", "i"], &["is", "there", "a", "way"]]) {
            Self::HowTo
        } else if is_sentence {
            Self::Factual
        } else {
            Self::Navigational
        }
    }
}

fn contains(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::QueryType;
    use crate::query::QueryAnalysis;

    #[test]
    fn types() {
        let check = |query: &str, expected: QueryType, is_sentence: bool| {
            let analysis = QueryAnalysis::new(query);
            assert_eq!((analysis.query_type, analysis.is_sentence), (expected, is_sentence), "{query:?}");
        };
        check("what is a lifetime", QueryType::Factual, true);
        check("how do I share data between threads", QueryType::Relationship, true);
        check("how do I return an error from main", QueryType::Troubleshooting, true);
        check("how do I publish a crate", QueryType::HowTo, true);
        check("how many owners has a value", QueryType::Factual, true);
        check("why are strings not indexable", QueryType::Troubleshooting, true);
        check("why use a workspace", QueryType::Purpose, true);
        check("String vs str", QueryType::Relationship, false);
        check("what is the build script for", QueryType::Purpose, true);
        check("panic in a thread", QueryType::Troubleshooting, true);
        check("thread panic", QueryType::Troubleshooting, false);
        check("my executable is way too big", QueryType::Factual, true);
        check("ownership", QueryType::Navigational, false);
        check("cargo workspace", QueryType::Navigational, false);
        check("E0502", QueryType::Identifier, false);
        check("Vec::push_back", QueryType::Identifier, false);
        check("HashMap", QueryType::Identifier, false);
        check("slices?", QueryType::Factual, true);
        check("", QueryType::Navigational, false);
    }
}
