//! Which questions are worth searching: the vectors, and the cross-encoder, for core's evaluator.

use super::{embed, plan::IndexPlan};
use crate::{
    options::{Evaluator, Questions},
    progress::{self, Progress},
    rerank::weights,
};
use anyhow::Result;
use querent_core::{
    embedding::Embedder,
    indexer::Indexer,
    question::evaluator::{Evaluation, EvaluatorSettings, EvaluatorVectors, searched_texts},
    rerank::Reranker,
    segment::PreparedDocument,
};
use std::time::Instant;

/// Has the questions of `indexer` evaluated, where the plan asks for it. Without a model words alone decide.
///
/// # Errors
/// When a model fails, or is not there.
pub(super) fn evaluate(indexer: &mut Indexer, plan: &IndexPlan<'_>) -> Result<Option<Evaluation>> {
    let options = plan.options;
    if options.evaluator == Evaluator::Off || options.questions == Questions::None {
        return Ok(None);
    }
    let started = Instant::now();
    let settings = EvaluatorSettings::default();
    let relevance = match options.evaluator {
        Evaluator::CrossEncoder => Some(relevance(indexer.documents(), plan)?),
        Evaluator::On | Evaluator::Off => None,
    };
    let evaluation = match plan.model {
        None => indexer.evaluate_questions(None, &settings),
        Some(model) => {
            let chunks: Vec<String> = indexer.chunk_texts().collect();
            let chunks = embed::embed(model as &dyn Embedder, &chunks)?;
            let questions = embed::embed(model as &dyn Embedder, &searched_texts(indexer.documents()))?;
            let vectors =
                EvaluatorVectors { chunks: &chunks, questions: &questions, relevance: relevance.as_deref() };
            indexer.evaluate_questions(Some(vectors), &settings)
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    progress::detail(&format!("questions evaluated in {seconds:.1} s: {evaluation:?}"));
    Ok(Some(evaluation))
}

/// What the cross-encoder says of each searched question and its chunk.
fn relevance(documents: &[PreparedDocument], plan: &IndexPlan<'_>) -> Result<Vec<f32>> {
    let model = weights::load(plan.options.rerank_model.as_deref(), None)?;
    let chunks = documents.iter().map(|prepared| prepared.chunks.len()).sum();
    let mut progress = Progress::new("reading questions", chunks);
    let mut relevance = Vec::new();
    for prepared in documents {
        for (chunk, questions) in prepared.chunks.iter().zip(prepared.searched_questions()) {
            let text = prepared.document.plain(chunk.range.clone());
            for question in questions {
                relevance.extend(model.score(&question.question_text, &[&text])?);
            }
            progress.advance(1);
        }
    }
    Ok(relevance)
}
