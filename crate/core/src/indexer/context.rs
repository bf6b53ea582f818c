//! What a chunk's vector says of what stands around the chunk.
//!
//! A chunk is embedded with its headings before its text, but two hundred words drown six. And a chunk in the middle
//! of a long document does not say what the document is about. Vectors of their own for headings would double what
//! readers download. Instead each chunk's vector is moved a little, before it is quantised:
//!
//! ```text
//! vector = unit(chunk + heading * unit(headings) + document * unit(sum of the document's chunks))
//! ```
//!
//! This costs no byte of the index and nothing in a search. Only vectors of the document itself take part, so an
//! added document's vectors may be compared with those of the site. What it is worth: docs/decisions/0017.

use crate::{
    segment::PreparedDocument,
    vector::{add_scaled, to_unit},
};
use serde::{Deserialize, Serialize};

/// How much a chunk's context counts beside the chunk itself, which counts 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContextWeights {
    /// The heading path: 0 and up, default 0.1. Much of it makes all chunks of a section alike.
    pub heading: f32,
    /// All chunks of the document: 0 and up, default 0.3. Much of it makes all chunks of a document alike.
    pub document: f32,
}

impl Default for ContextWeights {
    fn default() -> Self {
        Self { heading: 0.1, document: 0.3 }
    }
}

impl ContextWeights {
    /// No context: the model's own vectors.
    pub const NONE: Self = Self { heading: 0.0, document: 0.0 };
}

/// The heading paths to embed, one for each run of chunks of one section.
pub(super) fn heading_texts(documents: &[PreparedDocument]) -> impl Iterator<Item = String> {
    documents.iter().flat_map(|prepared| {
        let runs = prepared.chunks.chunk_by(|a, b| a.section == b.section);
        runs.map(|run| prepared.document.heading_path(run[0].section).join("\n"))
    })
}

/// Moves the vectors of all chunks. `headings` are the vectors of [`heading_texts`], or none.
pub(super) fn apply(
    documents: &[PreparedDocument],
    chunks: &mut [Vec<f32>],
    headings: &[Vec<f32>],
    weights: ContextWeights,
) {
    if weights == ContextWeights::NONE {
        return;
    }
    let (mut chunks, mut headings) = (chunks, headings.iter());
    for prepared in documents {
        let (own, rest) = chunks.split_at_mut(prepared.chunks.len());
        chunks = rest;
        let whole = sum(own);
        let mut left = &mut *own;
        for run in prepared.chunks.chunk_by(|a, b| a.section == b.section) {
            let (of_section, rest) = left.split_at_mut(run.len());
            left = rest;
            let heading = headings.next();
            for vector in of_section {
                if let Some(heading) = heading {
                    add_scaled(vector, weights.heading, heading);
                }
                add_scaled(vector, weights.document, &whole);
                to_unit(vector);
            }
        }
    }
}

/// The direction of all `vectors` together.
fn sum(vectors: &[Vec<f32>]) -> Vec<f32> {
    let mut total = vec![0.0; vectors.first().map_or(0, Vec::len)];
    vectors.iter().for_each(|vector| add_scaled(&mut total, 1.0, vector));
    to_unit(&mut total);
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chunk::{self, ChunkSettings, tests::document_of_spans},
        document::SpanKind::{Break, Heading, Prose},
        embedding::WordEstimate,
    };

    /// A document of one section for each heading, with one chunk each.
    fn prepared(headings: &[&str]) -> PreparedDocument {
        let section = |heading| [(Heading, heading), (Break, "\n"), (Prose, "words"), (Break, "\n")];
        let spans: Vec<_> = headings.iter().copied().flat_map(section).collect();
        let document = document_of_spans(&spans);
        let chunks = chunk::split(&document, &WordEstimate, &ChunkSettings::default());
        assert_eq!(chunks.len(), headings.len());
        PreparedDocument { document, questions: vec![Vec::new(); chunks.len()], chunks, contexts: Vec::new() }
    }

    #[test]
    fn one_heading_path_for_each_section() {
        let documents = [prepared(&["One", "Two"]), prepared(&["Three"])];
        let texts: Vec<String> = heading_texts(&documents).collect();
        assert_eq!(texts, ["Title\nOne", "Title\nOne\nTwo", "Title\nThree"]);
    }

    #[test]
    fn vectors_move_towards_their_context() {
        let documents = [prepared(&["One", "Two"]), prepared(&["Three"])];
        let check = |heading: f32, document: f32, headings: &[[f32; 3]], expected: [[f32; 3]; 3]| {
            let mut chunks = vec![vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
            let headings: Vec<Vec<f32>> = headings.iter().map(|vector| vector.to_vec()).collect();
            apply(&documents, &mut chunks, &headings, ContextWeights { heading, document });
            let pairs = chunks.iter().flatten().zip(expected.iter().flatten());
            assert!(pairs.clone().all(|(a, b)| (a - b).abs() < 1e-6), "{chunks:?}, expected {expected:?}");
        };
        let alone = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        check(0.0, 0.0, &[], alone);
        // 0.75 of the heading's vector: 3, 4 and 5 are a right triangle.
        let headings = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        check(0.75, 0.0, &headings, [[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        // The first document's chunks together point halfway between them; the second has nothing but its own.
        let halfway = std::f32::consts::FRAC_1_SQRT_2;
        let length = (1.0 + halfway).hypot(halfway);
        let (near, far) = ((1.0 + halfway) / length, halfway / length);
        check(0.0, 1.0, &[], [[near, far, 0.0], [far, near, 0.0], [0.0, 0.0, 1.0]]);
    }
}
