//! The question evaluator: which of a collection's questions are worth searching.
//!
//! Whoever made a question looked at one chunk. Only among all chunks can be told whether it leads back to its own:
//!
//! ```text
//! candidates -> specificity -> answerability -> score -> duplicates -> coverage, count -> questions
//!               (words)        (vectors)                (both)        (analysis)
//! ```
//!
//! - *Specificity*: a question about nothing ("What is the purpose of this?") goes. One whose words stand in most chunks
//!   loses some of its score.
//! - *Answerability*: the chunk's vector has to be about as near to the question's as that of any other chunk. A
//!   question that other chunks answer better draws readers to the wrong place; Doc2Query-- (Gospodinov, MacAvaney and
//!   Macdonald, ECIR 2023) found such questions to be what makes expansion harmful. The caller may give another measure,
//!   for instance of a cross-encoder.
//! - *Duplicates*: of questions of one chunk that mean the same the best stays; of those of different chunks the best is
//!   searched, the others are shown only.
//! - *Coverage*: among more than there is room for, those go first that ask about what no other one asks about.
//!
//! The score, 0 to 1, takes the place of [`Question::confidence`], so what falls below
//! [`Question::MIN_SEARCHED`] is shown and not searched. Nothing rises: a question that its maker doubted has been
//! measured to bring noise. Rules' and models' questions are treated alike. What it is worth: docs/decisions/0021.

mod answerable;
mod duplicates;
mod specific;
#[cfg(test)]
mod tests;

use super::{Question, analysis::analyze, by_model::vocabulary::Vocabulary, select};
use crate::segment::PreparedDocument;
use duplicates::Duplicates;
use serde::Serialize;
use specific::Frequencies;

/// What a question gains for each aspect of its chunk that it is the first to ask about.
const COVERS: f32 = 0.05;

/// How questions are evaluated. See the fields.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatorSettings {
    /// Questions of a chunk that stay: 1 to 10, default 5.
    pub count: usize,
    /// How much of its score a question loses that its chunk does not answer: 0 to 1, default 0.5.
    pub answerability: f32,
    /// How much of its score a question loses whose words are in every chunk: 0 to 1, default 0.2.
    pub specificity: f32,
    /// Cosine from which two questions of one chunk are the same: 0 to 1, default 0.92. Low values leave one question
    /// of each chunk, 1 those that differ in a word.
    pub same_within: f32,
    /// Cosine from which two questions of different chunks are the same: 0 to 1, default 0.98.
    pub same_across: f32,
    /// Share of all questions that are searched, the best ones: 0 to 1, default 1.
    pub searched_share: f32,
}

impl Default for EvaluatorSettings {
    fn default() -> Self {
        Self {
            count: 5,
            answerability: 0.5,
            specificity: 0.2,
            same_within: 0.92,
            same_across: 0.98,
            searched_share: 1.0,
        }
    }
}

/// The vectors behind an evaluation, of length 1.
#[derive(Debug, Clone, Copy)]
pub struct EvaluatorVectors<'a> {
    /// One for each chunk, in order.
    pub chunks: &'a [Vec<f32>],
    /// One for each of [`searched_texts`].
    pub questions: &'a [Vec<f32>],
    /// How well its chunk answers each of these questions, 0 to 1, where somebody else than the vectors says so.
    pub relevance: Option<&'a [f32]>,
}

/// What became of the questions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// Questions that were looked at.
    pub candidates: usize,
    /// Questions that stay.
    pub kept: usize,
    /// Of these, searched ones.
    pub searched: usize,
    /// Dropped because they are about nothing.
    pub unspecific: usize,
    /// No longer searched because of their score.
    pub weak: usize,
    /// Dropped because their chunk has a better one that means the same.
    pub same_within: usize,
    /// No longer searched because another chunk has a better one that means the same.
    pub same_across: usize,
    /// Dropped because there was no room.
    pub over_count: usize,
}

impl std::fmt::Display for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {} questions kept, {} searched; {} are about nothing, {} are answered better elsewhere or common, {} and {} \
             say what another one of the chunk, of another chunk says, {} are too many",
            self.kept,
            self.candidates,
            self.searched,
            self.unspecific,
            self.weak,
            self.same_within,
            self.same_across,
            self.over_count,
        )
    }
}

/// The questions that are compared by their vectors, in the order in which [`EvaluatorVectors`] has them: those that are
/// searched so far.
pub fn searched_texts(documents: &[PreparedDocument]) -> Vec<String> {
    let searched = documents.iter().flat_map(PreparedDocument::searched_questions).flatten();
    searched.map(|question| question.question_text.clone()).collect()
}

/// A question among all.
#[derive(Debug)]
struct Candidate {
    question: Question,
    /// Position of its chunk among all.
    chunk: usize,
    /// Position of its vector, where it is searched.
    vector: Option<usize>,
}

