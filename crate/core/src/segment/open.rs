//! A segment as far as its files have been handed over.

mod load;

use super::{
    attributes::Attributes,
    directory::Directory,
    ids::{ChunkId, TermId},
    lists::Lists,
    manifest::{FileEntry, FileKind, SegmentEntry},
    missing::Missing,
    texts::{ChunkText, DocumentText, TextShard},
};
use crate::{
    lexical::{Language, SegmentLanguage, TermDictionary},
    query_encoder::{Encoded, EncoderHead, EncoderRows},
    vector::{Codes, VectorIndex},
};

/// A segment whose files arrive one by one.
#[derive(Debug)]
pub struct Segment {
    entry: SegmentEntry,
    languages: Vec<SegmentLanguage>,
    directory: Option<Directory>,
    names: Vec<(String, FileKind, usize)>,
    terms: Vec<Option<TermDictionary>>,
    postings: Vec<Option<Lists>>,
    positions: Vec<Option<Lists>>,
    texts: Vec<Option<TextShard>>,
    vector_shards: Vec<Option<Vec<u8>>>,
    vectors: Option<VectorIndex>,
    attributes: Option<Attributes>,
    encoder: Encoder,
    codes: Option<Codes>,
}

/// The query encoder as far as it is there. Rows wait as bytes for the head, which says how long they are.
#[derive(Debug, Default)]
struct Encoder {
    head: Option<EncoderHead>,
    rows: Vec<Option<EncoderRows>>,
}

impl Segment {
    /// A segment none of whose files is there yet.
    pub fn new(entry: SegmentEntry) -> Self {
        Self {
            languages: languages(&entry.languages),
            entry,
            directory: None,
            names: Vec::new(),
            terms: Vec::new(),
            postings: Vec::new(),
            positions: Vec::new(),
            texts: Vec::new(),
            vector_shards: Vec::new(),
            vectors: None,
            attributes: None,
            encoder: Encoder::default(),
            codes: None,
        }
    }

    /// What the manifest says about it.
    pub fn entry(&self) -> &SegmentEntry {
        &self.entry
    }

    /// Takes over what the manifest says now; the files are the same.
    pub(crate) fn set_entry(&mut self, entry: SegmentEntry) {
        debug_assert_eq!(entry.directory, self.entry.directory, "another directory is another segment");
        self.entry = entry;
    }

    /// The entry of the file `name`, if it is one of this segment's.
    pub fn file(&self, name: &str) -> Option<FileEntry> {
        if self.entry.directory.name == name {
            return Some(self.entry.directory.clone());
        }
        let (kind, shard) = self.find(name)?;
        self.directory.as_ref().map(|directory| directory.record().file(kind, shard))
    }

    fn find(&self, name: &str) -> Option<(FileKind, usize)> {
        self.names.iter().find(|(known, ..)| known == name).map(|&(_, kind, shard)| (kind, shard))
    }

    /// Whether the directory names a query encoder; `None` until the directory is there.
    pub fn has_encoder(&self, missing: &mut Missing) -> Option<bool> {
        self.directory(missing).map(|directory| directory.record().count(FileKind::Encoder) > 0)
    }

    /// The vector of `text` by the query encoder, unless there is none, it knows no word, or files are missing.
    pub fn encode(&self, text: &str, missing: &mut Missing) -> Option<Encoded> {
        let record = self.directory(missing)?.record();
        let Some(head) = &self.encoder.head else {
            if record.count(FileKind::Encoder) > 0 {
                missing.push(record.file(FileKind::Encoder, 0));
            }
            return None;
        };
        head.encode(text, &mut |shard| {
            let rows = self.encoder.rows.get(shard)?.as_ref();
            if rows.is_none() {
                missing.push(record.file(FileKind::Encoder, shard + 1));
            }
            rows
        })
    }

    /// The vectors' codes, unless the segment has none or they are missing.
    pub fn codes(&self, missing: &mut Missing) -> Option<&Codes> {
        if self.codes.is_none() {
            let record = self.directory(missing)?.record();
            (0..record.count(FileKind::Codes))
                .for_each(|shard| missing.push(record.file(FileKind::Codes, shard)));
        }
        self.codes.as_ref()
    }

    /// The directory, unless it is missing.
    pub fn directory(&self, missing: &mut Missing) -> Option<&Directory> {
        if self.directory.is_none() {
            missing.push(self.entry.directory.clone());
        }
        self.directory.as_ref()
    }

    /// The shard of the dictionary that holds `term`, if any does, as in [`Self::term_shards`].
    pub fn term_shard(&self, term: &str, missing: &mut Missing) -> Option<(TermId, &TermDictionary)> {
        let record = self.directory(missing)?.record();
        let shard = record.terms.partition_point(|(first, ..)| first.as_str() <= term).checked_sub(1)?;
        if self.terms[shard].is_none() {
            missing.push(record.file(FileKind::Terms, shard));
        }
        self.terms[shard].as_ref().map(|terms| (record.terms[shard].1, terms))
    }

