use super::{FileKind, SegmentEntry};
use querent_core::{indexer, json::Json, segment};
use querent_reader as reader;
use serde::{Serialize, Serializer};
use tsify::Tsify;

/// How to read and index documents. Every field may be left out.
#[derive(Debug, Clone, Default, Tsify)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct IngestSettings {
    /// What stands before every document's path in its URL. Default: nothing.
    pub base_url: Option<String>,
    /// How the URL of a Markdown file follows from its path. Default `keep`.
    pub markdown_url: Option<MarkdownUrl>,
    /// Read documents whose front matter says `draft: true`: default false.
    pub include_drafts: Option<bool>,
    /// Language of documents that state none, as a BCP 47 tag. Default: it is taken from their text where that is sure.
    pub language: Option<String>,
    /// Limit in tokens of a chunk with its context and overlap: 32 to the model's limit less its two special
    /// tokens, default 254. Small chunks point at the exact paragraph but lose what stands around it; large ones
    /// blur several subjects into one vector.
    pub max_tokens: Option<u32>,
    /// Tokens of the chunk before that are embedded again: 0 to half of `maxTokens`, default 0.
    pub overlap_tokens: Option<u32>,
    /// Questions per chunk: 0 to 10, default 5. More questions match more phrasings and cost bytes.
    pub questions_per_chunk: Option<usize>,
    /// Embed the questions that are searched beside the chunks: default false. About doubles the vectors.
    pub embed_questions: Option<bool>,
}

/// How the URL of a Markdown file follows from its path.
#[derive(Debug, Clone, Copy, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum MarkdownUrl {
    /// `a/b.md` stays `a/b.md`.
    Keep,
    /// `a/b.md` becomes `a/b.html`: mdBook.
    Html,
    /// `a/b.md` becomes `a/b/`: Hugo, MkDocs, Docusaurus and others.
    Directory,
}

/// What became of a document.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct AddReport {
    /// The document's path.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its chunks.
    pub chunks: usize,
    /// The questions that its chunks answer.
    pub questions: usize,
    /// What was damaged and how it was read all the same, one sentence each.
    pub warnings: Vec<String>,
}

/// A finished segment.
#[derive(Debug, Clone, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BuiltSegment {
    /// What the manifest says about it; `label` is the document's path when there is only one.
    pub entry: SegmentEntry,
    /// Its files.
    pub files: Vec<BuiltFile>,
}

/// One file of a finished segment.
#[derive(Debug, Clone, Serialize, Tsify)]
pub struct BuiltFile {
    /// File name, as the segment's directory has it.
    pub name: String,
    /// What it holds.
    pub kind: FileKind,
    /// The first 16 hexadecimal digits of the SHA-256 of the bytes: what `SearchOutcome` asks for it by.
    pub sha256: String,
    /// What to store under that name.
    #[serde(serialize_with = "as_bytes")]
    #[tsify(type = "Uint8Array")]
    pub bytes: Vec<u8>,
}

/// A list of numbers would become an array of numbers.
fn as_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl IngestSettings {
    /// Reads them; null is the default.
    pub(crate) fn from_json(json: Json) -> Result<Self, String> {
        if json == Json::Null {
            return Ok(Self::default());
        }
        json.into_object(|fields| {
            Ok(Self {
                base_url: fields.optional("baseUrl", Json::into_text)?,
                markdown_url: fields.optional("markdownUrl", |url| url.into_one_of(&MarkdownUrl::WORDS))?,
                include_drafts: fields.optional("includeDrafts", Json::into_bool)?,
                language: fields.optional("language", Json::into_text)?,
                max_tokens: fields.optional("maxTokens", Json::into_u32)?,
                overlap_tokens: fields.optional("overlapTokens", Json::into_u32)?,
                questions_per_chunk: fields.optional("questionsPerChunk", Json::into_usize)?,
                embed_questions: fields.optional("embedQuestions", Json::into_bool)?,
            })
        })
    }
}

impl MarkdownUrl {
    const WORDS: [(&str, Self); 3] =
        [("keep", Self::Keep), ("html", Self::Html), ("directory", Self::Directory)];
}

impl From<&IngestSettings> for indexer::IndexSettings {
    fn from(settings: &IngestSettings) -> Self {
        let mut index = Self::default();
        index.chunk.max_tokens = settings.max_tokens.unwrap_or(index.chunk.max_tokens);
        index.chunk.overlap_tokens = settings.overlap_tokens.unwrap_or(index.chunk.overlap_tokens);
        index.questions_per_chunk = settings.questions_per_chunk.unwrap_or(index.questions_per_chunk);
        index.embed_questions = settings.embed_questions.unwrap_or(index.embed_questions);
        index
    }
}

impl From<&IngestSettings> for reader::ReadSettings {
    fn from(settings: &IngestSettings) -> Self {
        let default = Self::default();
        Self {
            base_url: settings.base_url.clone().unwrap_or(default.base_url),
            markdown_url: settings.markdown_url.map_or(default.markdown_url, Into::into),
            include_drafts: settings.include_drafts.unwrap_or(default.include_drafts),
            language: settings.language.clone().unwrap_or(default.language),
        }
    }
}

impl From<MarkdownUrl> for reader::MarkdownUrl {
    fn from(url: MarkdownUrl) -> Self {
        match url {
            MarkdownUrl::Keep => Self::Keep,
            MarkdownUrl::Html => Self::Html,
            MarkdownUrl::Directory => Self::Directory,
        }
    }
}

impl From<indexer::BuiltSegment> for BuiltSegment {
    fn from(segment: indexer::BuiltSegment) -> Self {
        let files = segment.files.into_iter().map(|(name, bytes)| BuiltFile::new(name, bytes)).collect();
        Self { entry: segment.entry.into(), files }
    }
}

impl BuiltFile {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        let kind = segment::FileKind::ALL.into_iter().find(|kind| name.starts_with(kind.name()));
        let kind = kind.expect("the core names files by their kind");
        let sha256 = segment::FileEntry::of(kind, &bytes).sha256;
        Self { name, kind: kind.into(), sha256, bytes }
    }
}
