use crate::{
    query::{Facet, QueryAnalysis, QueryEncoder, SearchMode},
    rerank::Passage,
    segment::ChunkRef,
};
use serde::{Deserialize, Serialize};
use std::{
    fmt::{self, Display, Formatter},
    ops::Range,
};

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResponse {
    /// The query as it was asked.
    pub query: String,
    /// The mode that was really used: `lexical` where `hybrid` was asked for without a query vector.
    pub mode: SearchMode,
    /// What embedded the query; none in a lexical search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_encoder: Option<QueryEncoder>,
    /// Documents, best first.
    pub hits: Vec<Hit>,
    /// Documents that matched at all, before `limit`.
    pub total: usize,
    /// Counts for every filter that the request names as a facet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub facets: Vec<Facet>,
    /// Quoted phrases of the query, where no document holds them or all of them: the hits then match its words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub unmatched_phrases: Vec<String>,
    /// What the query asks for, where an explanation was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<QueryAnalysis>,
    /// What a reranker is to score, in this order, where the request asks for it and has no scores yet.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub passages: Vec<Passage>,
    /// Milliseconds per stage, in the order in which they ran.
    pub timings: StageTimings,
}

/// One document that was found, shown by its best section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// 1 for the best.
    pub rank: usize,
    /// The document's path: its identifier.
    pub path: String,
    /// The best chunk, for [`Engine::assemble`](super::Engine::assemble). Not serialised.
    #[serde(skip)]
    pub chunk: ChunkRef,
    /// Where to go: the document's URL with the best section's anchor.
    pub url: String,
    /// The best section's anchor, without `#`.
    pub anchor: Option<String>,
    /// The document's title.
    pub title: String,
    /// Heading of the best section; the title where it has none.
    pub heading: String,
    /// Headings from the title down to the best section.
    pub heading_path: Vec<String>,
    /// The document's language, where it states one.
    pub language: Option<String>,
    /// What the document says about itself: names and values.
    pub metadata: Vec<(String, String)>,
    /// The fused score; comparable within one response only.
    pub score: f32,
    /// The question that the best chunk answers and that is nearest to the query, if the chunk has questions.
    pub question: Option<String>,
    /// A stretch of the best chunk around the matches.
    pub excerpt: String,
    /// Matches inside `excerpt`: bytes here, UTF-16 units at the browser's edge.
    pub highlights: Vec<Range<usize>>,
    /// Further sections of the same document, best first.
    pub sections: Vec<SectionHit>,
    /// Documents that would have shown nearly the same text, best first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub duplicates: Vec<Duplicate>,
    /// How the score came about, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A document whose text is nearly that of a better hit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duplicate {
    /// The document's path: its identifier.
    pub path: String,
    /// Where to go: the document's URL with the section's anchor.
    pub url: String,
    /// The document's title.
    pub title: String,
}

/// A further section of a document that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SectionHit {
    /// Where to go: the document's URL with the section's anchor.
    pub url: String,
    /// The section's anchor, without `#`.
    pub anchor: Option<String>,
    /// Heading of the section.
    pub heading: String,
    /// The chunk's score; comparable within one response only.
    pub score: f32,
    /// A stretch of the chunk around the matches.
    pub excerpt: String,
    /// Matches inside `excerpt`: bytes here, UTF-16 units at the browser's edge.
    pub highlights: Vec<Range<usize>>,
}

/// How a score came about: a value, what it is, and the values that it was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The value.
    pub value: f32,
    /// What the value is, with the formula's numbers.
    pub description: String,
    /// What it was made from.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub details: Vec<Explanation>,
}

impl Explanation {
    /// A value made from nothing else.
    pub fn leaf(value: f32, description: impl Into<String>) -> Self {
        Self { value, description: description.into(), details: Vec::new() }
    }
}

/// A number to be read, rounded to four digits after the point. (The standard library's printing of floating-point
/// numbers, exact to the last bit, would be 14 kB of every reader's download.)
pub(crate) struct Rounded(pub(crate) f32);

impl Display for Rounded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ten_thousandths = (f64::from(self.0.abs()) * 1e4).round() as u64;
        let sign = if self.0 < 0.0 && ten_thousandths > 0 { "-" } else { "" };
        write!(f, "{sign}{}", ten_thousandths / 10_000)?;
        let (mut digits, mut width) = (ten_thousandths % 10_000, 4);
        if digits == 0 {
            return Ok(());
        }
        while digits.is_multiple_of(10) {
            (digits, width) = (digits / 10, width - 1);
        }
        write!(f, ".{digits:0width$}")
    }
}

/// Milliseconds per stage, in the order in which they ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StageTimings(pub Vec<(String, f64)>);

#[cfg(test)]
mod tests {
    use super::Rounded;

    #[test]
    fn numbers_to_be_read() {
        let check = |value: f32, expected: &str| assert_eq!(Rounded(value).to_string(), expected);
        check(0.0, "0");
        check(-0.000_01, "0");
        check(12.0, "12");
        check(0.35, "0.35");
        check(-1.007_04, "-1.007");
        check(2.345_67, "2.3457");
        check(0.999_99, "1");
        check(f32::NAN, "0");
        check(1e30, "1844674407370955.1615");
    }
}
