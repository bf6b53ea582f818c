//! PDF: the text of its pages in the order in which people read them.
//!
//! A PDF says where each glyph stands and nothing about words, lines or columns. Steps: the file is opened, its
//! cross-references repaired where they are damaged, and encrypted ones read where the password is empty (hayro); each
//! page is drawn on a device that keeps glyphs and draws nothing ([`device`]); glyphs become lines ([`line`]), lines
//! columns and blocks ([`column`]), and those the text of the document, words hyphenated at a line's end joined
//! ([`compose`]). The file's own outline gives the headings ([`outline`]).
//!
//! Every page is a section, with the anchor that viewers understand (`page=3`); headings of the outline are sections
//! above them. Images are never decoded. What is done for one file is bounded: the calls of the device, the size of what
//! is unpacked ([`bomb`]), and a panic of the interpreter is an error of the file.

mod bomb;
mod column;
mod compose;
mod device;
#[cfg(not(feature = "pdf-fonts"))]
mod font;
mod line;
mod outline;
mod strings;

use crate::{ReadError, ReadSettings, Reading, url};
use compose::Composer;
use device::{Device, Exhausted};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, hayro_syntax, interpret_page, kurbo};
#[cfg(not(feature = "pdf-fonts"))]
use hayro_interpret::{font::FontQuery, hayro_cmap::CMapName};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use kurbo::{Affine, Rect};
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Most bytes that the drawing instructions of all pages unpack to: a thousand pages have a hundredth of that. Pages may
/// share one stream, each with a copy of its own in memory.
const MOST_INSTRUCTIONS: usize = 192 << 20;

/// Reads a PDF.
pub(crate) fn read(path: &str, bytes: &[u8], settings: &ReadSettings) -> Result<Reading, ReadError> {
    let unreadable = |found: &str, remedy| ReadError::Unreadable {
        path: path.to_owned(),
        expected: "a PDF",
        found: found.to_owned(),
        remedy,
    };
    const LACKS_TABLES: &str =
        "the tables that it needs are left out of browsers; index it with `querent build`";
    const REPAIR: &str = "repair the file or exclude it";
    if bomb::is_in(bytes) {
        return Err(unreadable("one that unpacks to more than 256 MB", REPAIR));
    }
    // The interpreter has not panicked on any file that we know, but files come from anywhere.
    let pages = catch_unwind(AssertUnwindSafe(|| pages(bytes)));
    let pages = match pages {
        Ok(pages) => pages.map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
                unreadable("one that asks for a password", "save it without a password or exclude it")
            }
            LoadPdfError::Decryption(_) => {
                unreadable("an encryption that cannot be read", "save it without encryption or exclude it")
            }
            LoadPdfError::Invalid => unreadable("a damaged file without readable pages", REPAIR),
        })?,
        Err(panic) if panic.is::<Exhausted>() => {
            return Err(unreadable("drawings beyond every measure", "split the file or exclude it"));
        }
        Err(_) => return Err(unreadable("a damaged file that its interpreter gave up on", REPAIR)),
    };
    if pages.composer.is_empty() && pages.lacks_tables {
        return Err(unreadable("text in fonts that are not embedded", LACKS_TABLES));
    }
    if pages.composer.is_empty() {
        let found = "a PDF without text (pictures of pages need text recognition first)";
        return Err(ReadError::Empty { path: path.to_owned(), found });
    }
    Ok(document(path, pages, settings))
}

/// What was read of the pages.
struct Pages {
    composer: Composer,
    count: usize,
    /// Pages that were read; others are beyond what is done for one file.
    read: usize,
    title: Option<String>,
    author: Option<String>,
    language: Option<String>,
    /// Glyphs that the file gives no character for, and all.
    unknown: (usize, usize),
    /// A font needs tables that this build does not carry (see the feature `pdf-fonts`).
    lacks_tables: bool,
}

