//! Answerability: whether a question leads back to its own chunk.

use super::{Candidate, EvaluatorVectors};
use crate::vector::{Neighbour, VectorIndex, VectorSettings, VectorWriter, inner_product};

/// Chunks that are looked at around each question.
const NEAR: usize = 10;
/// A question that is by so much nearer to another chunk than to its own is not answered by its own at all.
const FAR: f32 = 0.2;

/// The chunks nearest to each candidate that has a vector, best first.
pub(super) fn near(candidates: &[Candidate], vectors: EvaluatorVectors<'_>) -> Vec<Vec<Neighbour>> {
    let Some(first) = vectors.chunks.first() else { return vec![Vec::new(); candidates.len()] };
    let mut writer = VectorWriter::new(VectorSettings::new(first.len()));
    vectors.chunks.iter().for_each(|vector| writer.push(vector));
    let shards = writer.finish();
    let shards: Vec<&[u8]> = shards.iter().map(Vec::as_slice).collect();
    let index = VectorIndex::from_shards(&shards).expect("what was just written can be read");
    let find = |candidate: &Candidate| match candidate.vector {
        Some(vector) => index.search(&vectors.questions[vector], NEAR),
        None => Vec::new(),
    };
    candidates.iter().map(find).collect()
}

/// Takes up to `weight` of the score of questions that other chunks are nearer to.
pub(super) fn score(
    candidates: &mut [Candidate],
    vectors: EvaluatorVectors<'_>,
    near: &[Vec<Neighbour>],
    weight: f32,
) {
    for (candidate, near) in candidates.iter_mut().zip(near) {
        let Some(vector) = candidate.vector else { continue };
        let answered = match vectors.relevance {
            Some(relevance) => relevance[vector].clamp(0.0, 1.0),
            None => {
                let own = inner_product(&vectors.questions[vector], &vectors.chunks[candidate.chunk]);
                let other = near.iter().find(|other| other.row as usize != candidate.chunk);
                let behind = other.map_or(0.0, |other| (other.similarity - own).max(0.0));
                (1.0 - behind / FAR).max(0.0)
            }
        };
        candidate.question.confidence *= 1.0 - weight * (1.0 - answered);
    }
}
