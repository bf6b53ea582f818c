//! What `search` prints for people.

use crate::{options::mode_name, output};
use querent_core::{
    assembly::Assembled,
    engine::{Explanation, Hit, SearchResponse},
    query::QueryAnalysis,
};
use std::ops::Range;

/// Hits with their excerpts, what else was searched for, and with `details` how each score came about.
pub(super) fn for_people(
    response: &SearchResponse,
    variations: &[String],
    assembled: &[Option<Assembled>],
    details: bool,
) -> String {
    let shown = output::plain(&response.query);
    if response.hits.is_empty() {
        return format!("nothing found for \"{shown}\" ({})", mode_name(response.mode));
    }
    let mut text = format!(
        "{} of {} documents for \"{shown}\" ({})\n",
        response.hits.len(),
        response.total,
        mode_name(response.mode)
    );
    if !response.unmatched_phrases.is_empty() {
        let phrases: Vec<_> = response
            .unmatched_phrases
            .iter()
            .map(|phrase| format!("\"{}\"", output::plain(phrase)))
            .collect();
        text += &format!("no document has {} as quoted; these have the words\n", phrases.join(" and "));
    }
    if variations.len() > 1 {
        text += &format!("also searched for: {}\n", output::plain(&variations[1..].join("; ")));
    }
    if let Some(analysis) = response.analysis.as_ref().filter(|_| details) {
        text += &analysis_for_people(analysis);
    }
    let styled = output::is_styled();
    for (at, hit) in response.hits.iter().enumerate() {
        add_hit(&mut text, hit, details, styled);
        if let Some(assembled) = assembled.get(at).and_then(Option::as_ref) {
            add_assembled(&mut text, assembled);
        }
    }
    for facet in &response.facets {
        let values: Vec<_> = facet.values.iter().map(|(value, count)| format!("{value} {count}")).collect();
        text += &format!("\n{}: {}\n", output::plain(&facet.name), output::plain(&values.join(", ")));
    }
    if details {
        let stages: Vec<_> =
            response.timings.0.iter().map(|(stage, ms)| format!("{stage} {ms:.2} ms")).collect();
        text += &format!("\n{}\n", stages.join(", "));
    }
    text.trim_end().to_owned()
}

fn analysis_for_people(analysis: &QueryAnalysis) -> String {
    let form = match (analysis.is_question, analysis.is_sentence) {
        (true, _) => "a question",
        (_, true) => "a sentence",
        _ => "keywords",
    };
    let mut text = format!("{form}, {}", analysis.query_type.name());
    for (label, values) in [
        ("about", &analysis.key_terms),
        ("names", &analysis.entities),
        ("may stand for", &analysis.questions),
    ] {
        if !values.is_empty() {
            text += &format!("; {label}: {}", output::plain(&values.join(", ")));
        }
    }
    if let Some(language) = &analysis.language {
        text += &format!("; language: {language}");
    }
    text + "\n"
}

fn add_hit(text: &mut String, hit: &Hit, details: bool, styled: bool) {
    let title = output::plain(&hit.title);
    let title = if styled { bold(&title) } else { title };
    *text += &format!("\n{:>2}. {title}\n    {}\n", hit.rank, output::plain(&hit.url));
    if hit.heading != hit.title {
        *text += &format!("    {}\n", output::plain(&hit.heading_path.join(" > ")));
    }
    *text += &format!("    {}\n", emphasised(&hit.excerpt, &hit.highlights, styled));
    if let Some(question) = &hit.question {
        *text += &format!("    answers: {}\n", output::plain(question));
    }
    for duplicate in &hit.duplicates {
        *text += &format!("    the same text: {}\n", output::plain(&duplicate.url));
    }
    if details {
        for section in &hit.sections {
            let excerpt = emphasised(&section.excerpt, &section.highlights, styled);
            *text += &format!("      - {}: {excerpt}\n", output::plain(&section.heading));
        }
        if let Some(explanation) = &hit.explanation {
            add_explanation(text, explanation, 3);
        }
    }
}

/// The text as it is, behind a bar: its indentation is a part of it.
fn add_assembled(text: &mut String, assembled: &Assembled) {
    for line in assembled.text.lines() {
        *text += format!("    | {}", output::plain(line)).trim_end();
        text.push('\n');
    }
    if let Some(reason) = &assembled.reason {
        *text += &format!("    not complete: {}\n", output::plain(reason));
    }
}

fn add_explanation(text: &mut String, explanation: &Explanation, depth: usize) {
    let indent = "  ".repeat(depth);
    *text += &format!("{indent}{:.4} {}\n", explanation.value, output::plain(&explanation.description));
    for detail in &explanation.details {
        add_explanation(text, detail, depth + 1);
    }
}

fn bold(text: &str) -> String {
    format!("\u{1b}[1m{text}\u{1b}[0m")
}

/// `excerpt` on one line, its matches in bold on a terminal.
fn emphasised(excerpt: &str, highlights: &[Range<usize>], styled: bool) -> String {
    if !styled {
        return output::plain(excerpt);
    }
    let mut text = String::new();
    let mut at = 0;
    for range in highlights {
        // Ranges come from the index, and an index comes from anywhere.
        let (Some(before), Some(matched)) = (excerpt.get(at..range.start), excerpt.get(range.clone())) else {
            continue;
        };
        text += &output::plain(before);
        text += &bold(&output::plain(matched));
        at = range.end;
    }
    text + &output::plain(excerpt.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_in_bold() {
        let rows: [(&[(usize, usize)], &str); 4] = [
            (&[], "a bc d"),
            (&[(2, 4)], "a \u{1b}[1mbc\u{1b}[0m d"),
            (&[(0, 1), (5, 6)], "\u{1b}[1ma\u{1b}[0m bc \u{1b}[1md\u{1b}[0m"),
            (&[(3, 99)], "a bc d"),
        ];
        for (highlights, expected) in rows {
            let highlights: Vec<_> = highlights.iter().map(|&(from, to)| from..to).collect();
            assert_eq!(emphasised("a bc\nd", &highlights, true), expected, "{highlights:?}");
            assert_eq!(emphasised("a bc\nd", &highlights, false), "a bc d");
        }
    }
}
