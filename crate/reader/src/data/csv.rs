//! Rows of values: RFC 4180, with commas, semicolons, tabs or bars.
//!
//! Sections are stretches of rows, `rows 12-31`, below one whose heading is the names of the columns: a chunk knows what
//! its values are values of. No cut lies inside a row.

use super::{Damage, outline::Outline};
use querent_core::document::Unit;
use std::ops::Range;

/// Bytes of rows that one section holds, unless a single row has more.
const SECTION_BYTES: usize = 700;
/// Characters of the columns' names that the heading shows.
const MOST_NAMES: usize = 120;

/// Tells `outline` what `text` holds.
pub(super) fn parse(text: &str, outline: &mut Outline<'_>) -> Result<Option<&'static str>, Damage> {
    let separator = separator(text);
    let mut at = 0;
    let mut names = None;
    let mut rows: Option<(Range<usize>, Range<usize>)> = None;
    for number in 1.. {
        let Some(row) = row(text, at, separator)? else { break };
        let range = at..row.end;
        at = row.end;
        for value in &row.values {
            outline.value(value.clone());
        }
        if number == 1 && is_header(text, &row.values) {
            let heading = heading(text, &row.values);
            outline.unit(Unit { range: range.start..text.len(), heading, anchor: None, is_bare: true });
            names = Some(());
            continue;
        }
        let number = number - usize::from(names.is_some());
        match &mut rows {
            Some((bytes, numbers)) if range.end - bytes.start <= SECTION_BYTES => {
                bytes.end = range.end;
                numbers.end = number;
            }
            _ => {
                add_rows(text, outline, rows.take());
                rows = Some((range, number..number));
            }
        }
    }
    add_rows(text, outline, rows);
    Ok(None)
}

fn add_rows(text: &str, outline: &mut Outline<'_>, rows: Option<(Range<usize>, Range<usize>)>) {
    let Some((bytes, numbers)) = rows else { return };
    let heading = match numbers.end - numbers.start {
        0 => format!("row {}", numbers.start),
        _ => format!("rows {}-{}", numbers.start, numbers.end),
    };
    let end = bytes.start + text[bytes.clone()].trim_end().len();
    if end > bytes.start {
        outline.unit(Unit { range: bytes.start..end, heading, anchor: None, is_bare: false });
    }
}

/// One row: the content of its values, and where the next row begins.
struct Row {
    values: Vec<Range<usize>>,
    end: usize,
}

/// The row at `at`; `None` at the end of the text.
fn row(text: &str, at: usize, separator: u8) -> Result<Option<Row>, Damage> {
    let bytes = text.as_bytes();
    let (mut at, mut values) = (at, Vec::new());
    if at >= bytes.len() {
        return Ok(None);
    }
    loop {
        let value = if bytes.get(at) == Some(&b'"') { quoted(bytes, at)? } else { at..at };
        let ends = |byte: &u8| *byte == separator || *byte == b'\n';
        // What stands between a closing quote and the separator belongs to no value, and does no harm.
        let from = if value.end > at { value.end + 1 } else { at };
        let end = from + bytes[from.min(bytes.len())..].iter().take_while(|byte| !ends(byte)).count();
        values.push(if value.end > at { value } else { at..end });
        match bytes.get(end) {
            Some(b'\n') => return Ok(Some(Row { values, end: end + 1 })),
            Some(_) => at = end + 1,
            None => return Ok(Some(Row { values, end: bytes.len() })),
        }
    }
}

/// The content of the value whose opening quote is at `at`; two quotes inside stand for one.
fn quoted(bytes: &[u8], at: usize) -> Result<Range<usize>, Damage> {
    let mut end = at + 1;
    loop {
        match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'"'), Some(b'"')) => end += 2,
            (Some(b'"'), _) => return Ok(at + 1..end),
            (Some(_), _) => end += 1,
            (None, _) => {
                return Err(Damage::new(
                    at,
                    "expected a quote at the end of this value, got the end of the file",
                ));
            }
        }
    }
}

/// The separator that the first line has most of.
fn separator(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| line.bytes().filter(|byte| byte == separator).count();
    // The last of equals is taken, so the comma comes last.
    b"|\t;,".iter().copied().max_by_key(|it| count(it)).unwrap_or(b',')
}

/// Whether the first row names the columns: all of them, and with no number.
fn is_header(text: &str, values: &[Range<usize>]) -> bool {
    values.iter().all(|range| {
        let value = text[range.clone()].trim();
        !value.is_empty() && value.parse::<f64>().is_err()
    })
}

fn heading(text: &str, values: &[Range<usize>]) -> String {
    let names: Vec<_> = values.iter().map(|range| text[range.clone()].trim()).collect();
    let names = names.join(", ").replace(char::is_whitespace, " ");
    names.chars().take(MOST_NAMES).collect()
}
