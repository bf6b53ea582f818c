//! Replies that came before, on disk: one file per model, one line of JSON per reply.
//!
//! ```json
//! {"key":"5f0c...","prompt":1,"model":"qwen2.5","path":"guide.md","section":"Ports","reply":"{\"questions\": ..."}
//! ```
//!
//! A line is whole or it is as if it were not there: whoever appends begins a new line where the last one has no end.
//! Writers take turns by a lock on the file. Lines are only ever added, so the folder can be committed to a site's
//! repository and its changes be read in a review; a build with such a folder needs no model.

use super::LlmSettings;
use crate::{build::hexadecimal, places};
use anyhow::{Context, Result};
use querent_core::llm::{ChatRequest, Usage};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// One line.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    /// SHA-256 over everything that the reply depends on.
    pub(super) key: String,
    /// The version of the prompt, for people: the key holds it too.
    pub(super) prompt: u32,
    /// The server's name of the model.
    pub(super) model: String,
    /// The document that was asked about.
    pub(super) path: String,
    /// The heading of its section.
    pub(super) section: String,
    /// What the model said, also where that is of no use.
    pub(super) reply: String,
    /// What the server says that it used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<Usage>,
}

/// Replies by key.
#[derive(Debug)]
pub(super) struct ReplyCache {
    path: PathBuf,
    replies: HashMap<String, String>,
}

/// Names `request`: the messages (so the chunk, its title and headings), the model, the settings; and the prompt's `version`.
pub(super) fn key(version: u32, request: &ChatRequest) -> String {
    let parts = serde_json::to_vec(&(version, request)).expect("text and finite numbers are JSON");
    hexadecimal(&Sha256::digest(parts))
}

impl ReplyCache {
    /// What is kept of the model that `settings` name, in their folder or in the program's cache.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub(super) fn of(settings: &LlmSettings) -> Result<Self> {
        let folder =
            settings.cache.clone().map_or_else(|| places::cache().map(|cache| cache.join("llm")), Ok)?;
        Self::open(&folder, &settings.endpoint.model)
    }

    /// Reads what is kept for `model` in `folder`. Nothing is made until there is something to keep.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub(super) fn open(folder: &Path, model: &str) -> Result<Self> {
        let path = folder.join(file_name(model));
        let mut cache = Self { path, replies: HashMap::new() };
        if cache.path.exists() {
            cache.read().with_context(|| format!("{}: cannot be read", cache.path.display()))?;
        }
        Ok(cache)
    }

    fn read(&mut self) -> std::io::Result<()> {
        let mut reader = BufReader::new(File::open(&self.path)?);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            if let Ok(record) = serde_json::from_slice::<Record>(&line) {
                self.replies.insert(record.key, record.reply);
            }
            line.clear();
        }
        Ok(())
    }

    /// The reply of `key`, where it is known.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.replies.get(key).map(String::as_str)
    }

    /// The file that replies are kept in.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps `record`, in memory and on disk. It is on disk when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn add(&mut self, record: Record) -> Result<()> {
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        self.append(&line).with_context(|| {
            format!("{}: cannot be written; name another folder by --llm-cache", self.path.display())
        })?;
        self.replies.insert(record.key, record.reply);
        Ok(())
    }

    fn append(&self, line: &[u8]) -> std::io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&self.path)?;
        // Released when the file is closed, also by the end of the process.
        file.lock()?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        let torn: &[u8] = if last == *b"\n" { b"" } else { b"\n" };
        file.write_all(&[torn, line].concat())?;
        file.sync_data()
    }
}

/// The file of a model: its name as far as file systems take it, and a hash of the whole name.
fn file_name(model: &str) -> String {
    let last = model.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last
        .chars()
        .take(48)
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' })
        .collect();
    format!("{}-{}.jsonl", plain.trim_start_matches('.'), hexadecimal(&Sha256::digest(model)[..4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: &str, reply: &str) -> Record {
        Record {
            key: key.into(),
            prompt: 1,
            model: "m".into(),
            path: "a.md".into(),
            section: String::new(),
            reply: reply.into(),
            usage: None,
        }
    }

    #[test]
    fn what_was_kept_is_found_also_after_a_torn_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || ReplyCache::open(folder.path(), "m").expect("opens");
        assert_eq!(open().get("a"), None);
        open().add(record("a", "one\ntwo")).expect("is kept");
        let path = open().path().to_owned();
        fs::write(&path, fs::read_to_string(&path).expect("text") + "{\"key\": \"b\", \"repl")
            .expect("is torn");
        open().add(record("c", "three")).expect("is kept");
        let cache = open();
        assert_eq!((cache.get("a"), cache.get("b"), cache.get("c")), (Some("one\ntwo"), None, Some("three")));
    }

    #[test]
    fn files_of_models() {
        for (model, start) in
            [("org/Qwen2.5:0.5b", "Qwen2.5-0.5b-"), ("../..", "-"), ("", "-"), ("模型", "---")]
        {
            let name = file_name(model);
            assert!(name.starts_with(start) && name.ends_with(".jsonl") && !name.contains('/'), "{name}");
        }
    }
}
