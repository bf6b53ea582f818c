//! From documents to a segment, as `build` and `eval` make it.
//!
//! ```text
//! chunks: section, chunk, question by rules
//! finish: analysis, question and context by a model, evaluation, embedding, query encoder, segment
//! ```

use super::{embed, evaluate, synonyms, table, table::EncoderPlan};
use crate::{
    encoder::{Base, BaseChoice},
    llm::{self, ByModel, LlmSettings},
    options::{Analysis, Context, Evaluator, Questions},
    progress,
};
use anyhow::Result;
use querent_core::{
    chunk::ChunkSettings,
    document::Document,
    embedding::{Embedder, TokenCounter, WordEstimate},
    indexer::{BuiltSegment, IndexSettings, Indexer},
    question::{QuestionGenerator, RuleGenerator, evaluator::Evaluation},
};
use querent_model::MiniLm;
use std::path::PathBuf;

/// Questions by rules that an evaluator chooses from, for each chunk.
const CANDIDATES: usize = 10;

/// What an index is made of, apart from documents and model.
#[derive(Debug)]
pub(crate) struct IndexOptions {
    pub(crate) questions: Questions,
    /// Who decides which questions are searched.
    pub(crate) evaluator: Evaluator,
    /// Who says what a chunk is about.
    pub(crate) analysis: Analysis,
    /// Who places a chunk in its document.
    pub(crate) context: Context,
    /// Which model is asked, where one makes anything.
    pub(crate) llm: Option<LlmSettings>,
    /// Whether questions get vectors, too.
    pub(crate) embed_questions: bool,
    pub(crate) chunk: ChunkSettings,
    /// A file of the site's own synonyms.
    pub(crate) synonyms: Option<PathBuf>,
    /// Base and number of texts of a query encoder; nothing for none.
    pub(crate) encoder: Option<(BaseChoice, usize)>,
    /// A folder of the cross-encoder's weights, or a pack.
    pub(crate) rerank_model: Option<PathBuf>,
}

/// The options with everything read that they name, so that what is not there is said before the work begins.
#[derive(Debug)]
pub(crate) struct IndexPlan<'a> {
    pub(crate) options: &'a IndexOptions,
    pub(crate) model: Option<&'a MiniLm>,
    pub(crate) encoder: Option<EncoderPlan>,
    pub(crate) synonyms: Vec<Vec<String>>,
}

/// What was made on the way to a segment.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) by_model: ByModel,
    pub(crate) evaluation: Option<Evaluation>,
}

impl IndexOptions {
    /// The flag by which a language model is asked for anything.
    pub(crate) fn asks_model(&self) -> Option<&'static str> {
        match self {
            Self { questions: Questions::Llm, .. } => Some("--questions llm"),
            Self { context: Context::Llm, .. } => Some("--context llm"),
            Self { analysis: Analysis::Llm, .. } => Some("--content-analysis llm"),
            _ => None,
        }
    }
}

impl<'a> IndexPlan<'a> {
    /// Reads what `options` name.
    ///
    /// # Errors
    /// When a file of them cannot be used.
    pub(crate) fn new(options: &'a IndexOptions, model: Option<&'a MiniLm>) -> Result<Self> {
        let synonyms = options.synonyms.as_deref().map_or(Ok(Vec::new()), synonyms::read)?;
        let encoder = match (&options.encoder, model) {
            (Some((choice, texts)), Some(model)) => {
                Some(EncoderPlan { base: Base::load(choice, model.identity())?, texts: *texts })
            }
            _ => None,
        };
        Ok(Self { options, model, encoder, synonyms })
    }

    /// Section, chunk, and questions by rules. Documents that the indexer refuses are added to `failures`.
    pub(crate) fn chunks(&self, documents: Vec<Document>, failures: &mut Vec<String>) -> Indexer {
        let generator: Option<&dyn QuestionGenerator> = match self.options.questions {
            Questions::Rules => Some(&RuleGenerator),
            // The model is asked about all chunks together, when there are all.
            Questions::Llm | Questions::None => None,
        };
        let mut indexer = Indexer::new(self.settings());
        let mut progress = progress::Progress::new("indexing", documents.len());
        for document in documents {
            if let Err(error) = indexer.add(document, self.counter(), generator) {
                failures.push(error.to_string());
            }
            progress.advance(1);
        }
        indexer
    }

    fn counter(&self) -> &dyn TokenCounter {
        self.model.map_or(&WordEstimate, |model| model)
    }

    fn settings(&self) -> IndexSettings {
        let default = IndexSettings::default();
        // A model is asked for as many as are kept: each costs time, and it gives the best first.
        let is_chosen =
            self.options.evaluator != Evaluator::Off && self.options.questions == Questions::Rules;
        IndexSettings {
            chunk: self.options.chunk.clone(),
            embed_questions: self.options.embed_questions,
            questions_per_chunk: if is_chosen { CANDIDATES } else { default.questions_per_chunk },
            ..default
        }
    }

    /// What a model makes, evaluation, embedding, query encoder, segment.
    ///
    /// # Errors
    /// When embedding fails, or asking a model.
    pub(crate) fn finish(&self, mut indexer: Indexer) -> Result<(BuiltSegment, Made)> {
        if self.options.context == Context::None {
            indexer.without_headings(self.counter());
        }
        let by_model = match &self.options.llm {
            Some(settings) => llm::ask(&mut indexer, self.options, settings, self.counter())?,
            None => ByModel::default(),
        };
        let evaluation = evaluate::evaluate(&mut indexer, self)?;
        let vectors = match self.model {
            Some(model) => Some(embed::embed(model as &dyn Embedder, &indexer.texts())?),
            None => None,
        };
        if let (Some(model), Some(encoder), Some(vectors)) = (self.model, &self.encoder, &vectors) {
            let table = table::of_documents(model, indexer.documents(), vectors, encoder)?;
            indexer.set_query_encoder(table);
        }
        let segment = indexer.finish(vectors.as_deref())?;
        Ok((segment, Made { by_model, evaluation }))
    }
}
