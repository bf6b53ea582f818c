//! An index in a folder, opened with the engine: reads the files that a search says it needs.

use crate::build::output::MANIFEST;
use anyhow::{Context, Result, bail};
use querent_core::{
    assembly::{Assembled, AssemblySettings},
    engine::{Clock, Engine, Hit, SearchError, SearchResponse},
    query::{SearchMode, SearchRequest, inline_filters},
    segment::FileEntry,
};
use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

/// The name under which the one index is mounted.
const SOURCE: &str = "index";

/// Where an index's files come from.
#[derive(Debug)]
enum Files {
    Folder(PathBuf),
    Memory(HashMap<String, Vec<u8>>),
}

/// An opened index.
#[derive(Debug)]
pub(crate) struct Index {
    /// The engine, with the index mounted.
    pub(crate) engine: Engine,
    files: Files,
    clock: Stopwatch,
}

/// Milliseconds since it was made.
#[derive(Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins at 0.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn now_ms(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }
}

impl Index {
    /// Opens the index in `folder`.
    ///
    /// # Errors
    /// When there is none, or when its manifest cannot be used.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let manifest = match fs::read(&path) {
            Ok(manifest) => manifest,
            Err(error) => bail!(
                "{}: cannot be read: {error}; expected the folder of an index, build one with `querent build INPUT --out {}`",
                path.display(),
                folder.display()
            ),
        };
        Self::mount(&manifest, Files::Folder(folder.to_owned())).with_context(|| path.display().to_string())
    }

    /// Opens an index that was just built.
    ///
    /// # Errors
    /// When its manifest cannot be used.
    pub(crate) fn in_memory(manifest: &[u8], files: Vec<(String, Vec<u8>)>) -> Result<Self> {
        Self::mount(manifest, Files::Memory(files.into_iter().collect()))
    }

    fn mount(manifest: &[u8], files: Files) -> Result<Self> {
        let mut engine = Engine::new();
        engine.mount(SOURCE, manifest)?;
        Ok(Self { engine, files, clock: Stopwatch::start() })
    }

    /// Hands the file over to the engine, which checks it.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub(crate) fn load(&mut self, file: &FileEntry) -> Result<()> {
        match &self.files {
            Files::Memory(files) => {
                let bytes = files.get(&file.name).with_context(|| format!("{}: was not built", file.name))?;
                self.engine.load(&file.name, bytes)?;
            }
            Files::Folder(folder) => {
                let path = folder.join(&file.name);
                let bytes = fs::read(&path).with_context(|| {
                    format!(
                        "{}: cannot be read (copy the whole folder, or build the index again)",
                        path.display()
                    )
                })?;
                self.engine.load(&file.name, &bytes).with_context(|| {
                    format!("{}: cannot be used (copy it again, or build the index again)", path.display())
                })?;
            }
        }
        Ok(())
    }

    /// The bytes of `file`, unchecked.
    ///
    /// # Errors
    /// When it is missing.
    pub(crate) fn bytes(&self, file: &FileEntry) -> Result<Vec<u8>> {
        match &self.files {
            Files::Memory(files) => {
                files.get(&file.name).cloned().with_context(|| format!("{}: was not built", file.name))
            }
            Files::Folder(folder) => {
                let path = folder.join(&file.name);
                fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))
            }
        }
    }

    /// Whether the index can embed a query without the model.
    ///
    /// # Errors
    /// When a directory is missing or damaged.
    pub(crate) fn has_query_encoder(&mut self) -> Result<bool> {
        for file in self.engine.essential_files() {
            self.load(&file)?;
        }
        Ok(self.engine.has_query_encoder())
    }

    /// What of `query` is to be embedded: all but the filters in it.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub(crate) fn words_of(&mut self, query: &str) -> Result<String> {
        if inline_filters(query).next().is_some() {
            // A search by words reads the file that names the index's filters.
            let request = SearchRequest {
                query: query.to_owned(),
                mode: SearchMode::Lexical,
                ..SearchRequest::default()
            };
            self.search(&request, None)?;
        }
        Ok(self.engine.words_of(query))
    }

    /// What belongs to the best chunk of `hit`, which this index gave; reads the texts around it.
    ///
    /// # Errors
    /// When a file is missing or damaged.
    pub(crate) fn assemble(&mut self, hit: &Hit, settings: &AssemblySettings) -> Result<Option<Assembled>> {
        loop {
            match self.engine.assemble(hit, settings) {
                Err(SearchError::Missing(files)) => {
                    for file in files {
                        self.load(&file)?;
                    }
                }
                done => return Ok(done?),
            }
        }
    }

    /// Searches, reading the files that are needed. Their reading is not in the response's timings.
    ///
    /// # Errors
    /// When a file is missing or damaged, or when the request does not fit the index.
    pub(crate) fn search(
        &mut self,
        request: &SearchRequest,
        vector: Option<&[f32]>,
    ) -> Result<SearchResponse> {
        loop {
            match self.engine.search(request, vector, &self.clock) {
                Err(SearchError::Missing(files)) => {
                    for file in files {
                        self.load(&file)?;
                    }
                }
                done => return Ok(done?),
            }
        }
    }
}
