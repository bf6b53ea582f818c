//! Questions: what a chunk answers, in a reader's words.
//!
//! Takes a document and its chunks and gives each chunk a few typed questions, deduplicated and scored. The
//! rules in this folder need no model; whoever has a language model asks it by [`by_model`] and implements the same
//! [`QuestionGenerator`].
//!
//! ```text
//! chunk -> passage (words, sentences) -> rules (one family a file) -> candidates -> select -> questions
//! ```
//!
//! Rules would rather be silent than wrong: a question is shown to readers as "answers: ...", so it has to be
//! a grammatical sentence that can be understood without the chunk. English only: for a document that states
//! another language only headings that are questions themselves are taken.

pub mod analysis;
pub mod by_model;
mod casing;
mod clause;
pub mod evaluator;
mod grammar;
pub(crate) mod material;
mod normalise;
mod passage;
mod phrase;
mod rules;
mod select;
mod subject;
mod terms;
#[cfg(test)]
mod tests;

pub use normalise::normalise_question;

use crate::{chunk::Chunk, document::Document};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A question that a chunk answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The question as it is shown: one sentence that ends with a question mark.
    pub question_text: String,
    /// What it asks for.
    pub question_type: QuestionType,
    /// Estimated quality, 0 to 1. See [`Self::is_searched`].
    pub confidence: f32,
    /// Bytes of `Document::text` that it was made from.
    pub source_mapping: Range<usize>,
}

impl Question {
    /// Confidence, 0 to 1, below which a question is stored and shown but not searched. Weaker questions repeat
    /// the words of their statement and say nothing of how readers ask; measured on judged queries they only add
    /// noise.
    pub const MIN_SEARCHED: f32 = 0.6;

    /// Whether the question is searched, by its words and by its vector.
    pub fn is_searched(&self) -> bool {
        self.confidence >= Self::MIN_SEARCHED
    }
}

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionType {
    /// "What is X?"
    Factual,
    /// "How does X relate to Y?"
    Relationship,
    /// "Why would someone use X?"
    Purpose,
    /// "How do I X?", "How does X work?"
    Process,
    /// "Why does X fail?", "How do I fix X?"
    Troubleshooting,
}

/// Finds the questions that chunks answer.
pub trait QuestionGenerator {
    /// Up to `question_count` questions for `chunk` of `document`, best first.
    fn generate_questions(&self, document: &Document, chunk: &Chunk, question_count: usize) -> Vec<Question>;
}

/// Questions by rules.
///
/// Cost: linear in the chunk and at most a few kilobytes around it. Deterministic.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleGenerator;

/// Searched questions of a chunk below which what it only names is asked about too, see [`rules::FILLING`].
const ENOUGH: usize = 4;

/// Questions that a chunk should have, if need be by [`rules::mention`].
const LEAST: usize = 3;

impl QuestionGenerator for RuleGenerator {
    fn generate_questions(&self, document: &Document, chunk: &Chunk, question_count: usize) -> Vec<Question> {
        let context = rules::Context::new(document, chunk);
        let mut candidates = Vec::new();
        if context.is_english {
            for rule in rules::ALL {
                rule(&context, &mut candidates);
            }
            if candidates.iter().filter(|question| question.is_searched()).count() < ENOUGH {
                for rule in rules::FILLING {
                    rule(&context, &mut candidates);
                }
            }
        } else {
            rules::heading::question_as_it_is(&context, &mut candidates);
        }
        let mut questions = select::select(candidates, question_count);
        if context.is_english && questions.len() < LEAST.min(question_count) {
            let mut mentioned = Vec::new();
            rules::mention::rule(&context, &mut mentioned);
            select::top_up(&mut questions, mentioned, LEAST.min(question_count));
        }
        // A heading that is longer than a chunk begins in it and goes on in the next.
        for question in &mut questions {
            let Range { start, end } = question.source_mapping;
            let within = |at: usize| at.clamp(chunk.range.start, chunk.range.end);
            question.source_mapping = within(start)..within(end);
        }
        questions
    }
}
