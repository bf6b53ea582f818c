//! `querent ask`: a question in, an answer with its sources out.
//!
//! ```text
//! search (best chunks, chosen to differ) -> sources -> prompt -> model -> words, their citations checked -> sources
//! ```
//!
//! Without a configured endpoint nothing is sent: the best passages are shown, and said to be no answer.

mod model;
mod report;

use crate::{
    Outcome, Usage,
    index::Index,
    llm::EndpointSettings,
    output, progress,
    search::{SearchSettings, embed_query},
};
use anyhow::{Context, Result};
use model::Answered;
use querent_core::answer::{SILENCE, Source, Template, answer_prompt, is_silent};
use querent_core::engine::{Hit, SearchResponse};
use report::Report;
use std::{fs, path::PathBuf};

/// Everything that `ask` needs to know.
#[derive(Debug)]
pub(crate) struct AskSettings {
    /// The question and how it is searched. The request asks for one passage of each hit.
    pub(crate) search: SearchSettings,
    /// Who answers.
    pub(crate) endpoint: Option<EndpointSettings>,
    /// A file to take the prompt from.
    pub(crate) template: Option<PathBuf>,
}

/// Answers and prints.
///
/// # Errors
/// When the index cannot be used, or when the model gives no answer.
pub(crate) fn run(settings: &AskSettings) -> Result<Outcome> {
    let template = template(settings)?;
    let mut index = Index::open(&settings.search.index)?;
    let vector = embed_query(&settings.search, &mut index)?;
    let response = index.search(&settings.search.request, vector.as_deref())?;
    let question = &settings.search.request.query;
    let (hits, sources) = sources(&response);
    let answered = match &settings.endpoint {
        // Nothing to answer from: no model has to be asked to know that.
        Some(_) if sources.is_empty() => Some(Answered::silent()),
        Some(endpoint) => {
            let messages = answer_prompt(&template, question, &sources);
            Some(model::answer(endpoint, messages, sources.len(), !settings.search.json)?)
        }
        None => None,
    };
    let model = settings.endpoint.as_ref().map(|endpoint| endpoint.model.as_str());
    let report = Report::new(question, model, answered.as_ref(), &hits);
    if settings.search.json {
        output::json(&report)?;
    } else {
        output::line(&report.for_people())?;
    }
    if let Some(answered) = &answered {
        warn(answered);
    }
    Ok(Outcome::Done)
}

fn template(settings: &AskSettings) -> Result<Template> {
    let Some(path) = &settings.template else { return Ok(Template::default()) };
    let text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Template::new(text).map_err(|error| Usage(format!("{}: {error}", path.display())).into())
}

/// The hits that have a passage, and the passages without the line of titles that they begin with.
fn sources(response: &SearchResponse) -> (Vec<&Hit>, Vec<Source>) {
    let pairs = response.hits.iter().zip(&response.passages);
    pairs
        .map(|(hit, passage)| {
            let text = passage.text.split_once('\n').map_or("", |(_, text)| text).to_owned();
            (hit, Source { heading_path: hit.heading_path.clone(), text })
        })
        .unzip()
}

/// Says what a reader of the answer should know.
fn warn(answered: &Answered) {
    if !answered.citations.invented.is_empty() {
        let numbers: Vec<_> = answered.citations.invented.iter().map(usize::to_string).collect();
        progress::warn(&format!(
            "the model cited sources that it was not given ({}); these citations were taken out",
            numbers.join(", ")
        ));
    }
    if answered.citations.cited.is_empty() && !is_silent(&answered.text) && answered.text != SILENCE {
        progress::warn("the answer cites none of its sources: check it against them");
    }
    if answered.is_cut {
        progress::warn("the answer ends early, at the limit of tokens; see --llm-reply-tokens");
    }
}
