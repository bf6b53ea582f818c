//! What a parser tells of objects, arrays and values, as sections and spans.

use querent_core::document::{SectionTree, Span, SpanKind, Unit};
use std::{fmt::Write, ops::Range};

/// Objects deeper than this are no sections of their own: nobody looks for them by a path, and paths of paths would
/// grow with the square of the depth.
const MOST_DEPTH: usize = 32;
/// Characters of a key that its path shows.
const MOST_KEY: usize = 80;
/// Most bytes of a path: every object keeps its own.
const MOST_PATH: usize = 400;

/// What holds values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
}

/// Objects, arrays and values in the order of the source.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    text: &'a str,
    units: Vec<Unit>,
    prose: Vec<Range<usize>>,
    open: Vec<Container>,
}

/// An object or array whose end has not come yet.
#[derive(Debug)]
struct Container {
    kind: Kind,
    /// Its place in the units, where it is one.
    unit: Option<usize>,
    path: String,
    /// Values that it has had.
    len: usize,
}

impl<'a> Outline<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, units: Vec::new(), prose: Vec::new(), open: Vec::new() }
    }

    /// Begins an object or array at `start`: at its key where it has one. The outermost is the document itself.
    pub(super) fn enter(&mut self, kind: Kind, key: Option<&str>, start: usize) {
        let path = if self.open.len() <= MOST_DEPTH { self.path_of(key) } else { String::new() };
        let is_unit = !self.open.is_empty() && self.open.len() <= MOST_DEPTH;
        if let Some(parent) = self.open.last_mut() {
            parent.len += 1;
        }
        let unit = is_unit.then_some(self.units.len());
        if is_unit {
            self.units.push(Unit { range: start..start, heading: path.clone(), anchor: None, is_bare: true });
        }
        self.open.push(Container { kind, unit, path, len: 0 });
    }

    /// Ends the innermost object or array at `end`. One that holds no object, or nothing, is its parent's value.
    pub(super) fn leave(&mut self, end: usize) {
        let Some(Container { kind, unit: Some(unit), len, .. }) = self.open.pop() else { return };
        let is_last = unit + 1 == self.units.len();
        if is_last && (len == 0 || kind == Kind::Array) {
            self.units.pop();
            self.said();
        } else {
            self.units[unit].range.end = end.max(self.units[unit].range.start);
        }
    }

    /// A value that holds no others. `range` is what it says, without quotes.
    pub(super) fn value(&mut self, range: Range<usize>) {
        self.said();
        if let Some(parent) = self.open.last_mut() {
            parent.len += 1;
        }
        let is_after = self.prose.last().is_none_or(|last| last.end <= range.start);
        if is_after && self.text.get(range.clone()).is_some_and(is_prose) {
            self.prose.push(range);
        }
    }

    /// A unit that is named and bounded already; its parent comes first.
    pub(super) fn unit(&mut self, unit: Unit) {
        self.units.push(unit);
    }

    /// Sections and spans of the whole text.
    pub(super) fn finish(self) -> (SectionTree, Vec<Span>) {
        let sections = SectionTree::from_units(self.text, self.units);
        (sections, spans(self.text.len(), self.prose))
    }

    /// The innermost container has said something: where no child came before, that is its own section's.
    fn said(&mut self) {
        let Some(unit) = self.open.last().and_then(|parent| parent.unit) else { return };
        if unit + 1 == self.units.len() {
            self.units[unit].is_bare = false;
        }
    }

    fn path_of(&self, key: Option<&str>) -> String {
        let Some(parent) = self.open.last() else { return String::new() };
        let mut path = parent.path.clone();
        match key {
            Some(key) => add_key(&mut path, key),
            None => write!(path, "[{}]", parent.len).expect("a string takes everything"),
        }
        path.truncate(path.floor_char_boundary(MOST_PATH));
        path
    }
}

/// Adds `key` to a path, in brackets and quotes where it is no plain name.
pub(super) fn add_key(path: &mut String, key: &str) {
    let key: String = key.chars().take(MOST_KEY).collect();
    let is_plain = !key.is_empty() && !key.contains(|c: char| !(c.is_alphanumeric() || "_-/$@:".contains(c)));
    if !is_plain {
        write!(path, "[\"{}\"]", key.replace(char::is_whitespace, " ")).expect("a string takes everything");
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(&key);
}

/// Whether a value reads as words rather than as a name or number: three words at least.
fn is_prose(value: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_some();
    value.split_whitespace().filter(is_word).nth(2).is_some()
        || value.chars().filter(|&c| c > '\u{2e80}' && c.is_alphabetic()).nth(5).is_some()
}

/// Code, with `prose` in it.
fn spans(len: usize, prose: Vec<Range<usize>>) -> Vec<Span> {
    let mut spans = Vec::with_capacity(2 * prose.len() + 1);
    let mut add = |range: Range<usize>, kind| {
        if !range.is_empty() {
            spans.push(Span { range, kind, weight: 1.0 });
        }
    };
    let mut at = 0;
    for range in prose {
        add(at..range.start, SpanKind::Code);
        at = range.end;
        add(range, SpanKind::Prose);
    }
    add(at..len, SpanKind::Code);
    spans
}
