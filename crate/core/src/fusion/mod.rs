//! Fusion: the lexical and the semantic list as one.
//!
//! Takes two lists of candidates and gives one, best first. Which formula serves best depends on how far the
//! lists' scores can be trusted: ranks are robust, stretched scores keep how much better the first is.

use crate::{
    candidate::{ByDocument, ChunkScore, DocumentScore, add_score, sort_chunks},
    diversify::Diversified,
    engine::{Explanation, Rounded},
    order::sort_by,
    query::{FusionMethod, FusionSettings, QueryEncoder},
    rerank::Reranked,
    segment::DocumentRef,
};

/// How many documents of each list take part. The score at this depth is the zero of [`FusionMethod::MinMax`].
pub const DEPTH: usize = 100;

/// A document of the fused list.
#[derive(Debug, Clone, PartialEq)]
pub struct Fused {
    /// The document.
    pub document: DocumentRef,
    /// The fused score.
    pub score: f32,
    /// Its place in the lexical list, if it has one.
    pub lexical: Option<Place>,
    /// Its place in the semantic list, if it has one.
    pub semantic: Option<Place>,
    /// Its chunks by fused score, best first.
    pub chunks: Vec<ChunkScore>,
    /// What the site says it counts: a factor of the score.
    pub weight: f32,
    /// What reranking made of it, if it ran.
    pub reranked: Option<Reranked>,
    /// How it was chosen among similar ones, if it was.
    pub diversified: Option<Diversified>,
}

/// A document's place in one list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Rank from 0.
    pub rank: usize,
    /// Score in the list.
    pub score: f32,
    /// What the place adds to the fused score, before the list's weight.
    pub share: f32,
}

/// Fuses two lists, each best first.
///
/// A list that is alone gives its own order, whatever the weights are. `settings` are those for this query
/// ([`FusionSettings::for_query`]). `weight_of` is what the site says that a document counts.
pub fn fuse(
    lexical: &[DocumentScore],
    semantic: &[DocumentScore],
    settings: &FusionSettings,
    weight_of: &dyn Fn(DocumentRef) -> f32,
) -> Vec<Fused> {
    let mut fused = ByDocument::default();
    let lists = [(lexical, settings.bm25_weight), (semantic, settings.vector_weight)];
    for (list, (documents, weight)) in lists.into_iter().enumerate() {
        let share = shares(documents, settings);
        let chunk_scale = chunk_scale(documents);
        for (rank, found) in documents.iter().take(DEPTH).enumerate() {
            let place = Place { rank, score: found.score, share: share(rank, found.score) };
            let entry = fused.entry(found.document, || Fused::new(found.document));
            *if list == 0 { &mut entry.lexical } else { &mut entry.semantic } = Some(place);
            entry.score += weight * place.share;
            entry.add_chunks(&found.chunks, |score| weight * chunk_scale(score));
        }
    }
    let mut fused: Vec<_> = fused.into_iter().map(|(_, found)| found).collect();
    for found in &mut fused {
        sort_chunks(&mut found.chunks);
        found.weight = weight_of(found.document);
        found.score *= found.weight;
    }
    sort_by(&mut fused, |a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
    fused
}

/// What the semantic list counts beside the lexical one by how much the best of each stands out: 1 where both do alike,
/// more where the lexical list has others nearly as good as its best, less where the semantic one has. 0.1 to 4.
///
/// Measured for queries that the table embedded, see docs/decisions/0016.
pub fn prominence(lexical: &[DocumentScore], semantic: &[DocumentScore]) -> f32 {
    let second = |documents: &[DocumentScore]| {
        let (low, high) = score_range(documents);
        documents.get(1).map_or(0.0, |found| stretch(found.score, low, high))
    };
    if lexical.is_empty() || semantic.is_empty() {
        return 1.0;
    }
    let ratio = second(lexical) / second(semantic).max(0.1);
    (ratio * ratio).clamp(0.1, 4.0)
}

/// What a place in `documents` adds to the fused score.
fn shares<'a>(
    documents: &'a [DocumentScore],
    settings: &'a FusionSettings,
) -> impl Fn(usize, f32) -> f32 + 'a {
    let (low, high) = score_range(documents);
    move |rank, score| match settings.method {
        FusionMethod::ReciprocalRank => 1.0 / (settings.rrf_k + rank as f32 + 1.0),
        FusionMethod::MinMax | FusionMethod::Adaptive => stretch(score, low, high),
    }
}

/// Chunks are compared by stretched scores whatever the formula for documents is: they have no ranks.
fn chunk_scale(documents: &[DocumentScore]) -> impl Fn(f32) -> f32 {
    let chunks = || documents.iter().take(DEPTH).flat_map(|found| &found.chunks).map(|chunk| chunk.score);
    let high = chunks().fold(f32::MIN, f32::max);
    let low = chunks().fold(f32::MAX, f32::min).min(high);
    move |score| stretch(score, low, high)
}

/// The scores that become 0 and 1. Where fewer than [`DEPTH`] documents match, the next one would have 0.
fn score_range(documents: &[DocumentScore]) -> (f32, f32) {
    let high = documents.first().map_or(0.0, |found| found.score);
    let low = documents.get(DEPTH - 1).or(documents.last().filter(|last| last.score <= 0.0));
    (low.map_or(0.0, |found| found.score), high)
}

fn stretch(score: f32, low: f32, high: f32) -> f32 {
    if high > low { (score - low) / (high - low) } else { 1.0 }
}

impl Fused {
    /// A document of no list.
    pub(crate) fn new(document: DocumentRef) -> Self {
        Self {
            document,
            score: 0.0,
            lexical: None,
            semantic: None,
            chunks: Vec::new(),
            weight: 1.0,
            reranked: None,
            diversified: None,
        }
    }

