//! What an index holds of one document, and how many chunks a model has placed: what is stored beside the texts.

use crate::{index::Index, output};
use anyhow::{Result, bail};
use querent_core::segment::{FileKind, TextShard, unseal};
use serde::Serialize;

/// A chunk as the index holds it.
#[derive(Debug, Serialize)]
pub(super) struct StoredChunk {
    #[serde(skip)]
    path: String,
    headings: Vec<String>,
    offset: u32,
    length: u32,
    /// What a language model says of its place in the document; no part of the text.
    #[serde(skip_serializing_if = "String::is_empty")]
    context: String,
    text: String,
    questions: Vec<StoredQuestion>,
}

#[derive(Debug, Serialize)]
struct StoredQuestion {
    question_text: String,
    question_type: querent_core::question::QuestionType,
    confidence: f32,
}

/// All chunks of `index`, in order; files that are damaged are left out.
pub(super) fn stored(index: &Index) -> Vec<StoredChunk> {
    let files = index.engine.files();
    let texts = files.iter().filter(|file| file.kind == FileKind::Texts);
    let shards = texts.filter_map(|file| {
        let bytes = index.bytes(file).ok()?;
        TextShard::open(&unseal(FileKind::Texts, &bytes).ok()?).ok()
    });
    shards.flat_map(chunks).collect()
}

fn chunks(shard: TextShard) -> impl Iterator<Item = StoredChunk> {
    let paths: Vec<String> = shard.documents.into_iter().map(|document| document.path).collect();
    shard.chunks.into_iter().map(move |chunk| StoredChunk {
        path: paths[chunk.document as usize].clone(),
        headings: chunk.headings,
        offset: chunk.offset,
        length: chunk.length,
        context: chunk.context,
        text: chunk.text,
        questions: chunk
            .questions
            .into_iter()
            .map(|question| StoredQuestion {
                question_text: question.text,
                question_type: question.question_type,
                confidence: f32::from(question.confidence) / 255.0,
            })
            .collect(),
    })
}

/// How many chunks a model has placed.
pub(super) fn contexts(chunks: &[StoredChunk]) -> usize {
    chunks.iter().filter(|chunk| !chunk.context.is_empty()).count()
}

/// Prints the chunks of the document `path`.
///
/// # Errors
/// When the index has no such document, or stdout cannot be written.
pub(super) fn show(chunks: Vec<StoredChunk>, path: &str, json: bool) -> Result<()> {
    let mut chunks: Vec<_> = chunks.into_iter().filter(|chunk| chunk.path == path).collect();
    if chunks.is_empty() {
        bail!("--document: expected the path of a document in the index, found {path:?}");
    }
    chunks.sort_by_key(|chunk| chunk.offset);
    if json {
        return output::json(&chunks);
    }
    for chunk in &chunks {
        output::line(&for_people(chunk))?;
    }
    Ok(())
}

fn for_people(chunk: &StoredChunk) -> String {
    let end = chunk.offset + chunk.length;
    let headings = output::plain(&chunk.headings.join(" > "));
    let mut text = format!("{headings} (bytes {} to {end})", chunk.offset);
    if !chunk.context.is_empty() {
        text += &format!("\n  context, by a model: {}", output::plain(&chunk.context));
    }
    for question in &chunk.questions {
        text += &format!("\n  {:.2} {}", question.confidence, output::plain(&question.question_text));
    }
    text
}
