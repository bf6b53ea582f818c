//! Fits the query encoder's table to the documents of an index.
//!
//! The rows start from a base where there is one, else from the model's embeddings of single word pieces; those depend on
//! the model alone and are kept beside the other embeddings. What is fitted to are the site's own sentences, headings
//! and questions.

use super::{embed, embed_cache::hexadecimal, output::OutputFile};
use crate::{encoder::Base, places, progress, progress::Progress, weights::write_whole};
use anyhow::{Context, Result};
use querent_core::{
    embedding::Embedder,
    query_encoder::{
        BaseRecipe, Example, FitSettings, Pair, RefineSettings, Rows, Table, Vocabulary, fit, refine, sample,
        training_texts,
    },
    segment::PreparedDocument,
};
use querent_model::MiniLm;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{fs, path::Path, time::Instant};

/// Pieces that are embedded between two signs of progress.
const GROUP: u32 = 1024;
/// The name of [`EncoderNote`] beside an index.
pub(crate) const ENCODER_JSON: &str = "encoder.json";

/// How a table is made.
#[derive(Debug)]
pub(crate) struct EncoderPlan {
    /// What the rows start from; nothing for the pieces alone.
    pub(crate) base: Option<Base>,
    /// Training texts of the site, at most; 0 leaves the rows as they start.
    pub(crate) texts: usize,
}

impl EncoderPlan {
    /// Training texts, at most: a minute and a half of embedding on two cores.
    pub(crate) const TEXTS: usize = 20_000;

    /// What stands beside the index about its table.
    pub(super) fn note(&self) -> Result<OutputFile<'static>> {
        let base = |base: &Base| BaseNote { sha256: base.sha256.clone(), recipe: base.recipe.clone() };
        let note = EncoderNote { texts: self.texts, base: self.base.as_ref().map(base) };
        Ok(OutputFile { name: ENCODER_JSON.into(), bytes: serde_json::to_vec_pretty(&note)?.into() })
    }
}

/// `encoder.json` beside an index: what its table was made of. No reader asks for it; `querent inspect` does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EncoderNote {
    /// Training texts of the site, at most.
    pub(crate) texts: usize,
    /// The base; null where the rows started from the pieces alone.
    pub(crate) base: Option<BaseNote>,
}

/// Which base.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BaseNote {
    /// SHA-256 of its file, hexadecimal.
    pub(crate) sha256: String,
    /// What it was made of.
    pub(crate) recipe: BaseRecipe,
}

/// The table for `documents`, whose vectors `model` made: those of their chunks in order, others behind them.
///
/// # Errors
/// When the model fails, or when the cache cannot be written.
pub(super) fn of_documents(
    model: &MiniLm,
    documents: &[PreparedDocument],
    vectors: &[Vec<f32>],
    plan: &EncoderPlan,
) -> Result<Table> {
    let started = Instant::now();
    let texts = sample(training_texts(documents), plan.texts);
    let targets = embed::embed(model as &dyn Embedder, &texts)?;
    let start = match &plan.base {
        Some(base) => base.rows.clone(),
        None => alone(model)?,
    };
    let examples = examples(&start.vocabulary, &texts, targets);
    let settings = FitSettings::default();
    let mut rows = fit(&start, &examples, &settings);
    let pairs = pairs(&rows.vocabulary, documents, plan.texts);
    let chunks = documents.iter().map(|prepared| prepared.chunks.len()).sum::<usize>();
    refine(&mut rows, settings.half_frequency, &pairs, &vectors[..chunks], &RefineSettings::default());
    let seconds = started.elapsed().as_secs_f64();
    let (texts, pairs) = (examples.len(), pairs.len());
    progress::detail(&format!(
        "query encoder: fitted to {texts} texts and {pairs} questions in {seconds:.1} s"
    ));
    Ok(rows.table(settings.half_frequency))
}