    /// Files of the dictionary; 0 while the directory is missing.
    pub fn term_shard_count(&self) -> usize {
        self.terms.len()
    }

    /// The shards of the dictionary that may hold terms that begin with `prefix`, each with the id of its first
    /// term; those that are missing are left out and noted.
    pub fn term_shards(&self, prefix: &str, missing: &mut Missing) -> Vec<(TermId, &TermDictionary)> {
        let Some(directory) = self.directory(missing) else { return Vec::new() };
        let mut found = Vec::new();
        for shard in directory.term_shards(prefix) {
            match &self.terms[shard] {
                Some(terms) => found.push((directory.record().terms[shard].1, terms)),
                None => missing.push(directory.record().file(FileKind::Terms, shard)),
            }
        }
        found
    }

    /// The encoded postings of `term` and the name of their file, unless that is missing.
    pub fn postings(&self, term: TermId, missing: &mut Missing) -> Option<(&[u8], String)> {
        self.list(FileKind::Postings, term, missing)
    }

    /// The encoded positions of `term`, one entry per posting, and the name of their file, unless that is missing.
    pub fn positions(&self, term: TermId, missing: &mut Missing) -> Option<(&[u8], String)> {
        self.list(FileKind::Positions, term, missing)
    }

    fn list(&self, kind: FileKind, term: TermId, missing: &mut Missing) -> Option<(&[u8], String)> {
        let directory = self.directory(missing)?;
        let (shard, place) = directory.list_shard(kind, term)?;
        let file = directory.record().file(kind, shard);
        let shards = if kind == FileKind::Positions { &self.positions } else { &self.postings };
        let Some(lists) = &shards[shard] else {
            missing.push(file);
            return None;
        };
        lists.list(place).map(|list| (list, file.name))
    }

    /// The text of `chunk` and of its document, unless it is missing.
    pub fn text(&self, chunk: ChunkId, missing: &mut Missing) -> Option<(&DocumentText, &ChunkText)> {
        let directory = self.directory(missing)?;
        let (shard, position) = directory.text_shard(chunk)?;
        let Some(texts) = &self.texts[shard] else {
            missing.push(directory.record().file(FileKind::Texts, shard));
            return None;
        };
        let chunk = texts.chunks.get(position)?;
        Some((texts.documents.get(chunk.document as usize)?, chunk))
    }

    /// The vectors, unless the segment has none or some are missing.
    pub fn vectors(&self, missing: &mut Missing) -> Option<&VectorIndex> {
        if self.vectors.is_none() {
            let record = self.directory(missing)?.record();
            let absent = self.vector_shards.iter().enumerate().filter(|(_, shard)| shard.is_none());
            absent.for_each(|(shard, _)| missing.push(record.file(FileKind::Vectors, shard)));
        }
        self.vectors.as_ref()
    }

    /// What documents are filtered, counted and sorted by, unless it is missing.
    pub fn attributes(&self, missing: &mut Missing) -> Option<&Attributes> {
        if self.attributes.is_none() {
            let file = self.directory(missing)?.record().file(FileKind::Attributes, 0);
            missing.push(file);
        }
        self.attributes.as_ref()
    }

    /// The languages of its documents, other than English, as far as this build has their stemmers.
    pub fn languages(&self) -> &[SegmentLanguage] {
        // A constant, so that a module without stemmers carries nothing for them.
        if cfg!(feature = "languages") { &self.languages } else { &[] }
    }

    /// Whether the document that holds `chunk` is of the language of that number; of `None` all are.
    pub fn is_in(&self, language: Option<u8>, chunk: ChunkId) -> bool {
        let of_document = |directory: &Directory| directory.language_of(directory.document_of(chunk));
        !cfg!(feature = "languages")
            || language.is_none()
            || self.directory.as_ref().map(of_document) == language
    }

    /// Whether the document that holds `chunk` has not been deleted.
    pub fn is_live(&self, chunk: ChunkId) -> bool {
        let tombstones = &self.entry.tombstones;
        let is_deleted =
            |directory: &Directory| tombstones.binary_search(&directory.document_of(chunk).0).is_ok();
        tombstones.is_empty() || !self.directory.as_ref().is_some_and(is_deleted)
    }
}

/// Those of `tags` that this build has the stemmers of.
fn languages(tags: &[String]) -> Vec<SegmentLanguage> {
    if !cfg!(feature = "languages") {
        return Vec::new();
    }
    let numbered = (1..).zip(tags);
    let known = |(number, tag): (u8, &String)| {
        Language::of_tag(tag).map(|language| SegmentLanguage { number, language })
    };
    numbered.filter_map(known).collect()
}
