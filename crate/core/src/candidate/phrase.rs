//! Quoted phrases: which chunks hold their words one after the other.
//!
//! A phrase is a condition: documents without it are no candidates, whatever else they hold. Only its words' postings
//! and positions are read, never texts: it is exact however many chunks hold the words. A compound is its parts one
//! after the other, so "hash map" is seen in `HashMap`. A phrase that the end of a chunk cuts in two is not seen.

use crate::{
    lexical::{
        AlternativeKind, ChunkFreqs, Field, PositionsReader, PostingsReader, TermMatches, fold, is_form,
        unmarked,
    },
    order::sort_by,
    query::{Phrase, Query},
    segment::{ChunkId, Directory, DocumentRef, Missing, Segment, SegmentError, TermId},
};

/// What the quoted parts of a query leave.
#[derive(Debug, Default)]
pub struct PhraseMatches {
    /// The phrases as terms, for the score.
    pub terms: Vec<TermMatches>,
    /// The documents that hold all of them, ascending; `None` when the query has none, or when no document does.
    pub documents: Option<Vec<DocumentRef>>,
    /// The phrases that could not be found, where no document holds all of them.
    pub unmatched: Vec<String>,
}

/// A position in a chunk: the chunk's number in the upper half. Positions begin at 1, so one less is never another
/// chunk's.
type Place = u64;

/// Finds the phrases of `query` among the documents that `allows` lets through. `directories` are those of `segments`.
///
/// # Errors
/// A damaged list.
pub fn search(
    query: &Query,
    segments: &[&Segment],
    directories: &[&Directory],
    weight: f32,
    allows: &dyn Fn(DocumentRef) -> bool,
    missing: &mut Missing,
) -> Result<PhraseMatches, SegmentError> {
    let mut found = PhraseMatches::default();
    for phrase in &query.phrases {
        let mut by_segment = Vec::new();
        let mut holders = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            let freqs = in_segment(phrase, segment, missing)?;
            for (chunk, _) in &freqs {
                let at = DocumentRef { segment: number, document: directories[number].document_of(*chunk) };
                if allows(at) && holders.last() != Some(&at) {
                    holders.push(at);
                }
            }
            by_segment.push((number, freqs));
        }
        if holders.is_empty() {
            found.unmatched.push(phrase.text.clone());
        }
        if let Some(before) = &found.documents {
            holders.retain(|at| before.binary_search(at).is_ok());
        }
        found.documents = Some(holders);
        let alternatives = vec![(AlternativeKind::Phrase, by_segment)];
        found.terms.push(TermMatches { term: phrase.text.clone(), weight, alternatives });
    }
    if found.documents.as_ref().is_some_and(Vec::is_empty) {
        found.documents = None;
        if found.unmatched.is_empty() {
            // Each has its documents, but none has all.
            found.unmatched = query.phrases.iter().map(|phrase| phrase.text.clone()).collect();
        }
    }
    Ok(found)
}

/// The chunks of one segment that hold `phrase`, and how often.
fn in_segment(phrase: &Phrase, segment: &Segment, missing: &mut Missing) -> Result<ChunkFreqs, SegmentError> {
    let units = units(phrase, segment, missing);
    let mut ends: Vec<Place> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let mut places = places(segment, unit, units.len() > 1, missing)?;
        if number > 0 {
            follow(&ends, &mut places);
        }
        ends = places;
    }
    Ok(count(&ends))
}

/// Leaves the places that follow one of `ends`. A compound stands at each of its parts, and the phrase goes on behind
/// the last one.
fn follow(ends: &[Place], places: &mut Vec<Place>) {
    let mut last = Place::MAX;
    places.retain(|&place| {
        let before = place.wrapping_sub(1);
        let follows = last == before || ends.binary_search(&before).is_ok();
        if follows {
            last = place;
        }
        follows
    });
}

/// How many there are in each chunk; neighbours are one, a compound.
fn count(places: &[Place]) -> ChunkFreqs {
    let mut freqs: ChunkFreqs = Vec::new();
    let mut last = Place::MAX;
    for &place in places {
        let is_new = place.wrapping_sub(1) != last;
        last = place;
        let chunk = ChunkId((place >> 32) as u32);
        match freqs.last_mut() {
            Some((known, freqs)) if *known == chunk => {
                freqs[Field::Body as usize] += f32::from(u8::from(is_new))
            }
            _ => freqs.push((chunk, Field::Body.only(1).map(|freq| freq as f32))),
        }
    }
    freqs
}

/// The terms that may stand at each place of the phrase: a word as a whole where the segment knows it, else its parts.
fn units(phrase: &Phrase, segment: &Segment, missing: &mut Missing) -> Vec<Vec<TermId>> {
    let mut units = Vec::new();
    for (position, word) in phrase.words.iter().enumerate() {
        let prefix = phrase.prefix && position + 1 == phrase.words.len();
        let Some((whole, parts)) = word.split_first() else { continue };
        let forms = forms(whole, prefix, segment, missing);
        if !forms.is_empty() || parts.len() < 2 {
            units.push(forms);
            continue;
        }
        units.extend(parts.iter().map(|part| self::forms(part, prefix, segment, missing)));
    }
    units
}

/// `term` in the segment's dictionary: as written, with other accents, and if `prefix` whatever begins with it.
fn forms(term: &str, prefix: bool, segment: &Segment, missing: &mut Missing) -> Vec<TermId> {
    let mut found = Vec::new();
    let plain = fold(term);
    // A term with accents does not stand in the stretch of those without.
    for (first, shard) in segment.term_shards(&plain, missing) {
        shard.with_prefix(&plain, &mut |form, position, _| {
            if unmarked(form).unwrap_or(form) == plain || prefix && !is_form(form) {
                found.push(TermId(first.0 + position));
            }
        });
    }
    found
}

/// Where the terms stand, ascending; unless `exactly`, each of the chunks that hold them, without positions.
fn places(
    segment: &Segment,
    unit: &[TermId],
    exactly: bool,
    missing: &mut Missing,
) -> Result<Vec<Place>, SegmentError> {
    let mut places: Vec<Place> = Vec::new();
    for &term in unit {
        let Some((postings, name)) = segment.postings(term, missing) else { continue };
        let corrupt = |error| SegmentError::corrupt(&name, error);
        let mut positions = PositionsReader::default();
        if exactly {
            let Some((list, _)) = segment.positions(term, missing) else { continue };
            positions = PositionsReader::new(list);
        }
        for posting in PostingsReader::new(postings) {
            let chunk = posting.map_err(corrupt)?.chunk;
            let is_live = segment.is_live(chunk);
            let mut add = |position: u32| {
                if is_live {
                    places.push(u64::from(chunk.0) << 32 | u64::from(position));
                }
            };
            match exactly {
                true => positions.next_chunk(&mut add).map_err(corrupt)?,
                false => add(1),
            }
        }
    }
    if unit.len() > 1 {
        sort_by(&mut places, |a, b| a.cmp(b));
    }
    Ok(places)
}
