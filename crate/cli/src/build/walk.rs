//! Which files are indexed, and under which paths.
//!
//! Folders are walked with the rules of `.gitignore` and `.ignore`; hidden files stay out, symbolic links that
//! lead out of the INPUT are reported and never followed. The files come sorted by path, so that the same folder
//! gives the same index on every machine.

use super::globs::Globs;
use crate::{Usage, progress};
use anyhow::{Context, Result, bail};
use ignore::{WalkBuilder, gitignore::GitignoreBuilder};
use querent_core::document::ContentType;
use querent_reader::content_type;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputFile {
    /// Where it is.
    pub(crate) file: PathBuf,
    /// The document's path.
    pub(crate) path: String,
    /// The command line names this very file: it is meant to be a document.
    pub(crate) named: bool,
}

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Files, sorted by document path.
    pub(crate) files: Vec<InputFile>,
    /// What could not be listed, one sentence each.
    pub(crate) failures: Vec<String>,
    /// What was left out, one sentence each.
    pub(crate) skipped: Vec<String>,
}

/// Lists the files below `inputs`. Nothing below `out` is taken: that is the index.
///
/// # Errors
/// When an INPUT does not exist, when a glob is wrong, or when two files would have the same document path.
pub(crate) fn walk(inputs: &[PathBuf], globs: &Globs, out: Option<&Path>) -> Result<Walk> {
    let out = out.and_then(|out| fs::canonicalize(out).ok());
    let mut walk = Walk::default();
    let mut taken = BTreeMap::new();
    for input in inputs {
        let root = fs::canonicalize(input)
            .map_err(|error| Usage(format!("INPUT {}: cannot be opened: {error}", input.display())))?;
        let prefix = if inputs.len() > 1 { format!("{}/", name_of(&root, input)?) } else { String::new() };
        if root.is_dir() {
            walk_folder(&root, &prefix, globs, out.as_deref(), &mut walk)?;
        } else {
            // The prefix of a file would be its own name.
            let path = name_of(&root, input)?.to_owned();
            walk.files.push(InputFile { file: root, path, named: true });
        }
    }
    walk.files.sort_by(|a, b| a.path.cmp(&b.path));
    if !globs.has_include() {
        leave_machinery_out(&mut walk);
    }
    for file in &walk.files {
        if let Some(other) = taken.insert(&file.path, &file.file) {
            bail!(
                "two files would be the document {}: {} and {}; exclude one, or build from a folder that holds both",
                file.path,
                other.display(),
                file.file.display()
            );
        }
    }
    Ok(walk)
}

/// Code and data beside HTML are what a site works with, scripts and search indexes, not what its readers read. They are
/// left out unless the command line names them or `--include` asks for them.
fn leave_machinery_out(walk: &mut Walk) {
    let kind = |file: &InputFile| content_type(&file.path, b"");
    if !walk.files.iter().any(|file| kind(file) == Some(ContentType::Html)) {
        return;
    }
    let is_machinery =
        |file: &InputFile| !file.named && kind(file).is_some_and(|it| it.is_code() || it.is_data());
    let left_out: Vec<_> = walk.files.extract_if(.., |file| is_machinery(file)).collect();
    let reason = "code or data of a site with HTML; name it, or give --include, to have it indexed";
    walk.skipped.extend(left_out.into_iter().map(|file| format!("{}: {reason}", file.path)));
}

fn name_of<'a>(root: &'a Path, input: &Path) -> Result<&'a str> {
    root.file_name().and_then(|name| name.to_str()).with_context(|| {
        format!("INPUT {}: expected a name in UTF-8 to prefix its documents with", input.display())
    })
}

fn walk_folder(root: &Path, prefix: &str, globs: &Globs, out: Option<&Path>, walk: &mut Walk) -> Result<()> {
    let mut found = BTreeSet::new();
    let mut links = Vec::new();
    for entry in walker(root, out).build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                walk.failures.push(error.to_string());
                continue;
            }
        };
        let kind = entry.file_type();
        if kind.is_some_and(|kind| kind.is_symlink()) {
            links.push(entry.into_path());
        } else if kind.is_some_and(|kind| kind.is_file()) {
            found.insert(entry.into_path());
        }
    }
    resolve_links(root, links, &mut found, walk);
    for file in found {
        let Some(path) = document_path(root, &file) else {
            walk.failures.push(format!("{}: expected a name in UTF-8; rename the file", file.display()));
            continue;
        };
        if globs.matches(&path) {
            walk.files.push(InputFile { path: format!("{prefix}{path}"), file, named: false });
        } else {
            walk.skipped.push(format!("{prefix}{path}: left out by --include or --exclude"));
        }
    }
    Ok(())
}

fn walker(root: &Path, out: Option<&Path>) -> WalkBuilder {
    let out = out.map(Path::to_owned);
    let mut builder = WalkBuilder::new(root);
    // The rules of the machine's user must not change the index; those of the folder and its repository may.
    // They need no repository, because a published folder often has none.
    builder
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .parents(!is_ignored_itself(root))
        .follow_links(false)
        .filter_entry(move |entry| out.as_deref() != Some(entry.path()));
    builder
}

/// Whether the folders above ignore `root`, as most repositories do with the folder that a site generator writes.
/// Naming it on the command line counts more, so the rules from above are not applied then.
fn is_ignored_itself(root: &Path) -> bool {
    root.ancestors().skip(1).any(|folder| {
        [".gitignore", ".ignore"].iter().map(|name| folder.join(name)).filter(|file| file.is_file()).any(
            |file| {
                let mut builder = GitignoreBuilder::new(folder);
                // Lines that cannot be read ignore nothing.
                let _ = builder.add(file);
                let Ok(rules) = builder.build() else { return false };
                let ignored =
                    |path: &Path, folder| rules.matched_path_or_any_parents(path, folder).is_ignore();
                ignored(root, true) || ignored(&root.join("any"), false)
            },
        )
    })
}

/// A link's target inside `root` is indexed under its own path; only what the walk did not meet (because it is
/// hidden or ignored there) is indexed under the link's.
fn resolve_links(root: &Path, links: Vec<PathBuf>, found: &mut BTreeSet<PathBuf>, walk: &mut Walk) {
    for link in links {
        let shown = link.strip_prefix(root).unwrap_or(&link).display().to_string();
        match fs::canonicalize(&link) {
            Ok(target) if !target.starts_with(root) => {
                let text = format!("{shown}: a symbolic link that leads out of the input, not followed");
                progress::warn(&text);
                walk.skipped.push(text);
            }
            Ok(target) if target.is_file() && !found.contains(&target) => {
                found.insert(link);
            }
            Ok(_) => {
                walk.skipped.push(format!("{shown}: a symbolic link to what is indexed under its own path"))
            }
            Err(error) => walk.failures.push(format!("{shown}: a symbolic link that leads nowhere: {error}")),
        }
    }
}

/// `file` relative to `root` with `/` separators.
fn document_path(root: &Path, file: &Path) -> Option<String> {
    let parts = file.strip_prefix(root).ok()?.components().map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}
