//! Code and data: a complete unit says more than a window around the match, and can be parsed again.
//!
//! A match in a method gives the outermost unit that fits the limit: the class or impl with all its methods. A match in
//! data gives the innermost object or table, whose properties belong together. The chunks of such documents follow each
//! other without gap, so the unit is cut out of their sources, byte for byte.

use super::strategy::{AssemblySettings, AssemblyStrategy, DocumentChunks, Selection, limit_reached};
use crate::{document::ContentType, segment::ChunkText};
use std::ops::Range;

/// The complete unit around each match: for source code, JSON, YAML, TOML and CSV.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hierarchical;

impl AssemblyStrategy for Hierarchical {
    fn name(&self) -> &'static str {
        "hierarchical"
    }

    fn select_chunks(
        &self,
        document: &DocumentChunks<'_>,
        matched: &[usize],
        settings: &AssemblySettings,
    ) -> Result<Selection, String> {
        let mut selection = Selection::default();
        let mut room = settings.max_characters;
        for &place in matched {
            let (range, shortfall) = unit_of(document, place, room, settings.max_characters)?;
            selection.shortfall = selection.shortfall.or(shortfall);
            let is_new = !selection.ranges.iter().any(|has| has.start <= range.start && range.end <= has.end);
            if is_new {
                room = room.saturating_sub(source(document, &range)?.chars().count());
                selection.ranges.retain(|has| has.start < range.start || has.end > range.end);
                selection.ranges.push(range);
            }
        }
        selection.ranges.sort_by_key(|range| range.start);
        let is_shown = |place: &usize| {
            let own = range_of(document.chunks[*place].1);
            selection.ranges.iter().any(|range| range.start < own.end && own.start < range.end)
        };
        selection.chunks = (0..document.chunks.len()).filter(is_shown).collect();
        Ok(selection)
    }

    /// Units that are apart in the document are apart by a blank line.
    fn assemble(&self, document: &DocumentChunks<'_>, selection: &Selection) -> Result<String, String> {
        let units: Result<Vec<_>, _> = selection.ranges.iter().map(|range| source(document, range)).collect();
        Ok(units?.join("\n\n"))
    }
}

/// The bytes to show for the chunk at `place`, and what is missing of them.
fn unit_of(
    document: &DocumentChunks<'_>,
    place: usize,
    room: usize,
    max_characters: usize,
) -> Result<(Range<u32>, Option<String>), String> {
    let wanted = wanted(document, place)?;
    let Some(best) = wanted.first() else { return Err("its hierarchy is broken: there is no unit".into()) };
    for unit in &wanted {
        if !is_there(document, unit) {
            continue;
        }
        let text = source(document, unit)?;
        if text.chars().count() > room {
            continue;
        }
        let start = unit.start + value_start(document.content_type, &text)? as u32;
        let is_best = unit == best;
        let smaller = || match is_there(document, best) {
            true => limit_reached(max_characters, "a unit inside the whole one is shown"),
            false => "chunks of the whole unit are missing: a unit inside it is shown".to_owned(),
        };
        return Ok((start..unit.end, (!is_best).then(smaller)));
    }
    let innermost = wanted.last().unwrap_or(best);
    let shortfall = match is_there(document, innermost) {
        true => limit_reached(max_characters, "a part of the unit is shown"),
        false => "chunks of the unit are missing: a part of it is shown".to_owned(),
    };
    Ok((part_of(document, place, innermost, room)?, Some(shortfall)))
}

/// The units that may be shown for a match, the best first: of code all, the outermost first, then the section alone; of
/// data the innermost.
fn wanted(document: &DocumentChunks<'_>, place: usize) -> Result<Vec<Range<u32>>, String> {
    let chunk = document.chunks[place].1;
    let own = range_of(chunk);
    let mut units: Vec<_> = chunk.source.units().collect();
    if units.is_empty() {
        return Ok(vec![outside_units(document, place)]);
    }
    let is_nested = units.is_sorted_by(|outer, inner| outer.start <= inner.start && inner.end <= outer.end);
    // A section may end with the brackets of its parents: a chunk of only those is in the outer units alone.
    units.retain(|unit| unit.start < own.end && own.start < unit.end);
    if !is_nested || units.is_empty() {
        return Err("its hierarchy is broken: the units do not hold each other and the match".into());
    }
    let is_data = document.content_type.is_some_and(ContentType::is_data);
    if is_data {
        return Ok(units.into_iter().rev().take(1).collect());
    }
    Ok(units.into_iter().map(|unit| unit.start..line_end(document, unit.end)).collect())
}

