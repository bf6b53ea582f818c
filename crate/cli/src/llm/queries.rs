//! Other ways of asking, by a language model: one request for each query.

use super::{
    EndpointSettings, LlmSettings,
    ask::{Answer, Asker, hold},
    cache::{Record, ReplyCache, key},
    endpoint::Endpoint,
    pool,
};
use crate::output;
use anyhow::Result;
use querent_core::{
    llm::{Budget, ChatRequest, Dialect, RetryPolicy},
    query::{
        QueryAnalysis,
        transform::{TRANSFORM_PROMPT_VERSION, transform_prompt, transform_schema, variations_from_reply},
    },
};
use std::{collections::HashMap, sync::Mutex, time::Duration};

/// Tokens of a reply: two short questions, and the JSON around them.
const REPLY_TOKENS: u32 = 160;

/// What a model said of some queries.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Variations by query, itself first; queries about which nothing of use was said are not in it.
    pub(crate) variations: HashMap<String, Vec<String>>,
    /// Why replies are missing, where they are.
    pub(crate) trouble: Option<String>,
    /// Whether the server said anything at all, or had nothing to say.
    pub(crate) is_there: bool,
}

/// A query to ask about.
struct Job<'a> {
    query: &'a str,
    analysis: QueryAnalysis,
    max_variations: usize,
    request: ChatRequest,
    key: String,
}

/// How to ask about queries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuerySettings<'a> {
    pub(crate) llm: &'a LlmSettings,
    /// Variations of a query, itself included.
    pub(crate) max_variations: usize,
    /// Longest wait for a reply: a reader waits, too.
    pub(crate) timeout: Duration,
    /// Whether replies are kept as those of a build are; else nothing is written.
    pub(crate) is_kept: bool,
}

/// Asks for variations of each of `queries`, once.
///
/// # Errors
/// When replies cannot be read or kept, or when there is no key. That a server does not reply is no error.
pub(crate) fn variations(queries: &[&str], settings: &QuerySettings<'_>) -> Result<Asked> {
    let cache = if settings.is_kept { Some(Mutex::new(ReplyCache::of(settings.llm)?)) } else { None };
    let mut asked = Asked { is_there: true, ..Asked::default() };
    let mut missing = Vec::new();
    for job in queries.iter().filter_map(|query| job(settings, query)) {
        let known = cache.as_ref().and_then(|cache| hold(cache).get(&job.key).map(str::to_owned));
        match known {
            Some(reply) => asked.note(&job, &reply),
            None => missing.push(job),
        }
    }
    if !missing.is_empty() {
        ask_all(&missing, settings, cache.as_ref(), &mut asked)?;
    }
    Ok(asked)
}

/// Asks about `jobs`, and notes what came in `asked`.
fn ask_all(
    jobs: &[Job<'_>],
    settings: &QuerySettings<'_>,
    cache: Option<&Mutex<ReplyCache>>,
    asked: &mut Asked,
) -> Result<()> {
    let LlmSettings { endpoint, max_requests, max_tokens, concurrency, .. } = settings.llm;
    endpoint.check_key()?;
    let hasty = EndpointSettings { timeout: endpoint.timeout.min(settings.timeout), ..endpoint.clone() };
    let once = RetryPolicy { attempts: 1, attempts_if_unusable: 1, ..RetryPolicy::default() };
    let budget = Budget::new(*max_requests, *max_tokens);
    let asker = Asker::new(Endpoint::new(&hasty), Dialect::default(), budget).with_policy(once);
    let found = Mutex::new(asked);
    let ask = |job: &Job<'_>| asker.ask(&job.request, 0, &|reply| job.read(reply).is_some());
    let keep = |job: &Job<'_>, answer: &Answer| {
        let (Answer::Usable(completion) | Answer::Unusable(completion)) = answer else { return Ok(()) };
        hold(&found).note(job, &completion.text);
        match cache {
            Some(cache) => hold(cache).add(job.record(completion.text.clone())),
            None => Ok(()),
        }
    };
    let outcomes = pool::run(jobs, *concurrency, &ask, &keep)?;
    let mut asked = hold(&found);
    asked.is_there = outcomes.has_replied();
    let is_silly = outcomes.unusable > 0;
    let silly = || is_silly.then(|| "what the model said asks for something else".to_owned());
    let trouble = outcomes.refused.or(outcomes.reason).or_else(silly);
    asked.trouble = trouble.map(|reason| format!("{}: {}", endpoint.url, output::plain(&reason)));
    Ok(())
}

impl Asked {
    /// Notes what `reply` says of a query, where that is of use.
    fn note(&mut self, job: &Job<'_>, reply: &str) {
        self.variations.extend(job.read(reply).map(|found| (job.query.to_owned(), found)));
    }
}

impl Job<'_> {
    fn read(&self, reply: &str) -> Option<Vec<String>> {
        variations_from_reply(self.query, &self.analysis, reply, self.max_variations)
    }

    fn record(&self, reply: String) -> Record {
        Record {
            key: self.key.clone(),
            prompt: TRANSFORM_PROMPT_VERSION,
            model: self.request.model.clone(),
            path: "a query".into(),
            section: self.query.to_owned(),
            reply,
            usage: None,
        }
    }
}

/// The request for `query`; `None` where there is nothing to ask.
fn job<'a>(settings: &QuerySettings<'_>, query: &'a str) -> Option<Job<'a>> {
    let analysis = QueryAnalysis::new(query);
    let endpoint = &settings.llm.endpoint;
    let request = ChatRequest {
        model: endpoint.model.clone(),
        messages: transform_prompt(query, &analysis, settings.max_variations)?,
        temperature: endpoint.temperature,
        max_tokens: endpoint.reply_tokens.min(REPLY_TOKENS),
        schema: Some(transform_schema(settings.max_variations)),
    };
    let key = key(TRANSFORM_PROMPT_VERSION, &request);
    Some(Job { query, analysis, max_variations: settings.max_variations, request, key })
}
