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
    query::{Facet, Query, SearchRequest, Sort, inline_filters, split_inline_filters},
    segment::{Attributes, ChunkId, DocumentRef, Missing, PATH, Segment},
};
use std::{borrow::Cow, cmp::Ordering};

/// The request with its filters known to the index, and the documents that they leave.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    /// The request; `name:value` of its query are filters where the index has such a filter.
    pub(super) request: Cow<'a, SearchRequest>,
    attributes: Vec<&'a Attributes>,
    /// By segment, by document; `None` when there is no filter.
    allowed: Option<Vec<Vec<bool>>>,
}

/// What the site says that a document counts.
pub(super) fn weight_of(segments: &[&Segment], at: DocumentRef) -> f32 {
    let directory = segments[at.segment].directory(&mut Missing::default());
    directory.map_or(1.0, |directory| directory.weight(at.document).factor())
}

/// `query` without the filters in it, as far as the attributes that name them have been loaded.
pub(super) fn words_of<'a>(query: &str, segments: impl Iterator<Item = &'a Segment>) -> String {
    let attributes: Vec<_> =
        segments.filter_map(|segment| segment.attributes(&mut Missing::default())).collect();
    split_inline_filters(query, |name| is_filter(&attributes, name)).0
}

fn is_filter(attributes: &[&Attributes], name: &str) -> bool {
    name == PATH || attributes.iter().any(|of| of.filter_names().any(|known| known == name))
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
        let (query, filters) = split_inline_filters(&self.request.query, |name| self.has_filter(name));
        if filters.is_empty() {
            return;
        }
        let request = self.request.to_mut();
        request.query = query;
        request.filters.extend(filters);
    }

    fn has_filter(&self, name: &str) -> bool {
        is_filter(&self.attributes, name)
    }

    fn check_names(&self) -> Result<(), SearchError> {
        if self.attributes.is_empty() {
            return Ok(());
        }
        let mut names = self.request.filters.iter().map(|filter| &filter.name).chain(&self.request.facets);
        if let Some(name) = names.find(|name| !self.has_filter(name)) {
            let known = self.attributes.iter().flat_map(|of| of.filter_names()).chain([PATH]);
            return Err(unknown("filter", name, &mut known.into_iter()));
        }
        let known = || self.attributes.iter().flat_map(|of| of.metadata_names());
        match &self.request.sort {
            Some(sort) if known().all(|known| known != sort.key) => {
                Err(unknown("sort", &sort.key, &mut known()))
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
            let mut allowed_here = vec![true; documents];
            for filter in &self.request.filters {
                let mut met = vec![false; documents];
                attributes.with_any(&filter.name, &filter.values, |id| met[id.0 as usize] = true);
                allowed_here.iter_mut().zip(met).for_each(|(allowed, met)| *allowed &= met);
            }
            allowed.push(allowed_here);
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
        if self.request.facets.is_empty() {
            return Vec::new();
        }
        let mut matching: Vec<Vec<bool>> =
            self.attributes.iter().map(|attributes| vec![false; attributes.documents()]).collect();
        let by_terms = by_terms.iter().map(|found| found.document);
        for at in by_terms.chain(fused.iter().map(|found| found.document)) {
            matching[at.segment][at.document.0 as usize] = true;
        }
        self.request.facets.iter().map(|name| self.facet(name, &matching)).collect()
    }

    fn facet(&self, name: &str, matching: &[Vec<bool>]) -> Facet {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for (attributes, matching) in self.attributes.iter().zip(matching) {
            for (value, documents) in attributes.values(name) {
                let count = documents.iter().filter(|id| matching[**id as usize]).count();
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
    match (Decimal::read(a), Decimal::read(b)) {
        (Some(a), Some(b)) => a.compare(&b),
        (a_number, b_number) => b_number.is_some().cmp(&a_number.is_some()).then_with(|| a.cmp(b)),
    }
}

/// A decimal number as it is written: exact at any length, and without the tables of floating point, which every
/// reader would download.
struct Decimal<'a> {
    is_negative: bool,
    whole: &'a str,
    part: &'a str,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, part) = (is_number(whole).then_some(whole)?, is_number(part).then_some(part)?);
        let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
        let is_zero = whole.is_empty() && part.is_empty();
        Some(Self { is_negative: digits.len() < text.len() && !is_zero, whole, part })
    }

    fn compare(&self, other: &Self) -> Ordering {
        let magnitude = || {
            let whole = self.whole.len().cmp(&other.whole.len()).then_with(|| self.whole.cmp(other.whole));
            whole.then_with(|| self.part.cmp(other.part))
        };
        match (self.is_negative, other.is_negative) {
            (false, false) => magnitude(),
            (true, true) => magnitude().reverse(),
            (a, b) => b.cmp(&a),
        }
    }
}

fn unknown(what: &'static str, name: &str, known: &mut dyn Iterator<Item = &str>) -> SearchError {
    let mut names: Vec<&str> = Vec::new();
    known.for_each(|name| {
        if !names.contains(&name) {
            names.push(name)
        }
    });
    let known = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    SearchError::UnknownName { what, name: name.to_owned(), known }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_in_order() {
        let ordered =
            ["-10", "-2.5", "0", "00.50", "2", "2.05", "2.5", "10", "2024-01-02", "2024-01-10", "a", "b"];
        for (position, a) in ordered.iter().enumerate() {
            for b in &ordered[position + 1..] {
                assert_eq!((compare(a, b), compare(b, a)), (Ordering::Less, Ordering::Greater), "{a} {b}");
            }
        }
        assert_eq!(compare("-0.0", "0"), Ordering::Equal);
    }

    proptest! {
        #[test]
        fn numbers_as_the_standard_library_orders_them(a in -9999_i32..9999, b in -9999_i32..9999) {
            let (a, b) = (f64::from(a) / 100.0, f64::from(b) / 100.0);
            prop_assert_eq!(compare(&a.to_string(), &b.to_string()), a.partial_cmp(&b).expect("numbers"));
        }
    }
}
