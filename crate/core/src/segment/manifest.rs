use super::SegmentError;
use crate::{embedding::ModelIdentity, json::Json};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// `manifest.json`: the only file of an index that changes in place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Version of the format, [`Manifest::VERSION`].
    pub format_version: u32,
    /// Changes when anything in the index changes: a hash of everything below.
    pub build_id: String,
    /// The model of the vectors; null in an index without any.
    pub model: Option<ModelIdentity>,
    /// What is searched, in the order in which it was added.
    pub segments: Vec<SegmentEntry>,
    /// The site's own synonyms: in each list a name and then what stands for it, as
    /// [`synonym_key`](crate::query::synonym_key) writes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<Vec<String>>,
}

/// One segment: the documents that were indexed together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentEntry {
    /// Free text; the path of the document where a page keeps one segment per document.
    pub label: String,
    /// Documents in the segment, deleted ones included.
    pub documents: u32,
    /// Chunks in the segment.
    pub chunks: u32,
    /// Questions in the segment.
    pub questions: u32,
    /// Vectors in the segment.
    pub vectors: u32,
    /// Bytes of all files of the segment.
    pub bytes: u64,
    /// Languages of its documents, other than English, whose stemmers a search needs: BCP 47 subtags, ascending. A
    /// document's number in the directory is a position in this list, from 1.
    pub languages: Vec<String>,
    /// Positions of deleted documents, ascending.
    pub tombstones: Vec<u32>,
    /// The file that names all other files of the segment.
    pub directory: FileEntry,
}

/// One file of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileEntry {
    /// File name: kind and hash, for instance `terms-0123456789abcdef.bin`.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// Length in bytes.
    pub bytes: u64,
    /// The first 16 hexadecimal digits of the SHA-256 of the bytes.
    pub sha256: String,
}

/// What a file of an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum FileKind {
    /// Documents, chunks, field lengths and the table of the other files: needed by every search.
    Directory,
    /// A stretch of the term dictionary.
    Terms,
    /// Postings of a stretch of terms.
    Postings,
    /// Texts of a stretch of chunks with their documents' titles and URLs.
    Texts,
    /// A stretch of vectors.
    Vectors,
    /// What documents are filtered, counted and sorted by.
    Attributes,
    /// Positions of a stretch of terms.
    Positions,
    /// The head of the query encoder's table, or a stretch of its rows.
    Encoder,
    /// The vectors in fewer bits, for the query encoder.
    Codes,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Directory,
        Self::Terms,
        Self::Postings,
        Self::Texts,
        Self::Vectors,
        Self::Attributes,
        Self::Positions,
        Self::Encoder,
        Self::Codes,
    ];

    /// The first part of a file's name.
    pub fn name(self) -> &'static str {
        ["directory", "terms", "postings", "texts", "vectors", "attributes", "positions", "encoder", "codes"]
            [self as usize]
    }
}

impl FileEntry {
    /// The entry of a file of `kind` with these bytes.
    pub fn of(kind: FileKind, bytes: &[u8]) -> Self {
        Self::from_hash(kind, bytes.len() as u64, short_hash(bytes))
    }

    pub(crate) fn from_hash(kind: FileKind, bytes: u64, hash: [u8; 8]) -> Self {
        let sha256 = hex(&hash);
        Self { name: format!("{}-{sha256}.bin", kind.name()), kind, bytes, sha256 }
    }

    /// Whether `bytes` are the file's.
    ///
    /// # Errors
    /// [`SegmentError::Length`] or [`SegmentError::Checksum`].
    pub fn verify(&self, bytes: &[u8]) -> Result<(), SegmentError> {
        if bytes.len() as u64 != self.bytes {
            let (name, got) = (self.name.clone(), bytes.len() as u64);
            return Err(SegmentError::Length { name, expected: self.bytes, got });
        }
        let got = hex(&short_hash(bytes));
        if got != self.sha256 {
            let (name, expected) = (self.name.clone(), self.sha256.clone());
            return Err(SegmentError::Checksum { name, expected, got });
        }
        Ok(())
    }
}

pub(crate) fn short_hash(bytes: &[u8]) -> [u8; 8] {
    let mut short = [0; 8];
    short.copy_from_slice(&Sha256::digest(bytes)[..8]);
    short
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[digit as usize] as char).collect()
}

impl Manifest {
    /// The version of the format that this code writes and reads.
    pub const VERSION: u32 = 5;

    /// A manifest of `segments`.
    pub fn new(model: Option<ModelIdentity>, segments: Vec<SegmentEntry>) -> Self {
        let mut manifest = Self {
            format_version: Self::VERSION,
            build_id: String::new(),
            model,
            segments,
            synonyms: Vec::new(),
        };
        manifest.build_id = manifest.content_hash();
        manifest
    }

