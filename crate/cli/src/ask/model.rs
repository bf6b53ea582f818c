//! The model's answer, shown while it arrives.

use crate::{
    llm::{Endpoint, EndpointSettings, Failed},
    output,
};
use anyhow::{Result, bail};
use querent_core::{
    answer::{CitationReader, Citations, SILENCE},
    llm::{ChatRequest, Completion, Decision, Dialect, FinishReason, Message, ReplyFormat, RetryPolicy},
};
use std::{process, thread};

/// An answer, its citations checked.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) text: String,
    pub(super) citations: Citations,
    /// Whether the limit of tokens ended it.
    pub(super) is_cut: bool,
}

impl Answered {
    /// What is said where there is nothing to answer from.
    pub(super) fn silent() -> Self {
        Self { text: SILENCE.into(), citations: Citations::default(), is_cut: false }
    }
}

/// Words on their way to stdout.
struct Shown {
    reader: CitationReader,
    text: String,
    is_printed: bool,
    error: Option<anyhow::Error>,
}

impl Shown {
    fn take(&mut self, words: &str) {
        let checked = self.reader.push(words);
        self.show(&checked);
    }

    fn show(&mut self, words: &str) {
        // A model's words may hold escape sequences, as a document's may.
        let words: String = words.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let words = if self.text.is_empty() { words.trim_start() } else { &words };
        self.text.push_str(words);
        if self.is_printed && self.error.is_none() {
            self.error = output::part(words).err();
        }
    }
}

/// Asks for an answer from `sources` sources; with `is_printed` it goes to stdout as it arrives.
///
/// # Errors
/// When no answer comes after retries, or when one breaks off that was begun to be shown.
pub(super) fn answer(
    settings: &EndpointSettings,
    messages: Vec<Message>,
    sources: usize,
    is_printed: bool,
) -> Result<Answered> {
    let request = ChatRequest {
        model: settings.model.clone(),
        messages,
        temperature: settings.temperature,
        max_tokens: settings.reply_tokens,
        schema: None,
    };
    settings.check_key()?;
    let new = || Shown { reader: CitationReader::new(sources), text: String::new(), is_printed, error: None };
    let mut shown = new();
    let completion = ask(settings, &request, &mut |words| {
        if let Some(words) = words { shown.take(words) } else { shown = new() }
    });
    let completion = match completion {
        Ok(completion) => completion,
        Err(error) => {
            if is_printed && !shown.text.is_empty() {
                output::line("")?;
            }
            return Err(error);
        }
    };
    let (rest, citations) = std::mem::replace(&mut shown.reader, CitationReader::new(sources)).finish();
    shown.show(&rest);
    let Shown { text, error, .. } = shown;
    if let Some(error) = error {
        return Err(error);
    }
    if !has_words(&text) {
        if is_printed && !text.is_empty() {
            output::line("")?;
        }
        bail!("{}: the model said nothing; try another one, or a higher --llm-reply-tokens", settings.url);
    }
    Ok(Answered {
        text: text.trim().to_owned(),
        citations,
        is_cut: completion.finish == FinishReason::Length,
    })
}

/// Whether `answer` holds anything but citations, which is all that some small models say.
fn has_words(answer: &str) -> bool {
    answer.split(['[', ']']).step_by(2).any(|outside| outside.contains(char::is_alphanumeric))
}

/// Asks, again where that may help and nothing was heard yet. `heard` gets the words, and `None` before each request.
fn ask(
    settings: &EndpointSettings,
    request: &ChatRequest,
    heard: &mut dyn FnMut(Option<&str>),
) -> Result<Completion> {
    let endpoint = Endpoint::new(settings);
    let mut dialect = Dialect { format: ReplyFormat::Text, ..Dialect::default() };
    let mut attempt = 1;
    loop {
        heard(None);
        let mut is_begun = false;
        let sent = endpoint.send(&request.body(dialect), &mut |words| {
            is_begun |= !words.is_empty();
            heard(Some(words));
        });
        let failed: Failed = match sent {
            Ok(completion) => return Ok(completion),
            Err(failed) => failed,
        };
        let (reason, _) = failed.explain();
        if is_begun {
            bail!("{}: the answer breaks off: {reason}", settings.url);
        }
        if let Some(weaker) = dialect.after_refusal(failed.status.unwrap_or_default(), &failed.reason) {
            dialect = weaker;
            continue;
        }
        match RetryPolicy::default().after(failed.failure, attempt, u64::from(process::id())) {
            Decision::Wait(wait) => thread::sleep(wait),
            Decision::GiveUp => bail!("{}: {reason}", settings.url),
        }
        attempt += 1;
    }
}
