//! The write side: documents in, a segment out.
//!
//! ```text
//! let mut indexer = Indexer::new(settings);
//! indexer.add(document, &counter, Some(&RuleGenerator))?;          // section, chunk, question
//! let vectors = embedder.embed(&indexer.texts())?;                  // embedding, by the caller: it may take long
//! let segment = indexer.finish(Some(&vectors))?;                    // segment
//! ```

use crate::{
    chunk::ChunkSettings, document::Document, embedding::TokenCounter, question::QuestionGenerator,
    segment::SegmentEntry,
};
use serde::{Deserialize, Serialize};

/// How to build an index. See the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IndexSettings {
    /// How documents are split.
    pub chunk: ChunkSettings,
    /// Questions per chunk: 0 to 10, default 5. More questions match more phrasings and cost bytes in every
    /// reader's download.
    pub questions_per_chunk: usize,
    /// Embed the questions beside the chunks: default false. Doubles to sextuples the vectors.
    pub embed_questions: bool,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self { chunk: ChunkSettings::default(), questions_per_chunk: 5, embed_questions: false }
    }
}

/// Builds one segment.
#[derive(Debug)]
pub struct Indexer {
    #[allow(dead_code, reason = "being written")]
    settings: IndexSettings,
}

/// A finished segment.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltSegment {
    /// What the manifest says about it.
    pub entry: SegmentEntry,
    /// Its files by name.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A document or its vectors do not fit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The document breaks a promise of [`Document`].
    #[error("{path}: {reason}; this is a defect of its reader")]
    Document {
        /// The document's path.
        path: String,
        /// The promise that was broken.
        reason: String,
    },
    /// A document of that path was added before.
    #[error("{path}: added twice; give every document a path of its own")]
    Duplicate {
        /// The document's path.
        path: String,
    },
    /// Vectors do not belong to the texts.
    #[error(
        "expected {expected} vectors of equal length, got {got}; embed exactly the texts of `Indexer::texts`"
    )]
    Vectors {
        /// Number of texts.
        expected: usize,
        /// Number of vectors.
        got: usize,
    },
}

impl Indexer {
    /// An indexer without documents.
    pub fn new(settings: IndexSettings) -> Self {
        Self { settings }
    }

    /// Splits `document` into chunks and finds their questions.
    ///
    /// # Errors
    /// When the document breaks its promises or was added before; the indexer is unchanged then.
    pub fn add(
        &mut self,
        document: Document,
        counter: &dyn TokenCounter,
        generator: Option<&dyn QuestionGenerator>,
    ) -> Result<(), IndexError> {
        let _ = (document, counter, generator);
        todo!()
    }

    /// The texts to embed, in the order in which [`Self::finish`] takes their vectors: all chunks, then, where
    /// the settings ask for it, all questions.
    pub fn texts(&self) -> Vec<String> {
        todo!()
    }

    /// Writes the segment. The same documents and vectors give the same bytes on every target.
    ///
    /// # Errors
    /// When the vectors do not belong to the texts.
    pub fn finish(self, vectors: Option<&[Vec<f32>]>) -> Result<BuiltSegment, IndexError> {
        let _ = vectors;
        todo!()
    }
}
