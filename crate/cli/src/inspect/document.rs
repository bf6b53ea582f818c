//! What Querent makes of one document, before anything is built: its chunks, what they are about, and what they answer.

use crate::{Outcome, output};
use anyhow::{Context, Result};
use querent_core::{
    chunk::{ChunkSettings, split},
    embedding::WordEstimate,
    question::{
        Question, QuestionGenerator, RuleGenerator,
        analysis::{ContentAnalysis, analyze},
    },
};
use querent_reader::{ReadSettings, Source, read};
use serde::Serialize;
use std::{fs, path::Path};

/// Questions of a chunk, as a build has them by default.
const QUESTIONS: usize = 5;

/// A chunk, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Analysed {
    analysis: ContentAnalysis,
    questions: Vec<Question>,
}

/// Reads, splits and analyses the document in `file`, and prints it. Chunks are those of a build without a model: where
/// there is one, its own tokens are counted, so they may be cut elsewhere.
///
/// # Errors
/// When the file cannot be read, or stdout cannot be written.
pub(super) fn run(file: &Path, json: bool) -> Result<Outcome> {
    let bytes = fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    let path = file.to_string_lossy();
    let reading = read(&Source { path: &path, bytes: &bytes }, &ReadSettings::default())?;
    let document = reading.document;
    let chunks = split(&document, &WordEstimate, &ChunkSettings::default());
    let analysed: Vec<Analysed> = chunks
        .iter()
        .map(|chunk| Analysed {
            analysis: analyze(&document, chunk),
            questions: RuleGenerator.generate_questions(&document, chunk, QUESTIONS),
        })
        .collect();
    if json {
        output::json(&analysed)?;
    } else {
        for chunk in &analysed {
            output::line(&for_people(chunk))?;
        }
    }
    Ok(Outcome::Done)
}

fn for_people(Analysed { analysis, questions }: &Analysed) -> String {
    let structure = &analysis.structure;
    let mut text = format!(
        "{} ({}; {} words in {} sentences, {} blocks of code)",
        output::plain(&structure.heading_path.join(" > ")),
        analysis.content_type.name(),
        structure.words,
        structure.sentences,
        structure.code_blocks
    );
    for (name, list) in [
        ("topics", &analysis.topics),
        ("entities", &analysis.entities),
        ("actions", &analysis.actions),
        ("concepts", &analysis.concepts),
    ] {
        if !list.is_empty() {
            text += &format!("\n  {name:<9} {}", output::plain(&list.join(", ")));
        }
    }
    for question in questions {
        text += &format!("\n  {:.2} {}", question.confidence, output::plain(&question.question_text));
    }
    text
}
