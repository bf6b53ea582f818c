//! Sections of code and data: from nested units by their exact ranges.
//!
//! A heading's section ends where the next heading begins. A function or an object ends at its last bracket, and its
//! parent goes on behind it. So that every byte has its section all the same, and no chunk is a lone bracket:
//!
//! 1. what a parent says before its first child is the parent's own section, unless that is no more than its name
//!    ([`Unit::is_bare`]): then the child's section begins there;
//! 2. what a parent says after a child is a section of its own without heading, a child of the parent;
//! 3. where that is only brackets and space, the section before takes it.
//!
//! [`Section::extent`] keeps the exact unit apart from that.

use super::section::{Section, SectionId, SectionTree};
use std::ops::Range;

/// A function, a type, an object, a row: something with a name and an exact range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Bytes of the whole unit in the text. Units are nested or apart.
    pub range: Range<usize>,
    /// Its name: `fn search`, `server.port`.
    pub heading: String,
    /// The fragment that leads to it, without `#`.
    pub anchor: Option<String>,
    /// What stands before its first child says no more than its heading does.
    pub is_bare: bool,
}

impl SectionTree {
    /// Builds the tree from units in document order, a parent before its children.
    ///
    /// A unit that reaches out of its parent is cut to it, so that no input breaks the tree.
    ///
    /// Cost: linear in the text and the units.
    ///
    /// # Panics
    /// When a unit's range does not lie on character boundaries of `text`, or begins before the unit before it.
    pub fn from_units(text: &str, units: impl IntoIterator<Item = Unit>) -> Self {
        let mut builder = Builder { text, sections: vec![Section::root(0)], open: Vec::new(), at: 0 };
        builder.sections[0].extent = 0..text.len();
        builder.open.push(Open { id: 0, end: text.len(), is_bare: false });
        for unit in units {
            builder.unit(unit);
        }
        while !builder.open.is_empty() {
            builder.close();
        }
        Self(builder.sections)
    }
}

/// A unit whose end has not come yet.
struct Open {
    id: usize,
    end: usize,
    is_bare: bool,
}

struct Builder<'a> {
    text: &'a str,
    sections: Vec<Section>,
    open: Vec<Open>,
    /// Bytes before this have their section.
    at: usize,
}

impl Builder<'_> {
    fn unit(&mut self, unit: Unit) {
        while self.open.len() > 1 && self.innermost().end <= unit.range.start {
            self.close();
        }
        self.say(unit.range.start);
        let (parent, end) = (self.innermost().id, self.innermost().end);
        let extent = unit.range.start..unit.range.end.min(end);
        let range = self.begin_below(parent)..self.at;
        let level = self.sections[parent].level.saturating_add(1);
        self.open.push(Open { id: self.sections.len(), end: extent.end, is_bare: unit.is_bare });
        let parent = Some(SectionId(parent as u32));
        let Unit { heading, anchor, .. } = unit;
        self.sections.push(Section { parent, level, heading, anchor, range, extent });
    }

    fn innermost(&self) -> &Open {
        self.open.last().expect("the root is open")
    }

    /// Where a child of `parent` begins: behind what `parent` has said, or with it where that is not worth a section.
    fn begin_below(&mut self, parent: usize) -> usize {
        let is_bare = self.innermost().is_bare;
        let said = self.sections[parent].range.clone();
        let is_first = parent + 1 == self.sections.len();
        if is_first && (is_bare || !has_words(&self.text[said.clone()])) {
            self.sections[parent].range.end = said.start;
            return said.start;
        }
        self.at
    }

    fn close(&mut self) {
        self.say(self.innermost().end);
        self.open.pop();
    }

    /// Gives the bytes up to `to` to the innermost open unit.
    fn say(&mut self, to: usize) {
        let owner = self.innermost().id;
        let said = self.at..to.max(self.at);
        self.at = said.end;
        let last = self.sections.len() - 1;
        if owner == last || !has_words(&self.text[said.clone()]) {
            self.sections[last].range.end = said.end;
            return;
        }
        let level = self.sections[owner].level.saturating_add(1);
        let parent = Some(SectionId(owner as u32));
        let (heading, extent) = (String::new(), said.clone());
        self.sections.push(Section { parent, level, heading, anchor: None, range: said, extent });
    }
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unit(range: Range<usize>, heading: &str, is_bare: bool) -> Unit {
        Unit { range, heading: heading.to_owned(), anchor: None, is_bare }
    }

    /// Each section as its heading path, the text of its own range, and that of its extent.
    fn shown(text: &str, units: Vec<Unit>) -> Vec<(String, String, String)> {
        let tree = SectionTree::from_units(text, units);
        let path =
            |id| tree.path(id).into_iter().map(|id| tree[id].heading.as_str()).collect::<Vec<_>>().join("/");
        let row = |id: SectionId| {
            (path(id), text[tree[id].range.clone()].to_owned(), text[tree[id].extent.clone()].to_owned())
        };
        tree.ids().map(row).collect()
    }

    fn check(text: &str, units: Vec<Unit>, expected: &[(&str, &str, &str)]) {
        let owned = |&(a, b, c): &(&str, &str, &str)| (a.to_owned(), b.to_owned(), c.to_owned());
        assert_eq!(shown(text, units), expected.iter().map(owned).collect::<Vec<_>>(), "{text:?}");
    }

    #[test]
    fn brackets_stay_with_the_section_before() {
        let text = "{a {b 1} c {d 2} 3}";
        check(
            text,
            vec![unit(1..19, "a", true), unit(3..8, "b", false), unit(9..16, "c", false)],
            &[
                ("", "", text),
                ("a", "", "a {b 1} c {d 2} 3}"),
                ("a/b", "{a {b 1} ", "{b 1}"),
                ("a/c", "c {d 2}", "c {d 2}"),
                ("a/", " 3}", " 3}"),
            ],
        );
        check(
            "use x; impl A { fn b {} }\n",
            vec![unit(7..25, "impl A", false), unit(16..23, "fn b", false)],
            &[
                ("", "use x; ", "use x; impl A { fn b {} }\n"),
                ("impl A", "impl A { ", "impl A { fn b {} }"),
                ("impl A/fn b", "fn b {} }\n", "fn b {}"),
            ],
        );
        check("[]", vec![], &[("", "[]", "[]")]);
    }

    proptest! {
        /// Whatever units come, also ones that overlap, the sections cover the text in order.
        #[test]
        fn cover_the_text(
            text in "[a {}\n]{0,40}",
            mut ranges in prop::collection::vec((0..41_usize, 0..41_usize, any::<bool>()), 0..12),
        ) {
            ranges.sort_by_key(|&(start, end, _)| (start, usize::MAX - end));
            let cut = |at: usize| at.min(text.len());
            let units = ranges.iter().map(|&(start, end, bare)| unit(cut(start)..cut(end.max(start)), "x", bare));
            let tree = SectionTree::from_units(&text, units);
            let mut at = 0;
            for section in tree.iter() {
                prop_assert_eq!(section.range.start, at);
                prop_assert!(section.range.end >= at && section.extent.end <= text.len());
                at = section.range.end;
            }
            prop_assert_eq!(at, text.len());
            for id in tree.ids().skip(1) {
                let parent = tree[id].parent.expect("not the root");
                prop_assert!(parent < id);
                prop_assert!(tree[parent].extent.start <= tree[id].extent.start);
                prop_assert!(tree[parent].extent.end >= tree[id].extent.end);
            }
        }
    }
}
