//! `querent ask`: a question in, an answer with its sources out; without a question, one question per line of stdin.
//!
//! ```text
//! search (best chunks, chosen to differ) -> sources -> prompt -> model -> words, their citations checked -> sources
//! ```
//!
//! Without a configured endpoint nothing is sent: the best passages are shown, and said to be no answer.

mod model;
mod report;
mod session;

use crate::{Outcome, Usage, llm::EndpointSettings, output, progress, search::SearchSettings};
use anyhow::{Context, Result};
use querent_core::answer::Template;
use report::Failure;
use session::{Form, Session};
use std::{
    fs,
    io::{self, BufRead, IsTerminal},
    path::PathBuf,
};

/// Everything that `ask` needs to know.
#[derive(Debug)]
pub(crate) struct AskSettings {
    /// What to answer; nothing for a conversation.
    pub(crate) question: Option<String>,
    /// How questions are searched. The request asks for one passage of each hit; its query is set by each question.
    pub(crate) search: SearchSettings,
    /// Who answers.
    pub(crate) endpoint: Option<EndpointSettings>,
    /// A file to take the prompt from.
    pub(crate) template: Option<PathBuf>,
}

/// Answers and prints.
///
/// # Errors
/// When the index cannot be used, or when the model gives no answer to the one question. In a conversation that is said,
/// and the next question is read; the outcome is a failure then.
pub(crate) fn run(settings: &AskSettings) -> Result<Outcome> {
    let mut session = Session::new(settings, template(settings)?)?;
    match &settings.question {
        Some(question) => {
            session.answer(question, if settings.search.json { Form::Json } else { Form::Text })?;
            Ok(Outcome::Done)
        }
        None => converse(settings, &mut session),
    }
}

/// One question per line, until there are no more.
fn converse(settings: &AskSettings, session: &mut Session<'_>) -> Result<Outcome> {
    if let Some(endpoint) = &settings.endpoint {
        endpoint.check_key()?;
    }
    let form = if settings.search.json { Form::JsonLine } else { Form::Text };
    let is_terminal = io::stdin().is_terminal();
    if is_terminal {
        progress::note("Ask a question, then others about it. Ctrl-D ends.");
    }
    let mut outcome = Outcome::Done;
    let mut line = Vec::new();
    loop {
        if is_terminal {
            progress::prompt("\n> ");
        }
        line.clear();
        let length = io::stdin().lock().read_until(b'\n', &mut line).context("stdin: cannot be read")?;
        if length == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let question = text.trim();
        if question.is_empty() {
            continue;
        }
        if let Err(error) = session.answer(question, form) {
            if output::is_broken_pipe(&error) {
                return Err(error);
            }
            outcome = Outcome::Failed;
            let reason = format!("{error:#}");
            progress::error(&reason);
            if form == Form::JsonLine {
                output::line(&serde_json::to_string(&Failure { question, error: &reason })?)?;
            }
        }
    }
    if is_terminal {
        progress::note("");
    }
    Ok(outcome)
}

fn template(settings: &AskSettings) -> Result<Template> {
    let Some(path) = &settings.template else { return Ok(Template::default()) };
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Template::new(text).map_err(|error| Usage(format!("{}: {error}", path.display())).into())
}
