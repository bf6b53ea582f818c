//! Files in, documents out: the reader over many files, on several threads.

use super::walk::InputFile;
use crate::progress::{self, Progress};
use querent_core::document::Document;
use querent_reader::{ReadError, ReadSettings, Reading, Source, content_type, read};
use std::{
    fs,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What became of the files.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    /// Documents in the order of the files.
    pub(crate) documents: Vec<Document>,
    /// Files that should have given a document, one sentence each.
    pub(crate) failures: Vec<String>,
    /// Files that give none by intention or by kind, one sentence each.
    pub(crate) skipped: Vec<String>,
}

enum Outcome {
    Read(Box<Reading>),
    Failed(String),
    Skipped(String),
}

/// Reads `files` on `jobs` threads. The result does not depend on their number.
pub(crate) fn read_all(files: &[InputFile], settings: &ReadSettings, jobs: usize) -> Documents {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(files.iter().map(|_| None).collect());
    let progress = Mutex::new(Progress::new("reading", files.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(files.len()) {
            scope.spawn(|| {
                while let Some((index, file)) = pick(&next, files) {
                    let outcome = read_one(file, settings);
                    outcomes.lock().expect("no thread panicked")[index] = Some(outcome);
                    progress.lock().expect("no thread panicked").advance(1);
                }
            });
        }
    });
    drop(progress);
    let outcomes = outcomes.into_inner().expect("no thread panicked");
    sort_out(outcomes.into_iter().map(|outcome| outcome.expect("every file was read")))
}

fn pick<'a>(next: &AtomicUsize, files: &'a [InputFile]) -> Option<(usize, &'a InputFile)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    files.get(index).map(|file| (index, file))
}

fn read_one(file: &InputFile, settings: &ReadSettings) -> Outcome {
    // Reading a pipe would wait for ever.
    if fs::metadata(&file.file).is_ok_and(|found| !found.is_file()) {
        return Outcome::Failed(format!(
            "{}: expected a file with content, found a pipe or device",
            file.path
        ));
    }
    let bytes = match fs::read(&file.file) {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Failed(format!("{}: cannot be read: {error}", file.path)),
    };
    match read(&Source { path: &file.path, bytes: &bytes }, settings) {
        Ok(reading) => Outcome::Read(Box::new(reading)),
        Err(error) if is_failure(&error, file) => Outcome::Failed(error.to_string()),
        Err(error) => Outcome::Skipped(error.to_string()),
    }
}

/// A picture beside the documents is no failure. A file that is named on the command line, or that has a
/// document's name and cannot be read as one, is.
fn is_failure(error: &ReadError, file: &InputFile) -> bool {
    if error.is_information() {
        return false;
    }
    file.named || content_type(&file.path, b"").is_some()
}

fn sort_out(outcomes: impl Iterator<Item = Outcome>) -> Documents {
    let mut all = Documents::default();
    let mut readings = Vec::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Read(reading) => readings.push(*reading),
            Outcome::Failed(reason) => all.failures.push(reason),
            Outcome::Skipped(reason) => all.skipped.push(reason),
        }
    }
    let marked = readings.iter().any(|reading| reading.has_body_marker);
    for Reading { document, warnings, has_body_marker, .. } in readings {
        if marked && !has_body_marker {
            all.skipped.push(format!(
                "{}: left out, because other documents mark their body with data-querent-body or \
                 data-pagefind-body and this one does not",
                document.path
            ));
            continue;
        }
        for warning in warnings {
            progress::warn(&format!("{}: {warning}", document.path));
        }
        all.documents.push(document);
    }
    all
}
