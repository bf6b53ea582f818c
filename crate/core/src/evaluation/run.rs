use super::Judgements;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What a search gave for each query: documents and their scores, best first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    rankings: BTreeMap<String, Vec<(String, f32)>>,
}

impl Run {
    /// A run without queries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the ranking for `query`, best first. The order counts, not the scores; of a document that comes more
    /// than once, the first place counts.
    pub fn insert(&mut self, query: &str, ranking: impl IntoIterator<Item = (String, f32)>) {
        let mut seen = BTreeSet::new();
        let mut ranking: Vec<_> = ranking.into_iter().collect();
        ranking.retain(|(document, _)| seen.insert(document.clone()));
        self.rankings.insert(query.to_owned(), ranking);
    }

    /// The ranking for `query`; empty without one.
    pub fn ranking(&self, query: &str) -> &[(String, f32)] {
        self.rankings.get(query).map_or(&[], Vec::as_slice)
    }

    /// The grades of the ranking for `query`, in its order.
    pub fn grades(&self, query: &str, judgements: &Judgements) -> Vec<u32> {
        self.ranking(query).iter().map(|(document, _)| judgements.grade(query, document)).collect()
    }

    /// The run in the six columns of TREC, a line per document: query, `Q0`, document, rank from 1, score, `tag`.
    ///
    /// Tools that read it sort by score, in 32 bits, and break ties by the document's name: a score that is not
    /// below the one before is therefore written as the next smaller number. White space in a name, which would
    /// make more columns, is written as in a URL (a space as `%20`).
    pub fn to_trec(&self, tag: &str) -> String {
        let mut lines = String::new();
        for (query, ranking) in &self.rankings {
            let mut before = f32::INFINITY;
            for (rank, (document, score)) in ranking.iter().enumerate() {
                before = if *score < before { *score } else { before.next_down() };
                let (query, document, tag) = (column(query), column(document), column(tag));
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "{query} Q0 {document} {} {before} {tag}", rank + 1);
            }
        }
        lines
    }
}

/// `name` without white space.
fn column(name: &str) -> String {
    let mut column = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(column, "%{byte:02X}");
            }
        } else {
            column.push(c);
        }
    }
    column
}