    /// The same manifest with a site's own synonyms.
    #[must_use]
    pub fn with_synonyms(mut self, synonyms: Vec<Vec<String>>) -> Self {
        self.synonyms = synonyms;
        self.build_id = self.content_hash();
        self
    }

    /// The manifest as JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("strings and numbers are always JSON")
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// When `bytes` is no manifest of this format version, or was changed since it was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SegmentError> {
        let json: serde_json::Value = serde_json::from_slice(bytes)
            .map_err(|error| SegmentError::Manifest { reason: error.to_string() })?;
        Self::from_json(json.into())
    }

    /// Reads a manifest whose JSON was parsed.
    ///
    /// # Errors
    /// As [`Self::from_bytes`].
    pub fn from_json(json: Json) -> Result<Self, SegmentError> {
        let unreadable = |reason: String| SegmentError::Manifest { reason };
        let mut fields = json.into_fields().map_err(unreadable)?;
        let got = fields.required("formatVersion", Json::into_u32).map_err(unreadable)?;
        if got != Self::VERSION {
            return Err(SegmentError::Version { expected: Self::VERSION, got });
        }
        let mut read = || -> Result<Self, String> {
            Ok(Self {
                format_version: got,
                build_id: fields.required("buildId", Json::into_text)?,
                model: fields.optional("model", ModelIdentity::from_json)?,
                segments: fields.required("segments", |list| list.into_list(SegmentEntry::from_json))?,
                synonyms: fields.optional("synonyms", read_synonyms)?.unwrap_or_default(),
            })
        };
        let manifest = read().map_err(unreadable)?;
        if manifest.build_id != manifest.content_hash() {
            return Err(unreadable("its content does not match its build id".into()));
        }
        Ok(manifest)
    }

    fn content_hash(&self) -> String {
        let content =
            postcard::to_allocvec(&(&self.format_version, &self.model, &self.segments, &self.synonyms))
                .expect("memory does not fail to be written");
        hex(&short_hash(&content))
    }
}

fn read_synonyms(lists: Json) -> Result<Vec<Vec<String>>, String> {
    lists.into_list(|list| list.into_list(Json::into_text))
}

impl SegmentEntry {
    /// Reads what serialising gives.
    ///
    /// # Errors
    /// The field that is not as expected.
    pub fn from_json(json: Json) -> Result<Self, String> {
        let mut fields = json.into_fields()?;
        Ok(Self {
            label: fields.required("label", Json::into_text)?,
            documents: fields.required("documents", Json::into_u32)?,
            chunks: fields.required("chunks", Json::into_u32)?,
            questions: fields.required("questions", Json::into_u32)?,
            vectors: fields.required("vectors", Json::into_u32)?,
            bytes: fields.required("bytes", Json::into_count)?,
            languages: fields.required("languages", |list| list.into_list(Json::into_text))?,
            tombstones: fields.required("tombstones", |list| list.into_list(Json::into_u32))?,
            directory: fields.required("directory", FileEntry::from_json)?,
        })
    }
}

impl FileEntry {
    fn from_json(json: Json) -> Result<Self, String> {
        let mut fields = json.into_fields()?;
        let kinds = FileKind::ALL.map(|kind| (kind.name(), kind));
        Ok(Self {
            name: fields.required("name", Json::into_text)?,
            kind: fields.required("kind", |kind| kind.into_one_of(&kinds))?,
            bytes: fields.required("bytes", Json::into_count)?,
            sha256: fields.required("sha256", Json::into_text)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn manifest() -> Manifest {
        let directory = FileEntry::of(FileKind::Directory, b"abc");
        let entry = SegmentEntry {
            label: "a".into(),
            documents: 1,
            chunks: 2,
            questions: 3,
            vectors: 4,
            bytes: 5,
            languages: vec!["de".into()],
            tombstones: vec![0],
            directory,
        };
        Manifest::new(None, vec![entry]).with_synonyms(vec![vec!["yank".into(), "unpublish".into()]])
    }

    #[test]
    fn another_version_is_named() {
        let text = String::from_utf8(manifest().to_bytes())
            .expect("UTF-8")
            .replace(&format!("\"formatVersion\": {}", Manifest::VERSION), "\"formatVersion\": 99");
        let expected = Err(SegmentError::Version { expected: Manifest::VERSION, got: 99 });
        assert_eq!(Manifest::from_bytes(text.as_bytes()), expected);
    }

    proptest! {
        #[test]
        fn damage_is_seen(at: prop::sample::Index, flip in 1_u8..) {
            let manifest = manifest();
            let mut bytes = manifest.to_bytes();
            prop_assert_eq!(Manifest::from_bytes(&bytes), Ok(manifest.clone()));
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            // White space between tokens may change without changing what the manifest says.
            prop_assert!(Manifest::from_bytes(&bytes).map_or(true, |read| read == manifest));
            prop_assert!(Manifest::from_bytes(&bytes[..at]).is_err());
        }
    }
}
