//! Headings that say nothing alone ("Overview", "Examples"): they are asked of the heading above.

use super::{Context, heading::without_number};
use crate::question::{
    QuestionType::{self, Factual, Process, Purpose, Troubleshooting},
    grammar::base_of_gerund,
    passage::words_of,
    subject::{Subject, subject},
};

/// Generic headings and what they ask of the subject above. `{be}` is "is" or "are", `{does}` "does" or "do".
/// An empty question says that the heading asks nothing.
const GENERIC: &[(&[&str], QuestionType, &str)] = &[
    (
        &["overview", "introduction", "description", "about", "summary", "definition", "intro"],
        Factual,
        "What {be} {x}?",
    ),
    (&["usage", "basic usage", "use", "how to use", "how to use it"], Process, "How do I use {x}?"),
    (
        &["example", "examples", "sample", "samples", "code examples"],
        Factual,
        "What are some examples of {x}?",
    ),
    (&["installation", "install", "installing", "setup"], Process, "How do I install {x}?"),
    (&["configuration", "configure", "configuring", "settings"], Process, "How do I configure {x}?"),
    (&["getting started", "quick start", "quickstart"], Process, "How do I get started with {x}?"),
    (&["syntax", "grammar"], Factual, "What is the syntax of {x}?"),
    (&["semantics"], Factual, "What are the semantics of {x}?"),
    (&["parameters", "arguments", "params"], Factual, "What parameters {does} {x} take?"),
    (&["options", "flags"], Factual, "What options {does} {x} have?"),
    (&["methods"], Factual, "What methods {does} {x} have?"),
    (&["fields", "properties"], Factual, "What fields {does} {x} have?"),
    (&["limitations", "restrictions", "caveats"], Factual, "What are the limitations of {x}?"),
    (&["requirements", "prerequisites"], Factual, "What {does} {x} require?"),
    (&["motivation", "rationale", "purpose", "why"], Purpose, "What {be} {x} for?"),
    (&["benefits", "advantages"], Purpose, "What are the benefits of {x}?"),
    (
        &["troubleshooting", "common problems", "common errors", "known issues"],
        Troubleshooting,
        "How do I troubleshoot {x}?",
    ),
    (&["performance"], Factual, "How {does} {x} perform?"),
    (&["return value", "return values", "returns"], Factual, "What {does} {x} return?"),
    (&["environment", "environment variables"], Factual, "Which environment variables {does} {x} read?"),
    (&["exit status"], Factual, "What exit status {does} {x} give?"),
    (
        &[
            "see also",
            "added",
            "changed",
            "fixed",
            "removed",
            "deprecated",
            "nightly only",
            "breaking changes",
            "documentation",
            "internal",
            "unreleased",
            "compatibility",
            "questions",
            "answers",
            "solution",
            "summary of changes",
            "further reading",
            "exercises",
            "exercise",
            "quiz",
            "references",
            "license",
            "licence",
            "credits",
            "contents",
            "table of contents",
            "changelog",
            "conclusion",
            "notes",
            "note",
            "next steps",
            "what's next",
            "name",
            "synopsis",
            "foreword",
            "preface",
            "acknowledgements",
            "contributors",
            "related",
            "resources",
            "links",
            "background",
            "details",
            "miscellaneous",
            "other",
            "tips",
            "activity",
            "activities",
            "general",
            "basics",
            "the basics",
            "faq",
            "frequently asked questions",
            "implementation",
            "common options",
            "general options",
            "output options",
            "display options",
            "manifest options",
            "output",
            "result",
            "results",
            "important",
            "attributes",
            "operation",
            "explanation",
            "front matter",
            "files",
            "home",
            "testcase",
            "remarks",
            "footnotes",
            "tip",
            "warning",
            "caution",
            "key",
            "default",
            "default value",
            "discussion",
            "miscellaneous options",
            "alternatives",
            "recommendations",
            "variables",
            "functions",
            "types",
            "commands",
            "features",
        ],
        Factual,
        "",
    ),
];

/// Whether the heading says nothing alone.
pub(in crate::question) fn is_generic(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    GENERIC.iter().any(|(names, ..)| names.contains(&lower.as_str()))
}

/// The question of a generic heading; an empty one, which is never shown, where there is nothing to ask.
pub(super) fn question(context: &Context, heading: &str) -> Option<(QuestionType, f32, String)> {
    let lower = heading.trim_end_matches(['.', ':', '!']).to_lowercase();
    let (_, question_type, pattern) = GENERIC.iter().find(|(names, ..)| names.contains(&lower.as_str()))?;
    let nothing = (Factual, 0.0, String::new());
    if pattern.is_empty() {
        return Some(nothing);
    }
    let Some(subject) = subject_above(context) else { return Some(nothing) };
    let question =
        pattern.replace("{x}", &subject.text).replace("{be}", subject.be()).replace("{does}", subject.does());
    Some((*question_type, 0.72, question))
}

/// The nearest heading above, or the title, that names something.
fn subject_above(context: &Context) -> Option<Subject> {
    for parent in context.parents() {
        let parent = without_number(parent);
        if is_generic(parent) {
            continue;
        }
        let words = words_of(parent);
        let is_action =
            words.len() > 1 && words.first().is_some_and(|word| base_of_gerund(&word.lower()).is_some());
        let is_list = words.iter().any(|word| word.is("and") || word.is("or"));
        // "The return" of a heading is a thing of its chunk.
        let is_clear = |subject: &Subject| words.len() > 1 || !subject.text.starts_with("the ");
        let is_named = !is_action && !is_list && words.len() <= 4;
        return subject(context, &words, true).filter(|subject| is_named && is_clear(subject));
    }
    None
}
