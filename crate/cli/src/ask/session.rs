//! Questions one after the other, to one index and one model: the index is opened and the embedding model loaded once, and
//! each answer knows the turns before it.

use super::{
    AskSettings,
    model::{self, Answered},
    report::Report,
};
use crate::{
    index::Index,
    output, progress,
    search::{QueryModel, embed_query},
};
use anyhow::Result;
use querent_core::{
    answer::{Answer, HISTORY_TOKENS, Source, Template, Turn, answer_prompt, query_after},
    engine::{Hit, SearchResponse},
};

/// A conversation.
pub(super) struct Session<'a> {
    settings: &'a AskSettings,
    template: Template,
    index: Index,
    model: QueryModel,
    history: Vec<Turn>,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it arrives, for people.
    Text,
    /// As indented JSON.
    Json,
    /// As one line of JSON.
    JsonLine,
}

impl<'a> Session<'a> {
    /// Opens the index.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(super) fn new(settings: &'a AskSettings, template: Template) -> Result<Self> {
        let index = Index::open(&settings.search.index)?;
        Ok(Self { settings, template, index, model: QueryModel::default(), history: Vec::new() })
    }

    /// Answers `question` and prints.
    ///
    /// # Errors
    /// When the index cannot be used, or when the model gives no answer.
    pub(super) fn answer(&mut self, question: &str, form: Form) -> Result<()> {
        let query = query_after(&self.history, question);
        let response = self.search(query)?;
        let (hits, sources) = sources(&response);
        let answered = self.ask(question, &sources, form == Form::Text)?;
        let model = self.settings.endpoint.as_ref().map(|endpoint| endpoint.model.as_str());
        let report = Report::new(question, model, answered.as_ref(), &hits);
        match form {
            Form::Text => output::line(&report.for_people())?,
            Form::Json => output::json(&report)?,
            Form::JsonLine => output::line(&serde_json::to_string(&report)?)?,
        }
        // Questions are remembered also where nobody answers: the next one may lean on them.
        let answer = answered.as_ref().map_or_else(String::new, |answered| answered.answer.text.clone());
        self.history.push(Turn { question: question.to_owned(), answer });
        if let Some(answered) = &answered {
            warn(answered);
        }
        Ok(())
    }

    fn search(&mut self, query: String) -> Result<SearchResponse> {
        let mut request = self.settings.search.request.clone();
        request.query = query;
        let vector = embed_query(&self.settings.search, &request.query, &mut self.index, &mut self.model)?;
        self.index.search(&request, vector.as_deref())
    }

    fn ask(&self, question: &str, sources: &[Source], is_printed: bool) -> Result<Option<Answered>> {
        let Some(endpoint) = &self.settings.endpoint else { return Ok(None) };
        if sources.is_empty() {
            // Nothing to answer from: no model has to be asked to know that.
            return Ok(Some(Answered { answer: Answer::silent(), is_cut: false }));
        }
        let messages = answer_prompt(&self.template, &self.history, HISTORY_TOKENS, question, sources);
        model::answer(endpoint, messages, sources.len(), is_printed).map(Some)
    }
}

/// The hits that have a passage, and the passages.
fn sources(response: &SearchResponse) -> (Vec<&Hit>, Vec<Source>) {
    let pairs = response.hits.iter().zip(&response.passages);
    pairs.map(|(hit, passage)| (hit, Source::of_passage(hit.heading_path.clone(), &passage.text))).unzip()
}

/// Says what a reader of the answer should know.
fn warn(Answered { answer, is_cut }: &Answered) {
    if !answer.citations.invented.is_empty() {
        let numbers: Vec<_> = answer.citations.invented.iter().map(usize::to_string).collect();
        progress::warn(&format!(
            "the model cited sources that it was not given ({}); these citations were taken out",
            numbers.join(", ")
        ));
    }
    if answer.citations.cited.is_empty() && !answer.is_silent {
        progress::warn("the answer cites none of its sources: check it against them");
    }
    if *is_cut {
        progress::warn("the answer ends early, at the limit of tokens; see --llm-reply-tokens");
    }
}
