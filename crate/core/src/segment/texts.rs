//! Texts: what a hit shows.
//!
//! A shard holds the texts of consecutive chunks and the documents they belong to, as a postcard record of
//! [`TextShard`]. A document whose chunks lie in several shards is repeated in each: a hit needs one file.

use super::source::ChunkSource;
use crate::{document::ContentType, question::QuestionType};
use serde::{Deserialize, Serialize};

/// One shard.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextShard {
    /// Documents of the chunks below.
    pub documents: Vec<DocumentText>,
    /// Consecutive chunks.
    pub chunks: Vec<ChunkText>,
}

/// What is shown of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentText {
    /// Its path: the identifier.
    pub path: String,
    /// Its URL without fragment.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its language, where it states one.
    pub language: Option<String>,
    /// What it was made from.
    pub content_type: ContentType,
    /// Values to show, by name.
    pub metadata: Vec<(String, String)>,
    /// Values to filter by, by name.
    pub filters: Vec<(String, Vec<String>)>,
}

/// What is shown of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChunkText {
    /// Position in [`TextShard::documents`].
    pub document: u32,
    /// Position of the section in its document.
    pub section: u32,
    /// Headings from below the title down to the section.
    pub headings: Vec<String>,
    /// The section's anchor, without `#`.
    pub anchor: Option<String>,
    /// The chunk's plain text without the section's heading.
    pub text: String,
    /// First byte of the chunk in the document's text.
    pub offset: u32,
    /// Bytes of the chunk in the document's text.
    pub length: u32,
    /// The questions that the chunk answers, best first.
    pub questions: Vec<StoredQuestion>,
    /// What a language model says of the chunk's place in its document; empty where nothing. Not a part of the text.
    pub context: String,
    /// What the text leaves out of the source, of code and data; empty for prose.
    pub source: ChunkSource,
}

/// A question that a chunk answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredQuestion {
    /// The question.
    pub text: String,
    /// What it asks for.
    pub question_type: QuestionType,
    /// Quality in 255ths.
    pub confidence: u8,
}

impl TextShard {
    /// Opens the content of a text file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(content: &[u8]) -> Result<Self, String> {
        let shard: Self = postcard::from_bytes(content).map_err(|error| error.to_string())?;
        if shard.chunks.iter().any(|chunk| chunk.document as usize >= shard.documents.len()) {
            return Err("a chunk belongs to a document that is not there".into());
        }
        Ok(shard)
    }

    /// The content of a text file.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory does not fail to be written")
    }
}
