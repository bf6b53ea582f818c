//! Candidates by terms.

use super::DocumentScore;
use crate::{
    lexical::{
        Alternative, AlternativeKind, Bm25fSettings, ExpansionLimits, LexicalScorer, PostingsReader,
        TermMatches, alternatives, dictionary_prefixes, merge_postings, typo_alternative, typo_prefix,
    },
    query::{Query, QueryTerm},
    segment::{Directory, Missing, Segment, SegmentError},
};

/// The lexical list, and what is needed to explain it.
#[derive(Debug, Default)]
pub struct LexicalCandidates {
    /// Documents that hold a term of the query, best first.
    pub documents: Vec<DocumentScore>,
    /// What each term matched.
    pub terms: Vec<TermMatches>,
}

/// Searches `segments` for the terms of `query`.
///
/// # Errors
/// [`Missing`] files inside the outer error; a damaged list of postings.
pub fn search(
    query: &Query,
    segments: &[&Segment],
    settings: &Bm25fSettings,
    limits: &ExpansionLimits,
) -> Result<LexicalCandidates, LexicalError> {
    let directories = directories(segments)?;
    let expanded = expand(query, segments, limits)?;
    let terms = match_terms(query, segments, &expanded)?;
    let scorer = LexicalScorer::new(settings, directories);
    let documents = scorer.score(&terms);
    Ok(LexicalCandidates { documents, terms })
}

/// Why there is no list.
#[derive(Debug)]
pub enum LexicalError {
    /// Files are needed first.
    Missing(Missing),
    /// A file is damaged.
    Segment(SegmentError),
}

impl From<Missing> for LexicalError {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}

impl From<SegmentError> for LexicalError {
    fn from(error: SegmentError) -> Self {
        Self::Segment(error)
    }
}

/// The directories of all segments.
///
/// # Errors
/// Those that are missing.
pub fn directories<'a>(segments: &[&'a Segment]) -> Result<Vec<&'a Directory>, Missing> {
    let mut missing = Missing::default();
    let found = segments.iter().filter_map(|segment| segment.directory(&mut missing)).collect();
    missing.or(found)
}

/// For every term of the query, by segment, the ways in which the segment's dictionary can match it.
type Expanded = Vec<Vec<Vec<Alternative>>>;

fn expand(query: &Query, segments: &[&Segment], limits: &ExpansionLimits) -> Result<Expanded, Missing> {
    let mut missing = Missing::default();
    let mut expanded: Expanded =
        query.terms.iter().map(|term| expand_term(term, segments, limits, &mut missing)).collect();
    missing.or(())?;
    // Only a word that the whole index does not know is taken for a slip.
    let mut missing = Missing::default();
    for (term, by_segment) in query.terms.iter().zip(&mut expanded) {
        if term.is_whole && by_segment.iter().all(Vec::is_empty) {
            *by_segment = correct_term(term, segments, limits, &mut missing);
        }
    }
    missing.or(expanded)
}

fn expand_term(
    term: &QueryTerm,
    segments: &[&Segment],
    limits: &ExpansionLimits,
    missing: &mut Missing,
) -> Vec<Vec<Alternative>> {
    let of_segment = |segment: &&Segment| {
        let languages = segment.languages();
        let prefixes = dictionary_prefixes(&term.text, languages);
        let mut shards = Vec::new();
        for shard in prefixes.iter().flat_map(|prefix| segment.term_shards(prefix, missing)) {
            if shards.iter().all(|&(known, _)| known != shard.0) {
                shards.push(shard);
            }
        }
        alternatives(&term.text, term.prefix, &shards, languages, limits)
    };
    segments.iter().map(of_segment).collect()
}

fn correct_term(
    term: &QueryTerm,
    segments: &[&Segment],
    limits: &ExpansionLimits,
    missing: &mut Missing,
) -> Vec<Vec<Alternative>> {
    let Some(prefix) = typo_prefix(&term.text) else { return vec![Vec::new(); segments.len()] };
    let of_segment = |segment: &&Segment| {
        let shards = segment.term_shards(prefix, missing);
        typo_alternative(&term.text, &shards, limits).into_iter().collect()
    };
    segments.iter().map(of_segment).collect()
}

fn match_terms(
    query: &Query,
    segments: &[&Segment],
    expanded: &Expanded,
) -> Result<Vec<TermMatches>, LexicalError> {
    let mut missing = Missing::default();
    let mut terms = Vec::new();
    for (term, by_segment) in query.terms.iter().zip(expanded) {
        let kinds = [AlternativeKind::Same, AlternativeKind::Prefix, AlternativeKind::Typo];
        let mut matches = kinds.map(|kind| (kind, Vec::new()));
        for (number, (segment, found)) in segments.iter().zip(by_segment).enumerate() {
            // Forms that stand for the term in documents of one language only are the same way as those of all.
            for ways in found.chunk_by(|a, b| a.kind == b.kind) {
                let freqs = read_postings(segment, ways, &mut missing)?;
                matches[ways[0].kind as usize].1.push((number, freqs));
            }
        }
        let alternatives = matches.into_iter().filter(|(_, found)| !found.is_empty()).collect();
        terms.push(TermMatches { term: term.text.clone(), weight: term.weight, alternatives });
    }
    missing.or(terms).map_err(LexicalError::from)
}

fn read_postings(
    segment: &Segment,
    ways: &[Alternative],
    missing: &mut Missing,
) -> Result<crate::lexical::ChunkFreqs, SegmentError> {
    let mut all = Vec::new();
    let forms = ways.iter().flat_map(|way| way.forms.iter().map(|&form| (form, way.language)));
    for ((term, weight), language) in forms {
        let Some((list, name)) = segment.postings(term, missing) else { continue };
        for posting in PostingsReader::new(list) {
            let posting = posting.map_err(|error| SegmentError::corrupt(&name, error))?;
            if segment.is_live(posting.chunk) && segment.is_in(language, posting.chunk) {
                all.push((posting.chunk, posting.term_freqs, weight));
            }
        }
    }
    Ok(merge_postings(all))
}
