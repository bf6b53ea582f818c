//! Candidates by vectors.

use super::{ByDocument, ChunkScore, DocumentScore, sort_candidates, sort_chunks};
use crate::{
    query::QueryEncoder,
    segment::{DocumentRef, Missing, Segment},
    vector::Neighbour,
};

/// Rows that are taken from a segment's vectors. More rows give more documents; a document usually has several
/// rows near a query that it answers.
const ROWS: usize = 1000;

/// Documents whose chunks or questions are nearest to `vector` by cosine, best first. A vector by `encoder`'s table is
/// compared with the vectors' codes, where a segment has them, one by the model with the vectors.
///
/// Only documents that `allows` lets through take part. A chunk's score is that of its nearest vector, a document's
/// that of its best chunk. Segments without vectors propose nothing.
///
/// # Errors
/// The files that are needed first.
pub fn search(
    vector: &[f32],
    encoder: QueryEncoder,
    segments: &[&Segment],
    allows: &dyn Fn(DocumentRef) -> bool,
) -> Result<Vec<DocumentScore>, Missing> {
    let mut missing = Missing::default();
    let mut best = ByDocument::default();
    for (number, segment) in segments.iter().enumerate() {
        let Some(directory) = segment.directory(&mut missing) else { continue };
        let live = |row: u32| {
            directory.chunk_of_row(row).is_some_and(|chunk| {
                let document = directory.document_of(chunk);
                segment.is_live(chunk) && allows(DocumentRef { segment: number, document })
            })
        };
        for neighbour in nearest(vector, encoder, segment, &live, &mut missing) {
            let Some(chunk) = directory.chunk_of_row(neighbour.row) else { continue };
            let at = DocumentRef { segment: number, document: directory.document_of(chunk) };
            raise_score(best.entry(at, Vec::new), ChunkScore { chunk, score: neighbour.similarity });
        }
    }
    let mut documents: Vec<_> =
        best.into_iter().map(|(document, chunks)| of_chunks(document, chunks)).collect();
    sort_candidates(&mut documents);
    missing.or(documents)
}

/// The rows of `segment` that are nearest to `vector`.
fn nearest(
    vector: &[f32],
    encoder: QueryEncoder,
    segment: &Segment,
    keep: &dyn Fn(u32) -> bool,
    missing: &mut Missing,
) -> Vec<Neighbour> {
    if encoder == QueryEncoder::Table && segment.has_encoder(missing) == Some(true) {
        let codes = segment.codes(missing).filter(|codes| codes.dimensions() == vector.len());
        return codes.map_or_else(Vec::new, |codes| codes.search_filtered(vector, ROWS, keep));
    }
    segment.vectors(missing).map_or_else(Vec::new, |vectors| vectors.search_filtered(vector, ROWS, keep))
}

/// Notes the better of two scores of a chunk.
fn raise_score(chunks: &mut Vec<ChunkScore>, found: ChunkScore) {
    match chunks.iter_mut().find(|known| known.chunk == found.chunk) {
        Some(known) => known.score = known.score.max(found.score),
        None => chunks.push(found),
    }
}

fn of_chunks(document: DocumentRef, mut chunks: Vec<ChunkScore>) -> DocumentScore {
    sort_chunks(&mut chunks);
    let score = chunks.first().map_or(0.0, |chunk| chunk.score);
    DocumentScore { document, score, chunks }
}
