//! `--questions llm`: from the chunks of an index to their questions.

use super::{
    LlmSettings,
    ask::{Answer, Asker, hold},
    cache::{Record, ReplyCache, key},
    endpoint::Endpoint,
    interrupt, pool,
    pool::Outcomes,
};
use crate::{output, places, progress};
use anyhow::{Result, bail};
use querent_core::{
    chunk::Chunk,
    document::Document,
    indexer::Indexer,
    llm::{Budget, ChatRequest, Dialect},
    question::{
        Question, QuestionGenerator, RuleGenerator,
        by_model::{PROMPT_VERSION, question_prompt, question_schema, questions_from_reply},
    },
};
use serde::Serialize;
use std::{
    cell::Cell,
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex},
};

/// What the model made, as `build --json` prints it. Chunks, unless another word is said.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct ModelQuestions {
    /// The server's name of the model.
    pub(crate) model: String,
    /// With questions by the model.
    pub(crate) by_model: usize,
    /// Questions by the model, of all chunks.
    pub(crate) questions: usize,
    /// With questions by rules: too short to ask about.
    pub(crate) too_short: usize,
    /// With questions by rules because every reply was of no use.
    pub(crate) unusable: usize,
    /// With questions by rules because no reply came, or because nobody asked for one.
    pub(crate) unanswered: usize,
    /// Replies that were known before.
    pub(crate) cached: usize,
    /// Requests that were sent, retries included.
    pub(crate) requests: u64,
    /// Tokens sent, as the server counts them.
    pub(crate) prompt_tokens: u64,
    /// Tokens received.
    pub(crate) completion_tokens: u64,
}

impl fmt::Display for ModelQuestions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} questions of {} chunks by {} ({} requests, {} tokens sent, {} received; {} replies known before), of {} by \
             rules",
            self.questions,
            self.by_model,
            output::plain(&self.model),
            self.requests,
            self.prompt_tokens,
            self.completion_tokens,
            self.cached,
            self.too_short + self.unusable + self.unanswered,
        )
    }
}

/// What `--dry-run` prints.
#[derive(Debug, Serialize)]
struct Forecast {
    /// Documents that could not be read.
    failed: usize,
    chunks: usize,
    too_short: usize,
    cached: usize,
    requests: usize,
    prompt_tokens: u64,
    most_completion_tokens: u64,
}

/// A chunk to ask about.
struct Job<'a> {
    document: &'a Document,
    chunk: &'a Chunk,
    request: ChatRequest,
    key: String,
}

/// What is to ask, and what is known.
struct Plan<'a> {
    /// One for each different prompt that has no reply yet.
    missing: Vec<Job<'a>>,
    chunks: usize,
    too_short: usize,
    cached: usize,
}

impl<'a> Plan<'a> {
    fn new(indexer: &'a Indexer, settings: &LlmSettings, cache: &ReplyCache) -> Self {
        let mut plan = Self { missing: Vec::new(), chunks: 0, too_short: 0, cached: 0 };
        let mut seen = HashSet::new();
        for prepared in indexer.documents() {
            for chunk in &prepared.chunks {
                plan.chunks += 1;
                let document = &prepared.document;
                let Some(request) = request(document, chunk, indexer.question_count(), settings) else {
                    plan.too_short += 1;
                    continue;
                };
                let key = key(&request);
                if cache.get(&key).is_some() {
                    plan.cached += 1;
                } else if seen.insert(key.clone()) {
                    plan.missing.push(Job { document, chunk, request, key });
                }
            }
        }
        plan
    }
}

/// The request for `chunk`'s questions; `None` where it says too little.
fn request(document: &Document, chunk: &Chunk, count: usize, settings: &LlmSettings) -> Option<ChatRequest> {
    Some(ChatRequest {
        model: settings.endpoint.model.clone(),
        messages: question_prompt(document, chunk, count)?,
        temperature: settings.endpoint.temperature,
        max_tokens: settings.endpoint.reply_tokens,
        schema: Some(question_schema(count)),
    })
}

fn open_cache(settings: &LlmSettings) -> Result<ReplyCache> {
    let folder = settings.cache.clone().map_or_else(|| places::cache().map(|cache| cache.join("llm")), Ok)?;
    ReplyCache::open(&folder, &settings.endpoint.model)
}

/// Says how many requests and tokens the questions of `indexer`'s chunks take; `failed` documents are not among them.
///
/// # Errors
/// When the cache cannot be read, or stdout not be written.
pub(crate) fn forecast(indexer: &Indexer, settings: &LlmSettings, failed: usize, json: bool) -> Result<()> {
    let plan = Plan::new(indexer, settings, &open_cache(settings)?);
    let requests = plan.missing.len();
    let forecast = Forecast {
        failed,
        chunks: plan.chunks,
        too_short: plan.too_short,
        cached: plan.cached,
        requests,
        prompt_tokens: plan.missing.iter().map(|job| job.request.prompt_tokens()).sum(),
        most_completion_tokens: requests as u64 * u64::from(settings.endpoint.reply_tokens),
    };
    if json {
        return output::json(&forecast);
    }
    let left_out = match failed {
        0 => String::new(),
        count => format!("{count} documents cannot be read and are left out\n"),
    };
    output::line(&format!(
        "{left_out}{} chunks: {} too short to ask about, {} answered before, {} to ask\n\
         {} requests with about {} tokens, and replies of at most {} tokens; retries are not counted",
        forecast.chunks,
        forecast.too_short,
        forecast.cached,
        forecast.requests,
        forecast.requests,
        forecast.prompt_tokens,
        forecast.most_completion_tokens,
    ))
}

