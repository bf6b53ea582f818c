//! The last stage: texts for the documents that were found.

use super::{Duplicate, Explanation, Hit, SectionHit};
use crate::{
    assembly::{Matcher, excerpt, nearest_question},
    candidate::{ChunkScore, lexical::LexicalCandidates},
    diversify::{self, Shown},
    fusion::Fused,
    lexical::{Bm25fSettings, LexicalScorer},
    query::{FusionSettings, Query, QueryEncoder, SearchRequest},
    rerank,
    segment::{ChunkRef, ChunkText, DocumentText, Missing, Segment},
};

/// A further section is shown when its chunk scores at least this part of the best one's.
const SECTION_SHARE: f32 = 0.5;

/// What this stage works with.
pub(super) struct Assemble<'a> {
    pub(super) request: &'a SearchRequest,
    pub(super) fusion: &'a FusionSettings,
    pub(super) encoder: Option<QueryEncoder>,
    pub(super) query: &'a Query,
    pub(super) segments: &'a [&'a Segment],
    pub(super) by_terms: &'a LexicalCandidates,
    pub(super) ranking: &'a Bm25fSettings,
}

impl Assemble<'_> {
    /// The first `limit` documents as hits.
    pub(super) fn hits(&self, fused: &[Fused]) -> Result<Vec<Hit>, Missing> {
        let mut missing = Missing::default();
        let limit = self.request.limit.clamp(1, 1000);
        let shown = if self.request.collapse {
            diversify::collapse(fused, limit, self.segments, &mut missing)
        } else {
            fused.iter().take(limit).map(|found| Shown { found, duplicates: Vec::new() }).collect()
        };
        let shown = shown.iter().enumerate();
        let hits = shown.filter_map(|(rank, shown)| self.hit(rank, shown, &mut missing)).collect();
        missing.or(hits)
    }

    fn hit(&self, rank: usize, shown: &Shown, missing: &mut Missing) -> Option<Hit> {
        let found = shown.found;
        let segment = self.segments[found.document.segment];
        let (best, others) = found.chunks.split_first()?;
        // Before anything returns: whatever is missing is to be asked for in one round.
        let sections = self.sections(segment, best, others, missing);
        let (document, chunk) = segment.text(best.chunk, missing)?;
        let matcher = &Matcher::new(self.query, document.language.as_deref());
        let excerpt = excerpt(&chunk.text, matcher);
        Some(Hit {
            rank: rank + 1,
            path: document.path.clone(),
            chunk: ChunkRef { segment: found.document.segment, chunk: best.chunk },
            url: url_of(document, chunk),
            anchor: chunk.anchor.clone(),
            title: document.title.clone(),
            heading: heading_of(document, chunk).to_owned(),
            heading_path: std::iter::once(&document.title).chain(&chunk.headings).cloned().collect(),
            language: document.language.clone(),
            metadata: document.metadata.clone(),
            score: found.score,
            question: nearest_question(&chunk.questions, matcher).map(|question| question.text.clone()),
            excerpt: excerpt.text,
            highlights: excerpt.highlights,
            sections,
            duplicates: shown.duplicates.iter().filter_map(|found| self.duplicate(found, missing)).collect(),
            explanation: self.request.explain.then(|| self.explain(found)),
        })
    }

    fn duplicate(&self, found: &Fused, missing: &mut Missing) -> Option<Duplicate> {
        let best = found.chunks.first()?;
        let (document, chunk) = self.segments[found.document.segment].text(best.chunk, missing)?;
        let (path, title) = (document.path.clone(), document.title.clone());
        Some(Duplicate { path, title, url: url_of(document, chunk) })
    }

    fn sections(
        &self,
        segment: &Segment,
        best: &ChunkScore,
        others: &[ChunkScore],
        missing: &mut Missing,
    ) -> Vec<SectionHit> {
        let limit = self.request.sections_per_document.min(20);
        let good = others.iter().filter(|other| other.score >= SECTION_SHARE * best.score);
        // Several chunks may share a section, so look at a few more than are shown.
        let mut texts = std::iter::once(best)
            .chain(good.take(2 * limit))
            .map(|found| (found, segment.text(found.chunk, missing)));
        let Some((_, Some((document, first)))) = texts.next() else { return Vec::new() };
        let matcher = &Matcher::new(self.query, document.language.as_deref());
        let mut seen = vec![first.section];
        texts
            .filter_map(|(found, text)| text.map(|(document, chunk)| (found, document, chunk)))
            .filter(|(.., chunk)| insert_new(&mut seen, chunk.section))
            .take(limit)
            .map(|(found, document, chunk)| section_hit(found.score, document, chunk, matcher))
            .collect()
    }

    fn explain(&self, found: &Fused) -> Explanation {
        let directories =
            self.segments.iter().filter_map(|segment| segment.directory(&mut Missing::default()));
        let scorer = LexicalScorer::new(self.ranking, directories.collect());
        let scored = self.by_terms.documents.iter().find(|scored| scored.document == found.document);
        let lexical = scored.filter(|_| found.lexical.is_some());
        let lexical = lexical.map(|scored| scorer.explain(&self.by_terms.terms, scored));
        let scored = rerank::explain(found, self.request, found.explain(self.fusion, lexical, self.encoder));
        diversify::explain(found, self.request, scored)
    }
}

/// Adds `section` unless it is there; says whether it was added. The list has a few items.
fn insert_new(sections: &mut Vec<u32>, section: u32) -> bool {
    let is_new = !sections.contains(&section);
    if is_new {
        sections.push(section);
    }
    is_new
}

fn section_hit(score: f32, document: &DocumentText, chunk: &ChunkText, matcher: &Matcher) -> SectionHit {
    let excerpt = excerpt(&chunk.text, matcher);
    SectionHit {
        url: url_of(document, chunk),
        anchor: chunk.anchor.clone(),
        heading: heading_of(document, chunk).to_owned(),
        score,
        excerpt: excerpt.text,
        highlights: excerpt.highlights,
    }
}

fn heading_of<'a>(document: &'a DocumentText, chunk: &'a ChunkText) -> &'a str {
    chunk.headings.last().unwrap_or(&document.title)
}

fn url_of(document: &DocumentText, chunk: &ChunkText) -> String {
    match &chunk.anchor {
        Some(anchor) => format!("{}#{anchor}", document.url),
        None => document.url.clone(),
    }
}
