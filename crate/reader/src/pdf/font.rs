//! A font without shapes, in place of those that a file names and does not embed.
//!
//! The interpreter leaves a text out when it has no font for it. But characters come from encodings, and widths mostly from
//! the file or from the tables of the fourteen standard fonts, so any font will do: this one has a single, empty glyph. The
//! real ones are a quarter of a megabyte, which natively is little and in the browser much. Where a file states no widths
//! of a font of another name, words that it sets letter by letter may come apart.

use hayro_interpret::font::FontData;
use std::sync::Arc;

/// TrueType with the tables that a reader asks for, in the order of their tags.
pub(super) fn empty() -> FontData {
    let tables: [(&[u8; 4], Vec<u8>); 7] = [
        // One subtable for Windows (3, 1) at byte 12, of format 4, with the segment that ends every such table.
        (b"cmap", words(&[0, 1, 3, 1, 0, 12, 4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0])),
        (b"glyf", vec![0; 4]),
        (b"head", head()),
        (b"hhea", hhea()),
        (b"hmtx", words(&[500, 0])),
        (b"loca", words(&[0, 0])),
        (b"maxp", words(&[1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
    ];
    let mut font = words(&[1, 0, tables.len() as u16, 64, 2, 48]);
    let mut at = font.len() + 16 * tables.len();
    for (tag, table) in &tables {
        font.extend_from_slice(*tag);
        // Checksums are for programs that print.
        for number in [0, at as u32, table.len() as u32] {
            font.extend_from_slice(&number.to_be_bytes());
        }
        at += table.len().next_multiple_of(4);
    }
    for (_, table) in tables {
        font.extend_from_slice(&table);
        font.resize(font.len().next_multiple_of(4), 0);
    }
    Arc::new(font)
}

/// Version, the magic number, 1000 units in an em; no dates, no box.
fn head() -> Vec<u8> {
    let mut table = words(&[1, 0, 0, 0, 0, 0, 0x5f0f, 0x3cf5, 0, 1000]);
    table.resize(54, 0);
    table
}

/// Version, ascender, descender; one width in `hmtx`.
fn hhea() -> Vec<u8> {
    let mut table = words(&[1, 0, 800, (-200_i16) as u16, 0, 500]);
    table.resize(34, 0);
    table.extend_from_slice(&1_u16.to_be_bytes());
    table
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}
