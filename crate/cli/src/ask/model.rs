//! The model's answer, shown while it arrives.

use crate::{
    llm::{Answer, Asker, Endpoint, EndpointSettings},
    output,
};
use anyhow::{Result, bail};
use querent_core::{
    answer::{Answer as Checked, AnswerReader, has_words},
    llm::{Budget, ChatRequest, Completion, Dialect, FinishReason, Message, ReplyFormat},
};
use std::process;

/// An answer, and how it ended.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) answer: Checked,
    /// Whether the limit of tokens ended it.
    pub(super) is_cut: bool,
}

/// Words on their way to stdout.
struct Shown {
    reader: AnswerReader,
    has_any: bool,
    is_printed: bool,
    error: Option<anyhow::Error>,
}

impl Shown {
    fn show(&mut self, words: &str) {
        self.has_any |= !words.is_empty();
        if self.is_printed && self.error.is_none() {
            self.error = output::part(words).err();
        }
    }

    /// Ends the line of an answer that is none.
    fn break_off(&self) -> Result<()> {
        if self.is_printed && self.has_any { output::line("") } else { Ok(()) }
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
    let new = || Shown { reader: AnswerReader::new(sources), has_any: false, is_printed, error: None };
    let mut shown = new();
    let completion = ask(settings, &request, &mut |words| match words {
        Some(words) => {
            let words = shown.reader.push(words);
            shown.show(&words);
        }
        None => shown = new(),
    });
    let completion = match completion {
        Ok(completion) => completion,
        Err(error) => {
            shown.break_off()?;
            return Err(error);
        }
    };
    let (rest, answer) = std::mem::replace(&mut shown.reader, AnswerReader::new(0)).finish();
    shown.show(&rest);
    if let Some(error) = shown.error {
        return Err(error);
    }
    if !has_words(&answer.text) {
        shown.break_off()?;
        bail!("{}: the model said nothing; try another one, or a higher --llm-reply-tokens", settings.url);
    }
    Ok(Answered { answer, is_cut: completion.finish == FinishReason::Length })
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
