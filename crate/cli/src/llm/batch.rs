//! One thing asked about every chunk: what is known, what is to ask, and what came of it.
//!
//! Questions, contexts and analyses are asked for alike. What differs is a [`Kind`]: the prompt, the form of the reply,
//! and what makes one of use.

use super::{
    LlmSettings,
    ask::{Answer, Asker, hold},
    cache::{Record, ReplyCache, key},
    endpoint::Endpoint,
    interrupt, pool,
    pool::Outcomes,
};
use crate::{output, progress};
use anyhow::{Result, bail};
use querent_core::{
    chunk::Chunk,
    document::Document,
    indexer::Indexer,
    llm::{Budget, ChatRequest, Dialect, Message, ReplySchema},
};
use serde::Serialize;
use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex},
};

/// One kind of thing that is asked about chunks.
pub(super) trait Kind: Sync {
    /// What is asked for, for people: "questions".
    fn name(&self) -> &'static str;
    /// What a chunk has instead: "questions by rules".
    fn instead(&self) -> &'static str;
    /// The version of the prompt.
    fn version(&self) -> u32;
    /// The prompt; `None` where the chunk says too little.
    fn messages(&self, document: &Document, chunk: &Chunk) -> Option<Vec<Message>>;
    /// The form of the reply.
    fn schema(&self) -> ReplySchema;
    /// Whether `reply` gives anything.
    fn is_usable(&self, document: &Document, chunk: &Chunk, reply: &str) -> bool;
}

/// What became of the chunks, as `build --json` prints it.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct Counts {
    /// The server's name of the model.
    pub(crate) model: String,
    /// Chunks that have theirs by the model.
    pub(crate) by_model: usize,
    /// Chunks that were too short to ask about.
    pub(crate) too_short: usize,
    /// Chunks about which every reply was of no use.
    pub(crate) unusable: usize,
    /// Chunks about which no reply came, or because nobody asked for one.
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

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} chunks by {} ({} requests, {} tokens sent, {} received; {} replies known before), of {} by rules",
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

/// What `--dry-run` prints, of one kind or of all together.
#[derive(Debug, Default, Clone, Serialize)]
pub(super) struct Forecast {
    pub(super) too_short: usize,
    pub(super) cached: usize,
    pub(super) requests: usize,
    pub(super) prompt_tokens: u64,
    pub(super) most_completion_tokens: u64,
}

/// A chunk to ask about.
struct Job<'a> {
    document: &'a Document,
    chunk: &'a Chunk,
    request: ChatRequest,
    key: String,
}

/// One model, with the replies that are known and what may still be spent, for all kinds of a build together.
pub(super) struct Session<'s> {
    pub(super) settings: &'s LlmSettings,
    cache: Arc<Mutex<ReplyCache>>,
    /// Made when something is about to be sent.
    asker: RefCell<Option<Asker>>,
}

