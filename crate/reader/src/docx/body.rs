//! The body: paragraphs, headings, lists, tables, notes.

use super::{
    notes::Notes,
    styles::{Role, Styles},
    xml::{self, Node, Start},
};
use crate::writer::{Gap, Style, TextWriter};
use querent_core::document::{Span, SpanKind};
use std::collections::HashSet;

/// A heading as the section tree takes it: offset, level, words, no anchor.
pub(super) type Heading = (usize, u8, String, Option<String>);

/// Elements whose text is not shown in the text: what was deleted or moved away, the copy of a drawing for old readers,
/// codes of fields, how a word is spoken.
const HIDDEN: [&str; 8] =
    ["del", "moveFrom", "Fallback", "instrText", "delText", "rt", "delInstrText", "fldData"];

/// The text of the document.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) text: String,
    pub(super) spans: Vec<Span>,
    pub(super) headings: Vec<Heading>,
    /// What is set as the title.
    pub(super) title: Option<String>,
}

/// Reads the part that holds the body.
///
/// # Errors
/// What is damaged in it.
pub(super) fn read(part: &str, styles: &Styles, notes: &Notes) -> Result<Body, String> {
    let mut walker = Walker {
        styles,
        notes,
        writer: TextWriter::new(),
        headings: Vec::new(),
        title: None,
        paragraphs: Vec::new(),
        tables: Vec::new(),
        run: Run::default(),
        hidden: 0,
        is_text: false,
        pending: Vec::new(),
        noted: HashSet::new(),
        was_list: false,
    };
    xml::walk(part, |node| walker.node(node))?;
    let Walker { mut writer, headings, title, .. } = walker;
    writer.trim_end();
    let len = writer.text.len();
    let headings = headings.into_iter().filter(|heading| heading.0 < len).collect();
    Ok(Body { text: writer.text, spans: writer.spans, headings, title })
}

/// A paragraph whose end has not come yet. Those in text boxes stand inside others.
struct Paragraph {
    role: Role,
    is_list: bool,
    /// Text of it has been written.
    has_text: bool,
    /// Its words so far, for headings and titles.
    words: String,
}

/// What holds for a run of characters.
#[derive(Debug, Default)]
struct Run {
    /// The properties of a paragraph's end are written like those of a run, and are none.
    is_open: bool,
    is_code: bool,
    is_hidden: bool,
}

struct Walker<'a> {
    styles: &'a Styles,
    notes: &'a Notes,
    writer: TextWriter,
    headings: Vec<Heading>,
    title: Option<String>,
    paragraphs: Vec<Paragraph>,
    /// For each table that is open, the cells of its row so far.
    tables: Vec<usize>,
    run: Run,
    /// Elements of [`HIDDEN`] that are open.
    hidden: usize,
    is_text: bool,
    /// Notes that the paragraph refers to.
    pending: Vec<&'a str>,
    /// Notes that were met: whether a footnote, and its id.
    noted: HashSet<(bool, String)>,
    /// The paragraph before was an item of a list.
    was_list: bool,
}

