//! Writes a segment.

use super::{
    attributes::Attributes,
    directory::{File, Record},
    envelope::seal,
    ids::{ChunkId, TermId},
    inverted::Inverted,
    lists::write_lists,
    manifest::{FileEntry, FileKind, SegmentEntry, short_hash},
    source::ChunkSource,
    texts::{ChunkText, DocumentText, StoredQuestion, TextShard},
};
use crate::{
    chunk::Chunk,
    document::{Document, DocumentWeight, SpanKind},
    enrichment::Enrichment,
    indexer::BuiltSegment,
    lexical::{FieldLen, Language, PositionsWriter, Posting, PostingsWriter, TermDictionaryWriter},
    query_encoder::Table,
    question::Question,
    vector::{Codes, VectorSettings, VectorWriter},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A document with its chunks and the questions of each.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedDocument {
    /// The document.
    pub document: Document,
    /// Its chunks in document order.
    pub chunks: Vec<Chunk>,
    /// The questions of each chunk.
    pub questions: Vec<Vec<Question>>,
    /// What a language model says of each chunk's place; empty where none was asked.
    pub contexts: Vec<Enrichment>,
}

impl PreparedDocument {
    /// Of each chunk the questions that are searched.
    pub fn searched_questions(&self) -> impl Iterator<Item = impl Iterator<Item = &Question>> {
        self.questions.iter().map(|questions| questions.iter().filter(|question| question.is_searched()))
    }
}

/// How much goes into one file. Small files make a search fetch little, and many; large ones the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShardSizes {
    /// Terms of a stretch of the dictionary: 16 and up, default 1,024 (some 6 kB).
    pub terms: u32,
    /// Bytes of postings before compression: 1,024 and up, default 12,000.
    pub postings_bytes: u32,
    /// Bytes of text before compression: 1,024 and up, default 8,000 (some 3 kB).
    pub texts_bytes: u32,
}

impl Default for ShardSizes {
    fn default() -> Self {
        Self { terms: 1024, postings_bytes: 12_000, texts_bytes: 8_000 }
    }
}

/// A file of positions holds this many times the bytes of a file of postings. Every search pays for the entry of each
/// file in the directory, only phrases for the file.
const POSITIONS_FACTOR: usize = 2;

/// Writes the segment of `documents`. `vectors` holds one row per chunk and then, if `question_vectors`, one per
/// question that is searched. `encoder` turns a query into a vector where there is no model, which is compared with the
/// codes of the same rows.
pub fn write_segment(
    documents: &[PreparedDocument],
    vectors: Option<&[Vec<f32>]>,
    question_vectors: bool,
    encoder: Option<(&Table, &Codes)>,
    sizes: ShardSizes,
) -> BuiltSegment {
    let mut writer = SegmentWriter::default();
    let mut inverted = Inverted::default();
    documents.iter().for_each(|document| inverted.add(document));
    let languages = languages(documents);
    if !languages.is_empty() {
        let number = |document: &PreparedDocument| {
            let language = language(document);
            languages.iter().position(|known| Some(*known) == language).map_or(0, |at| at as u8 + 1)
        };
        writer.record.languages = documents.iter().map(number).collect();
    }
    writer.record.sizes = sizes;
    writer.record.chunk_counts = documents.iter().map(|document| document.chunks.len() as u32).collect();
    let weights = documents.iter().map(|prepared| prepared.document.weight);
    if weights.clone().any(|weight| weight != DocumentWeight::default()) {
        writer.record.weights = weights.collect();
    }
    if question_vectors && vectors.is_some() {
        let searched = documents.iter().flat_map(PreparedDocument::searched_questions);
        writer.record.question_counts = searched.map(|questions| questions.count() as u8).collect();
    }
    writer.write_terms(&inverted);
    let bytes = sizes.postings_bytes as usize;
    let lists = inverted.terms.values().map(|postings| encode(postings));
    writer.record.postings = writer.write_lists(FileKind::Postings, bytes, lists);
    let lists = std::mem::take(&mut inverted.positions).into_values().map(PositionsWriter::finish);
    writer.record.positions = writer.write_lists(FileKind::Positions, POSITIONS_FACTOR * bytes, lists);
    writer.record.field_lens = inverted.field_lens;
    writer.write_texts(documents);
    writer.write_vectors(vectors.unwrap_or_default());
    let attributes = writer.add_file(FileKind::Attributes, &Attributes::of(documents).to_bytes());
    writer.record.attributes.push(attributes);
    if let Some((table, codes)) = encoder {
        for content in table.to_files() {
            let file = writer.add_file(FileKind::Encoder, &content);
            writer.record.encoder.push(file);
        }
        let file = writer.add_file(FileKind::Codes, &codes.to_bytes());
        writer.record.codes.push(file);
    }
    let counts = Counts {
        documents: documents.len() as u32,
        chunks: writer.record.field_lens[0].len() as u32,
        questions: documents.iter().flat_map(|document| &document.questions).map(Vec::len).sum::<usize>()
            as u32,
        vectors: vectors.map_or(0, <[_]>::len) as u32,
        languages: languages.iter().map(|language| language.tag().to_owned()).collect(),
    };
    writer.finish(counts)
}

