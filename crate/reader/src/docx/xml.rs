//! XML as a walk over its nodes, names without their namespaces.
//!
//! Strict and transitional documents differ in their namespaces only. Entities other than XML's own are left out: nothing
//! expands into more than it is.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesStart, Event},
};
use std::borrow::Cow;

/// One node.
pub(super) enum Node<'a> {
    Start(Start<'a>),
    Text(Cow<'a, str>),
    End(&'a str),
}

/// The start of an element.
pub(super) struct Start<'a>(&'a BytesStart<'a>);

impl Start<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The attribute of this name, whatever its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let found = self.0.attributes().flatten().find(|it| it.key.local_name().into_inner() == name)?;
        Some(
            found
                .normalized_value(XmlVersion::Implicit1_0)
                .map_or_else(|_| found.value.to_string(), Cow::into_owned),
        )
    }

    /// Whether a switch (`<w:vanish/>`, `<w:vanish w:val="0"/>`) is on.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.attribute("val").as_deref(), Some("0" | "false" | "off" | "none"))
    }
}

/// Calls `visit` with every node of `xml`. An empty element starts and ends.
///
/// # Errors
/// What is damaged, and at which byte. The nodes before it have been visited.
pub(super) fn walk(xml: &str, mut visit: impl FnMut(Node<'_>)) -> Result<(), String> {
    let mut reader = Reader::from_str(xml);
    loop {
        let at = reader.buffer_position();
        match reader.read_event().map_err(|error| format!("{error} at byte {at}"))? {
            Event::Start(start) => visit(Node::Start(Start(&start))),
            Event::Empty(start) => {
                visit(Node::Start(Start(&start)));
                visit(Node::End(start.local_name().into_inner()));
            }
            Event::End(end) => visit(Node::End(end.local_name().into_inner())),
            Event::Text(text) => visit(Node::Text(Cow::Borrowed(&text))),
            Event::CData(text) => visit(Node::Text(Cow::Borrowed(&text))),
            Event::GeneralRef(entity) => {
                let character = entity.resolve_char_ref().ok().flatten().map(|it| it.to_string());
                let known = || resolve_predefined_entity(&entity).map(str::to_owned);
                if let Some(text) = character.or_else(known) {
                    visit(Node::Text(Cow::Owned(text)));
                }
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}
