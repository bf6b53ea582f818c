//! The directory: what every search needs to know about a segment.
//!
//! Stored as a postcard record of [`Record`]; see docs/format.md for the fields in order.

use super::{
    ids::{ChunkId, DocumentId, TermId},
    manifest::{FileEntry, FileKind},
    writer::ShardSizes,
};
use crate::{
    document::DocumentWeight,
    lexical::{FIELD_COUNT, FIELDS, FieldLen},
};
use serde::{Deserialize, Serialize};

/// A file in the directory's tables: its kind is that of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct File {
    pub(super) bytes: u32,
    pub(super) hash: [u8; 8],
}

/// The directory as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Chunks of each document.
    pub(super) chunk_counts: Vec<u32>,
    /// What each document counts; empty where all count the same.
    pub(super) weights: Vec<DocumentWeight>,
    /// Length of each field of each chunk, field by field.
    pub(super) field_lens: [Vec<FieldLen>; FIELD_COUNT],
    /// Questions of each chunk, where rows for all questions follow the rows for all chunks in the vectors;
    /// empty where they do not.
    pub(super) question_counts: Vec<u8>,
    /// Shards of the term dictionary: first term, its id, file.
    pub(super) terms: Vec<(String, TermId, File)>,
    /// Shards of the postings: first term, file.
    pub(super) postings: Vec<(TermId, File)>,
    /// Shards of the positions: first term, file.
    pub(super) positions: Vec<(TermId, File)>,
    /// Shards of the texts: first chunk, file.
    pub(super) texts: Vec<(ChunkId, File)>,
    /// Shards of the vectors.
    pub(super) vectors: Vec<File>,
    /// The file of attributes, the only one.
    pub(super) attributes: Vec<File>,
    /// The query encoder's files: its head and its shards of rows, or none.
    pub(super) encoder: Vec<File>,
    /// The vectors' codes, one file where there is a query encoder.
    pub(super) codes: Vec<File>,
    /// The sizes that the shards were written with.
    pub(super) sizes: ShardSizes,
    /// Each document's language as a position in the segment's list, from 1; 0 for English and what has no stemmer.
    /// Empty where all are 0.
    pub(super) languages: Vec<u8>,
}

/// The directory of one segment, opened.
#[derive(Debug)]
pub struct Directory {
    record: Record,
    document_of: Vec<DocumentId>,
    document_lens: Vec<[f32; FIELD_COUNT]>,
    total_lens: [u64; FIELD_COUNT],
    first_questions: Vec<u32>,
}