impl<'s> Session<'s> {
    /// Reads the replies that are kept.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn open(settings: &'s LlmSettings) -> Result<Self> {
        let cache = ReplyCache::of(settings)?;
        Ok(Self { settings, cache: Arc::new(Mutex::new(cache)), asker: RefCell::default() })
    }

    /// How many requests and tokens the replies take that are missing.
    pub(super) fn forecast(&self, kind: &dyn Kind, indexer: &Indexer) -> Forecast {
        let (missing, counts) = self.plan(kind, indexer);
        Forecast {
            too_short: counts.too_short,
            cached: counts.cached,
            requests: missing.len(),
            prompt_tokens: missing.iter().map(|job| job.request.prompt_tokens()).sum(),
            most_completion_tokens: missing.len() as u64 * u64::from(self.settings.endpoint.reply_tokens),
        }
    }

    /// Asks about the chunks of `indexer` whose replies are missing.
    ///
    /// # Errors
    /// When the server refuses us, when it replies to nothing at all, or when replies cannot be kept. A reply that is of
    /// no use, or does not come, is no error.
    pub(super) fn ask(&self, kind: &dyn Kind, indexer: &Indexer) -> Result<Counts> {
        let (missing, planned) = self.plan(kind, indexer);
        let model = self.settings.endpoint.model.clone();
        let mut counts = Counts { model, cached: planned.cached, ..Counts::default() };
        if missing.is_empty() {
            return Ok(counts);
        }
        self.prepare()?;
        let asker = self.asker.borrow();
        let Some(asker) = asker.as_ref() else { return Ok(counts) };
        let before = asker.spent();
        let outcomes = self.ask_all(kind, &missing, asker)?;
        let after = asker.spent();
        counts.requests = after.0 - before.0;
        counts.prompt_tokens = after.1.prompt_tokens - before.1.prompt_tokens;
        counts.completion_tokens = after.1.completion_tokens - before.1.completion_tokens;
        tell(kind, &outcomes, self.settings)?;
        Ok(counts)
    }

    /// What `read` makes of the reply about `chunk`, noted in `counts`; `None` where there is no reply of use.
    pub(super) fn read<T>(
        &self,
        kind: &dyn Kind,
        (document, chunk): (&Document, &Chunk),
        counts: &Tally,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let cache = hold(&self.cache);
        let request = self.request(kind, document, chunk);
        let reply = request.as_ref().map(|request| cache.get(&key(kind.version(), request)));
        let found = reply.flatten().map(read);
        let count = match (reply, &found) {
            (_, Some(Some(_))) => &counts.by_model,
            (_, Some(None)) => &counts.unusable,
            (Some(_), None) => &counts.unanswered,
            (None, None) => &counts.too_short,
        };
        count.set(count.get() + 1);
        found.flatten()
    }

    /// One job for each different prompt that has no reply yet, and what needs none.
    fn plan<'a>(&self, kind: &dyn Kind, indexer: &'a Indexer) -> (Vec<Job<'a>>, Counts) {
        let cache = hold(&self.cache);
        let (mut missing, mut counts, mut seen) = (Vec::new(), Counts::default(), HashSet::new());
        for prepared in indexer.documents() {
            for chunk in &prepared.chunks {
                let document = &prepared.document;
                let Some(request) = self.request(kind, document, chunk) else {
                    counts.too_short += 1;
                    continue;
                };
                let key = key(kind.version(), &request);
                if cache.get(&key).is_some() {
                    counts.cached += 1;
                } else if seen.insert(key.clone()) {
                    missing.push(Job { document, chunk, request, key });
                }
            }
        }
        (missing, counts)
    }

    fn request(&self, kind: &dyn Kind, document: &Document, chunk: &Chunk) -> Option<ChatRequest> {
        let endpoint = &self.settings.endpoint;
        Some(ChatRequest {
            model: endpoint.model.clone(),
            messages: kind.messages(document, chunk)?,
            temperature: endpoint.temperature,
            max_tokens: endpoint.reply_tokens,
            schema: Some(kind.schema()),
        })
    }

    /// Looks for the key, and makes what asks.
    fn prepare(&self) -> Result<()> {
        let mut asker = self.asker.borrow_mut();
        if asker.is_none() {
            self.settings.endpoint.check_key()?;
            interrupt::keep_on_interrupt(&self.cache);
            *asker = Some(Asker::new(
                Endpoint::new(&self.settings.endpoint),
                Dialect::default(),
                Budget::new(self.settings.max_requests, self.settings.max_tokens),
            ));
        }
        Ok(())
    }

    fn ask_all(&self, kind: &dyn Kind, jobs: &[Job<'_>], asker: &Asker) -> Result<Outcomes> {
        let (cache, settings) = (&self.cache, self.settings);
        let ask = |job: &Job<'_>| {
            let is_usable = |reply: &str| kind.is_usable(job.document, job.chunk, reply);
            asker.ask(&job.request, seed(&job.key), &is_usable)
        };
        let keep = |job: &Job<'_>, answer: &Answer| {
            let (Answer::Usable(completion) | Answer::Unusable(completion)) = answer else { return Ok(()) };
            if let Answer::Unusable(_) = answer {
                progress::detail(&format!(
                    "{}: the model's replies are of no use for {}",
                    job.document.path,
                    kind.name()
                ));
            }
            let section = job.document.heading_path(job.chunk.section).last().copied().unwrap_or_default();
            hold(cache).add(Record {
                key: job.key.clone(),
                prompt: kind.version(),
                model: settings.endpoint.model.clone(),
                path: job.document.path.clone(),
                section: section.into(),
                reply: completion.text.clone(),
                usage: completion.usage,
            })
        };
        pool::run(jobs, settings.concurrency, &ask, &keep)
    }
}

/// How the chunks fared while their replies were read.
#[derive(Debug, Default)]
pub(super) struct Tally {
    by_model: Cell<usize>,
    too_short: Cell<usize>,
    unusable: Cell<usize>,
    unanswered: Cell<usize>,
}

impl Tally {
    /// Puts the numbers into `counts`.
    pub(super) fn fill(self, counts: &mut Counts) {
        counts.by_model = self.by_model.into_inner();
        counts.too_short = self.too_short.into_inner();
        counts.unusable = self.unusable.into_inner();
        counts.unanswered = self.unanswered.into_inner();
    }
}

/// The first digits of a key as a number: different for each job, the same in each run.
fn seed(key: &str) -> u64 {
    key.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// Says what went wrong.
fn tell(kind: &dyn Kind, outcomes: &Outcomes, settings: &LlmSettings) -> Result<()> {
    let (url, instead) = (&settings.endpoint.url, kind.instead());
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
        progress::warn(&format!("{url}: no reply for {count} chunks, which get {instead}: {reason}"));
    }
    if outcomes.over_budget > 0 {
        let count = outcomes.over_budget;
        progress::warn(&format!("the budget does not reach for {count} chunks, which get {instead}"));
    }
    if outcomes.unusable > 0 {
        let count = outcomes.unusable;
        progress::warn(&format!("the replies for {count} chunks are of no use, so they get {instead}"));
    }
    Ok(())
}
