//! Attributes: what documents are chosen, counted and ordered by.
//!
//! One file per segment, a postcard record of [`Attributes`], fetched by the first search that filters, counts or
//! sorts. Texts repeat a document's values for display; here they are turned around, value to documents.

use super::{ids::DocumentId, writer::PreparedDocument};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The filter that every document with a stated language has.
pub const LANGUAGE: &str = "language";
/// The filter that every document has: its path, matched by beginning.
pub const PATH: &str = "path";

/// Documents of one segment by what is said about them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Attributes {
    /// Path of each document.
    paths: Vec<String>,
    /// For each filter, for each of its values, the documents that have it, ascending.
    filters: BTreeMap<String, BTreeMap<String, Vec<u32>>>,
    /// For each name, the documents that have a value of it, ascending, and the value.
    metadata: BTreeMap<String, Vec<(u32, String)>>,
}

impl Attributes {
    /// Collects what is known about `documents`.
    pub(super) fn of(documents: &[PreparedDocument]) -> Self {
        let mut attributes = Self::default();
        for (id, prepared) in (0..).zip(documents) {
            let document = &prepared.document;
            attributes.paths.push(document.path.clone());
            if let Some(language) = &document.language {
                attributes.add(LANGUAGE, language, id);
            }
            for (name, value) in document
                .filters
                .iter()
                .flat_map(|(name, values)| values.iter().map(move |value| (name, value)))
            {
                attributes.add(name, value, id);
            }
            for (name, value) in &document.metadata {
                attributes.metadata.entry(name.clone()).or_default().push((id, value.clone()));
            }
        }
        attributes
    }

    fn add(&mut self, name: &str, value: &str, document: u32) {
        let values = self.filters.entry(name.to_owned()).or_default();
        let documents = values.entry(value.to_owned()).or_default();
        if documents.last() != Some(&document) {
            documents.push(document);
        }
    }

    /// Opens the content of an attributes file of a segment of `documents` documents.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn open(content: &[u8], documents: usize) -> Result<Self, String> {
        let attributes: Self = postcard::from_bytes(content).map_err(|error| error.to_string())?;
        let ascend = |ids: &[u32]| {
            ids.is_sorted_by(|a, b| a < b) && ids.last().is_none_or(|&last| (last as usize) < documents)
        };
        let by_value = attributes.filters.values().flat_map(BTreeMap::values);
        let is_sound = attributes.paths.len() == documents
            && by_value.into_iter().all(|ids| ascend(ids))
            && attributes
                .metadata
                .values()
                .all(|values| ascend(&values.iter().map(|(id, _)| *id).collect::<Vec<_>>()));
        if is_sound { Ok(attributes) } else { Err("it speaks of documents that are not there".into()) }
    }

    /// The content of an attributes file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory does not fail to be written")
    }

    /// Names that can be filtered and counted by, [`PATH`] included.
    pub fn filter_names(&self) -> impl Iterator<Item = &str> {
        self.filters.keys().map(String::as_str).chain([PATH])
    }

    /// Names that can be sorted by.
    pub fn metadata_names(&self) -> impl Iterator<Item = &str> {
        self.metadata.keys().map(String::as_str)
    }

    /// Documents whose filter `name` has one of `values`; for [`PATH`], those whose path begins with one.
    pub fn with_any(&self, name: &str, values: &[String]) -> Vec<DocumentId> {
        if name == PATH {
            let begins =
                |path: &String| values.iter().any(|value| path.starts_with(value.trim_start_matches('/')));
            let paths = (0..).zip(&self.paths).filter(|(_, path)| begins(path));
            return paths.map(|(id, _)| DocumentId(id)).collect();
        }
        let known = self.filters.get(name);
        let documents = values.iter().filter_map(|value| known?.get(value)).flatten();
        documents.map(|&id| DocumentId(id)).collect()
    }

    /// The values of the filter `name`, each with the documents that have it, ascending. None for [`PATH`].
    pub fn values(&self, name: &str) -> impl Iterator<Item = (&str, &[u32])> {
        let values = self.filters.get(name).into_iter().flatten();
        values.map(|(value, documents)| (value.as_str(), documents.as_slice()))
    }

    /// The value of `name` in the document's metadata.
    pub fn metadata(&self, name: &str, document: DocumentId) -> Option<&str> {
        let values = self.metadata.get(name)?;
        let at = values.binary_search_by_key(&document.0, |(id, _)| *id).ok()?;
        Some(&values[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes() -> Attributes {
        let mut attributes =
            Attributes { paths: vec!["a/x.md".into(), "b/y.md".into()], ..Attributes::default() };
        attributes.add("tag", "new", 0);
        attributes.add("tag", "old", 1);
        attributes.metadata.insert("date".into(), vec![(1, "2024".into())]);
        attributes
    }

    #[test]
    fn rows() {
        let check = |name: &str, values: &[&str], expected: &[u32]| {
            let values: Vec<_> = values.iter().map(|&value| value.to_owned()).collect();
            let found: Vec<_> = attributes().with_any(name, &values).into_iter().map(|id| id.0).collect();
            assert_eq!(found, expected, "{name} {values:?}");
        };
        check("tag", &["old"], &[1]);
        check("tag", &["new", "old"], &[0, 1]);
        check("tag", &["none"], &[]);
        check("colour", &["new"], &[]);
        check(PATH, &["b/"], &[1]);
        check(PATH, &["/a", "b"], &[0, 1]);
        assert_eq!(attributes().metadata("date", DocumentId(1)), Some("2024"));
        assert_eq!(attributes().metadata("date", DocumentId(0)), None);
    }

    #[test]
    fn documents_that_are_not_there_are_an_error() {
        let bytes = attributes().to_bytes();
        assert_eq!(Attributes::open(&bytes, 2), Ok(attributes()));
        assert!(Attributes::open(&bytes, 1).is_err());
        assert!(Attributes::open(&bytes[..bytes.len() - 1], 2).is_err());
        let mut unsorted = attributes();
        unsorted.metadata.insert("date".into(), vec![(1, String::new()), (0, String::new())]);
        assert!(Attributes::open(&unsorted.to_bytes(), 2).is_err());
    }
}
