//! TOML: a table is a section, and the tables below it are its children.

use super::{
    Damage,
    outline::{Outline, add_key},
    yaml::comments_above,
};
use querent_core::document::Unit;
use std::{collections::BTreeMap, ops::Range};
use toml::de::DeTable;
use toml_parser::{
    Source,
    parser::{Event, EventKind, parse_document},
};

/// Tells `outline` what `text` holds.
pub(super) fn parse(text: &str, outline: &mut Outline<'_>) -> Result<Option<&'static str>, Damage> {
    DeTable::parse(text).map_err(|error| {
        let problem = error.message().lines().collect::<Vec<_>>().join(", ");
        Damage::new(error.span().map_or(0, |span| span.start), format!("expected TOML, got: {problem}"))
    })?;
    let tables = tables(text, outline);
    for unit in units(text, &tables) {
        outline.unit(unit);
    }
    Ok(None)
}

/// A header `[a.b]`.
#[derive(Debug)]
struct Table {
    start: usize,
    keys: Vec<String>,
    is_array: bool,
    has_values: bool,
}

/// The headers of a source that is known to be right; its values go to `outline`.
fn tables(text: &str, outline: &mut Outline<'_>) -> Vec<Table> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut tables: Vec<Table> = Vec::new();
    let mut in_header = false;
    let mut end = 0;
    let mut receive = |event: Event| {
        let range = event.span().start()..event.span().end();
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                in_header = true;
                let is_array = event.kind() == EventKind::ArrayTableOpen;
                let start = comments_above(text, range.start, end);
                tables.push(Table { start, keys: Vec::new(), is_array, has_values: false });
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => in_header = false,
            EventKind::SimpleKey if in_header => {
                let name = text[range.clone()].trim_matches(['"', '\'']);
                tables.last_mut().expect("the header is there").keys.push(name.to_owned());
            }
            EventKind::Scalar => {
                if let Some(table) = tables.last_mut() {
                    table.has_values = true;
                }
                outline.value(unquoted(text, range.clone()));
            }
            _ => {}
        }
        if !matches!(event.kind(), EventKind::Comment | EventKind::Newline | EventKind::Whitespace) {
            end = range.end;
        }
    };
    parse_document(&tokens, &mut receive, &mut |_| {});
    tables
}

/// Each table as a unit, up to the next header that is not below it.
fn units(text: &str, tables: &[Table]) -> Vec<Unit> {
    let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
    let mut units: Vec<Unit> = Vec::new();
    let mut open: Vec<(usize, &Table, String)> = Vec::new();
    for table in tables {
        let is_below =
            |parent: &Table| table.keys.len() > parent.keys.len() && table.keys.starts_with(&parent.keys);
        while let Some((unit, ..)) = open.pop_if(|(_, parent, _)| !is_below(parent)) {
            units[unit].range.end = trimmed(text, table.start);
        }
        let (known, mut heading) = open
            .last()
            .map_or((0, String::new()), |(_, parent, heading)| (parent.keys.len(), heading.clone()));
        table.keys[known..].iter().for_each(|key| add_key(&mut heading, key));
        if table.is_array {
            let count = counts.entry(&table.keys).or_default();
            heading += &format!("[{count}]");
            *count += 1;
        }
        open.push((units.len(), table, heading.clone()));
        units.push(Unit {
            range: table.start..text.len(),
            heading,
            anchor: None,
            is_bare: !table.has_values,
        });
    }
    for (unit, ..) in open {
        units[unit].range.end = trimmed(text, text.len()).max(units[unit].range.start);
    }
    units
}

/// Where the content before `end` ends.
fn trimmed(text: &str, end: usize) -> usize {
    text[..end].trim_end().len()
}

fn unquoted(text: &str, range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    let quotes = value.len() - value.trim_start_matches(['"', '\'']).len();
    let inner = value[quotes..].trim_end_matches(['"', '\'']).len();
    range.start + quotes..range.start + quotes + inner
}
