//! The write side: documents in, a segment out.
//!
//! ```text
//! let mut indexer = Indexer::new(settings);
//! indexer.add(document, &counter, Some(&RuleGenerator))?;          // section, chunk, question
//! let vectors = embedder.embed(&indexer.texts())?;                  // embedding, by the caller: it may take long
//! let segment = indexer.finish(Some(&vectors))?;                    // segment
//! ```
//!
//! `context` is what `finish` makes of the chunks' vectors before it stores them.

mod context;

pub use context::ContextWeights;

use crate::{
    chunk::{self, Chunk, ChunkSettings},
    document::Document,
    embedding::TokenCounter,
    enrichment::Enrichment,
    query_encoder::Table,
    question::{
        QuestionGenerator,
        evaluator::{self, Evaluation, EvaluatorSettings, EvaluatorVectors},
    },
    segment::{PreparedDocument, SegmentEntry, ShardSizes, write_segment},
    vector::{Codes, VectorSettings},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ops::RangeInclusive};

/// Most questions of a chunk, whatever the settings say.
const MAX_QUESTIONS: usize = 10;

/// How to build an index. See the fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IndexSettings {
    /// How documents are split.
    pub chunk: ChunkSettings,
    /// Questions per chunk: 0 to 10, default 5. More questions match more phrasings and cost bytes in every
    /// reader's download.
    pub questions_per_chunk: usize,
    /// Embed the questions that are searched beside the chunks: default false. About doubles the vectors. Weaker
    /// questions are never embedded, see [`Question::is_searched`](crate::question::Question::is_searched).
    pub embed_questions: bool,
    /// What a chunk's headings and its document add to its vector. See the fields.
    pub context: ContextWeights,
    /// How much goes into one file.
    pub shards: ShardSizes,
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self {
            chunk: ChunkSettings::default(),
            questions_per_chunk: 5,
            embed_questions: false,
            context: ContextWeights::default(),
            shards: ShardSizes::default(),
        }
    }
}

/// Builds one segment.
#[derive(Debug)]
pub struct Indexer {
    settings: IndexSettings,
    documents: Vec<PreparedDocument>,
    paths: BTreeSet<String>,
    encoder: Option<Table>,
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
        "expected {expected} vectors of equal length, 1 to 65,536 numbers, got {got} of {lengths:?}; embed exactly \
         the texts of `Indexer::texts`"
    )]
    Vectors {
        /// Number of texts.
        expected: usize,
        /// Number of vectors.
        got: usize,
        /// Shortest and longest of them.
        lengths: RangeInclusive<usize>,
    },
}

impl Indexer {
    /// An indexer without documents.
    pub fn new(settings: IndexSettings) -> Self {
        Self { settings, documents: Vec::new(), paths: BTreeSet::new(), encoder: None }
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
        let path = document.path.clone();
        if let Err(reason) = document.validate() {
            return Err(IndexError::Document { path, reason });
        }
        if !self.paths.insert(path.clone()) {
            return Err(IndexError::Duplicate { path });
        }
        let chunks = chunk::split(&document, counter, &self.settings.chunk);
        let count = self.question_count();
        let find = |chunk: &Chunk| match generator {
            Some(generator) if count > 0 => generator.generate_questions(&document, chunk, count),
            _ => Vec::new(),
        };
        let questions = chunks.iter().map(find).collect();
        self.documents.push(PreparedDocument { document, chunks, questions, contexts: Vec::new() });
        Ok(())
    }

    /// Most questions of a chunk.
    pub fn question_count(&self) -> usize {
        self.settings.questions_per_chunk.min(MAX_QUESTIONS)
    }

    /// Has `generator` find the questions of every chunk, in place of those that [`Self::add`] found. For a generator
    /// that has to know all chunks first, as one does that asks a language model about many of them at once.
    pub fn find_questions(&mut self, generator: &dyn QuestionGenerator) {
        let count = self.question_count();
        for PreparedDocument { document, chunks, questions, .. } in &mut self.documents {
            let find = |chunk: &Chunk| generator.generate_questions(document, chunk, count);
            *questions =
                if count > 0 { chunks.iter().map(find).collect() } else { vec![Vec::new(); chunks.len()] };
        }
    }

    /// Puts what `find` says of each chunk's place before it, see [`crate::enrichment`]; `None` leaves the chunk with its
    /// headings. `counter` is that of [`Self::add`].
    pub fn enrich(
        &mut self,
        counter: &dyn TokenCounter,
        find: &mut dyn FnMut(&Document, &Chunk) -> Option<String>,
    ) {
        let max_tokens = self.settings.chunk.max_tokens;
        for PreparedDocument { document, chunks, contexts, .. } in &mut self.documents {
            let enrich = |chunk: &mut Chunk| match find(document, chunk) {
                Some(text) => Enrichment::fit(text, document, chunk, counter, max_tokens),
                None => Enrichment::default(),
            };
            *contexts = chunks.iter_mut().map(enrich).collect();
        }
    }

