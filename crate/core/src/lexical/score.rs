//! From postings to scored documents.

use super::{
    bm25::{Bm25fSettings, idf},
    expand::AlternativeKind,
    field::{FIELD_COUNT, FIELDS, TermFreqs},
};
use crate::{
    candidate::{ByDocument, ChunkScore, DocumentScore, add_score, sort_candidates, sort_chunks},
    engine::{Explanation, Rounded},
    order::sort_by,
    segment::{ChunkId, Directory, DocumentRef},
};

/// Everything that one term of the query matched.
#[derive(Debug, Clone)]
pub struct TermMatches {
    /// The term as asked.
    pub term: String,
    /// How much the term counts in the query: 0 to 1.
    pub weight: f32,
    /// By way of matching, the chunks of every segment that hold one of the forms.
    pub alternatives: Vec<(AlternativeKind, Vec<(usize, ChunkFreqs)>)>,
}

/// Weighted term frequencies by chunk, ascending.
pub type ChunkFreqs = Vec<(ChunkId, [f32; FIELD_COUNT])>;

/// Scores documents. Statistics are over all segments, so that a segment's size does not matter.
#[derive(Debug)]
pub struct LexicalScorer<'a> {
    settings: &'a Bm25fSettings,
    segments: Vec<&'a Directory>,
    documents: usize,
    document_means: [f32; FIELD_COUNT],
    chunk_means: [f32; FIELD_COUNT],
}

#[derive(Debug, Default)]
struct Accumulated {
    document: f32,
    /// A document has a few matching chunks: a list, not a map.
    chunks: Vec<ChunkScore>,
}

impl<'a> LexicalScorer<'a> {
    /// A scorer over `segments`; positions in this list are the segment numbers of [`DocumentRef`].
    pub fn new(settings: &'a Bm25fSettings, segments: Vec<&'a Directory>) -> Self {
        let documents: usize = segments.iter().map(|segment| segment.documents()).sum();
        let chunks: usize = segments.iter().map(|segment| segment.chunks()).sum();
        let mut totals = [0_u64; FIELD_COUNT];
        for segment in &segments {
            for (total, len) in totals.iter_mut().zip(segment.total_lens()) {
                *total += len;
            }
        }
        let mean = |count: usize| totals.map(|total| total as f32 / count.max(1) as f32);
        Self { settings, segments, documents, document_means: mean(documents), chunk_means: mean(chunks) }
    }

    /// Documents that hold at least one term, best first, ties by document.
    pub fn score(&self, terms: &[TermMatches]) -> Vec<DocumentScore> {
        let mut totals = ByDocument::default();
        for term in terms {
            totals.merge(self.score_term(term), &|total: &mut Accumulated, found| {
                total.document += found.document;
                found.chunks.into_iter().for_each(|chunk| add_score(&mut total.chunks, chunk));
            });
        }
        let mut scores: Vec<_> =
            totals.into_iter().map(|(document, total)| self.finish(document, total)).collect();
        sort_candidates(&mut scores);
        scores
    }

    fn finish(&self, document: DocumentRef, total: Accumulated) -> DocumentScore {
        let mut chunks = total.chunks;
        sort_chunks(&mut chunks);
        let best_chunk = chunks.first().map_or(0.0, |chunk| chunk.score);
        DocumentScore { document, score: total.document + self.settings.chunk_weight * best_chunk, chunks }
    }

