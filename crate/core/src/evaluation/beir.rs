//! The files of a judged set in the layout of BEIR (Thakur et al., "BEIR: A heterogeneous benchmark for
//! zero-shot evaluation of information retrieval models", NeurIPS 2021), from strings.
//!
//! - `corpus.jsonl`: an object per line with `_id`, `text` and, if there is one, `title`;
//! - `queries.jsonl`: an object per line with `_id`, `text` and, beyond BEIR, if there is one, `type`;
//! - `qrels.tsv`: query, document and grade, separated by tabs, after a line of headings.
//!
//! Other fields and empty lines are passed over.

use super::Judgements;
use serde::{Deserialize, de::DeserializeOwned};
use std::collections::BTreeSet;

/// A query of `queries.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BeirQuery {
    /// Its name in the judgements.
    #[serde(rename = "_id", deserialize_with = "name")]
    pub id: String,
    /// The query.
    pub text: String,
    /// What kind of query it is, for a breakdown.
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
}

/// A document of `corpus.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BeirDocument {
    /// Its name in the judgements.
    #[serde(rename = "_id", deserialize_with = "name")]
    pub id: String,
    /// Empty where it has none.
    #[serde(default)]
    pub title: String,
    /// The document.
    pub text: String,
}

/// A file of a judged set cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {reason}; expected {expected}")]
#[non_exhaustive]
pub struct BeirError {
    /// Which of the three files.
    pub file: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
    /// What the line should look like.
    pub expected: &'static str,
}

/// The queries of a `queries.jsonl`, in its order.
///
/// # Errors
/// When a line is no query, or names one that an earlier line named.
pub fn queries(text: &str) -> Result<Vec<BeirQuery>, BeirError> {
    objects(text, "queries.jsonl", r#"{"_id": "...", "text": "..."}"#, |query: &BeirQuery| &query.id)
}

/// The documents of a `corpus.jsonl`, in its order.
///
/// # Errors
/// When a line is no document, or names one that an earlier line named.
pub fn corpus(text: &str) -> Result<Vec<BeirDocument>, BeirError> {
    let expected = r#"{"_id": "...", "title": "...", "text": "..."}"#;
    objects(text, "corpus.jsonl", expected, |document: &BeirDocument| &document.id)
}

/// The judgements of a `qrels.tsv`. Grades below 0 count as 0: some sets tell kinds of irrelevance apart.
///
/// # Errors
/// When a line has not three columns, its grade is no number, or an earlier line judged the same otherwise.
pub fn qrels(text: &str) -> Result<Judgements, BeirError> {
    let mut judgements = Judgements::new();
    for (line, content) in lines(text) {
        let error = |reason: String| BeirError {
            file: "qrels.tsv",
            line,
            reason,
            expected: "query, document and grade (a whole number up to 30), separated by tabs",
        };
        let columns: Vec<_> = content.split('\t').map(str::trim).collect();
        let [query, document, grade] = columns[..] else {
            return Err(error(format!("it has {} column(s)", columns.len())));
        };
        let grade = match grade.parse::<i32>() {
            Ok(grade) if grade <= 30 => grade.max(0) as u32,
            // The headings.
            Err(_) if line == 1 => continue,
            _ => return Err(error(format!("the grade is {grade:?}"))),
        };
        if judgements.insert(query, document, grade).is_some_and(|before| before != grade) {
            return Err(error(format!("{document:?} was judged before for {query:?}, with another grade")));
        }
    }
    Ok(judgements)
}

/// Lines that are not empty, numbered from 1, without a byte order mark.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

fn objects<T: DeserializeOwned>(
    text: &str,
    file: &'static str,
    expected: &'static str,
    id: impl Fn(&T) -> &String,
) -> Result<Vec<T>, BeirError> {
    let mut seen = BTreeSet::new();
    let mut objects = Vec::new();
    for (line, content) in lines(text) {
        let error = |reason: String| BeirError { file, line, reason, expected };
        let object: T = serde_json::from_str(content).map_err(|source| error(source.to_string()))?;
        if !seen.insert(id(&object).clone()) {
            return Err(error(format!("_id {:?} was there before", id(&object))));
        }
        objects.push(object);
    }
    Ok(objects)
}

/// A name, which some sets write as a number.
fn name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "_id must be a string or a whole number")]
    enum Name {
        Text(String),
        Number(i64),
    }
    Ok(match Name::deserialize(deserializer)? {
        Name::Text(text) => text,
        Name::Number(number) => number.to_string(),
    })
}