/// Behind the line break that follows `end`, if one does: a directive of C is none without it.
fn line_end(document: &DocumentChunks<'_>, end: u32) -> u32 {
    let byte = |at: u32| source(document, &(at..at.saturating_add(1))).unwrap_or_default();
    match byte(end).as_str() {
        "\n" => end + 1,
        "\r" if byte(end + 1) == "\n" => end + 2,
        _ => end,
    }
}

/// What is shown of a chunk that is in no unit: of data the whole document, the outermost object; of code the section,
/// what is said before the first symbol.
fn outside_units(document: &DocumentChunks<'_>, place: usize) -> Range<u32> {
    let chunk = document.chunks[place].1;
    let is_data = document.content_type.is_some_and(ContentType::is_data);
    let is_shown = |other: &ChunkText| is_data || other.section == chunk.section;
    let shown = document.chunks.iter().map(|&(_, other)| other).filter(|other| is_shown(other));
    let of = range_of(chunk);
    let whole = shown.fold(of, |all, other| {
        let own = range_of(other);
        all.start.min(own.start)..all.end.max(own.end)
    });
    // Of a document that is not there as a whole, the end is not known: no chunk reaches that far.
    let ends = document.chunks.last().is_none_or(|&(position, _)| position + 1 == document.total);
    let begins = document.chunks.first().is_none_or(|&(position, _)| position == 0);
    if is_data && !(begins && ends) { 0..u32::MAX } else { whole }
}

/// Whether chunks that follow each other without gap cover `range`.
fn is_there(document: &DocumentChunks<'_>, range: &Range<u32>) -> bool {
    let mut at = range.start;
    for &(_, chunk) in &document.chunks {
        let own = range_of(chunk);
        if own.start <= at && at < own.end {
            at = own.end;
        }
    }
    at >= range.end
}

/// What is there of the source of `range`, one chunk after the other.
fn source(document: &DocumentChunks<'_>, range: &Range<u32>) -> Result<String, String> {
    let mut text = String::new();
    for &(position, chunk) in &document.chunks {
        let own = range_of(chunk);
        let (from, to) = (range.start.max(own.start), range.end.min(own.end));
        if from >= to {
            continue;
        }
        let whole = chunk.source.restore(&chunk.text).filter(|source| source.len() == own.len());
        let cut =
            whole.as_ref().and_then(|it| it.get((from - own.start) as usize..(to - own.start) as usize));
        text += cut.ok_or_else(|| format!("the source of chunk {position} is not what the index says"))?;
    }
    Ok(text)
}

/// As much of `unit` as there is room for: the match's chunk, then those that follow it without gap, then those before.
fn part_of(
    document: &DocumentChunks<'_>,
    place: usize,
    unit: &Range<u32>,
    room: usize,
) -> Result<Range<u32>, String> {
    let inside = |place: usize| {
        let own = range_of(document.chunks[place].1);
        own.start.max(unit.start)..own.end.min(unit.end)
    };
    let mut part = inside(place);
    let mut used = source(document, &part)?.chars().count();
    for next in place + 1..document.chunks.len() {
        let more = inside(next);
        used += source(document, &more)?.chars().count();
        if more.start != part.end || more.is_empty() || used > room {
            break;
        }
        part.end = more.end;
    }
    used = source(document, &part)?.chars().count();
    for before in (0..place).rev() {
        let more = inside(before);
        used += source(document, &more)?.chars().count();
        if more.end != part.start || more.is_empty() || used > room {
            break;
        }
        part.start = more.start;
    }
    Ok(part)
}

/// Where the value begins in the text of a unit: in JSON behind the key, which is no document without its object.
fn value_start(content_type: Option<ContentType>, text: &str) -> Result<usize, String> {
    if content_type != Some(ContentType::Json) {
        return Ok(0);
    }
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => return Ok(at),
            _ => {}
        }
    }
    Ok(0)
}

fn range_of(chunk: &ChunkText) -> Range<u32> {
    chunk.offset..chunk.offset.saturating_add(chunk.length)
}
