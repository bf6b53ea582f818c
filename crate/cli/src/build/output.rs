//! Writes an index without ever leaving a broken one behind.
//!
//! Everything is first written to a folder beside the index. Then files move in, the manifest last and in one
//! step: until then the old manifest and the files that it names are there, whatever ends the process. Files
//! that neither the manifest nor `assets.json` name any more are deleted at the very end.

use super::embed_cache::hexadecimal;
use crate::Usage;
use anyhow::{Context, Result, bail};
use querent_core::segment::FileKind;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    borrow::Cow,
    collections::BTreeSet,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

/// The manifest's file name.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The name of the list of files beside the index: the browser's files and the model.
pub(crate) const ASSETS: &str = "assets.json";

/// A file to write.
#[derive(Debug)]
pub(crate) struct OutputFile<'a> {
    /// Path relative to the index's folder, with `/` separators.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) bytes: Cow<'a, [u8]>,
}

/// `assets.json`: what stands in the folder beside the index.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Assets {
    /// Every file.
    pub(crate) files: Vec<AssetEntry>,
}

/// One file beside the index.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AssetEntry {
    /// Path relative to the index's folder.
    pub(crate) name: String,
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// SHA-256 of the bytes, hexadecimal.
    pub(crate) sha256: String,
}

impl Assets {
    fn new(files: &[OutputFile<'_>]) -> Self {
        let entry = |file: &OutputFile<'_>| AssetEntry {
            name: file.name.clone(),
            bytes: file.bytes.len() as u64,
            sha256: hexadecimal(&Sha256::digest(&file.bytes)),
        };
        let mut files: Vec<_> = files.iter().map(entry).collect();
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Self { files }
    }
}

/// Writes the index (`files` and `manifest`) and what stands beside it (`assets`) to `out`.
///
/// A file that is there with the same bytes is left alone, so the same build again writes nothing.
///
/// # Errors
/// When the folder cannot be written, or when another process is writing it. The old index is intact then.
pub(crate) fn write<'a>(
    out: &Path,
    mut files: Vec<OutputFile<'a>>,
    manifest: &'a [u8],
    assets: Vec<OutputFile<'a>>,
) -> Result<()> {
    let staging = Staging::open(out)?;
    let before = names(out);
    let list = serde_json::to_vec_pretty(&Assets::new(&assets))?;
    files.extend(assets);
    files.push(OutputFile { name: ASSETS.into(), bytes: list.into() });
    // The last to move in: from then on the index is the new one.
    files.push(OutputFile { name: MANIFEST.into(), bytes: manifest.into() });
    if before.is_empty() {
        refuse_foreign(out, &files)?;
    }
    let changed: Vec<&OutputFile<'_>> = files.iter().filter(|file| !is_there(out, file)).collect();
    for file in &changed {
        staging.write(file)?;
    }
    for file in &changed {
        staging.move_in(out, &file.name)?;
    }
    let now: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    for name in before.iter().filter(|name| !now.contains(name.as_str())) {
        delete(out, name);
    }
    staging.close()
}

fn is_there(out: &Path, file: &OutputFile<'_>) -> bool {
    let path = out.join(&file.name);
    fs::metadata(&path).is_ok_and(|it| it.len() == file.bytes.len() as u64)
        && fs::read(path).is_ok_and(|bytes| bytes == *file.bytes)
}

