//! The final order.

use super::{PassageScore, passage::passage_id};
use crate::{
    candidate::ChunkScore,
    engine::{Explanation, Rounded},
    fusion::Fused,
    order::sort_by,
    query::SearchRequest,
    segment::Segment,
};

/// What reranking knows about a document that was scored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reranked {
    /// The relevance of its best passage: 0 to 1. `None` where none was scored.
    pub relevance: Option<f32>,
    /// Its rank in the fused list, from 0.
    pub rank: usize,
    /// Its fused score.
    pub fused: f32,
}

/// Documents that were scored first, best first, then all others as fusion ordered them.
///
/// The score of a scored document is `weight * relevance + (1 - weight) * fused / greatest fused`; the others' are
/// fused scores, scaled to lie below. A document is shown by its most relevant passage. Without scores, or when
/// none belongs to a candidate, the list stays as it is.
pub(crate) fn reorder(mut fused: Vec<Fused>, segments: &[&Segment], request: &SearchRequest) -> Vec<Fused> {
    let Some(rerank) = request.rerank.as_ref().filter(|rerank| !rerank.scores.is_empty()) else {
        return fused;
    };
    let depth = rerank.depth(request.limit);
    for (rank, found) in fused.iter_mut().enumerate() {
        let best = if rank < depth { best_passage(found, segments, &rerank.scores) } else { None };
        if let Some((chunk, _)) = best {
            found.chunks[..=chunk].rotate_right(1);
        }
        found.reranked = Some(Reranked { relevance: best.map(|(_, score)| score), rank, fused: found.score });
    }
    if fused.iter().all(|found| relevance_of(found).is_none()) {
        fused.iter_mut().for_each(|found| found.reranked = None);
        return fused;
    }
    set_scores(&mut fused, rerank.weight.clamp(0.0, 1.0));
    // Stable: equal scores and unscored documents keep their order.
    sort_by(&mut fused, |a, b| match (relevance_of(a), relevance_of(b)) {
        (Some(_), Some(_)) => b.score.total_cmp(&a.score),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    fused
}

/// A reply from a network may hold anything.
fn relevance(score: f32) -> f32 {
    if score.is_nan() { 0.0 } else { score.clamp(0.0, 1.0) }
}

fn relevance_of(found: &Fused) -> Option<f32> {
    found.reranked.and_then(|reranked| reranked.relevance)
}

/// Position and relevance of the document's most relevant passage.
fn best_passage(found: &Fused, segments: &[&Segment], scores: &[PassageScore]) -> Option<(usize, f32)> {
    let segment = segments[found.document.segment];
    // Some two hundred scores at most: a list is searched as fast as anything else.
    let of = |chunk: &ChunkScore| {
        let id = passage_id(segment, chunk.chunk);
        scores.iter().find(|score| score.id == id).map(|score| relevance(score.relevance))
    };
    let scored = found.chunks.iter().enumerate().filter_map(|(at, chunk)| Some((at, of(chunk)?)));
    scored.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn set_scores(fused: &mut [Fused], weight: f32) {
    let greatest = fused.first().map_or(0.0, |found| found.score);
    let share = |score: f32| if greatest > 0.0 { score / greatest } else { 0.0 };
    let mut lowest = f32::MAX;
    for found in fused.iter_mut() {
        if let Some(relevance) = relevance_of(found) {
            found.score = weight * relevance + (1.0 - weight) * share(found.score);
            lowest = lowest.min(found.score);
        }
    }
    for found in fused.iter_mut().filter(|found| relevance_of(found).is_none()) {
        found.score = lowest * share(found.score);
    }
}

/// How the final score came about, above how the fused one did.
pub(crate) fn explain(found: &Fused, request: &SearchRequest, fused: Explanation) -> Explanation {
    let (Some(reranked), Some(rerank)) = (found.reranked, &request.rerank) else { return fused };
    let fused = Explanation { value: reranked.fused, ..fused };
    let rank = reranked.rank + 1;
    let Some(relevance) = reranked.relevance else {
        let description = format!("not reranked: keeps its order behind what was, fused rank {rank}");
        return Explanation { value: found.score, description, details: vec![fused] };
    };
    let weight = rerank.weight.clamp(0.0, 1.0);
    let (weight, rest) = (Rounded(weight), Rounded(1.0 - weight));
    let description = format!("reranked: {weight} * relevance + {rest} * share of the greatest fused score");
    let read = Explanation::leaf(relevance, "relevance of the best passage, read together with the query");
    let fused =
        Explanation { description: format!("fused score, rank {rank}: {}", fused.description), ..fused };
    Explanation { value: found.score, description, details: vec![read, fused] }
}
