//! What an element is to a reader: hidden, a block, code, a heading.

use crate::writer::Gap;
use scraper::{ElementRef, Node, node::Element};

/// The attribute `data-querent-{name}`, or its Pagefind alias.
pub(super) fn data<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    // Elements have few attributes, documents many elements: no string is built for those without any.
    element.attrs().find_map(|(attribute, value)| {
        let own = attribute.strip_prefix("data-querent-").or(attribute.strip_prefix("data-pagefind-"));
        (own == Some(name)).then_some(value)
    })
}

/// The words inside `element` with white space collapsed, until `limit` bytes are exceeded.
pub(super) fn text(element: ElementRef<'_>, limit: usize) -> String {
    let mut words = String::new();
    for word in element.text().flat_map(split_keeping_edges) {
        match word {
            Piece::Space if !words.is_empty() && !words.ends_with(' ') => words.push(' '),
            Piece::Space => {}
            Piece::Word(word) => words.push_str(word),
        }
        if words.len() > limit {
            break;
        }
    }
    words.truncate(words.trim_end().len());
    words
}

enum Piece<'a> {
    Space,
    Word(&'a str),
}

fn split_keeping_edges(text: &str) -> impl Iterator<Item = Piece<'_>> {
    text.split_inclusive(char::is_whitespace).flat_map(|part| {
        let word = part.trim_end_matches(char::is_whitespace);
        let space = (word.len() < part.len()).then_some(Piece::Space);
        (!word.is_empty()).then_some(Piece::Word(word)).into_iter().chain(space)
    })
}

/// Whether the element is left out with all that it holds.
pub(super) fn is_left_out(element: ElementRef<'_>) -> bool {
    let value = element.value();
    is_never_text(value.name()) || is_hidden(value) || is_landmark(value) || is_permalink(element)
}

/// What holds no text that a document's reader reads.
fn is_never_text(name: &str) -> bool {
    matches!(
        name,
        "head"
            | "title"
            | "script"
            | "style"
            | "template"
            | "noscript"
            | "svg"
            | "nav"
            | "button"
            | "input"
            | "select"
            | "textarea"
            | "option"
            | "datalist"
            | "iframe"
            | "object"
            | "embed"
            | "canvas"
            | "audio"
            | "video"
            | "map"
            | "annotation"
            | "annotation-xml"
            | "dialog"
            | "progress"
            | "meter"
    )
}

fn is_hidden(element: &Element) -> bool {
    element.attrs().any(|(name, value)| match name {
        // `hidden="until-found"` is opened by the browser's own search: it is to be found.
        "hidden" => !value.eq_ignore_ascii_case("until-found"),
        "aria-hidden" => value.eq_ignore_ascii_case("true"),
        "style" => {
            let style: String = value.chars().filter(|c| !c.is_whitespace()).collect();
            let style = style.to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
        // mdBook hides these lines of an example until they are asked for.
        "class" => value == "boring",
        "data-querent-ignore" | "data-pagefind-ignore" => true,
        _ => false,
    })
}

/// Parts of the site rather than of the document.
fn is_landmark(element: &Element) -> bool {
    element.attr("role").is_some_and(|role| {
        matches!(role, "navigation" | "banner" | "contentinfo" | "search" | "menu" | "menubar" | "toolbar")
    })
}

/// A link that only lets readers copy an address of the document: it shows a sign, or, alone in its block, the
/// address itself in brackets, as the Rust reference numbers its rules.
fn is_permalink(element: ElementRef<'_>) -> bool {
    let fragment = element.attr("href").and_then(|href| href.strip_prefix('#'));
    let Some(fragment) = fragment.filter(|_| element.value().name() == "a") else { return false };
    let words = text(element, fragment.len() + 16);
    if !words.is_empty() && words.chars().all(is_permalink_sign) {
        return true;
    }
    let address = words.strip_prefix('[').and_then(|words| words.strip_suffix(']'));
    let is_address = address.is_some_and(|address| !address.is_empty() && fragment.ends_with(address));
    let parent = element.parent().and_then(ElementRef::wrap);
    let alone = |parent: ElementRef<'_>| {
        parent.value().name() == "div" && text(parent, words.len() + 16).len() == words.len()
    };
    is_address && parent.is_some_and(alone)
}

fn is_permalink_sign(character: char) -> bool {
    matches!(character, '#' | '¶' | '§' | '🔗' | '\u{fe0e}' | '\u{fe0f}')
}

/// How far what stands in the element is from what stands around it.
pub(super) fn gap(name: &str) -> Gap {
    match name {
        "address" | "article" | "aside" | "blockquote" | "body" | "center" | "details" | "div" | "dl"
        | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5"
        | "h6" | "header" | "hgroup" | "hr" | "legend" | "main" | "menu" | "ol" | "p" | "pre" | "section"
        | "table" | "caption" | "ul" => Gap::Block,
        "br" | "li" | "tr" | "dt" | "dd" | "summary" | "thead" | "tbody" | "tfoot" => Gap::Line,
        "td" | "th" => Gap::Cell,
        _ => Gap::None,
    }
}

/// 1 to 6 for a heading.
pub(super) fn heading_level(element: &Element) -> Option<u8> {
    match element.name().as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

/// The fragment that scrolls to a heading: its own id; one inside it; the target of a link inside it; that of an
/// element around it, as generators wrap sections, unless `is_taken` says that an earlier heading has it.
pub(super) fn anchor(heading: ElementRef<'_>, is_taken: impl Fn(&str) -> bool) -> Option<String> {
    let id = |element: ElementRef<'_>| {
        let name = (element.value().name() == "a").then(|| element.attr("name")).flatten();
        element.attr("id").or(name).filter(|id| !id.is_empty()).map(str::to_owned)
    };
    let inside = || heading.descendent_elements().find_map(id);
    let link = || {
        let links = heading.descendent_elements().filter(|element| is_permalink(*element));
        links
            .filter_map(|link| link.attr("href")?.strip_prefix('#'))
            .find(|id| !id.is_empty())
            .map(str::to_owned)
    };
    let around = || {
        let wraps = |element: &ElementRef<'_>| {
            matches!(element.value().name(), "section" | "article" | "div" | "a" | "header" | "hgroup")
        };
        heading.ancestors().filter_map(ElementRef::wrap).take(4).take_while(wraps).find_map(id)
    };
    let before = || {
        let mut siblings = heading.prev_siblings();
        let previous =
            siblings.find(|node| !matches!(node.value(), Node::Text(text) if text.trim().is_empty()));
        let previous = ElementRef::wrap(previous?)?;
        let empty = matches!(previous.value().name(), "a" | "span") && text(previous, 0).is_empty();
        empty.then(|| id(previous)).flatten()
    };
    let free = |id: &String| !is_taken(id);
    id(heading)
        .or_else(inside)
        .or_else(link)
        .or_else(|| around().filter(free))
        .or_else(|| before().filter(free))
}
