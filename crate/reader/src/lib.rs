//! Bytes in, documents out.
//!
//! A reader takes one file's bytes and its path and gives a [`Document`]: the text, the tree of headings with
//! their anchors, and the spans of the text that are content rather than markup. It opens no file and follows no
//! link, so the same code runs in the command line and, as WebAssembly, in the browser.
//!
//! ```
//! use querent_reader::{ReadSettings, Source, read};
//!
//! let source = Source { path: "guide/start.md", bytes: b"# Start\n\nRun `querent build`." };
//! let reading = read(&source, &ReadSettings::default())?;
//! assert_eq!(reading.document.title, "Start");
//! assert_eq!(reading.document.plain(0..reading.document.text.len()), "Start\n\nRun querent build.");
//! # Ok::<(), querent_reader::ReadError>(())
//! ```
//!
//! What the readers promise: no input panics, and every document passes [`Document::validate`]. Damage is
//! repaired where a browser would repair it, and reported in [`Reading::warnings`] where something was lost.

#![forbid(unsafe_code)]

#[cfg(all(test, feature = "code"))]
mod assembly_tests;
mod code;
mod data;
#[cfg(feature = "docx")]
mod docx;
mod encoding;
mod error;
mod html;
mod language;
mod markdown;
#[cfg(feature = "pdf")]
mod pdf;
mod settings;
mod sniff;
mod spans;
mod text;
mod url;
mod writer;

pub use error::ReadError;
pub use settings::{MarkdownUrl, ReadSettings};
pub use sniff::content_type;

use querent_core::document::{ContentType, Document};

/// One file as its owner hands it over.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Path relative to the input, with `/` separators. It names the document and decides its URL.
    pub path: &'a str,
    /// The file as it is on disk, in any encoding.
    pub bytes: &'a [u8],
}

/// A document and what its owner should know about it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// The document.
    pub document: Document,
    /// What was damaged and how it was read all the same, one sentence each.
    pub warnings: Vec<String>,
    /// Whether the document marks its own body with `data-querent-body` or `data-pagefind-body`. Where one
    /// document of a site does, those that do not are to be left out of the index: the marker is how an owner
    /// says which documents are meant. That is a rule about the whole site, so the caller applies it.
    pub has_body_marker: bool,
}

/// Megabytes of a file that are read: data and code are held several times while they are read.
fn limit(source: &Source<'_>, content_type: ContentType) -> Result<(), ReadError> {
    let limit = if content_type.is_data() || content_type.is_code() { 32 } else { 256 };
    let megabytes = source.bytes.len().div_ceil(1 << 20);
    if megabytes > limit {
        return Err(ReadError::TooLarge { path: source.path.to_owned(), limit, megabytes });
    }
    Ok(())
}

/// Reads one file.
///
/// Cost: linear in the bytes for Markdown and text; a browser's parsing for HTML. Memory: about four times the
/// file.
///
/// # Errors
/// When the file is of no known type, has nothing to read, or asks not to be indexed; see [`ReadError`], and
/// [`ReadError::is_information`] for those that are no failure.
pub fn read(source: &Source<'_>, settings: &ReadSettings) -> Result<Reading, ReadError> {
    let content_type = sniff::require(source)?;
    limit(source, content_type)?;
    let mut reading = match content_type {
        #[cfg(feature = "pdf")]
        ContentType::Pdf => pdf::read(source.path, source.bytes, settings)?,
        #[cfg(feature = "docx")]
        ContentType::Docx => docx::read(source.path, source.bytes, settings)?,
        of_text => read_text(source, of_text, settings)?,
    };
    language::complete(&mut reading.document, settings);
    Ok(reading)
}

/// Reads what is text, in any encoding.
fn read_text(
    source: &Source<'_>,
    content_type: ContentType,
    settings: &ReadSettings,
) -> Result<Reading, ReadError> {
    let decoded = encoding::decode(source.bytes, content_type);
    let mut reading = match content_type {
        ContentType::Markdown => markdown::read(source.path, decoded.text, settings),
        ContentType::Html => html::read(source.path, &decoded.text, settings),
        of_code if of_code.is_code() => code::read(source.path, decoded.text, of_code, settings),
        of_data if of_data.is_data() => data::read(source.path, decoded.text, of_data, settings),
        _ => text::read(source.path, decoded.text, settings),
    }?;
    reading.warnings.extend(decoded.warning);
    Ok(reading)
}
