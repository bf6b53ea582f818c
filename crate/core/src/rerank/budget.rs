//! Scoring for as long as there is time.

use super::{Passage, PassageScore, RerankError, Reranker};
use crate::engine::Clock;

/// The scores that there was time for.
#[derive(Debug, Default)]
pub struct Budgeted {
    /// Scores of the first passages.
    pub scores: Vec<PassageScore>,
    /// Why the rest has none, where it was not the time.
    pub error: Option<RerankError>,
}

/// Scores passages in batches of `batch`, in their order, until `budget_ms` are over.
///
/// A batch is begun only if it can be expected to end in time, by what the slowest one before took; what ends later
/// than that nevertheless does not count. An error ends the scoring and keeps what was scored.
pub fn within_budget(
    reranker: &dyn Reranker,
    query: &str,
    passages: &[Passage],
    batch: usize,
    budget_ms: f64,
    clock: &dyn Clock,
) -> Budgeted {
    let start = clock.now_ms();
    let (mut done, mut slowest) = (Budgeted::default(), 0.0_f64);
    for some in passages.chunks(batch.max(1)) {
        let from = clock.now_ms();
        if from - start + slowest > budget_ms {
            break;
        }
        let texts: Vec<&str> = some.iter().map(|passage| passage.text.as_str()).collect();
        let scores = reranker.score(query, &texts).and_then(|scores| checked(scores, texts.len()));
        let now = clock.now_ms();
        if scores.is_ok() && now - start > budget_ms {
            break;
        }
        match scores {
            Ok(scores) => {
                let named = some.iter().zip(scores);
                done.scores.extend(
                    named.map(|(passage, relevance)| PassageScore { id: passage.id.clone(), relevance }),
                );
            }
            Err(error) => {
                done.error = Some(error);
                break;
            }
        }
        slowest = slowest.max(now - from);
    }
    done
}

/// One finite score for each passage.
fn checked(scores: Vec<f32>, expected: usize) -> Result<Vec<f32>, RerankError> {
    let reply = |expected: String, got: String| RerankError::Reply { expected, got };
    if scores.len() != expected {
        return Err(reply(format!("{expected} scores"), scores.len().to_string()));
    }
    match scores.iter().find(|score| !(0.0..=1.0).contains(*score)) {
        Some(score) => Err(reply("scores from 0 to 1".into(), score.to_string())),
        None => Ok(scores),
    }
}