/// Evaluates the questions of `documents` and leaves those that stay. Without vectors, answerability and meaning do not
/// count.
///
/// Cost: one product of 8-bit vectors for each pair of a searched question and a chunk; the rest is linear.
///
/// # Panics
/// When there are not as many vectors as chunks and as [`searched_texts`].
pub fn evaluate(
    documents: &mut [PreparedDocument],
    vectors: Option<EvaluatorVectors<'_>>,
    settings: &EvaluatorSettings,
) -> Evaluation {
    let frequencies = Frequencies::of(documents);
    let mut report = Evaluation::default();
    let mut candidates = take(documents);
    report.candidates = candidates.len();
    frequencies.score(documents, &mut candidates, settings.specificity);
    report.unspecific = report.candidates - candidates.len();
    let near = vectors.map(|vectors| {
        let near = answerable::near(&candidates, vectors);
        answerable::score(&mut candidates, vectors, &near, settings.answerability);
        near
    });
    report.weak = below(&mut candidates, settings.searched_share);
    let duplicates = Duplicates { vectors, near: near.as_deref(), settings };
    let mut by_chunk = duplicates.remove(candidates, frequencies.chunks(), &mut report).into_iter();
    for prepared in documents.iter_mut() {
        for position in 0..prepared.chunks.len() {
            let found = by_chunk.next().unwrap_or_default();
            let chosen = choose(prepared, position, found, settings.count, &mut report);
            prepared.questions[position] = chosen;
        }
    }
    let kept: Vec<&Question> = documents.iter().flat_map(|prepared| &prepared.questions).flatten().collect();
    report.kept = kept.len();
    report.searched = kept.iter().filter(|question| question.is_searched()).count();
    report
}

/// All questions, taken out.
fn take(documents: &mut [PreparedDocument]) -> Vec<Candidate> {
    let mut vectors = 0..;
    let chunks = documents.iter_mut().flat_map(|prepared| &mut prepared.questions).enumerate();
    let of_chunk = chunks.flat_map(|(chunk, questions)| {
        std::mem::take(questions).into_iter().map(move |question| (chunk, question))
    });
    of_chunk
        .map(|(chunk, question)| {
            let vector = if question.is_searched() { vectors.next() } else { None };
            Candidate { question, chunk, vector }
        })
        .collect()
}

/// Sees to it that at most `share` of the questions that were searched are. Gives the number of those that no longer
/// are, for whatever reason.
fn below(candidates: &mut [Candidate], share: f32) -> usize {
    let was_searched = candidates.iter().filter(|candidate| candidate.vector.is_some()).count();
    let most = (was_searched as f32 * share.clamp(0.0, 1.0)).round() as usize;
    let mut searched: Vec<&mut Candidate> =
        candidates.iter_mut().filter(|candidate| candidate.question.is_searched()).collect();
    let is = searched.len();
    // Stable: equal ones stay in the order of the documents.
    searched.sort_by(|a, b| b.question.confidence.total_cmp(&a.question.confidence));
    searched.iter_mut().skip(most).for_each(|candidate| demote(&mut candidate.question));
    was_searched - is.min(most)
}

/// From now on the question is shown and not searched.
fn demote(question: &mut Question) {
    const SHOWN: f32 = Question::MIN_SEARCHED - 0.01;
    question.confidence = question.confidence.min(SHOWN);
}

/// The questions that there is room for, best first.
fn choose(
    prepared: &PreparedDocument,
    position: usize,
    mut found: Vec<Question>,
    count: usize,
    report: &mut Evaluation,
) -> Vec<Question> {
    let before = found.len();
    if before > count {
        let chunk = &prepared.chunks[position];
        let vocabulary = Vocabulary::of_chunk(&prepared.document, chunk);
        let stems = |text: &str| -> Vec<String> {
            vocabulary.subjects(text).into_iter().map(|(stem, _)| stem).collect()
        };
        let analysis = analyze(&prepared.document, chunk);
        let aspects: Vec<Vec<String>> =
            analysis.aspects().map(stems).filter(|stems| !stems.is_empty()).collect();
        let covers = |question: &Question, aspect: &[String]| {
            let asked = stems(&question.question_text);
            aspect.iter().all(|stem| asked.contains(stem))
        };
        let gain = |question: &Question, chosen: &[Question]| {
            let is_new = |aspect: &&Vec<String>| {
                covers(question, aspect) && !chosen.iter().any(|other| covers(other, aspect))
            };
            COVERS * aspects.iter().filter(is_new).count().min(2) as f32
        };
        found = select::best_by(found, count, &gain);
    }
    found.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    report.over_count += before - found.len();
    found
}
