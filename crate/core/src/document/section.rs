use serde::{Deserialize, Serialize};
use std::ops::{Index, Range};

/// Position of a section in its document's tree, in document order. 0 is the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SectionId(pub u32);

/// What stands under one heading, up to the next heading of any level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// `None` for the root only.
    pub parent: Option<SectionId>,
    /// 1 to 6 as in HTML, deeper in code and data; 0 for the root, which holds what stands before the first heading.
    pub level: u8,
    /// The heading's words without markup. Empty for the root, and for what goes on a parent: its text after a child
    /// (see [`SectionTree::from_units`]), or its next page.
    pub heading: String,
    /// The fragment that scrolls to the heading, without `#`, unescaped.
    pub anchor: Option<String>,
    /// Bytes of the document's text: the heading and what follows, without the child sections.
    pub range: Range<usize>,
    /// Bytes of the complete unit, child sections included: the whole function, object or chapter. Unlike `range` it
    /// leaves out what only closes a parent, so the unit of a method in code can be parsed on its own.
    pub extent: Range<usize>,
}

/// The sections of one document in document order.
///
/// The tree always has a root, and a parent always stands before its children.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionTree(pub(super) Vec<Section>);

impl Section {
    pub(super) fn root(text_len: usize) -> Self {
        let (heading, range) = (String::new(), 0..text_len);
        Self { parent: None, level: 0, heading, anchor: None, extent: range.clone(), range }
    }
}

impl SectionTree {
    /// Builds the tree from headings in document order: (byte offset, level 1 to 6, words, anchor).
    ///
    /// A heading's parent is the nearest heading before it with a lower level, as in an outline: levels may be
    /// skipped. The root is always there, possibly with an empty range.
    ///
    /// # Panics
    /// When the offsets are not in ascending order or lie beyond `text_len`.
    pub fn from_headings(
        text_len: usize,
        headings: impl IntoIterator<Item = (usize, u8, String, Option<String>)>,
    ) -> Self {
        let mut sections = vec![Section::root(text_len)];
        let mut open = vec![SectionId(0)];
        for (at, level, heading, anchor) in headings {
            let previous = sections.last_mut().expect("the root is there");
            assert!(previous.range.start <= at && at <= text_len, "headings come in document order");
            previous.range.end = at;
            let level = level.max(1);
            while open.len() > 1 && sections[open[open.len() - 1].0 as usize].level >= level {
                let closed = open.pop().expect("there are two");
                sections[closed.0 as usize].extent.end = at;
            }
            let parent = open.last().copied();
            open.push(SectionId(sections.len() as u32));
            let (range, extent) = (at..text_len, at..text_len);
            sections.push(Section { parent, level, heading, anchor, range, extent });
        }
        Self(sections)
    }

    /// Number of sections, the root included: at least 1.
    #[allow(clippy::len_without_is_empty, reason = "a tree is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All sections in document order.
    pub fn iter(&self) -> impl Iterator<Item = &Section> {
        self.0.iter()
    }

    /// All ids in document order.
    pub fn ids(&self) -> impl Iterator<Item = SectionId> + use<> {
        (0..self.0.len() as u32).map(SectionId)
    }

    /// The section whose own range holds byte `at`; the last one for an offset at the end of the text.
    pub fn at(&self, at: usize) -> SectionId {
        let next = self.0.partition_point(|section| section.range.start <= at);
        SectionId(next.saturating_sub(1) as u32)
    }

    /// From the root's child down to `id` itself. Empty for the root.
    pub fn path(&self, id: SectionId) -> Vec<SectionId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self[id].parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// Direct children in document order.
    pub fn children(&self, id: SectionId) -> impl Iterator<Item = SectionId> {
        self.ids().skip(id.0 as usize + 1).filter(move |&child| self[child].parent == Some(id))
    }

    /// Sections with the same parent, `id` itself included, in document order.
    pub fn siblings(&self, id: SectionId) -> impl Iterator<Item = SectionId> {
        let parent = self[id].parent;
        self.ids().filter(move |&other| self[other].parent == parent)
    }
}

impl Index<SectionId> for SectionTree {
    type Output = Section;

    fn index(&self, id: SectionId) -> &Section {
        &self.0[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outline_of_uneven_levels() {
        let headings = [(5, 2, "a"), (10, 3, "b"), (15, 1, "c"), (20, 4, "d"), (25, 2, "e")];
        let tree = SectionTree::from_headings(
            30,
            headings.map(|(at, level, words)| (at, level, words.to_owned(), None)),
        );
        let parents: Vec<_> = tree.iter().map(|section| section.parent.map(|id| id.0)).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(0), Some(3), Some(3)]);
        let ranges: Vec<_> = tree.iter().map(|section| section.range.clone()).collect();
        assert_eq!(ranges, [0..5, 5..10, 10..15, 15..20, 20..25, 25..30]);
        let extents: Vec<_> = tree.iter().map(|section| section.extent.clone()).collect();
        assert_eq!(extents, [0..30, 5..15, 10..15, 15..30, 20..25, 25..30]);
        assert_eq!(tree.path(SectionId(2)), [SectionId(1), SectionId(2)]);
        assert_eq!(tree.children(SectionId(3)).collect::<Vec<_>>(), [SectionId(4), SectionId(5)]);
        assert_eq!(tree.siblings(SectionId(1)).collect::<Vec<_>>(), [SectionId(1), SectionId(3)]);
        assert_eq!(tree.at(17), SectionId(3));
        assert_eq!(tree.at(30), SectionId(5));
    }
}
