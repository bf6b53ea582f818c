//! Candidates by terms.

use super::{
    DocumentScore,
    phrase::{self, PhraseMatches},
};
use crate::{
    lexical::{
        Alternative, AlternativeKind, Bm25fSettings, ExpansionLimits, LexicalScorer, PostingsReader,
        TermDictionary, TermMatches, alternatives, dictionary_prefixes, english_prefix, fold,
        folded_alternative, merge_postings, typo_alternative, typo_stretches,
    },
    query::{Query, QueryTerm},
    segment::{Directory, DocumentRef, Missing, Segment, SegmentError, TermId},
};

/// The lexical list, and what is needed to explain it.
#[derive(Debug, Default)]
pub struct LexicalCandidates {
    /// Documents that hold a term of the query, best first.
    pub documents: Vec<DocumentScore>,
    /// What each term matched.
    pub terms: Vec<TermMatches>,
    /// The only documents that may be hits, ascending, where the query has phrases that some document holds.
    pub required: Option<Vec<DocumentRef>>,
    /// The query's phrases that no document holds.
    pub unmatched_phrases: Vec<String>,
}

impl LexicalCandidates {
    /// The part of the query's words that the index holds as they were written, in any form of their stem: 0 to 1. The
    /// others are unfinished, misspelt, or about something else.
    pub fn written(&self, query: &Query) -> f32 {
        let words = || query.terms.iter().zip(&self.terms).filter(|(term, _)| term.is_whole);
        let is_written = |found: &TermMatches| {
            found
                .alternatives
                .iter()
                .any(|(kind, _)| matches!(kind, AlternativeKind::Same | AlternativeKind::Folded))
        };
        let written = words().filter(|(_, found)| is_written(found)).count();
        if written == 0 { 0.0 } else { written as f32 / words().count() as f32 }
    }

    /// Whether the document holds the query's phrases, or does not have to.
    pub fn allows(&self, at: DocumentRef) -> bool {
        self.required.as_ref().is_none_or(|required| required.binary_search(&at).is_ok())
    }
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
    allows: &dyn Fn(DocumentRef) -> bool,
) -> Result<LexicalCandidates, LexicalError> {
    let directories = directories(segments)?;
    let expanded = expand(query, segments, limits)?;
    let mut terms = match_terms(query, segments, &expanded)?;
    let mut missing = Missing::default();
    let phrases =
        phrase::search(query, segments, &directories, settings.phrase_weight, allows, &mut missing)?;
    let PhraseMatches { terms: as_terms, documents: required, unmatched: unmatched_phrases } =
        missing.or(phrases)?;
    terms.extend(as_terms);
    let scorer = LexicalScorer::new(settings, directories);
    let documents = scorer.score(&terms);
    let mut candidates = LexicalCandidates { documents, terms, required, unmatched_phrases };
    let mut documents = std::mem::take(&mut candidates.documents);
    documents.retain(|found| candidates.allows(found.document));
    Ok(LexicalCandidates { documents, ..candidates })
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
            if missing.is_empty() && by_segment.iter().all(Vec::is_empty) {
                *by_segment = split_term(term, segments, &mut missing);
            }
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
        let shards = shards_of(segment, &dictionary_prefixes(&term.text, languages), missing);
        let mut found = alternatives(&term.text, term.prefix, &shards, languages, limits);
        let shards = segment.term_shards(english_prefix(&fold(&term.text)), missing);
        found.extend(folded_alternative(&term.text, &shards, limits));
        found.extend(synonyms(term, segment, limits, missing));
        found
    };
    segments.iter().map(of_segment).collect()
}

/// The shards of the dictionary that hold terms with one of the `prefixes`, none twice.
fn shards_of<'a>(
    segment: &'a Segment,
    prefixes: &[String],
    missing: &mut Missing,
) -> Vec<(TermId, &'a TermDictionary)> {
    let mut shards: Vec<(TermId, &TermDictionary)> = Vec::new();
    for shard in prefixes.iter().flat_map(|prefix| segment.term_shards(prefix, missing)) {
        if shards.iter().all(|(known, _)| *known != shard.0) {
            shards.push(shard);
        }
    }
    shards
}

/// The synonyms of `term`, each in all forms of its stem.
fn synonyms(
    term: &QueryTerm,
    segment: &Segment,
    limits: &ExpansionLimits,
    missing: &mut Missing,
) -> Option<Alternative> {
    let mut forms = Vec::new();
    for synonym in &term.synonyms {
        let shards = segment.term_shards(english_prefix(synonym), missing);
        let found = alternatives(synonym, false, &shards, &[], limits);
        forms.extend(found.into_iter().flat_map(|found| found.forms));
    }
    (!forms.is_empty()).then_some(Alternative { kind: AlternativeKind::Synonym, language: None, forms })
}

/// Terms of so few files of a dictionary, some 6 kB each, are compared with a misspelt word one and all.
const SMALL_DICTIONARY: usize = 4;

fn correct_term(
    term: &QueryTerm,
    segments: &[&Segment],
    limits: &ExpansionLimits,
    missing: &mut Missing,
) -> Vec<Vec<Alternative>> {
    let mut found = vec![Vec::new(); segments.len()];
    for is_first_wrong in [false, true] {
        let stretches = typo_stretches(&term.text, is_first_wrong);
        if stretches.is_empty() {
            break;
        }
        for (segment, found) in segments.iter().zip(&mut found) {
            let is_small = is_first_wrong && segment.term_shard_count() <= SMALL_DICTIONARY;
            let stretches = if is_small { &[String::new()][..] } else { &stretches };
            let shards = shards_of(segment, stretches, missing);
            found.extend(typo_alternative(&term.text, stretches, &shards, limits));
        }
        // What was not found where files are missing may be in those.
        if !missing.is_empty() || found.iter().any(|found| !found.is_empty()) {
            break;
        }
    }
    found
}

/// Fewest letters of a word that is taken out of a compound.
const PART_LETTERS: usize = 3;

/// An unknown word as two that the index knows: `hashmap` where it says `hash map`. Documents that hold both rank first.
fn split_term(term: &QueryTerm, segments: &[&Segment], missing: &mut Missing) -> Vec<Vec<Alternative>> {
    let text = term.text.as_str();
    let mut of_segment = |segment: &&Segment| {
        let mut known = |part: &str| {
            let (first, shard) = segment.term_shard(part, missing)?;
            let mut found = None;
            shard.with_prefix(part, &mut |form, position, _| {
                if form == part {
                    found = Some((TermId(first.0 + position), 1.0));
                }
            });
            found
        };
        let cuts = PART_LETTERS..(text.len() + 1).saturating_sub(PART_LETTERS);
        let split = |at: usize| {
            let (left, right) = text.split_at_checked(at)?;
            Some(vec![known(left)?, known(right)?])
        };
        let forms = cuts.rev().find_map(split);
        forms
            .map(|forms| Alternative { kind: AlternativeKind::Compound, language: None, forms })
            .into_iter()
            .collect()
    };
    segments.iter().map(&mut of_segment).collect()
}

fn match_terms(
    query: &Query,
    segments: &[&Segment],
    expanded: &Expanded,
) -> Result<Vec<TermMatches>, LexicalError> {
    let mut missing = Missing::default();
    let mut terms = Vec::new();
    for (term, by_segment) in query.terms.iter().zip(expanded) {
        let mut matches = AlternativeKind::ALL.map(|kind| (kind, Vec::new()));
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