    /// Every document by the best way in which it holds the term.
    fn score_term(&self, term: &TermMatches) -> ByDocument<Accumulated> {
        let mut best = ByDocument::default();
        for (kind, segments) in &term.alternatives {
            let factor = term.weight * self.kind_weight(*kind) * self.idf(segments);
            let of_segment = |(segment, matches): &'_ (usize, ChunkFreqs)| -> ByDocument<Accumulated> {
                let scored = |(document, chunks)| (document, self.score_document(document, chunks, factor));
                self.by_document(*segment, matches).map(scored).collect()
            };
            for found in segments.iter().map(of_segment) {
                best.merge(found, &|known: &mut Accumulated, other| {
                    if other.document > known.document {
                        *known = other;
                    }
                });
            }
        }
        best
    }

    fn score_document(
        &self,
        at: DocumentRef,
        chunks: &[(ChunkId, [f32; FIELD_COUNT])],
        factor: f32,
    ) -> Accumulated {
        let directory = self.segments[at.segment];
        let lens = directory.document_lens(at.document);
        let freq = self.settings.weighted_freq(&sum(chunks), &lens, &self.document_means);
        let document = factor * self.settings.saturate(freq);
        let by_chunk = |&(chunk, freqs): &(ChunkId, [f32; FIELD_COUNT])| {
            let freq = self.settings.weighted_freq(&freqs, &directory.chunk_lens(chunk), &self.chunk_means);
            ChunkScore { chunk, score: factor * self.settings.saturate(freq) }
        };
        Accumulated { document, chunks: chunks.iter().map(by_chunk).collect() }
    }

    fn by_document<'m>(
        &'m self,
        segment: usize,
        matches: &'m ChunkFreqs,
    ) -> impl Iterator<Item = (DocumentRef, &'m [(ChunkId, [f32; FIELD_COUNT])])> {
        let directory = self.segments[segment];
        matches.chunk_by(move |a, b| directory.document_of(a.0) == directory.document_of(b.0)).map(
            move |chunks| (DocumentRef { segment, document: directory.document_of(chunks[0].0) }, chunks),
        )
    }

    fn kind_weight(&self, kind: AlternativeKind) -> f32 {
        match kind {
            AlternativeKind::Same | AlternativeKind::Phrase => 1.0,
            AlternativeKind::Compound => self.settings.part_weight,
            AlternativeKind::Synonym => self.settings.synonym_weight,
            AlternativeKind::Folded => self.settings.folded_weight,
            AlternativeKind::Prefix => self.settings.prefix_weight,
            AlternativeKind::Typo => self.settings.typo_weight,
        }
    }

    fn idf(&self, segments: &[(usize, ChunkFreqs)]) -> f32 {
        let doc_freq =
            segments.iter().map(|(segment, matches)| self.by_document(*segment, matches).count()).sum();
        idf(self.documents, doc_freq)
    }

    /// How [`Self::score`] came to `found`, one of its documents.
    pub fn explain(&self, terms: &[TermMatches], found: &DocumentScore) -> Explanation {
        let explained = terms.iter().filter_map(|term| self.explain_term(term, found.document));
        let mut details: Vec<_> = explained.collect();
        // A document that only filters chose has chunks without a score.
        if let Some(best) = found.chunks.first().filter(|best| best.score > 0.0) {
            let weight = self.settings.chunk_weight;
            let score = Rounded(best.score);
            let words =
                format!("best chunk: weight {} * score {score}, BM25F over the chunk", Rounded(weight));
            details.push(Explanation::leaf(weight * best.score, words));
        }
        let value = details.iter().map(|detail| detail.value).sum();
        Explanation {
            value,
            description: "BM25F over the document, sum over terms and its best chunk".into(),
            details,
        }
    }

    fn explain_term(&self, term: &TermMatches, at: DocumentRef) -> Option<Explanation> {
        let by_kind = term.alternatives.iter().filter_map(|(kind, segments)| {
            let (_, matches) = segments.iter().find(|(segment, _)| *segment == at.segment)?;
            let (_, chunks) = self.by_document(at.segment, matches).find(|(document, _)| *document == at)?;
            Some(self.explain_match(term, *kind, self.idf(segments), at, &sum(chunks)))
        });
        by_kind.max_by(|a, b| a.value.total_cmp(&b.value))
    }

    fn explain_match(
        &self,
        term: &TermMatches,
        kind: AlternativeKind,
        idf: f32,
        at: DocumentRef,
        freqs: &[f32; FIELD_COUNT],
    ) -> Explanation {
        let lens = self.segments[at.segment].document_lens(at.document);
        let weighted = self.settings.weighted_freq(freqs, &lens, &self.document_means);
        let factor = term.weight * self.kind_weight(kind);
        let fields = FIELDS.iter().filter(|&&field| freqs[field as usize] > 0.0).map(|&field| {
            let f = field as usize;
            let share = self.settings.field_freq(field, freqs, &lens, &self.document_means);
            let words = format!(
                "{}: {} times in {} words (mean {}), weight {}",
                field.name(),
                Rounded(freqs[f]),
                Rounded(lens[f]),
                Rounded(self.document_means[f].round()),
                Rounded(self.settings.fields[f].weight)
            );
            Explanation::leaf(share, words)
        });
        Explanation {
            value: factor * idf * self.settings.saturate(weighted),
            description: format!(
                "\"{}\" ({}): weight {} * idf {} * saturated frequency",
                term.term,
                kind.name(),
                Rounded(factor),
                Rounded(idf)
            ),
            details: fields.collect(),
        }
    }
}

fn sum(chunks: &[(ChunkId, [f32; FIELD_COUNT])]) -> [f32; FIELD_COUNT] {
    chunks.iter().fold([0.0; FIELD_COUNT], |mut total, (_, freqs)| {
        total.iter_mut().zip(freqs).for_each(|(total, freq)| *total += freq);
        total
    })
}

/// Joins the postings of several forms: frequencies of the same chunk are added, each times its form's weight.
pub(crate) fn merge_postings(mut postings: Vec<(ChunkId, TermFreqs, f32)>) -> ChunkFreqs {
    sort_by(&mut postings, |a, b| a.0.cmp(&b.0));
    let mut merged: ChunkFreqs = Vec::with_capacity(postings.len());
    for (chunk, freqs, weight) in postings {
        let freqs = freqs.map(|freq| freq as f32 * weight);
        match merged.last_mut() {
            Some((last, total)) if *last == chunk => {
                total.iter_mut().zip(freqs).for_each(|(total, freq)| *total += freq);
            }
            _ => merged.push((chunk, freqs)),
        }
    }
    merged
}
