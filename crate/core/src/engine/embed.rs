//! The query's vector: the caller's, or that of the table in the index.

use crate::{
    query::{QueryEncoder, SearchMode, SearchRequest},
    segment::{Missing, Segment},
};
use std::borrow::Cow;

/// What the semantic list is searched with.
#[derive(Debug, Default)]
pub(super) struct QueryVector<'a> {
    /// Nothing where there is no model and no table, or where no word of the query has a row.
    pub(super) numbers: Option<Cow<'a, [f32]>>,
    /// What the numbers are from, or would be from if a word were known.
    pub(super) encoder: Option<QueryEncoder>,
    /// The parts of the query's words that the encoder knows, and that it knows as a whole: 0 to 1.
    pub(super) known: (f32, f32),
}

impl<'a> QueryVector<'a> {
    /// `given` where there is one, else what `request` asks for.
    ///
    /// The table is that of the first segment that has one; segments of one engine have one model.
    ///
    /// # Errors
    /// The files that are needed first: those of the table, and the vectors' codes, which are needed right after.
    pub(super) fn new(
        given: Option<&'a [f32]>,
        request: &SearchRequest,
        segments: &[&Segment],
    ) -> Result<Self, Missing> {
        if let Some(numbers) = given {
            let encoder = Some(QueryEncoder::Model);
            return Ok(Self { numbers: Some(Cow::Borrowed(numbers)), encoder, known: (1.0, 1.0) });
        }
        if request.query_encoder == QueryEncoder::Model || request.mode == SearchMode::Lexical {
            return Ok(Self::default());
        }
        let mut missing = Missing::default();
        let has_table = |segment: &&&Segment| segment.has_encoder(&mut missing) == Some(true);
        let Some(segment) = segments.iter().find(has_table) else { return missing.or(Self::default()) };
        let encoded = segment.encode(&request.query, &mut missing);
        if !missing.is_empty() {
            for segment in segments {
                segment.codes(&mut missing);
            }
        }
        let known = encoded.as_ref().map_or((0.0, 0.0), |encoded| (encoded.coverage, encoded.whole));
        let numbers = encoded.map(|encoded| Cow::Owned(encoded.vector));
        missing.or(Self { numbers, encoder: Some(QueryEncoder::Table), known })
    }
}
