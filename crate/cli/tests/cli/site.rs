//! A folder to build from, and the binary to build with.

use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// A temporary folder with `docs/` in it.
pub(crate) struct Site {
    folder: TempDir,
}

/// What a run gave.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Site {
    /// A folder with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a folder") };
        for (name, text) in files {
            site.write(name, text);
        }
        site
    }

    /// Three documents that the tests search.
    pub(crate) fn docs() -> Self {
        Self::new(&[
            (
                "docs/borrow.md",
                "# Borrowing\n\nA reference borrows a value.\n\n## Rules\n\nOne mutable reference at a time.\n",
            ),
            (
                "docs/guide/port.html",
                "<title>Ports</title><main><h1>Ports</h1><p>Change the port by a flag.</p></main>",
            ),
            ("docs/notes.txt", "Lifetimes name how long a reference is valid.\n"),
        ])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("is written");
    }

    /// The binary with `args`, run in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
        command.args(args).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("QUERENT_")) {
            command.env_remove(name);
        }
        command.env("QUERENT_CACHE", self.path("cache"));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().expect("the binary starts"))
    }

    /// Builds `docs` into `out` without embeddings.
    pub(crate) fn build(&self, more: &[&str]) -> Ran {
        self.run(&[&["build", "docs", "--out", "out", "--embeddings", "none"], more].concat())
    }

    /// All files below `name` with their bytes.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(name), &mut files);
        files
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            let bytes = fs::read(&path).expect("is read");
            files.insert(path, bytes);
        }
    }
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self {
            status: output.status.code().expect("was not killed"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Asserts the exit status, and that stderr says each of `parts`.
    #[track_caller]
    pub(crate) fn check(self, status: i32, parts: &[&str]) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "expected {part:?} in: {}", self.stderr);
        }
        self
    }

    /// Stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {:?}", self.stdout))
    }
}
