//! The three files of a judged set, or two and a folder.

use super::{EvalSettings, EvalSource};
use crate::{
    build::{Globs, read::read_all, walk},
    progress,
};
use anyhow::{Context, Result, bail};
use querent_core::{
    document::Document,
    evaluation::{
        Judgements,
        beir::{self, BeirDocument, BeirQuery},
    },
};
use querent_reader::{ReadSettings, Source, read};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What is measured.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) documents: Vec<Document>,
    pub(super) queries: Vec<BeirQuery>,
    pub(super) judgements: Judgements,
}

impl Input {
    /// Reads everything, and says what does not fit together.
    ///
    /// # Errors
    /// When a file cannot be read, or when no document or no judged query is there.
    pub(super) fn read(settings: &EvalSettings) -> Result<Self> {
        let queries = beir::queries(&text(&settings.queries)?).with_context(|| shown(&settings.queries))?;
        let qrels = text(&settings.qrels)?;
        let judgements = beir::qrels(&qrels).with_context(|| shown(&settings.qrels))?;
        let documents = match &settings.source {
            EvalSource::Corpus(file) => corpus(file)?,
            EvalSource::Folder(folder) => files(folder, &settings.queries)?,
        };
        if documents.is_empty() {
            bail!(
                "no document to search; expected Markdown, HTML or text in --docs, or a --corpus with documents"
            );
        }
        if judgements.is_empty() {
            bail!("{}: expected judgements, found none", settings.qrels.display());
        }
        if !queries.iter().any(|query| judgements.queries().any(|judged| judged == query.id)) {
            bail!(
                "{}: expected queries with the ids of {}, found none; check that both are of one set",
                settings.queries.display(),
                settings.qrels.display()
            );
        }
        let input = Self { documents, queries, judgements };
        input.warn_of_what_is_missing(&qrels);
        Ok(input)
    }

    /// A wrong folder gives bad figures and no error, so it is worth a sentence.
    fn warn_of_what_is_missing(&self, qrels: &str) {
        let queries: BTreeSet<&str> = self.queries.iter().map(|query| query.id.as_str()).collect();
        let missing = self.judgements.queries().filter(|query| !queries.contains(query)).count();
        if missing > 0 {
            progress::warn(&format!(
                "{missing} judged queries are not in the file of queries; each counts 0"
            ));
        }
        let known: BTreeSet<&str> = self.documents.iter().map(|document| document.path.as_str()).collect();
        let judged = |line| -> Option<&str> { str::split(line, '\t').nth(1).map(str::trim) };
        let judged: BTreeSet<&str> = qrels.lines().skip(1).filter_map(judged).collect();
        let missing = judged.iter().filter(|document| !known.contains(*document)).count();
        if missing > 0 {
            progress::warn(&format!(
                "{missing} of {} judged documents are not among the {} documents",
                judged.len(),
                known.len()
            ));
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))
}

fn corpus(file: &Path) -> Result<Vec<Document>> {
    let entries = beir::corpus(&text(file)?).with_context(|| shown(file))?;
    Ok(entries.into_iter().filter_map(document).collect())
}

/// The entry as plain text. One without any text is left out: nothing could find it.
fn document(entry: BeirDocument) -> Option<Document> {
    let BeirDocument { id, title, text } = entry;
    let text = if text.trim().is_empty() { title.clone() } else { text };
    // The name decides that the text is read as it is; the id need not look like a file.
    match read(&Source { path: "document.txt", bytes: text.as_bytes() }, &ReadSettings::default()) {
        Ok(reading) => {
            let mut document = reading.document;
            document.title = if title.trim().is_empty() { id.clone() } else { title };
            document.url = id.clone();
            document.path = id;
            Some(document)
        }
        Err(error) => {
            progress::warn(&format!("corpus-id {id}: left out: {error}"));
            None
        }
    }
}

/// The documents of `folder`. A folder inside it that holds the queries is about the judged set, not a part of it:
/// what explains the queries there would be found by all of them.
fn files(folder: &Path, queries: &Path) -> Result<Vec<Document>> {
    let mut walked = walk(&[folder.to_owned()], &Globs::new(&[], &[])?, None)?;
    if let Some(inside) = inside(folder, queries) {
        walked.files.retain(|file| !Path::new(&file.path).starts_with(&inside));
    }
    let jobs = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let read = read_all(&walked.files, &ReadSettings::default(), jobs);
    for failure in walked.failures.iter().chain(&read.failures) {
        progress::warn(&format!("left out: {failure}"));
    }
    for reason in walked.skipped.iter().chain(&read.skipped) {
        progress::detail(&format!("skipped: {reason}"));
    }
    Ok(read.documents)
}

/// The folder of `file` relative to `folder`, where it lies below it.
fn inside(folder: &Path, file: &Path) -> Option<PathBuf> {
    let parent = fs::canonicalize(file.parent()?).ok()?;
    let inside = parent.strip_prefix(fs::canonicalize(folder).ok()?).ok()?;
    (!inside.as_os_str().is_empty()).then(|| inside.to_owned())
}
