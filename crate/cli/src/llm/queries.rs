//! Other ways of asking, by a language model: one request for each query.

use super::{
    LlmSettings,
    ask::{Answer, Asker, hold},
    cache::{Record, ReplyCache, key},
    endpoint::Endpoint,
    pool,
};
use crate::{output, places};
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
    request: ChatRequest,
    key: String,
}

/// Asks for up to `max_variations` of each of `queries`. A reader waits, so each is asked about once, for no longer than
/// `timeout`. With `is_kept` replies are kept as those of a build are; without, nothing is written.
///
/// # Errors
/// When replies cannot be read or kept, or when there is no key. That a server does not reply is no error.
pub(crate) fn variations(
    settings: &LlmSettings,
    queries: &[&str],
    max_variations: usize,
    timeout: Duration,
    is_kept: bool,
) -> Result<Asked> {
    let cache = if is_kept { Some(Mutex::new(open_cache(settings)?)) } else { None };
    let jobs: Vec<Job<'_>> =
        queries.iter().filter_map(|query| job(settings, query, max_variations)).collect();
    let read =
        |job: &Job<'_>, reply: &str| variations_from_reply(job.query, &job.analysis, reply, max_variations);
    let mut asked = Asked { is_there: true, ..Asked::default() };
    let mut missing = Vec::new();
    for job in jobs {
        let known = cache.as_ref().and_then(|cache| hold(cache).get(&job.key).map(str::to_owned));
        match known {
            Some(reply) => {
                asked.variations.extend(read(&job, &reply).map(|found| (job.query.to_owned(), found)));
            }
            None => missing.push(job),
        }
    }
    if missing.is_empty() {
        return Ok(asked);
    }
    settings.endpoint.check_key()?;
    let endpoint = super::EndpointSettings {
        timeout: settings.endpoint.timeout.min(timeout),
        ..settings.endpoint.clone()
    };
    let once = RetryPolicy { attempts: 1, attempts_if_unusable: 1, ..RetryPolicy::default() };
    let budget = Budget::new(settings.max_requests, settings.max_tokens);
    let asker = Asker::new(Endpoint::new(&endpoint), Dialect::default(), budget).with_policy(once);
    let found = Mutex::new(HashMap::new());
    let ask = |job: &Job<'_>| asker.ask(&job.request, 0, &|reply| read(job, reply).is_some());
    let keep = |job: &Job<'_>, answer: &Answer| {
        let (Answer::Usable(completion) | Answer::Unusable(completion)) = answer else { return Ok(()) };
        if let Some(variations) = read(job, &completion.text) {
            hold(&found).insert(job.query.to_owned(), variations);
        }
        match &cache {
            Some(cache) => hold(cache).add(record(settings, job, completion.text.clone())),
            None => Ok(()),
        }
    };
    let outcomes = pool::run(&missing, settings.concurrency, &ask, &keep)?;
    asked.is_there = outcomes.has_replied();
    asked.trouble = outcomes.refused.or(outcomes.reason);
    if asked.trouble.is_none() && outcomes.unusable > 0 {
        asked.trouble = Some("what the model said asks for something else".into());
    }
    asked.trouble =
        asked.trouble.map(|reason| format!("{}: {}", settings.endpoint.url, output::plain(&reason)));
    asked.variations.extend(hold(&found).drain());
    Ok(asked)
}

fn open_cache(settings: &LlmSettings) -> Result<ReplyCache> {
    let folder = settings.cache.clone().map_or_else(|| places::cache().map(|cache| cache.join("llm")), Ok)?;
    ReplyCache::open(&folder, &settings.endpoint.model)
}

/// The request for `query`; `None` where there is nothing to ask.
fn job<'a>(settings: &LlmSettings, query: &'a str, max_variations: usize) -> Option<Job<'a>> {
    let analysis = QueryAnalysis::new(query);
    let request = ChatRequest {
        model: settings.endpoint.model.clone(),
        messages: transform_prompt(query, &analysis, max_variations)?,
        temperature: settings.endpoint.temperature,
        max_tokens: settings.endpoint.reply_tokens.min(REPLY_TOKENS),
        schema: Some(transform_schema(max_variations)),
    };
    let key = key(TRANSFORM_PROMPT_VERSION, &request);
    Some(Job { query, analysis, request, key })
}

fn record(settings: &LlmSettings, job: &Job<'_>, reply: String) -> Record {
    Record {
        key: job.key.clone(),
        prompt: TRANSFORM_PROMPT_VERSION,
        model: settings.endpoint.model.clone(),
        path: "a query".into(),
        section: job.query.to_owned(),
        reply,
        usage: None,
    }
}