/// Questions with the positions of their chunks among all, at most `count`.
fn pairs(vocabulary: &Vocabulary, documents: &[PreparedDocument], count: usize) -> Vec<Pair> {
    let of_chunks = documents.iter().flat_map(|prepared| &prepared.questions).enumerate();
    let questions: Vec<(String, usize)> = of_chunks
        .flat_map(|(chunk, questions)| {
            questions.iter().map(move |found| (found.question_text.clone(), chunk))
        })
        .collect();
    let pair = |(text, chunk): (String, usize)| Pair {
        pieces: vocabulary.split(&text).into_iter().flatten().collect(),
        chunk,
    };
    let pairs = sample(questions, count).into_iter().map(pair);
    pairs.filter(|pair| !pair.pieces.is_empty()).collect()
}

/// Each text with its pieces and the model's embedding; texts without a piece are left out.
pub(crate) fn examples(vocabulary: &Vocabulary, texts: &[String], targets: Vec<Vec<f32>>) -> Vec<Example> {
    let example = |(text, target): (&String, Vec<f32>)| Example {
        pieces: vocabulary.split(text).into_iter().flatten().collect(),
        target,
    };
    texts.iter().zip(targets).map(example).filter(|example| !example.pieces.is_empty()).collect()
}

/// The model's embedding of each piece by itself.
pub(crate) fn alone(model: &MiniLm) -> Result<Rows> {
    let names = model.vocabulary();
    let vocabulary = Vocabulary::new(names.iter().map(String::as_str));
    let by_id = by_id(model, names.len() as u32)?;
    let dimensions = model.identity().dimensions as usize;
    let mut rows = vec![0.0; vocabulary.len() * dimensions];
    for (name, vector) in names.iter().zip(by_id.chunks_exact(dimensions)) {
        let id = vocabulary.find(name).context("the vocabulary was made of these pieces")?;
        rows[id.0 as usize * dimensions..][..dimensions].copy_from_slice(vector);
    }
    Ok(Rows::alone(vocabulary, rows))
}

/// The embeddings of `count` pieces by their ids, kept on disk.
fn by_id(model: &MiniLm, count: u32) -> Result<Vec<f32>> {
    let identity = serde_json::to_vec(model.identity())?;
    let name = hexadecimal(&Sha256::digest(identity)[..8]);
    let folder = places::cache()?.join("embeddings");
    let path = folder.join(format!("{name}.pieces.f32"));
    let numbers = count as usize * model.identity().dimensions as usize;
    if let Some(kept) = read(&path, numbers) {
        return Ok(kept);
    }
    let mut progress = Progress::new("word pieces", count as usize);
    let mut rows = Vec::with_capacity(numbers);
    for first in (0..count).step_by(GROUP as usize) {
        let group = first..count.min(first + GROUP);
        progress.advance(group.len());
        rows.extend(model.embed_pieces(group)?.into_iter().flatten());
    }
    fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    write(&path, &rows).context("set QUERENT_CACHE to another folder")?;
    Ok(rows)
}

/// The numbers in `path`, where it holds as many and their checksum behind them.
fn read(path: &Path, count: usize) -> Option<Vec<f32>> {
    let bytes = fs::read(path).ok()?;
    let (numbers, checksum) = bytes.split_at_checked(count * 4)?;
    let is_whole = Sha256::digest(numbers)[..] == *checksum;
    let number = |four: &[u8]| Some(f32::from_le_bytes(four.try_into().ok()?));
    numbers.chunks_exact(4).map(number).collect::<Option<_>>().filter(|_| is_whole)
}

fn write(path: &Path, numbers: &[f32]) -> Result<()> {
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&checksum);
    write_whole(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.f32");
        assert_eq!(read(&path, 2), None);
        write(&path, &[1.0, -2.5]).expect("writes");
        assert_eq!(read(&path, 2), Some(vec![1.0, -2.5]));
        assert_eq!(read(&path, 3), None);
        let mut bytes = fs::read(&path).expect("reads");
        bytes[1] ^= 1;
        fs::write(&path, bytes).expect("writes");
        assert_eq!(read(&path, 2), None);
    }
}
