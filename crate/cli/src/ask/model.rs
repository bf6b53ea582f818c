//! The model's answer, shown while it arrives.

use crate::{
    llm::{Answer, Asker, Endpoint, EndpointSettings},
    output,
};
use anyhow::{Result, bail};
use querent_core::{
    answer::{CitationReader, Citations, SILENCE, has_words},
    llm::{Budget, ChatRequest, Completion, Dialect, FinishReason, Message, ReplyFormat},
};
use std::process;

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

/// Asks, again where that may help and nothing was heard yet. `heard` gets the words, and `None` before each request.
fn ask(
    settings: &EndpointSettings,
    request: &ChatRequest,
    heard: &mut dyn FnMut(Option<&str>),
) -> Result<Completion> {
    let dialect = Dialect { format: ReplyFormat::Text, ..Dialect::default() };
    let asker = Asker::new(Endpoint::new(settings), dialect, Budget::default());
    match asker.ask_aloud(request, u64::from(process::id()), &|_| true, Some(heard)) {
        Answer::Usable(completion) | Answer::Unusable(completion) => Ok(completion),
        Answer::Failed { reason, .. } | Answer::Refused(reason) => bail!("{}: {reason}", settings.url),
        Answer::OverBudget => bail!("{}: not asked", settings.url),
    }
}
