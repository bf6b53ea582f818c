//! Maximum marginal relevance: Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering
//! documents and producing summaries" (SIGIR 1998).
//!
//! The next document is the one with the greatest `lambda * relevance - (1 - lambda) * similarity`, where similarity is
//! that to the most similar document chosen before.

use super::duplicates::Shingles;
use crate::{
    engine::{Explanation, Rounded},
    fusion::Fused,
    query::{SearchMode, SearchRequest},
    segment::{ChunkId, Missing, Segment},
};
use serde::{Deserialize, Serialize};

/// How the first documents are chosen when they should differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct DiversifyRequest {
    /// Documents to choose: 1 and up, default 6. All others follow in the order that they had.
    pub k: usize,
    /// Documents to choose from, the first ones of the list: `k` and up, default 20. More can differ more, and
    /// need more texts or vectors.
    pub fetch_k: usize,
    /// 0 (as different as can be) to 1 (the order as it was), default 0.5.
    pub lambda: f32,
}

impl Default for DiversifyRequest {
    fn default() -> Self {
        Self { k: 6, fetch_k: 20, lambda: 0.5 }
    }
}

/// How a document was chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diversified {
    /// Its rank before, from 0.
    pub rank: usize,
    /// Its score as a part of the greatest: 0 to 1.
    pub relevance: f32,
    /// Similarity to the most similar document chosen before it.
    pub similarity: f32,
}

/// The list with `k` documents chosen by maximum marginal relevance in front, where the request asks for it.
///
/// Documents are compared by the vectors of their best chunks (cosine), in a lexical search or an index without vectors
/// by the words of those chunks (Jaccard).
///
/// # Errors
/// The files that are needed first.
pub(crate) fn reorder(
    mut fused: Vec<Fused>,
    mode: SearchMode,
    segments: &[&Segment],
    request: &SearchRequest,
) -> Result<Vec<Fused>, Missing> {
    let Some(request) = request.diversify else { return Ok(fused) };
    let mut missing = Missing::default();
    let fetch_k = request.fetch_k.max(request.k).min(fused.len());
    let likenesses: Vec<_> =
        fused[..fetch_k].iter().map(|found| Likeness::of(found, mode, segments, &mut missing)).collect();
    let chosen = choose(&mut fused[..fetch_k], &missing.or(likenesses)?, &request);
    let mut slots: Vec<_> = fused.into_iter().map(Some).collect();
    let mut reordered: Vec<_> = chosen.into_iter().filter_map(|at| slots[at].take()).collect();
    reordered.extend(slots.into_iter().flatten());
    Ok(reordered)
}

/// Positions of `k` candidates in the order of choice; notes at each how it was chosen.
fn choose(candidates: &mut [Fused], likenesses: &[Likeness], request: &DiversifyRequest) -> Vec<usize> {
    let lambda = if request.lambda.is_nan() { 1.0 } else { request.lambda.clamp(0.0, 1.0) };
    let greatest = candidates.iter().map(|found| found.score).fold(f32::MIN_POSITIVE, f32::max);
    let mut similarities = vec![0.0_f32; candidates.len()];
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < request.k.max(1).min(candidates.len()) {
        let gain = |at: usize| lambda * candidates[at].score / greatest - (1.0 - lambda) * similarities[at];
        let left = (0..candidates.len()).filter(|at| !chosen.contains(at));
        // The first choice is the most relevant, whatever lambda is; of equal ones the better ranked.
        let better = |best: usize, next: usize| if gain(next) > gain(best) { next } else { best };
        let Some(next) = (if chosen.is_empty() { Some(0) } else { left.reduce(better) }) else { break };
        let relevance = candidates[next].score / greatest;
        let similarity = similarities[next];
        candidates[next].diversified = Some(Diversified { rank: next, relevance, similarity });
        for (known, likeness) in similarities.iter_mut().zip(likenesses) {
            *known = known.max(likeness.similarity(&likenesses[next]));
        }
        chosen.push(next);
    }
    chosen
}

/// What a document is compared by.
enum Likeness {
    /// A unit vector.
    Vector(Vec<f32>),
    Words(Shingles),
}

impl Likeness {
    fn of(found: &Fused, mode: SearchMode, segments: &[&Segment], missing: &mut Missing) -> Self {
        let segment = segments[found.document.segment];
        let chunk = found.chunks.first().map_or(ChunkId(0), |best| best.chunk);
        let vectors = if mode == SearchMode::Lexical { None } else { segment.vectors(missing) };
        // Rows begin with one for each chunk.
        match vectors.filter(|vectors| (chunk.0 as usize) < vectors.len()) {
            Some(vectors) => Self::Vector(vectors.vector(chunk.0)),
            None => Self::Words(Shingles::of_words(
                segment.text(chunk, missing).map_or("", |(_, chunk)| &chunk.text),
            )),
        }
    }

    fn similarity(&self, other: &Self) -> f32 {
        match (self, other) {
            (Self::Vector(a), Self::Vector(b)) => a.iter().zip(b).map(|(a, b)| a * b).sum(),
            (Self::Words(a), Self::Words(b)) => a.resemblance(b),
            _ => 0.0,
        }
    }
}

/// How the document came to its place, above how it came to its score.
pub(crate) fn explain(found: &Fused, request: &SearchRequest, below: Explanation) -> Explanation {
    let (Some(diversified), Some(request)) = (found.diversified, request.diversify) else { return below };
    let (lambda, rest) = (Rounded(request.lambda), Rounded(1.0 - request.lambda));
    let (relevance, similarity) = (Rounded(diversified.relevance), Rounded(diversified.similarity));
    let description = format!(
        "diversified, rank {} before: {lambda} * relevance {relevance} - {rest} * similarity {similarity} to a better hit",
        diversified.rank + 1
    );
    Explanation { value: below.value, description, details: vec![below] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{DocumentId, DocumentRef};

    fn list(scores: &[f32]) -> Vec<Fused> {
        let at = |id| DocumentRef { segment: 0, document: DocumentId(id) };
        (0..).zip(scores).map(|(id, &score)| Fused { score, ..Fused::new(at(id)) }).collect()
    }

    #[test]
    fn choices_by_hand() {
        let texts = ["a b c d", "a b c d", "e f g h", "a b g h"];
        let likenesses: Vec<_> = texts.iter().map(|text| Likeness::Words(Shingles::of_words(text))).collect();
        let check = |lambda, k, expected: &[usize]| {
            let request = DiversifyRequest { k, lambda, ..DiversifyRequest::default() };
            assert_eq!(choose(&mut list(&[1.0, 0.9, 0.5, 0.4]), &likenesses, &request), expected, "{lambda}");
        };
        check(1.0, 4, &[0, 1, 2, 3]);
        // Second: 0.45 - 0.5, 0.25, 0.2 - 0.167; third: 0.45 - 0.5, 0.2 - 0.167.
        check(0.5, 4, &[0, 2, 3, 1]);
        check(0.0, 3, &[0, 2, 3]);
        check(0.5, 2, &[0, 2]);
        check(f32::NAN, 9, &[0, 1, 2, 3]);
    }
}