    fn add_chunks(&mut self, chunks: &[ChunkScore], scale: impl Fn(f32) -> f32) {
        for found in chunks {
            add_score(&mut self.chunks, ChunkScore { score: scale(found.score), ..*found });
        }
    }

    /// How the score came about, without what is below the lists' scores. `encoder` is what embedded the query.
    pub fn explain(
        &self,
        settings: &FusionSettings,
        lexical: Option<Explanation>,
        encoder: Option<QueryEncoder>,
    ) -> Explanation {
        let name = match settings.method {
            FusionMethod::ReciprocalRank => "1 / (k + rank + 1)",
            FusionMethod::MinMax | FusionMethod::Adaptive => "score stretched to 0..1",
        };
        let part = |label: &str, weight: f32, place: Place, below: Option<Explanation>| Explanation {
            value: weight * place.share,
            description: format!(
                "{label}: weight {} * {} ({name}; rank {}, score {})",
                Rounded(weight),
                Rounded(place.share),
                place.rank + 1,
                Rounded(place.score)
            ),
            details: below.into_iter().collect(),
        };
        let semantic = match encoder {
            Some(QueryEncoder::Table) => "semantic, the query embedded by the table",
            _ => "semantic, the query embedded by the model",
        };
        let parts = [
            self.lexical.map(|place| part("lexical", settings.bm25_weight, place, lexical)),
            self.semantic.map(|place| part(semantic, settings.vector_weight, place, None)),
        ];
        let details = parts.into_iter().flatten().collect();
        let description = if self.weight == 1.0 {
            "sum over the lists".to_owned()
        } else {
            format!("sum over the lists, times the document's weight {}", Rounded(self.weight))
        };
        Explanation { value: self.score, description, details }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{ChunkId, DocumentId};

    fn list(scores: &[(u32, f32)]) -> Vec<DocumentScore> {
        let at = |id| DocumentRef { segment: 0, document: DocumentId(id) };
        let chunk = |id, score| vec![ChunkScore { chunk: ChunkId(id), score }];
        scores
            .iter()
            .map(|&(id, score)| DocumentScore { document: at(id), score, chunks: chunk(id, score) })
            .collect()
    }

    #[test]
    fn reciprocal_rank_by_hand() {
        let settings = FusionSettings { method: FusionMethod::ReciprocalRank, ..FusionSettings::default() };
        let fused = fuse(&list(&[(1, 9.0), (2, 5.0)]), &list(&[(2, 0.8), (3, 0.7)]), &settings, &|_| 1.0);
        let ids: Vec<_> = fused.iter().map(|found| found.document.document.0).collect();
        assert_eq!(ids, [2, 3, 1]);
        assert!((fused[0].score - (0.4 / 62.0 + 0.6 / 61.0)).abs() < 1e-6);
    }

    #[test]
    fn min_max_keeps_the_distance() {
        let settings = FusionSettings {
            method: FusionMethod::MinMax,
            vector_weight: 0.5,
            bm25_weight: 0.5,
            rrf_k: 60.0,
        };
        let fused = fuse(&list(&[(1, 10.0), (2, 1.0)]), &list(&[(2, 0.8), (1, 0.7)]), &settings, &|_| 1.0);
        assert_eq!(fused[0].document.document.0, 1);
        assert!((fused[0].score - (0.5 + 0.5 * 0.7 / 0.8)).abs() < 1e-6);
    }

    #[test]
    fn the_list_whose_best_stands_out_counts_more() {
        let check = |lexical: &[(u32, f32)], semantic: &[(u32, f32)], expected: f32| {
            let found = prominence(&list(lexical), &list(semantic));
            assert!((found - expected).abs() < 1e-6, "{lexical:?} {semantic:?}: {found}");
        };
        check(&[(1, 8.0), (2, 4.0)], &[(1, 0.8), (2, 0.4)], 1.0);
        check(&[(1, 8.0), (2, 8.0)], &[(1, 0.8), (2, 0.4)], 4.0);
        check(&[(1, 8.0), (2, 4.0)], &[(1, 0.8), (2, 0.8)], 0.25);
        check(&[(1, 8.0)], &[(1, 0.8), (2, 0.8)], 0.1);
        check(&[(1, 8.0), (2, 8.0)], &[(1, 0.8)], 4.0);
        check(&[], &[(1, 0.8), (2, 0.8)], 1.0);
        check(&[(1, 8.0)], &[], 1.0);
    }

    #[test]
    fn a_document_counts_what_its_site_says() {
        let settings = FusionSettings { method: FusionMethod::MinMax, ..FusionSettings::default() };
        let weight_of = |at: DocumentRef| if at.document.0 == 1 { 0.5 } else { 1.0 };
        let fused = fuse(&list(&[(1, 10.0), (2, 6.0)]), &[], &settings, &weight_of);
        let ids: Vec<_> = fused.iter().map(|found| found.document.document.0).collect();
        assert_eq!(ids, [2, 1]);
        assert!(fused[1].explain(&settings, None, None).description.ends_with("weight 0.5"));
    }

    #[test]
    fn one_list_keeps_its_order() {
        for method in [FusionMethod::ReciprocalRank, FusionMethod::MinMax, FusionMethod::Adaptive] {
            let settings = FusionSettings { method, ..FusionSettings::default() };
            let fused = fuse(&list(&[(5, 3.0), (1, 2.0), (4, 2.0)]), &[], &settings, &|_| 1.0);
            let ids: Vec<_> = fused.iter().map(|found| found.document.document.0).collect();
            assert_eq!(ids, [5, 1, 4], "{method:?}");
        }
    }
}
