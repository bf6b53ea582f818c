//! What a model is asked for when an index is built: analyses, questions and contexts.

use super::{
    LlmSettings,
    batch::{Counts, Forecast, Kind, Session, Tally},
};
use crate::{build::IndexOptions, options, output};
use anyhow::Result;
use querent_core::{
    chunk::Chunk,
    document::Document,
    embedding::TokenCounter,
    enrichment::{CONTEXT_PROMPT_VERSION, context_from_reply, context_prompt, context_schema},
    indexer::Indexer,
    llm::{Message, ReplySchema},
    question::{
        Question, QuestionGenerator, RuleGenerator,
        analysis::{
            ContentAnalysis,
            by_model::{self as analysis, analysis_from_reply, analysis_prompt, analysis_schema},
        },
        by_model::{PROMPT_VERSION, question_prompt, question_schema, questions_from_reply},
    },
};
use serde::Serialize;
use std::{cell::Cell, collections::HashMap};

/// What the model made, as `build --json` prints it.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct ByModel {
    /// The questions.
    #[serde(rename = "questions_by_model", skip_serializing_if = "Option::is_none")]
    pub(crate) questions: Option<ModelQuestions>,
    /// What chunks are about.
    #[serde(rename = "analyses_by_model", skip_serializing_if = "Option::is_none")]
    pub(crate) analyses: Option<Counts>,
    /// Where chunks stand in their documents.
    #[serde(rename = "contexts_by_model", skip_serializing_if = "Option::is_none")]
    pub(crate) contexts: Option<Counts>,
}

/// The counts of questions.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct ModelQuestions {
    /// Questions by the model, of all chunks.
    pub(crate) questions: usize,
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

impl ByModel {
    /// A line for people about each kind that was asked for.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let questions =
            self.questions.as_ref().map(|made| format!("{} questions of {}", made.questions, made.counts));
        let analyses = self.analyses.as_ref().map(|counts| format!("analyses of {counts}"));
        let contexts = self.contexts.as_ref().map(|counts| format!("contexts of {counts}"));
        [analyses, questions, contexts].into_iter().flatten()
    }
}

/// What chunks are about, by path and first byte.
type Analyses = HashMap<(String, usize), ContentAnalysis>;

struct Questions {
    count: usize,
    /// Of the chunks that a model analysed.
    analyses: Analyses,
}

impl Questions {
    fn analysis(&self, document: &Document, chunk: &Chunk) -> Option<&ContentAnalysis> {
        if self.analyses.is_empty() {
            return None;
        }
        self.analyses.get(&(document.path.clone(), chunk.range.start))
    }
}

impl Kind for Questions {
    fn name(&self) -> &'static str {
        "questions"
    }

    fn instead(&self) -> &'static str {
        "questions by rules"
    }

    fn version(&self) -> u32 {
        PROMPT_VERSION
    }

    fn messages(&self, document: &Document, chunk: &Chunk) -> Option<Vec<Message>> {
        question_prompt(document, chunk, self.analysis(document, chunk), self.count)
    }

    fn schema(&self) -> ReplySchema {
        question_schema(self.count)
    }

    fn is_usable(&self, document: &Document, chunk: &Chunk, reply: &str) -> bool {
        questions_from_reply(document, chunk, reply, self.count).is_ok()
    }
}

struct Analysis;

impl Kind for Analysis {
    fn name(&self) -> &'static str {
        "analyses"
    }

    fn instead(&self) -> &'static str {
        "an analysis by rules"
    }

    fn version(&self) -> u32 {
        analysis::PROMPT_VERSION
    }

    fn messages(&self, document: &Document, chunk: &Chunk) -> Option<Vec<Message>> {
        analysis_prompt(document, chunk)
    }

    fn schema(&self) -> ReplySchema {
        analysis_schema()
    }

    fn is_usable(&self, document: &Document, chunk: &Chunk, reply: &str) -> bool {
        analysis_from_reply(document, chunk, reply).is_some()
    }
}

struct Context;

impl Kind for Context {
    fn name(&self) -> &'static str {
        "contexts"
    }

    fn instead(&self) -> &'static str {
        "their title and headings alone"
    }

    fn version(&self) -> u32 {
        CONTEXT_PROMPT_VERSION
    }

    fn messages(&self, document: &Document, chunk: &Chunk) -> Option<Vec<Message>> {
        context_prompt(document, chunk)
    }

    fn schema(&self) -> ReplySchema {
        context_schema()
    }

    fn is_usable(&self, document: &Document, chunk: &Chunk, reply: &str) -> bool {
        context_from_reply(document, chunk, reply).is_some()
    }
}

/// What `--dry-run` prints.
#[derive(Debug, Serialize)]
struct Report {
    /// Documents that could not be read.
    failed: usize,
    chunks: usize,
    #[serde(flatten)]
    total: Forecast,
    kinds: HashMap<&'static str, Forecast>,
}

