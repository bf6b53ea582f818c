//! What a chunk is a piece of, as the reference system names it.

use crate::{
    chunk::Chunk,
    document::{Document, SpanKind},
};
use serde::Serialize;

/// What a chunk is a piece of. Told by its place: the path and the headings; code by how much of it there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ContentKind {
    /// Prose about something.
    #[default]
    Documentation,
    /// Mostly code.
    Code,
    /// What functions, types or commands take and give.
    Api,
    /// A question that was asked often, and its answer.
    Faq,
    /// A problem, and what to do about it.
    Issue,
    /// Settings and what they do.
    Configuration,
    /// Steps to follow.
    Tutorial,
}

/// Words of a path or a heading that give a kind away.
const SIGNS: [(ContentKind, &[&str]); 5] = [
    (ContentKind::Faq, &["faq", "faqs", "questions"]),
    (ContentKind::Issue, &["issue", "issues", "troubleshooting"]),
    (ContentKind::Tutorial, &["tutorial", "tutorials", "quickstart", "started"]),
    (ContentKind::Configuration, &["configuration", "config", "settings", "options"]),
    (ContentKind::Api, &["api", "reference"]),
];

/// Share of code, in tenths, beyond which a chunk is code.
const CODE_TENTHS: usize = 7;

impl ContentKind {
    /// What `chunk` is a piece of.
    pub fn of(document: &Document, chunk: &Chunk) -> Self {
        let spans =
            || document.spans_in(chunk.range.clone()).filter(|(_, span)| span.kind != SpanKind::Break);
        let bytes: usize = spans().map(|(range, _)| range.len()).sum();
        let is_code = |span: &SpanKind| *span == SpanKind::Code;
        let code: usize = spans().filter(|(_, span)| is_code(&span.kind)).map(|(range, _)| range.len()).sum();
        if code * 10 > bytes * CODE_TENTHS {
            return Self::Code;
        }
        let headings = document.heading_path(chunk.section).join(" ");
        let place = format!("{} {headings}", document.path).to_lowercase();
        let names = |word: &&str| place.split(|c: char| !c.is_alphanumeric()).any(|part| part == *word);
        SIGNS
            .iter()
            .find(|(_, words)| words.iter().any(&names))
            .map_or(Self::Documentation, |(kind, _)| *kind)
    }

    /// Its name in prompts and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Documentation => "documentation",
            Self::Code => "code",
            Self::Api => "api",
            Self::Faq => "faq",
            Self::Issue => "issue",
            Self::Configuration => "configuration",
            Self::Tutorial => "tutorial",
        }
    }

    /// What readers ask of such a text: the template that a model is given for it.
    pub fn template(self) -> &'static str {
        match self {
            Self::Documentation => {
                "what something is, how it works, how to do something with it, and why to use it"
            }
            Self::Code => "what the code shows, how to write it, and what each named part of it does",
            Self::Api => {
                "what it does, what it takes and returns, when to use it, and how it differs from its neighbours"
            }
            Self::Faq => "the same in other words: by the symptom, by the goal, and as a beginner would ask",
            Self::Issue => "the symptom or the message as a reader sees it, its cause, and how to fix it",
            Self::Configuration => {
                "which setting changes something, what it does, its default and its values"
            }
            Self::Tutorial => {
                "how to reach the goal, what comes before and after a step, and what to do when it fails"
            }
        }
    }
}