    /// Takes the headings away that are embedded before the chunks' texts: for measuring what they are worth. `counter` is
    /// that of [`Self::add`].
    pub fn without_headings(&mut self, counter: &dyn TokenCounter) {
        self.settings.context = ContextWeights::NONE;
        for PreparedDocument { document, chunks, .. } in &mut self.documents {
            for chunk in chunks {
                chunk.context = 0;
                chunk.tokens = counter.count(&chunk::embedding_text(document, chunk, "")) as u32;
            }
        }
    }

    /// Keeps the best of the questions that were found, see [`evaluator`]. `vectors` may be missing where there is no model.
    ///
    /// # Panics
    /// When there are not as many vectors as [`Self::chunk_texts`] and [`evaluator::searched_texts`].
    pub fn evaluate_questions(
        &mut self,
        vectors: Option<EvaluatorVectors<'_>>,
        settings: &EvaluatorSettings,
    ) -> Evaluation {
        evaluator::evaluate(&mut self.documents, vectors, settings)
    }

    /// The documents that were added, with their chunks and questions.
    pub fn documents(&self) -> &[PreparedDocument] {
        &self.documents
    }

    /// The texts to embed, in the order in which [`Self::finish`] takes their vectors: all chunks, then, where
    /// the settings ask for it, all questions, then the heading paths, where they count.
    pub fn texts(&self) -> Vec<String> {
        let of_chunks = self.chunk_texts();
        let questions = self.documents.iter().filter(|_| self.settings.embed_questions);
        let of_questions = questions.flat_map(PreparedDocument::searched_questions).flatten();
        let of_questions = of_questions.map(|question| question.question_text.clone());
        of_chunks.chain(of_questions).chain(self.heading_texts()).collect()
    }

    /// What is embedded for the chunks, in order: the first of [`Self::texts`].
    pub fn chunk_texts(&self) -> impl Iterator<Item = String> {
        self.documents.iter().flat_map(|prepared| {
            let said = |at: usize| prepared.contexts.get(at).map_or("", Enrichment::embedded);
            let chunks = prepared.chunks.iter().enumerate();
            chunks.map(move |(at, chunk)| chunk::embedding_text(&prepared.document, chunk, said(at)))
        })
    }

    fn heading_texts(&self) -> impl Iterator<Item = String> {
        let documents = if self.settings.context.heading == 0.0 { &[] } else { &self.documents[..] };
        context::heading_texts(documents)
    }

    /// Has the segment carry `table`, which turns a query into a vector where there is no model.
    pub fn set_query_encoder(&mut self, table: Table) {
        self.encoder = Some(table);
    }

    fn chunk_count(&self) -> usize {
        self.documents.iter().map(|prepared| prepared.chunks.len()).sum()
    }

    /// Chunks and questions: texts whose vectors are stored.
    fn row_count(&self) -> usize {
        let questions = self.documents.iter().filter(|_| self.settings.embed_questions);
        self.chunk_count() + questions.flat_map(PreparedDocument::searched_questions).flatten().count()
    }

    /// Writes the segment. The same documents and vectors give the same bytes on every target.
    ///
    /// # Errors
    /// When the vectors do not belong to the texts.
    pub fn finish(self, vectors: Option<&[Vec<f32>]>) -> Result<BuiltSegment, IndexError> {
        let rows = self.row_count();
        if let Some(vectors) = vectors {
            check_vectors(vectors, rows + self.heading_texts().count())?;
        }
        let split = vectors.map(|vectors| vectors.split_at(rows));
        let Self { settings, documents, encoder, .. } = &self;
        // The table was fitted to the model's own vectors, so that is what its queries are compared with.
        let codes = split.filter(|_| encoder.is_some()).map(|(own, _)| Codes::of(own));
        let moved = split.map(|(own, headings)| {
            let mut moved = own.to_vec();
            let chunks = &mut moved[..self.chunk_count()];
            context::apply(documents, chunks, headings, settings.context);
            moved
        });
        // Without vectors there is nothing that a query's vector could be compared with.
        let encoder = encoder.as_ref().zip(codes.as_ref());
        Ok(write_segment(documents, moved.as_deref(), settings.embed_questions, encoder, settings.shards))
    }
}

/// Whether there are `expected` vectors, all of one length that vectors may have.
fn check_vectors(vectors: &[Vec<f32>], expected: usize) -> Result<(), IndexError> {
    let lengths = || vectors.iter().map(Vec::len);
    let (shortest, longest) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
    let is_even = shortest == longest && (1..=VectorSettings::MAX_DIMENSIONS).contains(&longest);
    if vectors.len() == expected && (is_even || vectors.is_empty()) {
        return Ok(());
    }
    Err(IndexError::Vectors { expected, got: vectors.len(), lengths: shortest..=longest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_have_to_belong_to_the_texts() {
        let check = |lengths: &[usize], expected: usize, is_accepted: bool| {
            let vectors: Vec<_> = lengths.iter().map(|&length| vec![0.5; length]).collect();
            assert_eq!(check_vectors(&vectors, expected).is_ok(), is_accepted, "{lengths:?} for {expected}");
        };
        check(&[], 0, true);
        check(&[3, 3], 2, true);
        check(&[3, 3], 3, false);
        check(&[3, 4], 2, false);
        check(&[0, 0], 2, false);
    }
}
