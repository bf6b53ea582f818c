//! The parser's events, laid over the source.

mod html;

use super::{directive, slug::Slugs};
use crate::spans::{Gap, SpanWriter};
use html::Html;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use querent_core::document::{Span, SpanKind};
use std::ops::Range;

/// Headings as [`querent_core::document::SectionTree::from_headings`] takes them, and the spans.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) headings: Vec<(usize, u8, String, Option<String>)>,
    pub(crate) spans: Vec<Span>,
}

/// Reads the structure of `source[body..]`; the offsets in the result are those of `source`. What stands at `lead`,
/// before the body, becomes its first paragraph.
pub(crate) fn outline(source: &str, lead: Option<Range<usize>>, body: usize) -> Outline {
    let covered = directive::cover(source);
    let mut walker = Walker {
        source,
        covered: &covered,
        writer: SpanWriter::new(source),
        headings: Vec::new(),
        slugs: Slugs::default(),
        heading: None,
        html: Html::default(),
        in_code: false,
        list_depth: 0,
    };
    if let Some(lead) = lead {
        walker.writer.push(lead, SpanKind::Prose);
        walker.writer.gap(Gap::Block);
    }
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    for (event, range) in Parser::new_ext(&covered[body..], options).into_offset_iter() {
        walker.event(event, range.start + body..range.end + body);
    }
    walker.end_heading();
    Outline { headings: walker.headings, spans: walker.writer.finish() }
}

struct Walker<'a> {
    source: &'a str,
    covered: &'a str,
    writer: SpanWriter<'a>,
    headings: Vec<(usize, u8, String, Option<String>)>,
    slugs: Slugs,
    heading: Option<Heading>,
    html: Html,
    in_code: bool,
    list_depth: usize,
}

/// A heading whose end has not come yet.
struct Heading {
    at: usize,
    level: u8,
    id: Option<String>,
    words: String,
}

