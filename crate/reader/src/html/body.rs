//! Where a document's own content stands in its HTML.

use super::element;
use scraper::{ElementRef, Html};

/// The roots of the content.
#[derive(Debug)]
pub(super) struct Body<'a> {
    /// In the order of the document, none inside another.
    pub(super) roots: Vec<ElementRef<'a>>,
    /// The roots are marked by an attribute.
    pub(super) marked: bool,
    /// The root is all of `<body>`: the site's header and footer are to be left out.
    pub(super) whole: bool,
}

impl Body<'_> {
    /// The language of the content: what the nearest element around it says.
    pub(super) fn language(&self) -> Option<String> {
        let root = *self.roots.first()?;
        let around = root.ancestors().filter_map(ElementRef::wrap);
        let tag = std::iter::once(root)
            .chain(around)
            .find_map(|element| element.attr("lang").or(element.attr("xml:lang")))?;
        Some(tag.trim()).filter(|tag| !tag.is_empty()).map(str::to_owned)
    }
}

/// All elements marked as body; else the first of `<main>`, `role=main`, `<article>`, `<body>`.
pub(super) fn find(html: &Html) -> Body<'_> {
    let mut main = None;
    let mut role = None;
    let mut article = None;
    let mut body = None;
    let mut roots: Vec<ElementRef<'_>> = Vec::new();
    for element in html.root_element().descendent_elements() {
        let value = element.value();
        if element::data(value, "body").is_some()
            && !roots.last().is_some_and(|root| contains(*root, element))
        {
            roots.push(element);
        }
        match value.name() {
            "main" => main = main.or(Some(element)),
            "article" => article = article.or(Some(element)),
            "body" => body = body.or(Some(element)),
            _ => {}
        }
        if role.is_none() && value.attr("role") == Some("main") {
            role = Some(element);
        }
    }
    if !roots.is_empty() {
        return Body { roots, marked: true, whole: false };
    }
    let part = main.or(role).or(article);
    let root = part.or(body).unwrap_or_else(|| html.root_element());
    Body { roots: vec![root], marked: false, whole: part.is_none() }
}

/// Roots come in the order of the document, so only the last one can hold `inner`.
fn contains(outer: ElementRef<'_>, inner: ElementRef<'_>) -> bool {
    inner.ancestors().any(|ancestor| ancestor.id() == outer.id())
}