/// The documents' languages that have a stemmer, without English, by their tags.
fn languages(documents: &[PreparedDocument]) -> Vec<Language> {
    let found = documents.iter().filter_map(language).filter(|&language| language != Language::English);
    let by_tag: BTreeMap<_, _> = found.map(|language| (language.tag(), language)).collect();
    by_tag.into_values().collect()
}

fn language(prepared: &PreparedDocument) -> Option<Language> {
    Language::of_tag(prepared.document.language.as_deref()?)
}

/// What the manifest says of the documents.
struct Counts {
    documents: u32,
    chunks: u32,
    questions: u32,
    vectors: u32,
    languages: Vec<String>,
}

#[derive(Default)]
struct SegmentWriter {
    record: Record,
    files: Vec<(String, Vec<u8>)>,
}

impl SegmentWriter {
    fn add_file(&mut self, kind: FileKind, content: &[u8]) -> File {
        let bytes = seal(kind, content);
        let file = File { bytes: bytes.len() as u32, hash: short_hash(&bytes) };
        let name = FileEntry::from_hash(kind, bytes.len() as u64, file.hash).name;
        self.files.push((name, bytes));
        file
    }

    fn write_terms(&mut self, inverted: &Inverted) {
        let terms: Vec<_> = inverted.terms.iter().collect();
        let mut first_id = 0;
        for stretch in terms.chunks(self.record.sizes.terms.max(16) as usize) {
            let mut writer = TermDictionaryWriter::default();
            for (term, postings) in stretch {
                writer.push(term, self.doc_freq(postings));
            }
            let file = self.add_file(FileKind::Terms, &writer.finish());
            self.record.terms.push((stretch[0].0.clone(), TermId(first_id), file));
            first_id += stretch.len() as u32;
        }
    }

    fn doc_freq(&self, postings: &[Posting]) -> u32 {
        let mut ends = self.record.chunk_counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let mut end = 0;
        let mut documents = 0;
        for posting in postings {
            if posting.chunk.0 >= end {
                documents += 1;
                end = ends.find(|&end| posting.chunk.0 < end).unwrap_or(u32::MAX);
            }
        }
        documents
    }

    /// Writes one list per term into files of about `bytes`, and gives the files with their first terms.
    fn write_lists(
        &mut self,
        kind: FileKind,
        bytes: usize,
        lists: impl Iterator<Item = Vec<u8>>,
    ) -> Vec<(TermId, File)> {
        let mut table = Vec::new();
        let mut next = TermId(0);
        let mut waiting: Vec<Vec<u8>> = Vec::new();
        let mut flush = |waiting: &mut Vec<Vec<u8>>| {
            table.push((next, self.add_file(kind, &write_lists(waiting))));
            next = TermId(next.0 + waiting.len() as u32);
            waiting.clear();
        };
        let mut len = 0;
        for list in lists {
            if len > 0 && len + list.len() > bytes {
                flush(&mut waiting);
                len = 0;
            }
            len += list.len();
            waiting.push(list);
        }
        if !waiting.is_empty() {
            flush(&mut waiting);
        }
        table
    }

