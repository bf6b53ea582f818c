//! Glyphs into stretches of a line, and those into lines.

use super::device::Glyph;

/// A gap of so many ems between two glyphs is a space.
const SPACE: f32 = 0.17;
/// A gap of so many ems is more than a space: another cell, or another column.
const CELL: f32 = 1.2;
/// A glyph may begin so many ems before the one before it ends: kerning, accents.
const OVERLAP: f32 = 0.6;
/// Baselines may differ by so many ems: superscripts.
const BASELINE: f32 = 0.4;

/// Glyphs that follow one another on one line, without a wide gap.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) text: String,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) v: f32,
    pub(super) size: f32,
    /// Its letters are mostly of a script that runs to the left.
    is_rtl: bool,
}

/// What stands on one baseline, side by side.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) cells: Vec<String>,
    pub(super) start: f32,
    pub(super) end: f32,
    pub(super) v: f32,
    pub(super) size: f32,
}

/// Cuts glyphs, in the order of the file, into segments.
pub(super) fn segments(glyphs: Vec<Glyph>) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut run: Vec<Glyph> = Vec::new();
    for glyph in glyphs {
        if run.last().is_some_and(|last| !follows(last, &glyph)) {
            segments.extend(segment(std::mem::take(&mut run)));
        }
        // A run of spaces may reach far; where it began is no use for what comes behind it.
        if run.is_empty() && glyph.character == ' ' {
            continue;
        }
        run.push(glyph);
    }
    segments.extend(segment(run));
    segments
}

fn follows(last: &Glyph, next: &Glyph) -> bool {
    let em = last.size.max(next.size);
    let is_on_line = (last.v - next.v).abs() <= BASELINE * em;
    let gap = next.u - (last.u + last.advance);
    // Script that runs to the left may be written as it is read.
    let gap_left = last.u - (next.u + next.advance);
    let is_near = |gap: f32| gap >= -OVERLAP * em && gap <= CELL * em;
    is_on_line && (is_near(gap) || is_near(gap_left) && (is_rtl(last.character) || is_rtl(next.character)))
}

/// A segment of glyphs that follow one another; `None` for space only.
fn segment(mut run: Vec<Glyph>) -> Option<Segment> {
    while run.last().is_some_and(|last| last.character == ' ') {
        run.pop();
    }
    let letters = run.iter().filter(|glyph| glyph.character.is_alphabetic()).count();
    let is_rtl = 2 * run.iter().filter(|glyph| is_rtl(glyph.character)).count() > letters;
    if is_rtl {
        in_reading_order(&mut run);
    }
    let first = run.first()?;
    let size = run.iter().map(|glyph| glyph.size).fold(0.0, f32::max);
    let base = run.iter().find(|glyph| glyph.size >= 0.9 * size).unwrap_or(first).v;
    let start = run.iter().map(|glyph| glyph.u).fold(f32::MAX, f32::min);
    let end = run.iter().map(|glyph| glyph.u + glyph.advance).fold(f32::MIN, f32::max);
    Some(Segment { text: words(&run), start, end, v: base, size, is_rtl })
}

/// Glyphs of a script that runs to the left, from the right; numbers and Latin words inside keep their order.
fn in_reading_order(run: &mut [Glyph]) {
    run.sort_by(|a, b| b.u.total_cmp(&a.u));
    let runs_right = |glyph: &Glyph| glyph.character.is_ascii_alphanumeric();
    for part in run.chunk_by_mut(|a, b| runs_right(a) && runs_right(b)) {
        part.reverse();
    }
}

/// The glyphs as text, with a space for every gap that is one.
fn words(run: &[Glyph]) -> String {
    let mut text = String::new();
    let mut last: Option<&Glyph> = None;
    for glyph in run {
        let gap = last.map_or(0.0, |last| {
            let (left, right) = if last.u <= glyph.u { (last, glyph) } else { (glyph, last) };
            (right.u - left.u - left.advance) / left.size.max(right.size)
        });
        let is_apart =
            gap > SPACE && !last.is_some_and(|last| is_wide(last.character) && is_wide(glyph.character));
        if (is_apart || glyph.character == ' ') && !text.ends_with(' ') && !text.is_empty() {
            text.push(' ');
        }
        if glyph.character != ' ' {
            text.push(glyph.character);
        }
        last = Some(glyph);
    }
    text
}

/// Puts segments that stand on one baseline side by side, and the lines in order from the top.
pub(super) fn lines(mut segments: Vec<Segment>) -> Vec<Line> {
    segments.sort_by(|a, b| a.v.total_cmp(&b.v));
    let mut rows: Vec<Vec<Segment>> = Vec::new();
    for segment in segments {
        match rows.last_mut().and_then(|row| row.first().map(|first| (first.v, first.size))) {
            Some((v, size)) if segment.v - v <= BASELINE * size.min(segment.size) => {
                rows.last_mut().expect("it is there").push(segment);
            }
            _ => rows.push(vec![segment]),
        }
    }
    rows.into_iter().map(line).collect()
}

fn line(mut row: Vec<Segment>) -> Line {
    let is_rtl = 2 * row.iter().filter(|segment| segment.is_rtl).count() > row.len();
    row.sort_by(|a, b| a.start.total_cmp(&b.start));
    let start = row[0].start;
    let end = row.iter().map(|segment| segment.end).fold(f32::MIN, f32::max);
    let size = row.iter().map(|segment| segment.size).fold(0.0, f32::max);
    let v = row[0].v;
    let mut cells: Vec<String> = Vec::new();
    let mut last_end = f32::MAX;
    for segment in row {
        let gap = (segment.start - last_end) / size;
        last_end = segment.end;
        match cells.last_mut() {
            Some(cell) if gap <= CELL => {
                if gap > SPACE {
                    cell.push(' ');
                }
                cell.push_str(&segment.text);
            }
            _ => cells.push(segment.text),
        }
    }
    if is_rtl {
        cells.reverse();
    }
    Line { cells, start, end, v, size }
}

/// Hebrew, Arabic and their kin, with their presentation forms.
pub(super) fn is_rtl(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
}

/// Characters of scripts without spaces: a gap between them is only a loose setting.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}
