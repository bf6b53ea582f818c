//! The archive: parts unpacked within bounds.

use super::xml::{self, Node};
use crate::encoding;
use querent_core::document::ContentType;
use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};
use zip::ZipArchive;

/// Most bytes of one part, and of all parts that are read. A thousand pages are 5 MB.
const MOST_BYTES: u64 = 64 << 20;

const REPAIR: &str = "open and save it with a word processor, or exclude it";

/// Why a file is no document.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) found: String,
    pub(super) remedy: &'static str,
}

impl Problem {
    pub(super) fn damaged(found: impl Into<String>) -> Self {
        Self { found: found.into(), remedy: REPAIR }
    }
}

/// An open archive.
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may still be unpacked.
    room: u64,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Problem> {
        // Word wraps what it encrypts into the container of its old formats.
        if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            let found = "one that asks for a password, or a .doc of an old Word".to_owned();
            return Err(Problem { found, remedy: "save it as DOCX without a password or exclude it" });
        }
        let archive = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| Problem::damaged(format!("a damaged ZIP archive ({error})")))?;
        Ok(Self { archive, room: MOST_BYTES })
    }

    /// The name of the part that holds the body, as the package states it.
    pub(super) fn main_part(&mut self) -> String {
        let relations = self.part("_rels/.rels").ok().flatten().unwrap_or_default();
        let mut target = None;
        // What cannot be read here is looked for under its usual name.
        let _ = xml::walk(&relations, |node| {
            if let Node::Start(start) = node
                && start.name() == "Relationship"
                && start.attribute("Type").is_some_and(|kind| kind.ends_with("/officeDocument"))
            {
                target = target.take().or(start.attribute("Target"));
            }
        });
        let target = target.map(|it| it.trim_start_matches('/').to_owned());
        target.unwrap_or_else(|| "word/document.xml".to_owned())
    }

    /// A part that a document must have.
    pub(super) fn require(&mut self, name: &str) -> Result<String, Problem> {
        self.part(name)?.ok_or_else(|| Problem::damaged(format!("an archive without {name}")))
    }

    /// The part called `name` in `folder`; empty where there is none.
    pub(super) fn beside(&mut self, folder: &str, name: &str) -> Result<String, Problem> {
        Ok(self.part(&format!("{folder}/{name}"))?.unwrap_or_default())
    }

    /// Title, author, language and description, as the file states them.
    pub(super) fn properties(&mut self) -> Result<BTreeMap<String, String>, Problem> {
        let part = self.part("docProps/core.xml")?.unwrap_or_default();
        let mut properties = BTreeMap::new();
        let mut open = None;
        let _ = xml::walk(&part, |node| match node {
            Node::Start(start) => {
                open = match start.name() {
                    "title" => Some("title"),
                    "creator" => Some("author"),
                    "language" => Some("language"),
                    "description" => Some("description"),
                    _ => None,
                };
            }
            Node::Text(text) => {
                if let Some(name) = open
                    && !text.trim().is_empty()
                {
                    properties.entry(name.to_owned()).or_insert_with(String::new).push_str(text.trim());
                }
            }
            Node::End(_) => open = None,
        });
        // Word's own word for nobody and nothing.
        properties.retain(|_, value: &mut String| !matches!(value.as_str(), "python-docx" | "Word Document"));
        Ok(properties)
    }

    fn part(&mut self, name: &str) -> Result<Option<String>, Problem> {
        let Ok(file) = self.archive.by_name(name) else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = file.take(self.room + 1).read_to_end(&mut bytes);
        let len = bytes.len() as u64;
        if len > self.room {
            let found = format!("parts that unpack to more than {} MB", MOST_BYTES >> 20);
            return Err(Problem { found, remedy: "split the document or exclude it" });
        }
        self.room -= len;
        read.map_err(|error| Problem::damaged(format!("a damaged part {name} ({error})")))?;
        Ok(Some(encoding::decode(&bytes, ContentType::Docx).text))
    }
}
