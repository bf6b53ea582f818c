//! Styles: which paragraphs are headings, a title or code.

use super::xml::{self, Node};
use std::collections::HashMap;

/// Styles that are based on one another: longer chains are circles.
const MOST_BASES: usize = 12;
/// Most characters of a name or id that count: every paragraph looks at those of its style.
const MOST_NAME: usize = 255;

/// What a paragraph or run of a style is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    /// Level 1 to 9.
    Heading(u8),
    Title,
    Code,
}

/// Roles by the id of the style.
#[derive(Debug, Default)]
pub(super) struct Styles(HashMap<String, Style>);

#[derive(Debug, Default)]
struct Style {
    name: String,
    base: Option<String>,
    /// From 0; 9 is text.
    outline_level: Option<u8>,
}

impl Styles {
    /// Reads the part; what is damaged in it is no heading.
    pub(super) fn read(part: &str) -> Self {
        let mut styles = Self::default();
        let mut open: Option<(String, Style)> = None;
        let _ = xml::walk(part, |node| match node {
            Node::Start(start) => match (start.name(), &mut open) {
                ("style", _) => {
                    open = Some((short(start.attribute("styleId").unwrap_or_default()), Style::default()))
                }
                ("name", Some((_, style))) => {
                    style.name = short(start.attribute("val").unwrap_or_default()).to_lowercase()
                }
                ("basedOn", Some((_, style))) => style.base = start.attribute("val").map(short),
                ("outlineLvl", Some((_, style))) => {
                    style.outline_level = start.attribute("val").and_then(|level| level.parse().ok());
                }
                _ => {}
            },
            Node::End("style") => styles.0.extend(open.take()),
            _ => {}
        });
        styles
    }

    /// The role of the style `id`. A style that the part does not describe goes by its id.
    pub(super) fn role(&self, id: &str) -> Role {
        let mut id = short(id.to_owned());
        for _ in 0..MOST_BASES {
            let Some(style) = self.0.get(&id) else { return role_of_name(&id.to_lowercase()) };
            let by_name = role_of_name(&style.name);
            if by_name != Role::Text {
                return by_name;
            }
            match style.outline_level {
                Some(level @ 0..9) => return Role::Heading(level + 1),
                Some(_) => return Role::Text,
                None => {}
            }
            match &style.base {
                Some(base) => id.clone_from(base),
                None => return Role::Text,
            }
        }
        Role::Text
    }
}

fn short(mut name: String) -> String {
    name.truncate(name.floor_char_boundary(MOST_NAME));
    name
}

fn role_of_name(name: &str) -> Role {
    let level = name.strip_prefix("heading").map(str::trim).and_then(|level| level.parse().ok());
    let is_code = ["code", "preformatted", "literal", "verbatim", "listing", "source"]
        .iter()
        .any(|it| name.contains(it));
    match level {
        Some(level @ 1..=9) => Role::Heading(level),
        _ if name == "title" => Role::Title,
        _ if is_code && !name.contains("caption") => Role::Code,
        _ => Role::Text,
    }
}
