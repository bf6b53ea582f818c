//! What `ask` prints: the answer's sources, or the passages where nobody answers.

use super::model::Answered;
use crate::output;
use querent_core::engine::Hit;
use serde::Serialize;

/// What `--json` prints. Scripts rely on the names.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    question: &'a str,
    /// Who answered; null where no endpoint is configured.
    model: Option<&'a str>,
    /// The answer; null where no endpoint is configured.
    answer: Option<&'a str>,
    /// Whether the documents answer the question, as far as the model says.
    is_answered: bool,
    sources: Vec<JsonSource<'a>>,
    /// Numbers that the model cited although no source has them. They are not in the answer.
    invented: Vec<usize>,
}

/// What `--json` prints in a conversation for a question that has no answer.
#[derive(Debug, Serialize)]
pub(super) struct Failure<'a> {
    pub(super) question: &'a str,
    pub(super) error: &'a str,
}

#[derive(Debug, Serialize)]
struct JsonSource<'a> {
    number: usize,
    is_cited: bool,
    path: &'a str,
    url: &'a str,
    title: &'a str,
    heading: &'a str,
    excerpt: &'a str,
    /// Page of a document that has pages, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(skip)]
    place: String,
}

/// The page that a PDF's reader opens at the hit's anchor.
fn page_of(hit: &Hit) -> Option<u32> {
    hit.anchor.as_deref()?.strip_prefix("page=")?.parse().ok()
}

/// Title and headings, and the page where there is one.
fn place_of(hit: &Hit) -> String {
    let page = page_of(hit).map(|page| format!("p. {page}"));
    let headings = hit.heading_path.iter().filter(|heading| !heading.is_empty()).cloned();
    headings.chain(page).collect::<Vec<_>>().join(" > ")
}

impl<'a> Report<'a> {
    pub(super) fn new(
        question: &'a str,
        model: Option<&'a str>,
        answered: Option<&'a Answered>,
        hits: &[&'a Hit],
    ) -> Self {
        let is_cited = |number: usize| {
            answered.is_some_and(|answered| answered.answer.citations.cited.contains(&number))
        };
        let source = |(at, hit): (usize, &&'a Hit)| JsonSource {
            number: at + 1,
            is_cited: is_cited(at + 1),
            path: &hit.path,
            url: &hit.url,
            title: &hit.title,
            heading: &hit.heading,
            excerpt: &hit.excerpt,
            page: page_of(hit),
            place: place_of(hit),
        };
        Self {
            question,
            model,
            answer: answered.map(|answered| answered.answer.text.as_str()),
            is_answered: answered.is_some_and(|answered| !answered.answer.is_silent),
            sources: hits.iter().enumerate().map(source).collect(),
            invented: answered
                .iter()
                .flat_map(|answered| answered.answer.citations.invented.iter().copied())
                .collect(),
        }
    }

    /// What follows the answer on a terminal, which was shown as it arrived.
    pub(super) fn for_people(&self) -> String {
        match self.answer {
            None if self.sources.is_empty() => "nothing found".into(),
            None => {
                let head = "No language model is configured (--llm-url), so this is no answer: the nearest passages.";
                format!("{head}\n{}", self.list(|_| true, true))
            }
            // Nothing was found, so nobody was asked and nothing was shown yet.
            Some(answer) if self.sources.is_empty() => answer.to_owned(),
            Some(_) if !self.is_answered => String::new(),
            Some(_) => {
                let has_citation = self.sources.iter().any(|source| source.is_cited);
                format!("\n\nSources\n{}", self.list(|source| source.is_cited || !has_citation, false))
            }
        }
    }

    fn list(&self, is_shown: impl Fn(&JsonSource<'_>) -> bool, with_excerpt: bool) -> String {
        let mut list = String::new();
        for source in self.sources.iter().filter(|source| is_shown(source)) {
            let (place, url) = (output::plain(&source.place), output::plain(source.url));
            list += &format!("\n[{}] {place}\n    {url}\n", source.number);
            if with_excerpt {
                list += &format!("    {}\n", output::plain(source.excerpt));
            }
        }
        list.trim_end().to_owned()
    }
}
