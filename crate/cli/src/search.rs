//! `querent search`: one query, for people or as JSON.

use crate::{
    Outcome,
    index::{Index, Stopwatch},
    options::{Encoder, mode_name},
    output, progress,
    rerank::RerankSettings,
    weights,
};
use anyhow::{Result, bail};
use querent_core::{
    embedding::Embedder,
    engine::{Clock, Duplicate, Explanation, Hit, SearchResponse, SectionHit},
    query::{QueryAnalysis, QueryEncoder, SearchMode, SearchRequest},
};
use serde::Serialize;
use std::{collections::BTreeMap, ops::Range, path::PathBuf};

/// Everything that `search` needs to know.
#[derive(Debug)]
pub(crate) struct SearchSettings {
    pub(crate) index: PathBuf,
    pub(crate) request: SearchRequest,
    /// What embeds the query, where that was said.
    pub(crate) encoder: Option<Encoder>,
    pub(crate) model: Option<PathBuf>,
    /// Where reranking is asked for.
    pub(crate) rerank: Option<RerankSettings>,
    pub(crate) json: bool,
    pub(crate) details: bool,
}

/// Searches and prints.
///
/// # Errors
/// When the index cannot be used, or when semantic search is asked for and cannot be had.
pub(crate) fn run(settings: &SearchSettings) -> Result<Outcome> {
    let mut index = Index::open(&settings.index)?;
    let clock = Stopwatch::start();
    let vector = embed_query(settings, &mut index)?;
    let embedding_ms = vector.is_some().then(|| clock.now_ms());
    let response = match &settings.rerank {
        Some(rerank) => rerank.open()?.search(&mut index, &settings.request, vector.as_deref())?,
        None => index.search(&settings.request, vector.as_deref())?,
    };
    if settings.json {
        output::json(&JsonResponse::new(&response, embedding_ms, settings.details))?;
    } else {
        output::line(&for_people(&response, settings.details))?;
    }
    Ok(Outcome::Done)
}

/// The query's vector, where the mode needs one.
///
/// A hybrid search that cannot have one goes on by words, and says so; a semantic one cannot.
fn embed_query(settings: &SearchSettings, index: &mut Index) -> Result<Option<Vec<f32>>> {
    let mode = settings.request.mode;
    if mode == SearchMode::Lexical || settings.encoder == Some(Encoder::Table) {
        return Ok(None);
    }
    let Some(identity) = index.engine.model().cloned() else {
        if mode == SearchMode::Semantic {
            bail!(
                "{}: semantic search needs vectors, and the index has none; build it with --embeddings minilm, or \
                 search with --mode lexical",
                settings.index.display()
            );
        }
        progress::detail("the index has no vectors: searching by words only");
        return Ok(None);
    };
    match weights::query_model(Some(&settings.index), settings.model.as_deref(), &identity) {
        Ok(model) => Ok(model.embed(&[&settings.request.query])?.pop()),
        Err(error) if settings.encoder.is_none() && index.has_query_encoder()? => {
            progress::detail(&format!("the table in the index embeds the query: {error:#}"));
            Ok(None)
        }
        Err(error) if mode == SearchMode::Hybrid => {
            progress::warn(&format!("searching by words only: {error:#}"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What `--json` prints. Scripts rely on the names.
#[derive(Debug, Serialize)]
struct JsonResponse<'a> {
    query: &'a str,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_encoder: Option<&'static str>,
    hits: Vec<JsonHit<'a>>,
    /// Quoted phrases that no document holds: the hits match their words.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    unmatched_phrases: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<JsonAnalysis<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    facets: BTreeMap<&'a str, &'a [(String, usize)]>,
    timings_ms: BTreeMap<&'a str, f64>,
}

#[derive(Debug, Serialize)]
struct JsonHit<'a> {
    rank: usize,
    path: &'a str,
    url: &'a str,
    anchor: Option<&'a str>,
    title: &'a str,
    heading: &'a str,
    score: f32,
    question: Option<&'a str>,
    excerpt: &'a str,
    /// Documents that would have shown nearly the same text.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    duplicates: &'a [Duplicate],
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<JsonDetails<'a>>,
}

/// What `--show-details` says of the query: snake case, as everything that scripts read.
#[derive(Debug, Serialize)]
struct JsonAnalysis<'a> {
    query_type: &'static str,
    is_question: bool,
    is_sentence: bool,
    entities: &'a [String],
    key_terms: &'a [String],
    language: Option<&'a str>,
    /// Questions that the query may stand for, where it is none itself.
    questions: &'a [String],
}

/// What `--show-details` adds.
#[derive(Debug, Serialize)]
struct JsonDetails<'a> {
    heading_path: &'a [String],
    language: Option<&'a str>,
    metadata: BTreeMap<&'a str, &'a str>,
    highlights: &'a [Range<usize>],
    sections: &'a [SectionHit],
    explanation: Option<&'a Explanation>,
}

impl<'a> JsonResponse<'a> {
    fn new(response: &'a SearchResponse, embedding_ms: Option<f64>, details: bool) -> Self {
        let mut timings_ms: BTreeMap<&str, f64> = BTreeMap::new();
        timings_ms.extend(embedding_ms.map(|ms| ("embedding", ms)));
        for (stage, ms) in &response.timings.0 {
            *timings_ms.entry(stage).or_default() += ms;
        }
        Self {
            query: &response.query,
            mode: mode_name(response.mode),
            query_encoder: response.query_encoder.map(QueryEncoder::name),
            hits: response.hits.iter().map(|hit| JsonHit::new(hit, details)).collect(),
            unmatched_phrases: &response.unmatched_phrases,
            analysis: response.analysis.as_ref().filter(|_| details).map(JsonAnalysis::new),
            facets: response
                .facets
                .iter()
                .map(|facet| (facet.name.as_str(), facet.values.as_slice()))
                .collect(),
            timings_ms,
        }
    }
}

impl<'a> JsonAnalysis<'a> {
    fn new(analysis: &'a QueryAnalysis) -> Self {
        Self {
            query_type: analysis.query_type.name(),
            is_question: analysis.is_question,
            is_sentence: analysis.is_sentence,
            entities: &analysis.entities,
            key_terms: &analysis.key_terms,
            language: analysis.language.as_deref(),
            questions: &analysis.questions,
        }
    }
}

impl<'a> JsonHit<'a> {
    fn new(hit: &'a Hit, details: bool) -> Self {
        let details = details.then(|| JsonDetails {
            heading_path: &hit.heading_path,
            language: hit.language.as_deref(),
            metadata: hit.metadata.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            highlights: &hit.highlights,
            sections: &hit.sections,
            explanation: hit.explanation.as_ref(),
        });
        Self {
            rank: hit.rank,
            path: &hit.path,
            url: &hit.url,
            anchor: hit.anchor.as_deref(),
            title: &hit.title,
            heading: &hit.heading,
            score: hit.score,
            question: hit.question.as_deref(),
            excerpt: &hit.excerpt,
            duplicates: &hit.duplicates,
            details,
        }
    }
}

fn for_people(response: &SearchResponse, details: bool) -> String {
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
    if let Some(analysis) = response.analysis.as_ref().filter(|_| details) {
        text += &analysis_for_people(analysis);
    }
    let styled = output::is_styled();
    for hit in &response.hits {
        add_hit(&mut text, hit, details, styled);
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