impl Walker<'_> {
    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Start(start) => self.start(&start),
            Node::End(name) => self.end(name),
            Node::Text(text) => {
                if self.is_text {
                    self.text(&text);
                }
            }
        }
    }

    fn start(&mut self, start: &Start<'_>) {
        match start.name() {
            name if HIDDEN.contains(&name) => self.hidden += 1,
            "p" => self.begin_paragraph(),
            "pStyle" => self.style(start),
            "outlineLvl" => self.outline_level(start),
            "numPr" => self.with_paragraph(|paragraph| paragraph.is_list = true),
            "r" => self.run = Run { is_open: true, ..Run::default() },
            "rStyle" => {
                let style = start.attribute("val").unwrap_or_default();
                self.run.is_code = self.styles.role(&style) == Role::Code;
            }
            "vanish" => self.run.is_hidden = self.run.is_open && start.is_on(),
            "t" => self.is_text = true,
            "tab" | "ptab" => self.space(Gap::Cell),
            "br" | "cr" => self.line_break(),
            "noBreakHyphen" => self.text("-"),
            "tbl" => {
                self.writer.gap(Gap::Block);
                self.tables.push(0);
            }
            "tr" => {
                self.writer.gap(Gap::Line);
                self.tables.iter_mut().rev().take(1).for_each(|cells| *cells = 0);
            }
            "tc" => self.begin_cell(),
            "footnoteReference" => self.note(start, true),
            "endnoteReference" => self.note(start, false),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            name if HIDDEN.contains(&name) => self.hidden = self.hidden.saturating_sub(1),
            "p" => self.end_paragraph(),
            "t" => self.is_text = false,
            "r" => self.run = Run::default(),
            "tbl" => {
                self.tables.pop();
                self.writer.gap(Gap::Block);
                self.write_notes();
            }
            _ => {}
        }
    }

    fn with_paragraph(&mut self, change: impl FnOnce(&mut Paragraph)) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            change(paragraph);
        }
    }

    fn begin_paragraph(&mut self) {
        self.run = Run::default();
        let paragraph = Paragraph { role: Role::Text, is_list: false, has_text: false, words: String::new() };
        self.paragraphs.push(paragraph);
    }

    fn style(&mut self, start: &Start<'_>) {
        let role = self.styles.role(&start.attribute("val").unwrap_or_default());
        self.with_paragraph(|paragraph| paragraph.role = role);
    }

    fn outline_level(&mut self, start: &Start<'_>) {
        if let Some(level @ 0..9) = start.attribute("val").and_then(|level| level.parse::<u8>().ok()) {
            self.with_paragraph(|paragraph| paragraph.role = Role::Heading(level + 1));
        }
    }

    /// Before the first words of a paragraph: how far it stands from what was before, and its section.
    fn open_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.last_mut().filter(|paragraph| !paragraph.has_text) else {
            return;
        };
        paragraph.has_text = true;
        let (role, is_list) = (paragraph.role, paragraph.is_list);
        let is_cell = !self.tables.is_empty();
        let gap = match role {
            _ if is_cell => Gap::Cell,
            Role::Text if is_list && self.was_list => Gap::Line,
            Role::Code if self.last_kind() == Some(SpanKind::Code) => Gap::Line,
            _ => Gap::Block,
        };
        self.writer.gap(gap);
        if let Role::Heading(level) = role
            && !is_cell
        {
            self.headings.push((self.writer.text.len(), level, String::new(), None));
        }
    }

    fn last_kind(&self) -> Option<SpanKind> {
        self.writer.spans.iter().rev().map(|span| span.kind).find(|&kind| kind != SpanKind::Break)
    }

    fn text(&mut self, text: &str) {
        if self.hidden > 0 || self.run.is_hidden || text.is_empty() {
            return;
        }
        let Some(role) = self.paragraphs.last().map(|paragraph| paragraph.role) else { return };
        if text.trim().is_empty() && role != Role::Code {
            return self.space(Gap::Space);
        }
        self.open_paragraph();
        let is_section = matches!(role, Role::Heading(_)) && self.tables.is_empty();
        let kind = match role {
            _ if is_section => SpanKind::Heading,
            Role::Code => SpanKind::Code,
            _ if self.run.is_code => SpanKind::InlineCode,
            _ => SpanKind::Prose,
        };
        self.writer.push(text, Style { kind, pre: role == Role::Code, weight: 1.0 });
        self.with_paragraph(|paragraph| {
            if matches!(paragraph.role, Role::Heading(_) | Role::Title) {
                paragraph.words.push_str(text);
            }
        });
    }

    fn space(&mut self, gap: Gap) {
        if self.hidden > 0 || self.paragraphs.last().is_none_or(|paragraph| !paragraph.has_text) {
            return;
        }
        self.writer.gap(gap);
        self.with_paragraph(|paragraph| paragraph.words.push(' '));
    }

    fn line_break(&mut self) {
        if self.paragraphs.last().is_some_and(|it| it.role == Role::Code && it.has_text) {
            self.text("\n");
        } else {
            self.space(Gap::Line);
        }
    }

    fn begin_cell(&mut self) {
        if let Some(cells) = self.tables.last_mut() {
            if *cells > 0 {
                self.writer.gap(Gap::Cell);
            }
            *cells += 1;
        }
    }

    fn end_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else { return };
        self.run = Run::default();
        self.is_text = false;
        if !paragraph.has_text {
            return;
        }
        let is_code = paragraph.role == Role::Code;
        self.writer.gap(match () {
            () if !self.tables.is_empty() => Gap::Cell,
            () if is_code || paragraph.is_list => Gap::Line,
            () => Gap::Block,
        });
        self.was_list = paragraph.is_list;
        let words = paragraph.words.split_whitespace().collect::<Vec<_>>().join(" ");
        match paragraph.role {
            Role::Heading(_) if self.tables.is_empty() => {
                if let Some(heading) = self.headings.last_mut() {
                    heading.2 = words;
                }
            }
            Role::Title => self.title = self.title.take().or(Some(words)),
            _ => {}
        }
        if self.tables.is_empty() && self.paragraphs.is_empty() {
            self.write_notes();
        }
    }

    fn note(&mut self, start: &Start<'_>, is_footnote: bool) {
        let notes = if is_footnote { &self.notes.footnotes } else { &self.notes.endnotes };
        let Some(id) = start.attribute("id") else { return };
        // A note is text of the document once, however many places refer to it.
        if self.hidden == 0 && self.noted.insert((is_footnote, id.clone())) {
            self.pending.extend(notes.get(&id).map(String::as_str));
        }
    }

    /// The notes of a paragraph, each a paragraph of its own behind it.
    fn write_notes(&mut self) {
        for note in std::mem::take(&mut self.pending) {
            self.writer.gap(Gap::Block);
            self.writer.push(note, Style { kind: SpanKind::Prose, pre: false, weight: 1.0 });
            self.writer.gap(Gap::Block);
        }
    }
}