    fn write_texts(&mut self, documents: &[PreparedDocument]) {
        let mut shard = TextShard::default();
        let (mut first, mut next, mut bytes) = (ChunkId(0), 0, 0);
        for prepared in documents {
            let mut is_new = true;
            for (at, (chunk, questions)) in prepared.chunks.iter().zip(&prepared.questions).enumerate() {
                if bytes > self.record.sizes.texts_bytes as usize {
                    self.flush_texts(first, &mut shard);
                    (first, bytes, is_new) = (ChunkId(next), 0, true);
                }
                if is_new {
                    shard.documents.push(document_text(&prepared.document));
                    is_new = false;
                }
                let mut text =
                    chunk_text(&prepared.document, chunk, questions, shard.documents.len() as u32 - 1);
                text.context =
                    prepared.contexts.get(at).map(|context| context.text.clone()).unwrap_or_default();
                bytes += text.text.len()
                    + text.context.len()
                    + text.questions.iter().map(|question| question.text.len()).sum::<usize>();
                shard.chunks.push(text);
                next += 1;
            }
        }
        if !shard.chunks.is_empty() {
            self.flush_texts(first, &mut shard);
        }
    }

    fn flush_texts(&mut self, first: ChunkId, shard: &mut TextShard) {
        let file = self.add_file(FileKind::Texts, &std::mem::take(shard).to_bytes());
        self.record.texts.push((first, file));
    }

    fn write_vectors(&mut self, vectors: &[Vec<f32>]) {
        let Some(first) = vectors.first() else { return };
        let mut writer = VectorWriter::new(VectorSettings::new(first.len()));
        vectors.iter().for_each(|vector| writer.push(vector));
        for shard in writer.finish() {
            let file = self.add_file(FileKind::Vectors, &shard);
            self.record.vectors.push(file);
        }
    }

    fn finish(mut self, counts: Counts) -> BuiltSegment {
        let content = postcard::to_allocvec(&self.record).expect("memory does not fail to be written");
        let File { bytes, hash } = self.add_file(FileKind::Directory, &content);
        // Shards with equal content are one file.
        let mut seen = BTreeSet::new();
        self.files.retain(|(name, _)| seen.insert(name.clone()));
        let entry = SegmentEntry {
            label: String::new(),
            documents: counts.documents,
            chunks: counts.chunks,
            questions: counts.questions,
            vectors: counts.vectors,
            bytes: self.files.iter().map(|(_, bytes)| bytes.len() as u64).sum(),
            languages: counts.languages,
            tombstones: Vec::new(),
            directory: FileEntry::from_hash(FileKind::Directory, u64::from(bytes), hash),
        };
        BuiltSegment { entry, files: self.files }
    }
}

fn encode(postings: &[Posting]) -> Vec<u8> {
    let mut writer = PostingsWriter::default();
    postings.iter().for_each(|&posting| writer.push(posting));
    writer.finish()
}

fn document_text(document: &Document) -> DocumentText {
    DocumentText {
        path: document.path.clone(),
        url: document.url.clone(),
        title: document.title.clone(),
        language: document.language.clone(),
        content_type: document.content_type,
        metadata: document.metadata.clone().into_iter().collect(),
        filters: document.filters.clone().into_iter().collect(),
    }
}

fn chunk_text(document: &Document, chunk: &Chunk, questions: &[Question], position: u32) -> ChunkText {
    let spans = document.spans_in(chunk.range.clone()).filter(|(_, span)| span.kind != SpanKind::Heading);
    let kept: Vec<_> = spans.map(|(range, _)| range).collect();
    let text: String = kept.iter().map(|range| &document.text[range.clone()]).collect();
    let text = text.trim();
    let stored = |question: &Question| StoredQuestion {
        text: question.question_text.clone(),
        question_type: question.question_type,
        confidence: (question.confidence.clamp(0.0, 1.0) * 255.0).round() as u8,
    };
    ChunkText {
        document: position,
        section: chunk.section.0,
        headings: document.heading_path(chunk.section).into_iter().skip(1).map(str::to_owned).collect(),
        anchor: document.sections[chunk.section].anchor.clone(),
        source: ChunkSource::new(document, chunk, &kept, text),
        text: text.to_owned(),
        offset: chunk.range.start as u32,
        length: chunk.range.len() as u32,
        questions: questions.iter().map(stored).collect(),
        context: String::new(),
    }
}

const _: () = assert!(std::mem::size_of::<FieldLen>() == 1, "field lengths are stored as bytes");
