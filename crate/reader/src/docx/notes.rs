//! Footnotes and endnotes, by their ids.

use super::xml::{self, Node};
use std::collections::HashMap;

/// The text of every note.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) footnotes: HashMap<String, String>,
    pub(super) endnotes: HashMap<String, String>,
}

/// Reads a part; `element` holds one note. The lines that separate notes are marked with a type.
pub(super) fn read(part: &str, element: &str) -> HashMap<String, String> {
    let mut notes = HashMap::new();
    let mut open: Option<(String, String)> = None;
    let (mut is_text, mut deleted) = (false, 0_usize);
    let _ = xml::walk(part, |node| match node {
        Node::Start(start) => match start.name() {
            name if name == element && start.attribute("type").is_none_or(|kind| kind == "normal") => {
                open = start.attribute("id").map(|id| (id, String::new()));
            }
            "t" => is_text = true,
            "del" | "moveFrom" => deleted += 1,
            "p" | "tab" | "br" => {
                if let Some((_, text)) = &mut open {
                    text.push(' ');
                }
            }
            _ => {}
        },
        Node::Text(text) => {
            if let Some((_, note)) = open.as_mut().filter(|_| is_text && deleted == 0) {
                note.push_str(&text);
            }
        }
        Node::End("t") => is_text = false,
        Node::End("del" | "moveFrom") => deleted = deleted.saturating_sub(1),
        Node::End(name) if name == element => notes.extend(open.take()),
        Node::End(_) => {}
    });
    notes
}
