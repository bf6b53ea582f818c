//! Which documents may be hits, how they are counted, and orders other than by score.
//!
//! ```text
//! request, attributes of the segments -> Selection (may it be a hit?) -> facets of what matched -> sorted hits
//! ```
//!
//! A search that asks for none of this needs no attributes and pays nothing.

use super::SearchError;
use crate::{
    candidate::{ChunkScore, DocumentScore},
    fusion::Fused,
    order::sort_by,
    query::{Facet, Filter, Query, SearchRequest, Sort, inline_filters},
    segment::{Attributes, ChunkId, DocumentId, DocumentRef, Missing, PATH, Segment},
};
use std::{borrow::Cow, cmp::Ordering, collections::BTreeSet};

/// The request with its filters known to the index, and the documents that they leave.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    /// The request; `name:value` of its query are filters where the index has such a filter.
    pub(super) request: Cow<'a, SearchRequest>,
    attributes: Vec<&'a Attributes>,
    /// By segment, by document; `None` when there is no filter.
    allowed: Option<Vec<Vec<bool>>>,
}

impl<'a> Selection<'a> {
    /// Reads the filters of `request`.
    ///
    /// # Errors
    /// Files that are missing; a name that no segment knows.
    pub(super) fn new(request: &'a SearchRequest, segments: &[&'a Segment]) -> Result<Self, SearchError> {
        let asks = !request.filters.is_empty() || !request.facets.is_empty() || request.sort.is_some();
        let mut selection = Self { request: Cow::Borrowed(request), attributes: Vec::new(), allowed: None };
        if !asks && inline_filters(&request.query).next().is_none() {
            return Ok(selection);
        }
        let mut missing = Missing::default();
        let found = segments.iter().filter_map(|segment| segment.attributes(&mut missing)).collect();
        selection.attributes = missing.or(found)?;
        selection.take_inline_filters();
        selection.check_names()?;
        selection.allow(segments)?;
        Ok(selection)
    }

    /// Whether the document may be a hit.
    pub(super) fn allows(&self, at: DocumentRef) -> bool {
        let is_allowed = |allowed: &Vec<Vec<bool>>| allowed[at.segment][at.document.0 as usize];
        self.allowed.as_ref().is_none_or(is_allowed)
    }

    /// Moves `name:value` from the query to the filters where the name is a filter's.
    fn take_inline_filters(&mut self) {
        let is_known = |filter: &Filter| self.has_filter(&filter.name);
        let found: Vec<_> =
            inline_filters(&self.request.query).filter(|(_, filter)| is_known(filter)).collect();
        if found.is_empty() {
            return;
        }
        let words = self.request.query.split_whitespace();
        let rest: Vec<_> = words.filter(|word| found.iter().all(|(inline, _)| inline != word)).collect();
        let (query, filters) =
            (rest.join(" "), found.into_iter().map(|(_, filter)| filter).collect::<Vec<_>>());
        let request = self.request.to_mut();
        request.query = query;
        request.filters.extend(filters);
    }

    fn has_filter(&self, name: &str) -> bool {
        self.attributes.iter().any(|attributes| attributes.filter_names().any(|known| known == name))
    }

    fn check_names(&self) -> Result<(), SearchError> {
        if self.attributes.is_empty() {
            return Ok(());
        }
        let mut names = self.request.filters.iter().map(|filter| &filter.name).chain(&self.request.facets);
        if let Some(name) = names.find(|name| !self.has_filter(name)) {
            let known = self.attributes.iter().flat_map(|attributes| attributes.filter_names());
            return Err(unknown("filter", name, known.collect()));
        }
        let names = || self.attributes.iter().flat_map(|attributes| attributes.metadata_names());
        match &self.request.sort {
            Some(sort) if names().all(|known| known != sort.key) => {
                Err(unknown("sort", &sort.key, names().collect()))
            }
            _ => Ok(()),
        }
    }

    fn allow(&mut self, segments: &[&Segment]) -> Result<(), Missing> {
        if self.request.filters.is_empty() {
            return Ok(());
        }
        let mut missing = Missing::default();
        let mut allowed = Vec::new();
        for (segment, attributes) in segments.iter().zip(&self.attributes) {
            let documents = segment.directory(&mut missing).map_or(0, |directory| directory.documents());
            let mut met = vec![0; documents];
            for filter in &self.request.filters {
                let documents: BTreeSet<_> =
                    attributes.with_any(&filter.name, &filter.values).into_iter().collect();
                documents.into_iter().for_each(|document| met[document.0 as usize] += 1);
            }
            allowed.push(met.into_iter().map(|met| met == self.request.filters.len()).collect());
        }
        self.allowed = Some(allowed);
        missing.or(())
    }

    /// Takes what may not be a hit from `documents`. Where filters are all there is to go by, every document that
    /// they leave is a candidate, in the order of the index.
    ///
    /// # Errors
    /// Files that are missing.
    pub(super) fn narrow(
        &self,
        query: &Query,
        documents: &mut Vec<DocumentScore>,
        segments: &[&Segment],
    ) -> Result<(), Missing> {
        if self.allowed.is_none() {
            return Ok(());
        }
        if query.terms.is_empty() {
            *documents = everything(segments)?;
        }
        documents.retain(|found| self.allows(found.document));
        Ok(())
    }

    /// For every facet that was asked for, the values of the documents that match: all that hold a term, and those
    /// that only vectors found as far as they take part in fusion.
    pub(super) fn facets(&self, by_terms: &[DocumentScore], fused: &[Fused]) -> Vec<Facet> {
        let by_terms = by_terms.iter().map(|found| found.document);
        let matching = by_terms.chain(fused.iter().map(|found| found.document)).collect();
        self.request.facets.iter().map(|name| self.facet(name, &matching)).collect()
    }

    fn facet(&self, name: &str, matching: &BTreeSet<DocumentRef>) -> Facet {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for (segment, attributes) in self.attributes.iter().enumerate() {
            for (value, documents) in attributes.values(name) {
                let is_match =
                    |id: &&u32| matching.contains(&DocumentRef { segment, document: DocumentId(**id) });
                let count = documents.iter().filter(is_match).count();
                match counts.iter_mut().find(|(known, _)| known == value) {
                    Some((_, total)) => *total += count,
                    None => counts.push((value.to_owned(), count)),
                }
            }
        }
        counts.retain(|(_, count)| *count > 0);
        sort_by(&mut counts, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Facet { name: name.to_owned(), values: counts }
    }

    /// Orders by the request's key; equal values, and documents without one, keep their order.
    pub(super) fn sort(&self, fused: &mut Vec<Fused>) {
        let Some(Sort { key, descending }) = &self.request.sort else { return };
        let value =
            |found: &Fused| self.attributes[found.document.segment].metadata(key, found.document.document);
        sort_by(fused, |a, b| match (value(a), value(b)) {
            (Some(a), Some(b)) if *descending => compare(b, a),
            (Some(a), Some(b)) => compare(a, b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        });
    }
}

/// Every document, by its first chunk, without a score.
fn everything(segments: &[&Segment]) -> Result<Vec<DocumentScore>, Missing> {
    let mut missing = Missing::default();
    let mut documents: Vec<DocumentScore> = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        let Some(directory) = segment.directory(&mut missing) else { continue };
        let chunks = (0..directory.chunks() as u32).map(ChunkId);
        for chunk in chunks.filter(|&chunk| segment.is_live(chunk)) {
            let document = DocumentRef { segment: number, document: directory.document_of(chunk) };
            if documents.last().is_none_or(|last| last.document != document) {
                let chunks = vec![ChunkScore { chunk, score: 0.0 }];
                documents.push(DocumentScore { document, score: 0.0, chunks });
            }
        }
    }
    missing.or(documents)
}

/// Numbers by size, other values by their letters; numbers come first.
fn compare(a: &str, b: &str) -> Ordering {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        (a_number, b_number) => b_number.is_ok().cmp(&a_number.is_ok()).then_with(|| a.cmp(b)),
    }
}

fn unknown(what: &'static str, name: &str, known: BTreeSet<&str>) -> SearchError {
    // The path is in every index, so it is named last.
    let mut names: Vec<_> = known.iter().copied().filter(|&name| name != PATH).collect();
    names.extend(known.contains(PATH).then_some(PATH));
    let known = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    SearchError::UnknownName { what, name: name.to_owned(), known }
}
