use std::collections::BTreeMap;

/// Which documents are how relevant to which queries.
///
/// A grade of 0 says that a document was judged and is not relevant; the measures treat it as a document without
/// judgement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgements {
    queries: BTreeMap<String, BTreeMap<String, u32>>,
}

impl Judgements {
    /// No judgements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a judgement; gives back the one that it replaces.
    pub fn insert(&mut self, query: &str, document: &str, grade: u32) -> Option<u32> {
        self.queries.entry(query.to_owned()).or_default().insert(document.to_owned(), grade)
    }

    /// Number of judged queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query is judged.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// The judged queries, by name.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.queries.keys().map(String::as_str)
    }

    /// The grade of `document` for `query`; 0 without a judgement.
    pub fn grade(&self, query: &str, document: &str) -> u32 {
        self.queries.get(query).and_then(|documents| documents.get(document)).copied().unwrap_or(0)
    }

    /// The grades above 0 for `query`, the highest first.
    pub fn relevant_grades(&self, query: &str) -> Vec<u32> {
        let documents = self.queries.get(query).into_iter().flatten();
        let mut grades: Vec<_> = documents.map(|(_, &grade)| grade).filter(|&grade| grade > 0).collect();
        grades.sort_unstable_by(|a, b| b.cmp(a));
        grades
    }
}
