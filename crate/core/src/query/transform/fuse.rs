//! The hits of several variations as one list.

use std::collections::HashMap;

/// What all variations together count beside the query itself: 0 to 1. The query counts the rest.
pub const VARIATION_SHARE: f32 = 0.3;

/// A document in the fused list.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// Which list shows it: 0 for the query itself, where it found the document; else the variation that it is best in.
    pub list: usize,
    /// Its position in that list.
    pub position: usize,
    /// The fused score, 0 to 1.
    pub score: f32,
}

/// Fuses `lists` of paths with scores, best first, the first list that of the query itself. `weights` say how much each
/// variation means what the query means: 0 to 1, one for each list but the first.
///
/// Scores are taken as parts of their list's best. A document's score is `1 - VARIATION_SHARE` of what the query says and
/// `VARIATION_SHARE` of the mean of what the variations say, weighted. So a document whose score by the query is below
/// another's by more than `VARIATION_SHARE / (1 - VARIATION_SHARE)` of the best stays below it, whatever the variations
/// say. Where the query finds nothing, the variations decide. Equal ones keep the query's order, then that of the
/// variations.
pub fn fuse_variations(lists: &[Vec<(&str, f32)>], weights: &[f32]) -> Vec<Varied> {
    let Some((original, variations)) = lists.split_first() else { return Vec::new() };
    let total: f32 = weights.iter().take(variations.len()).sum();
    // Variations that mean something else take less of the whole, instead of sharing it among themselves.
    let mean_over = total.max(1.0);
    let weight_of = |list: usize| match list {
        0 => 1.0 - VARIATION_SHARE,
        list => VARIATION_SHARE * weights.get(list - 1).copied().unwrap_or_default() / mean_over,
    };
    let mut found: HashMap<&str, (Varied, f32)> = HashMap::new();
    for (list, hits) in std::iter::once(original).chain(variations).enumerate() {
        let best = hits.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        for (position, (path, score)) in hits.iter().enumerate() {
            let part = if best > 0.0 { (score / best).clamp(0.0, 1.0) } else { 0.0 };
            let score = weight_of(list) * part;
            let (varied, most) = found.entry(path).or_insert_with(|| {
                (Varied { list, position, score: 0.0 }, if list == 0 { f32::MAX } else { 0.0 })
            });
            varied.score += score;
            if score > *most {
                (varied.list, varied.position, *most) = (list, position, score);
            }
        }
    }
    let mut fused: Vec<Varied> = found.into_values().map(|(varied, _)| varied).collect();
    fused.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then(a.list.cmp(&b.list)).then(a.position.cmp(&b.position))
    });
    fused
}