impl Directory {
    /// Opens the content of a directory file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(content: &[u8]) -> Result<Self, String> {
        let record: Record = postcard::from_bytes(content).map_err(|error| error.to_string())?;
        let chunks = record.chunks();
        let counted = record.chunk_counts.iter().map(|&count| u64::from(count)).sum::<u64>();
        let is_even = record.field_lens.iter().all(|lens| lens.len() == chunks)
            && [0, chunks].contains(&record.question_counts.len())
            && [0, record.chunk_counts.len()].contains(&record.weights.len())
            && [0, record.chunk_counts.len()].contains(&record.languages.len());
        if counted != chunks as u64 || !is_even {
            return Err(format!(
                "its tables disagree about the number of chunks or documents ({counted} and {chunks})"
            ));
        }
        let ascending = record.terms.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1)
            && record.postings.is_sorted_by(|a, b| a.0 < b.0)
            && record.positions.is_sorted_by(|a, b| a.0 < b.0)
            && record.texts.is_sorted_by(|a, b| a.0 < b.0);
        if record.attributes.len() != 1 {
            return Err(format!("it names {} files of attributes; expected one", record.attributes.len()));
        }
        if !ascending {
            return Err("its tables are not in order".into());
        }
        Ok(Self::derive(record))
    }

    fn derive(record: Record) -> Self {
        let mut document_of = Vec::with_capacity(record.chunks());
        let mut document_lens = Vec::with_capacity(record.chunk_counts.len());
        let mut total_lens = [0; FIELD_COUNT];
        for (document, &count) in record.chunk_counts.iter().enumerate() {
            let first = document_of.len();
            document_of.extend((0..count).map(|_| DocumentId(document as u32)));
            let lens = FIELDS.map(|field| {
                let lens = &record.field_lens[field as usize][first..first + count as usize];
                lens.iter().map(|len| u64::from(len.decode())).sum::<u64>()
            });
            total_lens.iter_mut().zip(lens).for_each(|(total, len)| *total += len);
            document_lens.push(lens.map(|len| len as f32));
        }
        let first_questions = record
            .question_counts
            .iter()
            .scan(0, |next, &count| {
                let first = *next;
                *next += u32::from(count);
                Some(first)
            })
            .collect();
        Self { record, document_of, document_lens, total_lens, first_questions }
    }

    /// Number of documents, deleted ones included.
    pub fn documents(&self) -> usize {
        self.record.chunk_counts.len()
    }

    /// Number of chunks.
    pub fn chunks(&self) -> usize {
        self.document_of.len()
    }

    /// Sum of all chunks' lengths in words, by field.
    pub fn total_lens(&self) -> [u64; FIELD_COUNT] {
        self.total_lens
    }

    /// The document that holds `chunk`; the last document for a chunk beyond the end.
    pub fn document_of(&self, chunk: ChunkId) -> DocumentId {
        let last = DocumentId(self.documents().saturating_sub(1) as u32);
        self.document_of.get(chunk.0 as usize).copied().unwrap_or(last)
    }

    /// The chunks of `document`, from and to; nothing for a document beyond the end.
    pub fn chunks_of(&self, document: DocumentId) -> std::ops::Range<u32> {
        let first = self.document_of.partition_point(|&of| of < document);
        let end = self.document_of.partition_point(|&of| of <= document);
        first as u32..end as u32
    }

    /// A document's language as a position in the segment's list, from 1; 0 for none of them.
    pub fn language_of(&self, document: DocumentId) -> u8 {
        self.record.languages.get(document.0 as usize).copied().unwrap_or(0)
    }

    /// What the site says the document counts.
    pub fn weight(&self, document: DocumentId) -> DocumentWeight {
        self.record.weights.get(document.0 as usize).copied().unwrap_or_default()
    }

    /// Lengths of a document's fields in words.
    pub fn document_lens(&self, document: DocumentId) -> [f32; FIELD_COUNT] {
        self.document_lens.get(document.0 as usize).copied().unwrap_or_default()
    }

    /// Lengths of a chunk's fields in words.
    pub fn chunk_lens(&self, chunk: ChunkId) -> [f32; FIELD_COUNT] {
        FIELDS.map(|field| {
            let lens = &self.record.field_lens[field as usize];
            lens.get(chunk.0 as usize).map_or(0.0, |len| len.decode() as f32)
        })
    }

    /// The chunk that row `row` of the vectors belongs to: its own row, or that of one of its questions.
    pub fn chunk_of_row(&self, row: u32) -> Option<ChunkId> {
        let chunks = self.chunks() as u32;
        if row < chunks {
            return Some(ChunkId(row));
        }
        let question = row - chunks;
        let next = self.first_questions.partition_point(|&first| first <= question);
        next.checked_sub(1).map(|chunk| ChunkId(chunk as u32))
    }

    /// All files that the directory names.
    pub fn files(&self) -> impl Iterator<Item = FileEntry> {
        let record = &self.record;
        FileKind::ALL
            .into_iter()
            .flat_map(move |kind| (0..record.count(kind)).map(move |shard| record.file(kind, shard)))
    }

    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    /// The shards that may hold terms that begin with `prefix`.
    pub(super) fn term_shards(&self, prefix: &str) -> std::ops::Range<usize> {
        let terms = &self.record.terms;
        // The shard before the first one that starts at or after the prefix may hold the prefix in its middle.
        let from = terms.partition_point(|(first, ..)| first.as_str() < prefix).saturating_sub(1);
        let to = terms.partition_point(|(first, ..)| first.as_str() < prefix || first.starts_with(prefix));
        from..to
    }

    /// The shard of postings or positions that holds `term`, and the term's place in it.
    pub(super) fn list_shard(&self, kind: FileKind, term: TermId) -> Option<(usize, usize)> {
        let is_positions = kind == FileKind::Positions;
        let table = if is_positions { &self.record.positions } else { &self.record.postings };
        let shard = table.partition_point(|&(first, _)| first <= term).checked_sub(1)?;
        Some((shard, (term.0 - table[shard].0.0) as usize))
    }

    /// The shard of texts that holds `chunk`, and the chunk's position in it.
    pub(super) fn text_shard(&self, chunk: ChunkId) -> Option<(usize, usize)> {
        let shard = self.record.texts.partition_point(|&(first, _)| first <= chunk).checked_sub(1)?;
        Some((shard, (chunk.0 - self.record.texts[shard].0.0) as usize))
    }
}

impl Record {
    fn chunks(&self) -> usize {
        self.field_lens[0].len()
    }

    pub(super) fn count(&self, kind: FileKind) -> usize {
        match kind {
            FileKind::Directory => 0,
            FileKind::Terms => self.terms.len(),
            FileKind::Postings => self.postings.len(),
            FileKind::Texts => self.texts.len(),
            FileKind::Vectors => self.vectors.len(),
            FileKind::Attributes => self.attributes.len(),
            FileKind::Positions => self.positions.len(),
            FileKind::Encoder => self.encoder.len(),
            FileKind::Codes => self.codes.len(),
        }
    }

    /// # Panics
    /// When there is no such shard.
    pub(super) fn file(&self, kind: FileKind, shard: usize) -> FileEntry {
        let File { bytes, hash } = match kind {
            FileKind::Terms => self.terms[shard].2,
            FileKind::Postings => self.postings[shard].1,
            FileKind::Texts => self.texts[shard].1,
            FileKind::Vectors => self.vectors[shard],
            FileKind::Attributes => self.attributes[shard],
            FileKind::Positions => self.positions[shard].1,
            FileKind::Encoder => self.encoder[shard],
            FileKind::Codes => self.codes[shard],
            FileKind::Directory => unreachable!("a directory does not name itself"),
        };
        FileEntry::from_hash(kind, u64::from(bytes), hash)
    }
}
