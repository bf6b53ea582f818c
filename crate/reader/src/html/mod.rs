//! HTML: the text of a document as a browser shows it, without the site around it.
//!
//! Steps: the bytes are parsed as browsers parse them (html5ever); attributes that speak to the indexer are read
//! from the whole tree ([`attributes`]); the document's body is found ([`body`]); its text is extracted with
//! headings and spans ([`extract`], [`writer`]). The text of the document is the extracted text: nobody wants
//! excerpts with tags, and offsets into tags would mean nothing to a reader.
//!
//! A site that is ready for Pagefind works unchanged: each `data-querent-*` attribute has its `data-pagefind-*`
//! alias.

mod attributes;
mod body;
mod element;
mod extract;
mod nesting;

use crate::{ReadError, ReadSettings, Reading, url};
use attributes::Attributes;
use extract::Extracted;
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree};
use scraper::{ElementRef, Html, Node};

/// A document that sends its reader elsewhere and says less than this (in bytes) is no document.
const REDIRECT_TEXT: usize = 300;

/// Reads HTML.
pub(crate) fn read(path: &str, text: &str, settings: &ReadSettings) -> Result<Reading, ReadError> {
    let html = Html::parse_document(&nesting::limit(text));
    let mut head = Head::of(&html);
    if head.noindex {
        let reason = "it says `noindex` in a meta element named robots; remove that to have it indexed";
        return Err(ReadError::Skipped { path: path.to_owned(), reason: reason.to_owned() });
    }
    let body = body::find(&html);
    head.language = body.language().or(head.language);
    let extracted = extract::extract(&body);
    if head.refresh && extracted.text.len() < REDIRECT_TEXT {
        let reason = "it only sends its reader to another document (a meta element with `refresh`)";
        return Err(ReadError::Skipped { path: path.to_owned(), reason: reason.to_owned() });
    }
    if extracted.spans.is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "HTML without text in its body" });
    }
    let attributes = attributes::collect(&html);
    let document = document(path, head, attributes, extracted, settings);
    Ok(Reading { document, warnings: Vec::new(), has_body_marker: body.marked })
}

fn document(
    path: &str,
    head: Head,
    attributes: Attributes,
    extracted: Extracted,
    settings: &ReadSettings,
) -> Document {
    let mut metadata = attributes.metadata;
    if let Some(description) = head.description {
        metadata.entry("description".to_owned()).or_insert(description);
    }
    let title = metadata.remove("title").or_else(|| title_of(head.title.as_deref(), &extracted));
    Document {
        path: path.to_owned(),
        url: url::of_path(path, ContentType::Html, settings),
        title: title.unwrap_or_else(|| url::title_of_path(path)),
        language: head.language,
        content_type: ContentType::Html,
        sections: SectionTree::from_headings(extracted.text.len(), extracted.headings),
        spans: extracted.spans,
        text: extracted.text,
        metadata,
        filters: attributes.filters,
        weight: head.weight.unwrap_or_default(),
    }
}

/// The `<h1>` of the body where there is one and no other; else `<title>`, without the site's name where the document begins with a heading
/// that reads like the rest.
fn title_of(title: Option<&str>, extracted: &Extracted) -> Option<String> {
    let mut first_level =
        extracted.headings.iter().filter(|heading| heading.1 == 1).map(|heading| &heading.2);
    let (first, second) = (first_level.next(), first_level.next());
    // Several headings of the first level are chapters: none of them names the whole.
    let Some(title) = title.filter(|_| first.is_none() || second.is_some()) else {
        return first.cloned();
    };
    let site = [" - ", " | ", " — ", " – ", " · "].iter().filter_map(|mark| title.rfind(mark)).max();
    let own = site.map_or(title, |at| &title[..at]);
    let begins = extracted.headings.first().is_some_and(|heading| own.ends_with(heading.2.as_str()));
    Some(if begins { own } else { title }.trim().to_owned())
}

/// What the document says of itself outside its body.
#[derive(Debug, Default)]
struct Head {
    title: Option<String>,
    description: Option<String>,
    language: Option<String>,
    weight: Option<DocumentWeight>,
    noindex: bool,
    refresh: bool,
}

impl Head {
    fn of(html: &Html) -> Self {
        let mut head = Self::default();
        for element in html.tree.nodes().filter_map(ElementRef::wrap) {
            match element.value().name() {
                "title" if head.title.is_none() && !inside_svg(element) => {
                    let words = element::text(element, usize::MAX);
                    head.title = (!words.is_empty()).then_some(words);
                }
                "meta" => head.meta(element),
                _ => {}
            }
        }
        head
    }

    fn meta(&mut self, element: ElementRef<'_>) {
        let content = element.attr("content").unwrap_or_default().trim();
        let is = |attribute, value| {
            element.attr(attribute).is_some_and(|found: &str| found.trim().eq_ignore_ascii_case(value))
        };
        if is("http-equiv", "refresh") {
            self.refresh |= content.to_ascii_lowercase().contains("url");
        } else if is("name", "robots") {
            let rules = content.to_ascii_lowercase();
            self.noindex |= rules.split(',').any(|rule| matches!(rule.trim(), "noindex" | "none"));
        } else if (is("http-equiv", "content-language") || is("property", "og:locale")) && !content.is_empty()
        {
            // A list of languages names the readers that the document is meant for, not its own.
            let tag = Some(content).filter(|tag| !tag.contains(','));
            self.language = self.language.take().or(tag.map(|tag| tag.replace('_', "-")));
        } else if is("name", "description") && !content.is_empty() && self.description.is_none() {
            self.description = Some(content.split_whitespace().collect::<Vec<_>>().join(" "));
        } else if is("name", "querent-weight") {
            self.weight = content.parse().ok().and_then(DocumentWeight::new);
        }
    }
}

/// `<title>` is also the name of a drawing.
fn inside_svg(element: ElementRef<'_>) -> bool {
    let parent = element.parent();
    parent.is_some_and(|parent| matches!(parent.value(), Node::Element(parent) if parent.name() != "head"))
}

#[cfg(test)]
mod tests;
