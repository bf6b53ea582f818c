//! Columns: which lines belong together, and which come first.
//!
//! A gutter is a place that few lines cross, with columns on both sides. What crosses it, a title or a wide figure, cuts
//! the page into bands; in each band the left column is read before the right. Cells of a table are no columns: they do
//! not fill theirs.

use super::line::{Line, Segment, lines};

/// Least lines on each side of a gutter.
const LEAST_LINES: usize = 4;
/// Most of the lines that may cross a gutter.
const MOST_CROSSING: f32 = 0.35;
/// Least part of a column's width that its lines fill on average.
const LEAST_FILL: f32 = 0.5;
/// Least characters that a line of a column has on average.
const LEAST_CHARACTERS: usize = 16;
/// Least part of a side's lines that stands on lines of the other side in a table.
const MOST_ALIGNED: f32 = 0.5;
/// Places that are looked at for a gutter.
const PLACES: usize = 160;
/// Columns beside columns beside columns: no page has more.
const MOST_DEPTH: usize = 4;

/// Lines in one column, in order.
pub(super) type Block = Vec<Line>;

/// The blocks of a page in reading order.
pub(super) fn blocks(segments: Vec<Segment>) -> Vec<Block> {
    let mut blocks = Vec::new();
    read(segments, 0, &mut blocks);
    blocks
}

fn read(segments: Vec<Segment>, depth: usize, blocks: &mut Vec<Block>) {
    if segments.is_empty() {
        return;
    }
    let Some(gutter) = gutter(&segments).filter(|_| depth < MOST_DEPTH) else {
        blocks.push(lines(segments));
        return;
    };
    let mut crossing: Vec<f32> = segments.iter().filter(|it| crosses(it, gutter)).map(|it| it.v).collect();
    crossing.sort_by(f32::total_cmp);
    // Band by band: what crosses the gutter has an odd number, what stands between has an even one.
    let band = |segment: &Segment| {
        let above = crossing.partition_point(|&v| v < segment.v);
        if crosses(segment, gutter) { 2 * above + 1 } else { 2 * above }
    };
    let mut bands: std::collections::BTreeMap<(usize, bool), Vec<Segment>> = Default::default();
    for segment in segments {
        let is_right = !crosses(&segment, gutter) && segment.start >= gutter;
        bands.entry((band(&segment), is_right)).or_default().push(segment);
    }
    let mut wide = Vec::new();
    for ((number, _), part) in bands {
        if number % 2 == 1 {
            wide.extend(part);
            continue;
        }
        if !wide.is_empty() {
            blocks.push(lines(std::mem::take(&mut wide)));
        }
        read(part, depth + 1, blocks);
    }
    if !wide.is_empty() {
        blocks.push(lines(wide));
    }
}

fn crosses(segment: &Segment, gutter: f32) -> bool {
    segment.start < gutter && segment.end > gutter
}

/// The middle of the widest gutter.
fn gutter(segments: &[Segment]) -> Option<f32> {
    let left = segments.iter().map(|it| it.start).fold(f32::MAX, f32::min);
    let right = segments.iter().map(|it| it.end).fold(f32::MIN, f32::max);
    let step = (right - left) / PLACES as f32;
    if segments.len() < 2 * LEAST_LINES || step <= 0.0 {
        return None;
    }
    let places = (PLACES / 8..PLACES - PLACES / 8).map(|place| left + step * place as f32);
    let counted: Vec<_> =
        places.map(|at| (at, segments.iter().filter(|it| crosses(it, at)).count())).collect();
    let most = (MOST_CROSSING * segments.len() as f32) as usize;
    let fewest = counted.iter().map(|&(_, count)| count).filter(|&count| count <= most).min()?;
    let runs = counted.chunk_by(|a, b| (a.1 == fewest) == (b.1 == fewest)).filter(|run| run[0].1 == fewest);
    let middles = runs.map(|run| (run.len(), run[run.len() / 2].0));
    let mut middles: Vec<_> = middles.collect();
    middles.sort_by_key(|&(len, _)| std::cmp::Reverse(len));
    middles.into_iter().map(|(_, at)| at).find(|&at| separates_columns(segments, at))
}

/// Whether columns stand on both sides of `gutter`: prose on both, or prose on one and beside it lines of their own. A
/// table has short cells too, but they stand on the lines of their neighbours.
fn separates_columns(segments: &[Segment], gutter: f32) -> bool {
    let side = |is_right: bool| -> Vec<&Segment> {
        segments.iter().filter(|it| !crosses(it, gutter) && (it.start >= gutter) == is_right).collect()
    };
    let (left, right) = (side(false), side(true));
    if left.len() < LEAST_LINES || right.len() < LEAST_LINES {
        return false;
    }
    let reach = |side: &[&Segment]| {
        let top = side.iter().map(|it| it.v).fold(f32::MAX, f32::min);
        (top, side.iter().map(|it| it.v).fold(f32::MIN, f32::max))
    };
    let ((top, bottom), (other_top, other_bottom)) = (reach(&left), reach(&right));
    let shared = bottom.min(other_bottom) - top.max(other_top);
    if shared <= 0.3 * (bottom - top).min(other_bottom - other_top) {
        return false;
    }
    match (is_prose(&left), is_prose(&right)) {
        (true, true) => true,
        (true, false) => share_of_lines(&right, &left) < MOST_ALIGNED,
        (false, true) => share_of_lines(&left, &right) < MOST_ALIGNED,
        (false, false) => false,
    }
}

/// Whether the lines of a side fill it, with words.
fn is_prose(side: &[&Segment]) -> bool {
    let start = side.iter().map(|it| it.start).fold(f32::MAX, f32::min);
    let end = side.iter().map(|it| it.end).fold(f32::MIN, f32::max);
    let filled: f32 = side.iter().map(|it| it.end - it.start).sum();
    let characters: usize = side.iter().map(|it| it.text.chars().count()).sum();
    filled >= LEAST_FILL * (end - start) * side.len() as f32 && characters >= LEAST_CHARACTERS * side.len()
}

/// The part of `side` that stands on a line of `other`.
fn share_of_lines(side: &[&Segment], other: &[&Segment]) -> f32 {
    let stands_on = |it: &&&Segment| other.iter().any(|other| (other.v - it.v).abs() < 0.1 * it.size);
    side.iter().filter(stands_on).count() as f32 / side.len() as f32
}
