//! What a document tells the indexer in attributes: `data-querent-meta` and `data-querent-filter`.
//!
//! Both take the same list, separated by commas: `key` (the element's text), `key[attribute]` (an attribute's
//! value) and `key:value`. A value runs to the end of the list, commas included, so it comes last. They count
//! wherever they stand in the document, outside its body too, but not inside `data-querent-ignore="all"`.

use super::element;
use scraper::{ElementRef, Html};
use std::collections::BTreeMap;

/// Metadata and filters by name.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) filters: BTreeMap<String, Vec<String>>,
}

/// Reads the attributes of all elements; of two with the same key, metadata keeps the last, filters keep both.
pub(super) fn collect(html: &Html) -> Attributes {
    let mut found = Attributes::default();
    let mut defaults = Vec::new();
    let mut ignored = None;
    for edge in html.root_element().traverse() {
        match edge {
            ego_tree::iter::Edge::Open(node) if ignored.is_none() => {
                let Some(element) = ElementRef::wrap(node) else { continue };
                if element::data(element.value(), "ignore").is_some_and(|value| value.trim() == "all") {
                    ignored = Some(node.id());
                    continue;
                }
                take(element, &mut found, &mut defaults);
            }
            ego_tree::iter::Edge::Close(node) if ignored == Some(node.id()) => ignored = None,
            _ => {}
        }
    }
    for (key, value) in defaults {
        found.metadata.entry(key).or_insert(value);
    }
    found
}

fn take(element: ElementRef<'_>, found: &mut Attributes, defaults: &mut Vec<(String, String)>) {
    if let Some(list) = element::data(element.value(), "meta") {
        found.metadata.extend(entries(list, element));
    }
    if let Some(list) = element::data(element.value(), "default-meta") {
        defaults.extend(entries(list, element));
    }
    if let Some(list) = element::data(element.value(), "filter") {
        for (key, value) in entries(list, element) {
            let values = found.filters.entry(key).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
}

/// The keys and values of a list; what has no value is left out.
fn entries(list: &str, element: ElementRef<'_>) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let end = rest.find([',', ':']).unwrap_or(rest.len());
        let (entry, value) = match rest[end..].strip_prefix(':') {
            Some(value) => (&rest[..end], Some(value.trim().to_owned())),
            None => (&rest[..end], None),
        };
        rest = if value.is_some() { "" } else { rest[end..].trim_start_matches(',') };
        let (key, value) = match (value, entry.split_once('[')) {
            (Some(value), _) => (entry, Some(value)),
            (None, Some((key, attribute))) => {
                let attribute = attribute.trim_end().trim_end_matches(']').trim();
                (key, element.attr(attribute).map(str::to_owned))
            }
            (None, None) => (entry, Some(element::text(element, usize::MAX))),
        };
        if let Some(value) = value.filter(|value| !value.is_empty() && !key.trim().is_empty()) {
            entries.push((key.trim().to_owned(), value));
        }
    }
    entries
}