/// Refuses to replace a file in a folder that no build has written to: `--out` may name a site's own folder, whose
/// `index.html` and `manifest.json` are not ours.
fn refuse_foreign(out: &Path, files: &[OutputFile<'_>]) -> Result<()> {
    let is_foreign = |file: &&OutputFile<'_>| out.join(&file.name).exists() && !is_there(out, file);
    match files.iter().find(is_foreign) {
        Some(file) => Err(Usage(format!(
            "--out {}: it holds a file {} that no build has written, and it would be replaced; give the index a \
             folder of its own, for instance --out {}",
            out.display(),
            file.name,
            out.join("querent").display()
        ))
        .into()),
        None => Ok(()),
    }
}

/// Names of the files in `out` that builds have written: what has the name of an index file (also one that an
/// interrupted build moved in), and what `assets.json` lists.
fn names(out: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if let Ok(bytes) = fs::read(out.join(ASSETS)) {
        let assets: Assets = serde_json::from_slice(&bytes).unwrap_or_default();
        names.extend(assets.files.into_iter().map(|file| file.name));
    }
    for entry in fs::read_dir(out).into_iter().flatten().flatten() {
        names.extend(entry.file_name().into_string().ok().filter(|name| is_index_file(name)));
    }
    names
}

/// Whether `name` is a kind and 16 hexadecimal digits.
fn is_index_file(name: &str) -> bool {
    let kinds = FileKind::ALL.map(FileKind::name);
    let rest = kinds.iter().find_map(|kind| name.strip_prefix(kind)?.strip_prefix('-')?.strip_suffix(".bin"));
    rest.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Deletes `name` below `out`. A list that was tampered with must not reach outside, so such names are ignored.
fn delete(out: &Path, name: &str) {
    let inside =
        name.split('/').all(|part| !part.is_empty() && part != ".." && part != "." && !part.contains('\\'));
    if inside {
        // What cannot be deleted is not named by the manifest, so it does no harm.
        let _ = fs::remove_file(out.join(name));
    }
}

/// The folder beside the index in which files wait until all of them are written.
struct Staging {
    folder: PathBuf,
    /// Held to the end, so that two builds cannot mix their files.
    _lock: File,
}

impl Staging {
    fn open(out: &Path) -> Result<Self> {
        let out = std::path::absolute(out)?;
        let name =
            out.file_name().and_then(|name| name.to_str()).context("--out: expected a folder with a name")?;
        if out.exists() && !out.is_dir() {
            bail!("{}: expected a folder to write the index to, found a file", out.display());
        }
        let parent = out.parent().unwrap_or(Path::new("/"));
        let cannot = |path: &Path| {
            format!("{}: cannot be made; give an --out whose parent folder can be written", path.display())
        };
        fs::create_dir_all(parent).with_context(|| cannot(parent))?;
        let folder = parent.join(format!(".{name}.querent-staging"));
        let lock_path = parent.join(format!(".{name}.querent-lock"));
        let lock = File::create(&lock_path).with_context(|| cannot(&lock_path))?;
        if lock.try_lock().is_err() {
            bail!("{}: another build is writing this index; wait for it to end", out.display());
        }
        // What a build left that was interrupted.
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("{}: cannot be deleted", folder.display()))?;
        }
        fs::create_dir(&folder).with_context(|| cannot(&folder))?;
        Ok(Self { folder, _lock: lock })
    }

    fn write(&self, file: &OutputFile<'_>) -> Result<()> {
        let path = self.folder.join(&file.name);
        let write = || {
            fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
            let mut target = File::create(&path)?;
            target.write_all(&file.bytes)?;
            target.sync_all()
        };
        write().with_context(|| format!("{}: cannot be written", path.display()))
    }

    fn move_in(&self, out: &Path, name: &str) -> Result<()> {
        let target = out.join(name);
        let rename = || {
            fs::create_dir_all(target.parent().unwrap_or(out))?;
            fs::rename(self.folder.join(name), &target)
        };
        rename().with_context(|| format!("{}: cannot be written", target.display()))
    }

    fn close(self) -> Result<()> {
        fs::remove_dir_all(&self.folder)
            .with_context(|| format!("{}: cannot be deleted", self.folder.display()))?;
        // Deleting the lock's file would let a third build lock a new file of that name while a second one waits
        // for this one; builds do not wait, they refuse, so nobody holds the old file.
        let lock = self.folder.with_extension("querent-lock");
        let _ = fs::remove_file(lock);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_files_by_name() {
        for (name, expected) in [
            ("terms-0123456789abcdef.bin", true),
            ("directory-0123456789abcdef", false),
            ("terms-0123456789abcde.bin", false),
            ("terms-of-service.html", false),
            ("index.html", false),
        ] {
            assert_eq!(is_index_file(name), expected, "{name}");
        }
    }
}