/// Asks for the questions of all chunks of `indexer` and puts them in.
///
/// # Errors
/// When the server refuses us, when it replies to nothing at all, or when replies cannot be kept. A reply that is of
/// no use, or does not come, is no error: its chunk gets questions by rules.
pub(crate) fn ask(indexer: &mut Indexer, settings: &LlmSettings) -> Result<ModelQuestions> {
    let cache = Arc::new(Mutex::new(open_cache(settings)?));
    let plan = Plan::new(indexer, settings, &hold(&cache));
    let mut report = ModelQuestions {
        model: settings.endpoint.model.clone(),
        cached: plan.cached,
        ..ModelQuestions::default()
    };
    if !plan.missing.is_empty() {
        settings.endpoint.check_key()?;
        interrupt::keep_on_interrupt(&cache);
        let asker = Asker::new(
            Endpoint::new(&settings.endpoint),
            Dialect::default(),
            Budget::new(settings.max_requests, settings.max_tokens),
        );
        let outcomes = ask_all(&plan.missing, &asker, settings, &cache, indexer.question_count())?;
        let (requests, used) = asker.spent();
        report.requests = requests;
        report.prompt_tokens = used.prompt_tokens;
        report.completion_tokens = used.completion_tokens;
        tell(&outcomes, settings)?;
    }
    let cache = hold(&cache);
    let generator = Replies { cache: &cache, settings, counts: Counts::default() };
    indexer.find_questions(&generator);
    let Counts { by_model, questions, too_short, unusable, unanswered } = generator.counts;
    report.questions = questions.into_inner();
    report.by_model = by_model.into_inner();
    report.too_short = too_short.into_inner();
    report.unusable = unusable.into_inner();
    report.unanswered = unanswered.into_inner();
    Ok(report)
}

fn ask_all(
    jobs: &[Job<'_>],
    asker: &Asker,
    settings: &LlmSettings,
    cache: &Mutex<ReplyCache>,
    count: usize,
) -> Result<Outcomes> {
    let ask = |job: &Job<'_>| {
        let is_usable = |reply: &str| questions_from_reply(job.document, job.chunk, reply, count).is_ok();
        asker.ask(&job.request, seed(&job.key), &is_usable)
    };
    let keep = |job: &Job<'_>, answer: &Answer| {
        let (Answer::Usable(completion) | Answer::Unusable(completion)) = answer else { return Ok(()) };
        if let Answer::Unusable(_) = answer {
            progress::detail(&format!("{}: the model's replies are of no use", job.document.path));
        }
        hold(cache).add(Record {
            key: job.key.clone(),
            prompt: PROMPT_VERSION,
            model: settings.endpoint.model.clone(),
            path: job.document.path.clone(),
            section: job.document.heading_path(job.chunk.section).last().copied().unwrap_or_default().into(),
            reply: completion.text.clone(),
            usage: completion.usage,
        })
    };
    pool::run(jobs, settings.concurrency, &ask, &keep)
}

/// The first digits of a key as a number: different for each job, the same in each run.
fn seed(key: &str) -> u64 {
    key.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// Says what went wrong.
fn tell(outcomes: &Outcomes, settings: &LlmSettings) -> Result<()> {
    let url = &settings.endpoint.url;
    if let Some(reason) = &outcomes.refused {
        bail!("{url}: {reason}. Replies that came before are kept; nothing else was written");
    }
    let reason = outcomes.reason.as_deref().unwrap_or_default();
    if outcomes.is_dead() {
        let asked = match outcomes.failed {
            1 => "to the one chunk".to_owned(),
            count => format!("to any of {count} chunks"),
        };
        bail!("{url}: no reply {asked} that it was asked about: {reason}. Nothing was written");
    }
    if outcomes.failed + outcomes.left > 0 {
        let count = outcomes.failed + outcomes.left;
        progress::warn(&format!(
            "{url}: no reply for {count} chunks, which get questions by rules: {reason}"
        ));
    }
    if outcomes.over_budget > 0 {
        progress::warn(&format!(
            "the budget does not reach for {} chunks, which get questions by rules",
            outcomes.over_budget
        ));
    }
    if outcomes.unusable > 0 {
        progress::warn(&format!(
            "the replies for {} chunks are of no use, so they get questions by rules",
            outcomes.unusable
        ));
    }
    Ok(())
}

/// Questions out of replies; by rules where there is none of use.
struct Replies<'a> {
    cache: &'a ReplyCache,
    settings: &'a LlmSettings,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    by_model: Cell<usize>,
    questions: Cell<usize>,
    too_short: Cell<usize>,
    unusable: Cell<usize>,
    unanswered: Cell<usize>,
}

impl QuestionGenerator for Replies<'_> {
    fn generate_questions(&self, document: &Document, chunk: &Chunk, question_count: usize) -> Vec<Question> {
        let request = request(document, chunk, question_count, self.settings);
        let reply = request.as_ref().map(|request| self.cache.get(&key(request)));
        let questions =
            reply.flatten().map(|reply| questions_from_reply(document, chunk, reply, question_count));
        let (count, questions) = match (reply, questions) {
            (_, Some(Ok(found))) => {
                self.counts.questions.set(self.counts.questions.get() + found.len());
                (&self.counts.by_model, Some(found))
            }
            (_, Some(Err(_))) => (&self.counts.unusable, None),
            (Some(_), None) => (&self.counts.unanswered, None),
            (None, None) => (&self.counts.too_short, None),
        };
        count.set(count.get() + 1);
        questions.unwrap_or_else(|| RuleGenerator.generate_questions(document, chunk, question_count))
    }
}
