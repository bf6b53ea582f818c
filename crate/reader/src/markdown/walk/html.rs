//! HTML between Markdown: headings, code and what is hidden, laid over the source as Markdown's own are.

use super::Walker;
use crate::{
    markdown::inline_html::{Tag, Token, Tokenizer},
    spans::Gap,
};
use std::ops::Range;

/// HTML tags whose end has not come yet.
#[derive(Default)]
pub(super) struct Html {
    pub(super) tokenizer: Tokenizer,
    /// The element whose content is not to be read.
    pub(super) hidden: Option<String>,
    pub(super) pre: bool,
    pub(super) code: bool,
}

impl Walker<'_> {
    pub(super) fn html(&mut self, range: Range<usize>) {
        for token in self.html.tokenizer.feed(self.covered, range) {
            match token {
                Token::Tag(tag) => self.html_tag(&tag),
                _ if self.html.hidden.is_some() => {}
                Token::Entity(range) => self.entity(range),
                Token::Text(range) => {
                    let text = self.covered[range.clone()].to_owned();
                    self.text(&text, range);
                }
            }
        }
    }

    fn html_tag(&mut self, tag: &Tag) {
        if let Some(hidden) = &self.html.hidden {
            if tag.closing && tag.name == *hidden {
                self.html.hidden = None;
            }
            return;
        }
        match tag.name.as_str() {
            // An element closed in itself hides nothing.
            "script" | "style" | "template" | "svg" | "button" | "select" | "textarea"
                if !tag.closing && !self.source[tag.range.clone()].ends_with("/>") =>
            {
                self.html.hidden = Some(tag.name.clone());
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.html_heading(tag),
            "pre" => {
                self.html.pre = !tag.closing;
                self.writer.gap(Gap::Block);
            }
            "code" | "kbd" | "samp" | "tt" => self.html.code = !tag.closing,
            "img" => {
                if let Some(alt) = tag.alt.clone() {
                    let text = self.source[alt.clone()].to_owned();
                    self.text(&text, alt);
                }
            }
            "br" | "li" | "tr" | "dt" | "dd" | "summary" | "option" => self.space(Gap::Line),
            "td" | "th" => self.space(Gap::Cell),
            name if is_block(name) => self.writer.gap(Gap::Block),
            _ => {}
        }
    }

    fn html_heading(&mut self, tag: &Tag) {
        self.writer.gap(Gap::Block);
        if tag.closing {
            self.end_heading();
        } else {
            let level = tag.name.as_bytes()[1] - b'0';
            self.begin_heading(tag.range.start, level, tag.id.clone());
        }
    }
}

fn is_block(name: &str) -> bool {
    const BLOCKS: [&str; 22] = [
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "details",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "main",
        "nav",
        "ol",
        "p",
        "section",
        "table",
        "ul",
    ];
    BLOCKS.contains(&name)
}