fn pages(bytes: &[u8]) -> Result<Pages, LoadPdfError> {
    let pdf = Pdf::new(bytes.to_vec())?;
    let headings = outline::read(&pdf);
    let cache = InterpreterCache::new();
    let mut composer = Composer::default();
    let mut budget = device::BUDGET;
    let lacks_tables = Arc::new(AtomicBool::new(false));
    let settings = settings(&lacks_tables);
    let mut unknown = (0, 0);
    let (mut instructions, mut read) = (0, 0);
    for (index, page) in pdf.pages().iter().enumerate() {
        instructions += page.page_stream().map_or(0, <[u8]>::len);
        if instructions > MOST_INSTRUCTIONS {
            break;
        }
        read = index + 1;
        let transform = Affine::new(page.initial_transform(true).as_coeffs());
        let (width, height) = page.render_dimensions();
        let area = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        let mut context = Context::new(transform, area, &cache, pdf.xref(), settings.clone());
        let mut device = Device::new(budget);
        interpret_page(page, &mut context, &mut device);
        budget = device.budget();
        let (layers, of_page) = device.finish();
        unknown = (unknown.0 + of_page.0, unknown.1 + of_page.1);
        let blocks = layers.into_iter().flat_map(|glyphs| column::blocks(line::segments(glyphs))).collect();
        composer.page(index + 1, blocks, headings.of_page(index));
    }
    let metadata = pdf.metadata();
    let text_of = |bytes: &Option<Box<[u8]>>| {
        bytes.as_deref().map(strings::text).filter(|it| strings::says_something(it))
    };
    Ok(Pages {
        composer,
        count: pdf.pages().len(),
        read,
        title: text_of(&metadata.title).and_then(|title| strings::title(&title)),
        author: text_of(&metadata.author),
        language: outline::language(&pdf),
        unknown,
        lacks_tables: lacks_tables.load(Ordering::Relaxed),
    })
}

#[cfg(feature = "pdf-fonts")]
fn settings(_: &Arc<AtomicBool>) -> InterpreterSettings {
    InterpreterSettings::default()
}

#[cfg(not(feature = "pdf-fonts"))]
fn settings(lacks_tables: &Arc<AtomicBool>) -> InterpreterSettings {
    let font = font::empty();
    let font_resolver = Arc::new(move |_: &FontQuery| Some((font.clone(), 0)));
    let asked = Arc::clone(lacks_tables);
    let cmap_resolver = Arc::new(move |_: CMapName<'_>| {
        asked.store(true, Ordering::Relaxed);
        None
    });
    InterpreterSettings { font_resolver, cmap_resolver, ..InterpreterSettings::default() }
}

fn document(path: &str, pages: Pages, settings: &ReadSettings) -> Reading {
    let Pages { composer, count, read, title, author, language, unknown, lacks_tables } = pages;
    let (text, spans, headings) = composer.finish();
    let mut metadata = BTreeMap::from([("pages".to_owned(), count.to_string())]);
    metadata.extend(author.map(|author| ("author".to_owned(), author)));
    let mut warnings = Vec::new();
    if unknown.0 * 10 > unknown.1 {
        let (unknown, all) = unknown;
        warnings.push(format!(
            "{unknown} of {all} glyphs have no character in the file, so their words cannot be found"
        ));
    }
    if read < count {
        warnings.push(format!(
            "only {read} of {count} pages were read: their instructions unpack to more than 192 MB"
        ));
    }
    if lacks_tables {
        warnings.push("some of its fonts are not embedded and their tables are left out of browsers, so their words cannot be found".into());
    }
    let document = Document {
        path: path.to_owned(),
        url: url::of_path(path, ContentType::Pdf, settings),
        title: title.unwrap_or_else(|| url::title_of_path(path)),
        language,
        content_type: ContentType::Pdf,
        sections: SectionTree::from_headings(text.len(), headings),
        spans,
        text,
        metadata,
        filters: BTreeMap::new(),
        weight: DocumentWeight::default(),
    };
    Reading { document, warnings, has_body_marker: false }
}

#[cfg(test)]
mod tests;