impl Walker<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, range),
            Event::Code(text) => self.inline_code(&text, range),
            Event::Html(_) | Event::InlineHtml(_) => self.html(range),
            Event::SoftBreak => self.space(Gap::Space),
            Event::HardBreak => self.space(Gap::Line),
            Event::Rule => self.writer.gap(Gap::Block),
            // A footnote's number and a task's box are no words; mathematics is not enabled.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
            Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, id, .. } => {
                self.writer.gap(Gap::Block);
                self.begin_heading(range.start, level_number(level), id.map(|id| id.to_string()));
            }
            Tag::CodeBlock(_) => {
                self.writer.gap(Gap::Block);
                self.writer.begin_code();
                self.in_code = true;
            }
            Tag::List(_) => {
                self.writer.gap(if self.list_depth == 0 { Gap::Block } else { Gap::Line });
                self.list_depth += 1;
            }
            Tag::Item | Tag::TableRow | Tag::TableHead => self.writer.gap(Gap::Line),
            Tag::DefinitionListTitle | Tag::DefinitionListDefinition => self.writer.gap(Gap::Line),
            Tag::TableCell => self.writer.gap(Gap::Cell),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { .. } | Tag::Image { .. } => {}
            _ => self.writer.gap(Gap::Block),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.writer.end_code();
                self.end_block();
            }
            TagEnd::List(_) => {
                self.list_depth = self.list_depth.saturating_sub(1);
                self.writer.gap(if self.list_depth == 0 { Gap::Block } else { Gap::Line });
            }
            TagEnd::Heading(_) => {
                self.end_heading();
                self.end_block();
            }
            TagEnd::Paragraph | TagEnd::Table | TagEnd::BlockQuote(_) | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Item | TagEnd::DefinitionListTitle | TagEnd::DefinitionListDefinition => {
                self.writer.gap(Gap::Line);
            }
            TagEnd::TableCell => self.writer.gap(Gap::Cell),
            _ => {}
        }
    }

    /// The end of a block ends what its HTML left open, a heading with words included.
    fn end_block(&mut self) {
        self.writer.gap(Gap::Block);
        self.html.tokenizer.reset();
        (self.html.hidden, self.html.pre, self.html.code) = (None, false, false);
        if self.heading.as_ref().is_some_and(|heading| !heading.words.trim().is_empty()) {
            self.end_heading();
        }
    }

    fn begin_heading(&mut self, at: usize, level: u8, id: Option<String>) {
        self.end_heading();
        self.heading = Some(Heading { at, level, id, words: String::new() });
    }

    fn end_heading(&mut self) {
        let Some(heading) = self.heading.take() else { return };
        let words = heading.words.split_whitespace().collect::<Vec<_>>().join(" ");
        // Sections come in the order of the source; and one without words is no place that anyone looks for.
        let ordered = self.headings.last().is_none_or(|last| last.0 <= heading.at);
        if words.is_empty() || !ordered {
            return;
        }
        let anchor = match heading.id {
            Some(id) => Some(self.slugs.own(&id)),
            None => self.slugs.of(&heading.words),
        };
        self.headings.push((heading.at, heading.level, words, anchor));
    }

    fn kind(&self) -> SpanKind {
        match () {
            () if self.heading.is_some() => SpanKind::Heading,
            () if self.html.pre => SpanKind::Code,
            () if self.html.code => SpanKind::InlineCode,
            () => SpanKind::Prose,
        }
    }

    fn space(&mut self, gap: Gap) {
        self.writer.gap(gap);
        if let Some(heading) = &mut self.heading {
            heading.words.push(' ');
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        if self.html.hidden.is_some() {
            return;
        }
        if self.in_code {
            return self.code(range);
        }
        if let Some(heading) = &mut self.heading {
            heading.words.extend(text.chars().filter(|&character| character != directive::COVER));
        }
        let source = &self.source[range.clone()];
        if source.starts_with('&') && source.ends_with(';') && source != text {
            return self.entity(range);
        }
        let kind = self.kind();
        for part in directive::uncovered(self.covered, range) {
            self.writer.push(part, kind);
        }
    }

    /// Code keeps the shortcodes that it shows; what is included into it is not here to be read.
    fn code(&mut self, range: Range<usize>) {
        let mut start = range.start;
        for part in directive::uncovered(self.covered, range.clone()) {
            self.code_between(start..part.start);
            self.writer.push_exact(part.clone(), SpanKind::Code);
            start = part.end;
        }
        self.code_between(start..range.end);
    }

    fn code_between(&mut self, covered: Range<usize>) {
        if !self.source[covered.clone()].starts_with("{{#") {
            self.writer.push_exact(covered, SpanKind::Code);
        }
    }

    fn inline_code(&mut self, text: &str, range: Range<usize>) {
        if self.html.hidden.is_some() {
            return;
        }
        let source = &self.source[range.clone()];
        let ticks = source.len() - source.trim_start_matches('`').len();
        let inner = range.start + ticks..range.end.saturating_sub(ticks).max(range.start + ticks);
        if let Some(heading) = &mut self.heading {
            // The parser saw the covered copy.
            let shown = if text.contains(directive::COVER) { &self.source[inner.clone()] } else { text };
            heading.words.push_str(shown);
        }
        let kind = if self.heading.is_some() { SpanKind::Heading } else { SpanKind::InlineCode };
        self.writer.push_trimmed(inner, kind);
    }

    /// An entity's bytes are not what it shows. What can be read of it is kept: `&` of `&amp;`, `e` of `&eacute;`.
    fn entity(&mut self, range: Range<usize>) {
        const ACCENTS: [&str; 9] =
            ["acute", "grave", "circ", "uml", "tilde", "cedil", "ring", "slash", "caron"];
        const SPACES: [&str; 7] = ["nbsp", "ensp", "emsp", "thinsp", "mdash", "ndash", "hellip"];
        let name = &self.source[range.start + 1..range.end - 1];
        let kind = self.kind();
        if name == "amp" {
            self.writer.push(range.start..range.start + 1, kind);
        } else if SPACES.contains(&name) {
            self.writer.gap(Gap::Cell);
        } else if ACCENTS.iter().any(|accent| name.len() == accent.len() + 1 && name.ends_with(accent)) {
            self.writer.push(range.start + 1..range.start + 2, kind);
        }
    }
}

fn level_number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
