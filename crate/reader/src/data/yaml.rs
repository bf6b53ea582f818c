//! YAML, by the events of its parser.
//!
//! Aliases stay what they are: nothing is expanded, so no file becomes larger than it is. The parser bounds the depth.

use super::{
    Damage,
    outline::{Kind, Outline},
};
use granit_parser::{Event, Parser, Span, StructureStyle};
use std::ops::Range;

/// Tells `outline` what `text` holds.
pub(super) fn parse(text: &str, outline: &mut Outline<'_>) -> Result<Option<&'static str>, Damage> {
    let mut walk = Walk { text, outline, open: Vec::new(), end: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker().byte_offset().unwrap_or_default();
            Damage::new(at, format!("expected YAML, got what its parser refuses: {}", error.info()))
        })?;
        walk.event(&event, &span);
    }
    Ok(None)
}

/// A mapping or sequence whose end has not come yet.
struct Open {
    kind: Kind,
    is_block: bool,
    start: usize,
    /// In a mapping: the key whose value comes next.
    key: Option<Key>,
}

struct Key {
    name: String,
    start: usize,
    /// End of the value before.
    after: usize,
}

struct Walk<'a, 'o, 'text> {
    text: &'a str,
    outline: &'o mut Outline<'text>,
    open: Vec<Open>,
    /// End of the last value.
    end: usize,
}

impl Walk<'_, '_, '_> {
    fn event(&mut self, event: &Event<'_>, span: &Span) {
        let range = span.byte_range().unwrap_or(self.end..self.end);
        match event {
            Event::Scalar(value, ..) => self.scalar(value, range),
            Event::Alias(_) => self.scalar("*", range),
            Event::MappingStart(style, ..) => self.enter(Kind::Object, *style, range.start),
            Event::SequenceStart(style, ..) => self.enter(Kind::Array, *style, range.start),
            Event::MappingEnd | Event::SequenceEnd => self.leave(range.end),
            _ => {}
        }
    }

    fn scalar(&mut self, value: &str, range: Range<usize>) {
        let said = self.text.get(range.clone()).unwrap_or_default();
        let after = self.end;
        self.end = after.max(range.start + said.trim_end().len());
        match self.open.last_mut() {
            Some(Open { kind: Kind::Object, key: key @ None, .. }) => {
                *key = Some(Key { name: value.to_owned(), start: range.start, after });
            }
            innermost => {
                if let Some(innermost) = innermost {
                    innermost.key = None;
                }
                self.outline.value(range.start..self.end.max(range.start));
            }
        }
    }

    fn enter(&mut self, kind: Kind, style: StructureStyle, start: usize) {
        let key = self.key(start);
        let (start, after) = key.as_ref().map_or((start, self.end), |key| (key.start, key.after));
        let start = match self.open.last() {
            Some(parent) if parent.is_block => {
                let line = line_of(self.text, start).max(parent.start);
                comments_above(self.text, line, after.max(parent.start))
            }
            _ => start,
        };
        self.outline.enter(kind, key.as_ref().map(|key| key.name.as_str()), start);
        self.open.push(Open { kind, is_block: style == StructureStyle::Block, start, key: None });
    }

    /// The key of what begins at `start`, in a mapping.
    fn key(&mut self, start: usize) -> Option<Key> {
        let parent = self.open.last_mut().filter(|parent| parent.kind == Kind::Object)?;
        if let Some(key) = parent.key.take() {
            return Some(key);
        }
        // A mapping as a key: its value has no name to be found by.
        let unnamed = |after| Key { name: "?".to_owned(), start, after };
        parent.key = Some(unnamed(self.end));
        Some(unnamed(self.end))
    }

    fn leave(&mut self, end: usize) {
        let Some(closed) = self.open.pop() else { return };
        if !closed.is_block {
            self.end = self.end.max(end);
        }
        let end = if closed.is_block { end_of_line(self.text, self.end) } else { self.end };
        self.outline.leave(end);
    }
}

/// The start of the line, where nothing but indentation and dashes stands before `at`.
fn line_of(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let is_indented = text[line..at].bytes().all(|byte| b" -".contains(&byte));
    if is_indented { line } else { at }
}

/// The start of the comments right above the line at `at`, not before `floor`.
pub(super) fn comments_above(text: &str, at: usize, floor: usize) -> usize {
    let mut start = at;
    while start > floor && text.as_bytes()[start - 1] == b'\n' {
        let line = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        if line < floor || !text[line..start].trim_start().starts_with('#') {
            break;
        }
        start = line;
    }
    start
}

/// The end of the line, where nothing but space or a comment stands behind `at`.
fn end_of_line(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let is_comment = line.trim_start().starts_with('#');
    if is_comment { at + line.trim_end().len() } else { at }
}