/// Says how many requests and tokens the chunks of `indexer` take; `failed` documents are not among them.
///
/// # Errors
/// When the cache cannot be read, or stdout not be written.
pub(crate) fn forecast(
    indexer: &Indexer,
    options: &IndexOptions,
    settings: &LlmSettings,
    failed: usize,
    json: bool,
) -> Result<()> {
    let session = Session::open(settings)?;
    let questions = Questions { count: indexer.question_count(), analyses: Analyses::new() };
    let asked: [(bool, &dyn Kind); 3] = [
        (options.questions == options::Questions::Llm, &questions),
        (options.analysis == options::Analysis::Llm, &Analysis),
        (options.context == options::Context::Llm, &Context),
    ];
    let kinds: HashMap<&'static str, Forecast> = asked
        .into_iter()
        .filter(|(is_asked, _)| *is_asked)
        .map(|(_, kind)| (kind.name(), session.forecast(kind, indexer)))
        .collect();
    let mut total = Forecast::default();
    for forecast in kinds.values() {
        total.too_short += forecast.too_short;
        total.cached += forecast.cached;
        total.requests += forecast.requests;
        total.prompt_tokens += forecast.prompt_tokens;
        total.most_completion_tokens += forecast.most_completion_tokens;
    }
    let chunks = indexer.documents().iter().map(|prepared| prepared.chunks.len()).sum();
    let report = Report { failed, chunks, total, kinds };
    if json {
        return output::json(&report);
    }
    let left_out = match failed {
        0 => String::new(),
        count => format!("{count} documents cannot be read and are left out\n"),
    };
    let Forecast { too_short, cached, requests, prompt_tokens, most_completion_tokens } = report.total;
    output::line(&format!(
        "{left_out}{chunks} chunks: {too_short} too short to ask about, {cached} answered before, {requests} to ask\n\
         {requests} requests with about {prompt_tokens} tokens, and replies of at most {most_completion_tokens} tokens; \
         retries are not counted"
    ))
}

/// Asks for everything that `options` want a model for, and puts it in. `counter` is that of the chunks.
///
/// # Errors
/// When the server refuses us, when it replies to nothing at all, or when replies cannot be kept. A reply that is of
/// no use, or does not come, is no error: its chunk has what rules make of it.
pub(crate) fn ask(
    indexer: &mut Indexer,
    options: &IndexOptions,
    settings: &LlmSettings,
    counter: &dyn TokenCounter,
) -> Result<ByModel> {
    let session = Session::open(settings)?;
    let mut made = ByModel::default();
    let mut analyses = Analyses::new();
    if options.analysis == options::Analysis::Llm {
        made.analyses = Some(ask_analyses(indexer, &session, &mut analyses)?);
    }
    if options.questions == options::Questions::Llm {
        made.questions = Some(ask_questions(indexer, &session, analyses)?);
    }
    if options.context == options::Context::Llm {
        made.contexts = Some(ask_contexts(indexer, &session, counter)?);
    }
    Ok(made)
}

fn ask_analyses(indexer: &Indexer, session: &Session<'_>, analyses: &mut Analyses) -> Result<Counts> {
    let mut counts = session.ask(&Analysis, indexer)?;
    let tally = Tally::default();
    for prepared in indexer.documents() {
        let document = &prepared.document;
        for chunk in &prepared.chunks {
            let read = |reply: &str| analysis_from_reply(document, chunk, reply);
            if let Some(analysis) = session.read(&Analysis, (document, chunk), &tally, read) {
                analyses.insert((document.path.clone(), chunk.range.start), analysis);
            }
        }
    }
    tally.fill(&mut counts);
    Ok(counts)
}

fn ask_questions(indexer: &mut Indexer, session: &Session<'_>, analyses: Analyses) -> Result<ModelQuestions> {
    let kind = Questions { count: indexer.question_count(), analyses };
    let mut counts = session.ask(&kind, indexer)?;
    let generator = Replies { session, kind, tally: Tally::default(), questions: Cell::new(0) };
    indexer.find_questions(&generator);
    generator.tally.fill(&mut counts);
    Ok(ModelQuestions { questions: generator.questions.into_inner(), counts })
}

fn ask_contexts(indexer: &mut Indexer, session: &Session<'_>, counter: &dyn TokenCounter) -> Result<Counts> {
    let mut counts = session.ask(&Context, indexer)?;
    let tally = Tally::default();
    indexer.enrich(counter, &mut |document, chunk| {
        session.read(&Context, (document, chunk), &tally, |reply| context_from_reply(document, chunk, reply))
    });
    tally.fill(&mut counts);
    Ok(counts)
}

/// Questions out of replies; by rules where there is none of use.
struct Replies<'a> {
    session: &'a Session<'a>,
    kind: Questions,
    tally: Tally,
    questions: Cell<usize>,
}

impl QuestionGenerator for Replies<'_> {
    fn generate_questions(&self, document: &Document, chunk: &Chunk, question_count: usize) -> Vec<Question> {
        let read = |reply: &str| questions_from_reply(document, chunk, reply, question_count).ok();
        match self.session.read(&self.kind, (document, chunk), &self.tally, read) {
            Some(found) => {
                self.questions.set(self.questions.get() + found.len());
                found
            }
            None => RuleGenerator.generate_questions(document, chunk, question_count),
        }
    }
}
