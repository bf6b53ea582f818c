//! The text of a document's body, its spans and its headings.

use super::{body::Body, element};
use crate::writer::{Gap, Style, TextWriter};
use querent_core::document::{Span, SpanKind};
use scraper::{ElementRef, Node, node::Element};
use std::collections::HashSet;

/// Offset, level, words and anchor, as [`querent_core::document::SectionTree::from_headings`] takes them.
pub(super) type Heading = (usize, u8, String, Option<String>);

/// What a document's body says.
#[derive(Debug)]
pub(super) struct Extracted {
    pub(super) text: String,
    pub(super) spans: Vec<Span>,
    pub(super) headings: Vec<Heading>,
}

/// Extracts the body's text.
pub(super) fn extract(body: &Body<'_>) -> Extracted {
    let mut extractor = Extractor {
        writer: TextWriter::new(),
        headings: Vec::new(),
        anchors: HashSet::new(),
        open: Vec::new(),
        heading_at: None,
        whole: body.whole,
    };
    for root in &body.roots {
        extractor.root(*root);
    }
    let Extractor { writer, headings, .. } = extractor;
    Extracted { text: writer.text, spans: writer.spans, headings }
}

const PLAIN: Style = Style { kind: SpanKind::Prose, pre: false, weight: 1.0 };

struct Extractor<'a> {
    writer: TextWriter,
    headings: Vec<Heading>,
    anchors: HashSet<String>,
    /// The elements that are open, from the root down. A list instead of recursion: a file may nest a hundred
    /// thousand elements, a stack may not.
    open: Vec<Open<'a>>,
    /// Of the heading that is open: its index in `open`, and the length of the text before it.
    heading_at: Option<(usize, usize)>,
    whole: bool,
}

struct Open<'a> {
    element: ElementRef<'a>,
    style: Style,
    /// Inside the document's own content, where a header or footer is not the site's.
    own: bool,
}

impl<'a> Extractor<'a> {
    /// Walks the tree below `root` in the order of the document.
    fn root(&mut self, root: ElementRef<'a>) {
        self.writer.gap(Gap::Block);
        self.begin(root);
        let mut next = root.first_child();
        loop {
            if let Some(node) = next {
                let entered = self.node(node);
                next = if entered { node.first_child() } else { node.next_sibling() };
                continue;
            }
            let Some(closed) = self.open.pop() else { return };
            self.end(&closed);
            if self.open.is_empty() {
                return;
            }
            next = closed.element.next_sibling();
        }
    }

    /// True when the node is an element whose children come next.
    fn node(&mut self, node: ego_tree::NodeRef<'a, Node>) -> bool {
        match node.value() {
            Node::Text(text) => {
                let style = self.open.last().map_or(PLAIN, |open| open.style);
                self.writer.push(text, style);
                false
            }
            Node::Element(value) => match ElementRef::wrap(node) {
                Some(element) if !self.is_left_out(element) => {
                    if value.name() == "img" {
                        self.image(value);
                    }
                    self.begin(element);
                    true
                }
                _ => {
                    // Text on both sides of a hidden block stays apart.
                    self.writer.gap(element::gap(value.name()));
                    false
                }
            },
            _ => false,
        }
    }

    fn is_left_out(&self, element: ElementRef<'a>) -> bool {
        let own = self.open.last().is_some_and(|open| open.own);
        let site = self.whole && !own && matches!(element.value().name(), "header" | "footer");
        site || element::is_left_out(element)
    }

    fn image(&mut self, image: &Element) {
        let style = self.open.last().map_or(PLAIN, |open| open.style);
        if let Some(alt) = image.attr("alt").filter(|alt| !alt.trim().is_empty()) {
            self.writer.gap(Gap::Space);
            self.writer.push(alt, Style { pre: false, ..style });
            self.writer.gap(Gap::Space);
        }
    }

    fn begin(&mut self, element: ElementRef<'a>) {
        let value = element.value();
        let (style, own) = self.open.last().map_or((PLAIN, false), |open| (open.style, open.own));
        let mut style = Style { weight: weight(value).unwrap_or(style.weight), ..style };
        let own = own || matches!(value.name(), "article" | "section" | "main");
        self.begin_gap(value.name(), style);
        match value.name() {
            _ if self.heading_at.is_some() => {}
            "pre" => style = Style { kind: SpanKind::Code, pre: true, ..style },
            "code" | "kbd" | "samp" | "tt" if !style.pre => style.kind = SpanKind::InlineCode,
            _ if element::heading_level(value).is_some() => {
                style = Style { kind: SpanKind::Heading, pre: false, ..style };
                self.heading_at = Some((self.open.len(), self.writer.text.len()));
            }
            _ => {}
        }
        self.open.push(Open { element, style, own });
    }

    /// Blocks inside a heading or preformatted text do not take its words apart by more than they must.
    fn begin_gap(&mut self, name: &str, style: Style) {
        match element::gap(name) {
            Gap::None => {}
            _ if self.heading_at.is_some() => self.writer.gap(Gap::Space),
            // A line break is written at once: two of them are an empty line.
            Gap::Line if style.pre => self.writer.push("\n", style),
            // A list in a list's item stands on its own lines, without an empty one.
            _ if matches!(name, "ul" | "ol") && self.in_item() => self.writer.gap(Gap::Line),
            gap => self.writer.gap(gap),
        }
    }

    fn in_item(&self) -> bool {
        self.open.last().is_some_and(|open| open.element.value().name() == "li")
    }

    fn end(&mut self, closed: &Open<'_>) {
        let value = closed.element.value();
        if self.heading_at.is_some_and(|(depth, _)| depth == self.open.len()) {
            self.end_heading(closed.element);
        }
        if value.name() == "pre" {
            self.writer.trim_end();
        }
        match element::gap(value.name()) {
            Gap::None => {}
            _ if value.name() == "br" => {}
            _ if self.heading_at.is_some() => self.writer.gap(Gap::Space),
            _ if matches!(value.name(), "ul" | "ol") && self.in_item() => self.writer.gap(Gap::Line),
            gap => self.writer.gap(gap),
        }
    }

    fn end_heading(&mut self, element: ElementRef<'_>) {
        let Some((_, before)) = self.heading_at.take() else { return };
        // The space that takes the heading's words apart from what stands before belongs to the section before.
        let words = self.writer.text.get(before..).unwrap_or_default().trim_start();
        let at = self.writer.text.len() - words.len();
        let words = words.trim_end().to_owned();
        let anchor = element::anchor(element, |id| self.anchors.contains(id));
        if let Some(level) = element::heading_level(element.value())
            && !words.is_empty()
        {
            self.anchors.extend(anchor.clone());
            self.headings.push((at, level, words, anchor));
        }
    }
}

/// 0 to 10, as the attribute says; anything else is as if it were not there.
fn weight(element: &Element) -> Option<f32> {
    let weight: f32 = element::data(element, "weight")?.trim().parse().ok()?;
    weight.is_finite().then(|| weight.clamp(0.0, 10.0))
}
