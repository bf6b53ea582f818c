//! Attributes: what documents are chosen, counted and ordered by.
//!
//! One file per segment, a postcard record of [`Attributes`], fetched by the first search that filters, counts or
//! sorts. Texts repeat a document's values for display; here they are turned around, value to documents.

use super::{ids::DocumentId, writer::PreparedDocument};
use serde::{Deserialize, Serialize};

/// The filter that every document with a stated language has.
pub const LANGUAGE: &str = "language";
/// The filter that every document has: its path, matched by beginning.
pub const PATH: &str = "path";

/// Names or values, sorted, each with what belongs to it. (A list rather than a map: readers download no tree.)
type Table<T> = Vec<(String, T)>;

/// Documents of one segment by what is said about them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Attributes {
    /// Path of each document.
    paths: Vec<String>,
    /// For each filter, for each of its values, the documents that have it, ascending.
    filters: Table<Table<Vec<u32>>>,
    /// For each name, the documents that have a value of it, ascending, and the value.
    metadata: Table<Vec<(u32, String)>>,
}

/// The entry of `key`, made where there is none.
fn entry<'a, T: Default>(table: &'a mut Table<T>, key: &str) -> &'a mut T {
    let at = table.partition_point(|(known, _)| known.as_str() < key);
    if table.get(at).is_none_or(|(known, _)| known != key) {
        table.insert(at, (key.to_owned(), T::default()));
    }
    &mut table[at].1
}

fn get<'a, T>(table: &'a Table<T>, key: &str) -> Option<&'a T> {
    table.iter().find(|(known, _)| known == key).map(|(_, value)| value)
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
            for (name, values) in &document.filters {
                values.iter().for_each(|value| attributes.add(name, value, id));
            }
            for (name, value) in &document.metadata {
                entry(&mut attributes.metadata, name).push((id, value.clone()));
            }
        }
        attributes
    }

    fn add(&mut self, name: &str, value: &str, document: u32) {
        let documents = entry(entry(&mut self.filters, name), value);
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
        let is_document = |id: &u32| (*id as usize) < documents;
        let by_value = attributes.filters.iter().flat_map(|(_, values)| values);
        let is_sound = attributes.paths.len() == documents
            && by_value.into_iter().all(|(_, ids)| ids.iter().all(is_document))
            && attributes.metadata.iter().flat_map(|(_, values)| values).all(|(id, _)| is_document(id));
        if is_sound { Ok(attributes) } else { Err("it speaks of documents that are not there".into()) }
    }

    /// The content of an attributes file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).expect("memory does not fail to be written")
    }

    /// Number of documents.
    pub fn documents(&self) -> usize {
        self.paths.len()
    }

    /// Names that can be filtered and counted by, sorted; [`PATH`] is one more.
    pub fn filter_names(&self) -> impl Iterator<Item = &str> {
        self.filters.iter().map(|(name, _)| name.as_str())
    }

    /// Names that can be sorted by.
    pub fn metadata_names(&self) -> impl Iterator<Item = &str> {
        self.metadata.iter().map(|(name, _)| name.as_str())
    }

    /// Calls `each` for documents whose filter `name` has one of `values`, perhaps more than once; for [`PATH`],
    /// for those whose path begins with one.
    pub fn with_any(&self, name: &str, values: &[String], mut each: impl FnMut(DocumentId)) {
        if name == PATH {
            for (id, path) in (0..).zip(&self.paths) {
                if values.iter().any(|value| path.starts_with(value.strip_prefix('/').unwrap_or(value))) {
                    each(DocumentId(id));
                }
            }
            return;
        }
        for (value, documents) in self.values(name) {
            if values.iter().any(|wanted| wanted == value) {
                documents.iter().for_each(|&id| each(DocumentId(id)));
            }
        }
    }

    /// The values of the filter `name`, each with the documents that have it. None for [`PATH`].
    pub fn values(&self, name: &str) -> impl Iterator<Item = (&str, &[u32])> {
        let values = get(&self.filters, name).into_iter().flatten();
        values.map(|(value, documents)| (value.as_str(), documents.as_slice()))
    }

    /// The value of `name` in the document's metadata.
    pub fn metadata(&self, name: &str, document: DocumentId) -> Option<&str> {
        let values = get(&self.metadata, name)?;
        values.iter().find(|(id, _)| *id == document.0).map(|(_, value)| value.as_str())
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
        attributes.metadata.push(("date".into(), vec![(1, "2024".into())]));
        attributes
    }

    #[test]
    fn rows() {
        let check = |name: &str, values: &[&str], expected: &[u32]| {
            let values: Vec<_> = values.iter().map(|&value| value.to_owned()).collect();
            let mut found = Vec::new();
            attributes().with_any(name, &values, |id| found.push(id.0));
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
    }
}
