use crate::segment::DocumentRef;

/// Something about each of some documents, ascending by document. A list rather than a tree: readers download every
/// instance of the standard library's tree, some 4 kB each.
#[derive(Debug)]
pub(crate) struct ByDocument<T>(Vec<(DocumentRef, T)>);

impl<T> Default for ByDocument<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByDocument<T> {
    /// What is known about `document`, made by `new` where nothing is. Costs a shift of the later ones: for a few
    /// hundred documents, or documents in order.
    pub(crate) fn entry(&mut self, document: DocumentRef, new: impl FnOnce() -> T) -> &mut T {
        let at = self.0.partition_point(|(known, _)| *known < document);
        if self.0.get(at).is_none_or(|(known, _)| *known != document) {
            self.0.insert(at, (document, new()));
        }
        &mut self.0[at].1
    }

    /// Adds the documents of `other` in one pass over both; `join` makes one of two things about a document.
    pub(crate) fn merge(&mut self, other: Self, join: &dyn Fn(&mut T, T)) {
        let mut merged = Vec::with_capacity(self.0.len().max(other.0.len()));
        let mut ours = std::mem::take(&mut self.0).into_iter().peekable();
        for (document, value) in other.0 {
            while let Some(before) = ours.next_if(|(known, _)| *known < document) {
                merged.push(before);
            }
            match ours.next_if(|(known, _)| *known == document) {
                Some((_, mut known)) => {
                    join(&mut known, value);
                    merged.push((document, known));
                }
                None => merged.push((document, value)),
            }
        }
        merged.extend(ours);
        self.0 = merged;
    }
}

impl<T> FromIterator<(DocumentRef, T)> for ByDocument<T> {
    /// # Panics
    /// In debug builds, when the documents are not in ascending order.
    fn from_iter<I: IntoIterator<Item = (DocumentRef, T)>>(items: I) -> Self {
        let items: Vec<_> = items.into_iter().collect();
        debug_assert!(items.is_sorted_by(|a, b| a.0 < b.0), "documents in order, none twice");
        Self(items)
    }
}

impl<T> IntoIterator for ByDocument<T> {
    type Item = (DocumentRef, T);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::DocumentId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn at(document: u32) -> DocumentRef {
        DocumentRef { segment: 0, document: DocumentId(document) }
    }

    proptest! {
        #[test]
        fn holds_what_a_tree_would(a: BTreeMap<u8, u32>, b: BTreeMap<u8, u32>, c: Vec<(u8, u32)>) {
            let list = |tree: &BTreeMap<u8, u32>| -> ByDocument<u64> {
                tree.iter().map(|(&key, &value)| (at(key.into()), value.into())).collect()
            };
            let mut found = list(&a);
            found.merge(list(&b), &|known, more| *known += more);
            let mut expected: BTreeMap<u8, u64> = BTreeMap::new();
            for (key, value) in a.into_iter().chain(b).chain(c.iter().copied()) {
                *expected.entry(key).or_default() += u64::from(value);
            }
            c.iter().for_each(|&(key, value)| *found.entry(at(key.into()), || 0) += u64::from(value));
            let expected: Vec<_> = expected.into_iter().map(|(key, value)| (at(key.into()), value)).collect();
            prop_assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
        }
    }
}
