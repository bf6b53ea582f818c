//! `querent inspect`: what an index holds, and whether every byte of it is as it was written; or what would be made of a
//! document.

mod chunks;
mod document;

use crate::{
    Outcome,
    args::InspectArgs,
    build::{
        ENCODER_JSON, EncoderNote, hexadecimal,
        output::{ASSETS, Assets},
    },
    index::Index,
    output, progress,
    weights::{MODEL_JSON, PackEntry},
};
use anyhow::Result;
use querent_core::{embedding::ModelIdentity, segment::FileEntry};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fs, path::Path};

/// How many of the largest files are listed.
const LARGEST: usize = 10;

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct Report {
    documents: usize,
    chunks: usize,
    questions: usize,
    /// Chunks that a language model has placed in their documents.
    contexts: usize,
    vectors: usize,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<ModelIdentity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pack: Option<PackEntry>,
    /// What the query encoder's table was made of, where the build said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoder: Option<EncoderNote>,
    /// Files and bytes by kind; `assets` are the browser's files and the model.
    kinds: BTreeMap<&'static str, KindReport>,
    largest: Vec<FileReport>,
    damaged: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct KindReport {
    files: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct FileReport {
    name: String,
    bytes: u64,
}

/// Checks the index and prints what it holds.
///
/// # Errors
/// When there is no manifest that can be read. A damaged file is no error but [`Outcome::Failed`].
pub(crate) fn run(args: &InspectArgs) -> Result<Outcome> {
    if args.index.is_file() && args.document.is_none() {
        return document::run(&args.index, args.json);
    }
    let mut index = Index::open(&args.index)?;
    let mut damaged = Vec::new();
    let essential = index.engine.essential_files();
    load_all(&mut index, essential, &mut damaged);
    let files = index.engine.files();
    load_all(&mut index, files.clone(), &mut damaged);
    let assets = check_assets(&args.index, &mut damaged);
    let chunks = chunks::stored(&index);
    if let Some(path) = &args.document {
        damaged.iter().for_each(|damage| progress::error(damage));
        chunks::show(chunks, path, args.json)?;
        return Ok(if damaged.is_empty() { Outcome::Done } else { Outcome::Failed });
    }
    let stats = index.engine.stats();
    let mut report = Report {
        documents: stats.documents,
        chunks: stats.chunks,
        questions: stats.questions,
        contexts: chunks::contexts(&chunks),
        vectors: stats.vectors,
        bytes: stats.bytes,
        model: index.engine.model().cloned(),
        pack: read_json(&args.index.join(MODEL_JSON)),
        encoder: read_json(&args.index.join(ENCODER_JSON)),
        kinds: BTreeMap::new(),
        largest: Vec::new(),
        damaged,
    };
    report.damaged.dedup();
    report.add_files(&files, &assets);
    for damage in &report.damaged {
        progress::error(damage);
    }
    if args.json {
        output::json(&report)?
    } else {
        output::line(&for_people(&report))?
    }
    Ok(if report.damaged.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn load_all(index: &mut Index, files: Vec<FileEntry>, damaged: &mut Vec<String>) {
    for file in files {
        if let Err(error) = index.load(&file) {
            damaged.push(format!("{error:#}"));
        }
    }
}

/// Compares the files of `assets.json` with their hashes. An index without that list has no such files.
fn check_assets(folder: &Path, damaged: &mut Vec<String>) -> Assets {
    let path = folder.join(ASSETS);
    if !path.exists() {
        return Assets::default();
    }
    let Some(assets) = read_json::<Assets>(&path) else {
        damaged.push(format!("{}: expected a list of files; build the index again", path.display()));
        return Assets::default();
    };
    for asset in &assets.files {
        let path = folder.join(&asset.name);
        let found = fs::read(&path).map(|bytes| hexadecimal(&Sha256::digest(bytes)));
        match found {
            Ok(found) if found == asset.sha256 => {}
            Ok(found) => damaged.push(format!(
                "{}: the checksum is {found}, expected {}; copy the file again, or build the index again",
                path.display(),
                asset.sha256
            )),
            Err(error) => damaged.push(format!(
                "{}: cannot be read: {error}; copy the whole folder, or build the index again",
                path.display()
            )),
        }
    }
    assets
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

impl Report {
    fn add_files(&mut self, files: &[FileEntry], assets: &Assets) {
        let of_index = files.iter().map(|file| (file.kind.name(), &file.name, file.bytes));
        let beside = assets.files.iter().map(|file| ("assets", &file.name, file.bytes));
        for (kind, name, bytes) in of_index.chain(beside) {
            let entry = self.kinds.entry(kind).or_default();
            entry.files += 1;
            entry.bytes += bytes;
            self.largest.push(FileReport { name: name.clone(), bytes });
        }
        self.largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
        self.largest.truncate(LARGEST);
    }
}

fn for_people(report: &Report) -> String {
    let mut text = format!(
        "documents  {}\nchunks     {}\nquestions  {}\nvectors    {}\nindex      {}\n",
        report.documents,
        report.chunks,
        report.questions,
        report.vectors,
        output::bytes(report.bytes)
    );
    if report.contexts > 0 {
        text += &format!("contexts   {} by a language model\n", report.contexts);
    }
    text += &match &report.model {
        Some(model) => format!("model      {}, {} dimensions\n", output::plain(&model.id), model.dimensions),
        None => "model      none: lexical search only\n".to_owned(),
    };
    if let Some(pack) = &report.pack {
        text += &format!("pack       {}, {}\n", output::plain(&pack.file), output::bytes(pack.bytes));
    }
    text += &match report.encoder.as_ref().map(|encoder| &encoder.base) {
        Some(Some(base)) => format!(
            "encoder    fitted to the site from the base {}, of {} texts\n",
            output::plain(base.sha256.get(..16).unwrap_or(&base.sha256)),
            base.recipe.texts
        ),
        Some(None) => "encoder    fitted to the site alone\n".to_owned(),
        None => String::new(),
    };
    text += "\nby kind\n";
    for (kind, KindReport { files, bytes }) in &report.kinds {
        text += &format!("  {kind:<10}{files:>6} files {:>12}\n", output::bytes(*bytes));
    }
    text += "\nlargest files\n";
    for FileReport { name, bytes } in &report.largest {
        text += &format!("  {:>12}  {}\n", output::bytes(*bytes), output::plain(name));
    }
    text += &match report.damaged.len() {
        0 => "\nall checksums are right".to_owned(),
        damaged => format!("\n{damaged} file(s) missing or damaged"),
    };
    text
}
