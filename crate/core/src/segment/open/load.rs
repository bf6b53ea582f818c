//! Files of a segment, taken in as they arrive.

use super::{Encoder, Lists, Segment};
use crate::{
    lexical::TermDictionary,
    query_encoder::{EncoderHead, EncoderRows},
    segment::{Attributes, DecodeError, Directory, FileEntry, FileKind, SegmentError, TextShard, unseal},
    vector::{Codes, VectorIndex},
};

impl Segment {
    /// Takes the bytes of `file`, one of this segment's.
    ///
    /// # Errors
    /// When they are not what the entry promises.
    pub fn load(&mut self, file: &FileEntry, bytes: &[u8]) -> Result<(), SegmentError> {
        file.verify(bytes)?;
        let corrupt = |reason: &dyn ToString| SegmentError::corrupt(&file.name, reason.to_string());
        let content = unseal(file.kind, bytes).map_err(|error| corrupt(&error))?;
        if file.kind == FileKind::Directory {
            let directory = Directory::open(&content).map_err(|reason| corrupt(&reason))?;
            self.open_directory(directory);
            return Ok(());
        }
        let Some((kind, shard)) = self.find(&file.name) else {
            return Err(SegmentError::Unknown { name: file.name.clone() });
        };
        match kind {
            FileKind::Terms => {
                self.terms[shard] = Some(TermDictionary::open(&content).map_err(|e| corrupt(&e))?)
            }
            FileKind::Postings => self.postings[shard] = Some(Lists::open(content).map_err(|e| corrupt(&e))?),
            FileKind::Positions => {
                self.positions[shard] = Some(Lists::open(content).map_err(|e| corrupt(&e))?)
            }
            FileKind::Texts => self.texts[shard] = Some(TextShard::open(&content).map_err(|e| corrupt(&e))?),
            FileKind::Attributes => {
                let documents = self.entry.documents as usize;
                self.attributes = Some(Attributes::open(&content, documents).map_err(|e| corrupt(&e))?)
            }
            FileKind::Encoder => self.load_encoder(shard, content).map_err(|e| corrupt(&e))?,
            FileKind::Codes => self.codes = Some(Codes::open(&content).map_err(|e| corrupt(&e))?),
            FileKind::Vectors | FileKind::Directory => {
                self.load_vectors(shard, content).map_err(|e| corrupt(&e))?
            }
        }
        Ok(())
    }

    fn open_directory(&mut self, directory: Directory) {
        let record = directory.record();
        for kind in FileKind::ALL {
            for shard in 0..record.count(kind) {
                self.names.push((record.file(kind, shard).name, kind, shard));
            }
        }
        let slots = |kind| record.count(kind);
        self.terms.resize_with(slots(FileKind::Terms), || None);
        self.postings.resize_with(slots(FileKind::Postings), || None);
        self.positions.resize_with(slots(FileKind::Positions), || None);
        self.texts.resize_with(slots(FileKind::Texts), || None);
        self.vector_shards.resize_with(slots(FileKind::Vectors), || None);
        self.encoder.rows.resize_with(slots(FileKind::Encoder).saturating_sub(1), || None);
        self.directory = Some(directory);
    }

    /// Keeps a shard of vectors; with the last one they become searchable.
    fn load_vectors(&mut self, shard: usize, content: Vec<u8>) -> Result<(), String> {
        if self.vectors.is_some() {
            return Ok(());
        }
        self.vector_shards[shard] = Some(content);
        let shards: Option<Vec<&[u8]>> = self.vector_shards.iter().map(Option::as_deref).collect();
        let Some(shards) = shards else { return Ok(()) };
        let vectors = VectorIndex::from_shards(&shards).map_err(|error| error.to_string());
        self.vector_shards.iter_mut().for_each(|shard| *shard = None);
        self.vectors = Some(vectors?);
        Ok(())
    }

    /// Keeps the encoder's head (shard 0) or a shard of its rows.
    fn load_encoder(&mut self, shard: usize, content: Vec<u8>) -> Result<(), DecodeError> {
        let Encoder { head, rows } = &mut self.encoder;
        match shard.checked_sub(1) {
            None => {
                let opened = EncoderHead::open(&content)?;
                if opened.shards() != rows.len() {
                    return Err(DecodeError("it has another number of rows than the directory says"));
                }
                *head = Some(opened);
            }
            Some(shard) => rows[shard] = Some(EncoderRows::new(content)),
        }
        Ok(())
    }
}
