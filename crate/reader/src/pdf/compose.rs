//! Lines into the text of a document: paragraphs, joined words, headings, pages.

use super::{column::Block, line::Line, outline::Heading};
use crate::writer::{Gap, Style, TextWriter};
use querent_core::document::{Span, SpanKind};

/// Deeper than every heading: pages are sections inside the section of the outline that they belong to.
const PAGE_LEVEL: u8 = 16;

/// A heading as the section tree takes it: offset, level, words, anchor.
type Section = (usize, u8, String, Option<String>);

/// Collects the text of pages.
pub(super) struct Composer {
    writer: TextWriter,
    sections: Vec<Section>,
}

impl Default for Composer {
    fn default() -> Self {
        Self { writer: TextWriter::new(), sections: Vec::new() }
    }
}

impl Composer {
    /// Whether there is nothing to read.
    pub(super) fn is_empty(&self) -> bool {
        !self.writer.text.contains(|c: char| !c.is_whitespace())
    }

    /// Adds page `number`, from 1, with the outline's headings that lead to it.
    pub(super) fn page(&mut self, number: usize, blocks: Vec<Block>, headings: &[Heading]) {
        let anchor = format!("page={number}");
        self.writer.gap(Gap::Block);
        let mut placed = place(&blocks, headings);
        let mut at = 0;
        self.begin(PAGE_LEVEL, String::new(), &anchor);
        // Headings that are not found on their page begin with it.
        for (_, heading) in placed.extract_if(.., |(line, _)| line.is_none()) {
            self.begin(heading.level, heading.words.clone(), &anchor);
        }
        for block in &blocks {
            let setting = Setting::of(block);
            let mut before: Option<&Line> = None;
            for line in block {
                let heading =
                    placed.iter().find(|(found, _)| *found == Some(at)).map(|&(_, heading)| heading);
                if let Some(heading) = heading {
                    self.writer.gap(Gap::Block);
                    self.begin(heading.level, heading.words.clone(), &anchor);
                }
                let gap = before.map_or(Gap::Block, |before| setting.gap(before, line));
                let gap = if before.is_none() && self.goes_on(line) { Gap::Space } else { gap };
                self.line(line, if heading.is_some() { Gap::Block } else { gap }, heading.is_some());
                if heading.is_some() {
                    self.writer.gap(Gap::Block);
                }
                before = Some(line);
                at += 1;
            }
        }
    }

    /// Text, spans and sections.
    pub(super) fn finish(mut self) -> (String, Vec<Span>, Vec<Section>) {
        self.writer.trim_end();
        let len = self.writer.text.len();
        self.sections.iter_mut().for_each(|section| section.0 = section.0.min(len));
        (self.writer.text, self.writer.spans, self.sections)
    }

    /// Begins a section where the next text will stand.
    fn begin(&mut self, level: u8, words: String, anchor: &str) {
        let at = self.writer.text.len();
        self.sections.push((at, level, words, Some(anchor.to_owned())));
    }

    fn line(&mut self, line: &Line, gap: Gap, is_heading: bool) {
        let kind = if is_heading { SpanKind::Heading } else { SpanKind::Prose };
        let style = Style { kind, pre: false, weight: 1.0 };
        let first = line.cells.first().map_or("", String::as_str);
        if gap == Gap::Space && self.joins_word(first) {
            self.writer.remove_last();
        } else {
            self.writer.gap(gap);
        }
        for (index, cell) in line.cells.iter().enumerate() {
            if index > 0 {
                self.writer.gap(Gap::Cell);
            }
            self.writer.push(cell, style);
        }
    }

    /// Whether the text ends in a hyphen that only divides the word which `next` goes on with.
    fn joins_word(&self, next: &str) -> bool {
        let text = &self.writer.text;
        let Some(hyphen) = text.chars().next_back().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}'))
        else {
            return false;
        };
        let before = text[..text.len() - hyphen.len_utf8()].chars().next_back();
        before.is_some_and(char::is_lowercase) && next.starts_with(char::is_lowercase)
    }

    /// Whether `line` goes on with a sentence of the column before.
    fn goes_on(&self, line: &Line) -> bool {
        let starts_small = line.cells.first().is_some_and(|cell| cell.starts_with(char::is_lowercase));
        let last = self.writer.text.chars().next_back();
        starts_small && last.is_some_and(|last| last.is_lowercase() || matches!(last, '-' | ','))
    }
}

/// How a block is set.
struct Setting {
    leading: f32,
    start: f32,
    end: f32,
}

impl Setting {
    fn of(block: &[Line]) -> Self {
        let mut leadings: Vec<f32> = block.windows(2).map(|pair| pair[1].v - pair[0].v).collect();
        leadings.sort_by(f32::total_cmp);
        let start = block.iter().map(|line| line.start).fold(f32::MAX, f32::min);
        let end = block.iter().map(|line| line.end).fold(f32::MIN, f32::max);
        // The lower third: between paragraphs lines are further apart, and a short block is half of that.
        Self { leading: leadings.get(leadings.len() / 3).copied().unwrap_or(0.0), start, end }
    }

    /// How far `line` stands from the one before it.
    fn gap(&self, before: &Line, line: &Line) -> Gap {
        let distance = line.v - before.v;
        let is_apart = distance > 1.4 * self.leading.min(1.6 * line.size) || distance > 2.2 * line.size;
        let is_other_size = line.size > 1.2 * before.size || before.size > 1.2 * line.size;
        let is_indented =
            line.start > before.start + line.size && before.start < self.start + 0.5 * line.size;
        let is_short = before.end < self.end - 0.25 * (self.end - self.start);
        let is_table = line.cells.len() > 1 || before.cells.len() > 1;
        match () {
            () if is_apart || is_other_size => Gap::Block,
            () if is_indented && ends_sentence(before) => Gap::Block,
            () if is_short || is_table => Gap::Line,
            () => Gap::Space,
        }
    }
}

fn ends_sentence(line: &Line) -> bool {
    line.cells.last().is_some_and(|cell| cell.ends_with(['.', '!', '?', ':', '。']))
}

/// The line of each heading, numbered through all blocks; `None` where no line says it.
fn place<'a>(blocks: &[Block], headings: &'a [Heading]) -> Vec<(Option<usize>, &'a Heading)> {
    let said: Vec<String> = blocks.iter().flatten().map(|line| letters(&line.cells.concat())).collect();
    let mut from = 0;
    let mut placed = Vec::new();
    for heading in headings {
        let wanted = letters(&heading.words);
        let matches = |line: &String| {
            let is_whole = line.ends_with(&wanted) && line.len() <= wanted.len() + 8;
            let is_beginning = line.len() >= 8 && wanted.starts_with(line.as_str());
            !wanted.is_empty() && (is_whole || is_beginning)
        };
        let found = said[from..].iter().position(matches).map(|at| from + at);
        from = found.map_or(from, |at| at + 1);
        placed.push((found, heading));
    }
    placed
}

/// Letters and digits only, in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
