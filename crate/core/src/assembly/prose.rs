//! Prose: a passage is understood with what stands around it.
//!
//! For each match: the parent's chunk, 1 sibling before, up to 3 children, 2 siblings after. Siblings are chunks of the
//! same section, and chunks of sections with the same parent; children are chunks of the sections right below. The
//! heading paths that every chunk has say which is which, so nothing else is stored for it.

use super::strategy::{AssemblySettings, AssemblyStrategy, DocumentChunks, Selection, limit_reached};
use crate::segment::ChunkText;

const PRECEDING: usize = 1;
const CHILDREN: usize = 3;
const FOLLOWING: usize = 2;

/// Broad context, joined by blank lines: for Markdown, HTML, text, PDF, DOCX and what is not known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prose;

impl AssemblyStrategy for Prose {
    fn name(&self) -> &'static str {
        "prose"
    }

    /// Takes chunks until the limit is reached: the matches first, then what stands around them, each match's parent
    /// before its siblings before its children.
    fn select_chunks(
        &self,
        document: &DocumentChunks<'_>,
        matched: &[usize],
        settings: &AssemblySettings,
    ) -> Result<Selection, String> {
        let around = matched.iter().flat_map(|&place| around(document, place));
        let wanted: Vec<_> = matched.iter().copied().chain(around).collect();
        let mut selection = Selection::default();
        let mut room = settings.max_characters;
        for place in wanted {
            if selection.chunks.contains(&place) {
                continue;
            }
            let blank_line = if selection.chunks.is_empty() { 0 } else { 2 };
            let characters = shown(document, place).chars().count() + blank_line;
            if characters > room && !selection.chunks.is_empty() {
                let shortfall =
                    limit_reached(settings.max_characters, "chunks around the match are left out");
                selection.shortfall = Some(shortfall);
                break;
            }
            room = room.saturating_sub(characters);
            selection.chunks.push(place);
        }
        selection.chunks.sort_unstable();
        Ok(selection)
    }

    fn assemble(&self, document: &DocumentChunks<'_>, selection: &Selection) -> Result<String, String> {
        let shown = selection.chunks.iter().map(|&place| shown(document, place));
        Ok(shown.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n"))
    }
}

/// The chunk's text, below its heading where it is the first of its section.
fn shown(document: &DocumentChunks<'_>, place: usize) -> String {
    let (position, chunk) = document.chunks[place];
    let is_first = match place.checked_sub(1).map(|before| document.chunks[before].1) {
        Some(before) => before.section != chunk.section,
        None => position == 0,
    };
    let heading = chunk.headings.last().filter(|_| is_first);
    let pieces = [heading.map_or("", String::as_str), &chunk.text];
    pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The places around `place`: parent, siblings, children.
fn around(document: &DocumentChunks<'_>, place: usize) -> Vec<usize> {
    let chunk = document.chunks[place].1;
    let before = (0..place).rev();
    let mut found: Vec<_> = parent(document, place).into_iter().collect();
    found.extend(siblings(document, chunk, before).take(PRECEDING));
    let after = place + 1..document.chunks.len();
    found.extend(siblings(document, chunk, after.clone()).take(FOLLOWING));
    let own = after.take_while(|&at| is_in(document.chunks[at].1, chunk));
    let children = own.filter(|&at| document.chunks[at].1.headings.len() == chunk.headings.len() + 1);
    found.extend(children.take(CHILDREN));
    found
}

/// The first chunk of the section that holds the chunk's section, where it is there.
fn parent(document: &DocumentChunks<'_>, place: usize) -> Option<usize> {
    let path = &document.chunks[place].1.headings;
    let (_, above) = path.split_last()?;
    let last = (0..place).rev().find(|&at| document.chunks[at].1.headings == above)?;
    let section = document.chunks[last].1.section;
    (0..=last).rev().take_while(|&at| document.chunks[at].1.section == section).last()
}

/// The siblings of `chunk` among `places`, as far as the section that holds both goes.
fn siblings<'a>(
    document: &'a DocumentChunks<'a>,
    chunk: &'a ChunkText,
    places: impl Iterator<Item = usize> + 'a,
) -> impl Iterator<Item = usize> + 'a {
    let depth = chunk.headings.len();
    let above = &chunk.headings[..depth.saturating_sub(1)];
    let same_parent = places.take_while(move |&at| {
        let path = &document.chunks[at].1.headings;
        path.len() >= depth && path.starts_with(above)
    });
    same_parent.filter(move |&at| document.chunks[at].1.headings.len() == depth)
}

/// Whether `other` is of the same section as `chunk`, or of one below it.
fn is_in(other: &ChunkText, chunk: &ChunkText) -> bool {
    let depth = chunk.headings.len();
    other.section == chunk.section
        || other.headings.len() > depth && other.headings.starts_with(&chunk.headings)
}
