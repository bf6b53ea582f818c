//! The outline of a PDF, which viewers show beside its pages.

use super::strings;
use hayro_interpret::hayro_syntax::{
    Pdf,
    object::{Array, Dict, MaybeRef, ObjRef, Object, ObjectIdentifier, String as PdfString},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Deref,
};

/// Entries that are read, and nodes of the tree of named places. Circles end here.
const MOST_ENTRIES: usize = 20_000;
/// Levels of entries that become headings.
const MOST_DEPTH: u8 = 6;
/// Characters of an entry.
const MOST_WORDS: usize = 200;

/// An entry of the outline.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) words: String,
}

/// Entries by page.
#[derive(Debug, Default)]
pub(super) struct Outline(BTreeMap<usize, Vec<Heading>>);

impl Outline {
    /// The entries that lead to the page at `index`, from 0, in their order.
    pub(super) fn of_page(&self, index: usize) -> &[Heading] {
        self.0.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// The language that the file states.
pub(super) fn language(pdf: &Pdf) -> Option<String> {
    let language = catalog(pdf)?.get::<PdfString<'_>>("Lang")?;
    let tag = strings::text(language.as_bytes());
    let is_tag =
        !tag.is_empty() && tag.len() <= 12 && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_tag.then_some(tag)
}

/// Reads the outline; empty where there is none.
pub(super) fn read(pdf: &Pdf) -> Outline {
    let Some(catalog) = catalog(pdf) else { return Outline::default() };
    let pages = pdf.pages().iter().enumerate();
    let pages = pages.filter_map(|(index, page)| Some((page.raw().obj_id()?, index))).collect();
    let mut reader =
        Reader { pages, names: names(&catalog), seen: HashSet::new(), outline: Outline::default() };
    if let Some(root) = catalog.get::<Dict<'_>>("Outlines") {
        reader.entries(root);
    }
    reader.outline
}

fn catalog(pdf: &Pdf) -> Option<Dict<'_>> {
    pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())
}

struct Reader<'a> {
    pages: HashMap<ObjectIdentifier, usize>,
    names: HashMap<Vec<u8>, Object<'a>>,
    seen: HashSet<ObjRef>,
    outline: Outline,
}

impl<'a> Reader<'a> {
    /// All entries below `root`, depth first.
    fn entries(&mut self, root: Dict<'a>) {
        let mut waiting: Vec<(u8, Dict<'a>)> = Vec::new();
        let first = self.follow(&root, "First");
        waiting.extend(first.map(|entry| (1, entry)));
        while let Some((level, entry)) = waiting.pop() {
            self.entry(level, &entry);
            let next = self.follow(&entry, "Next");
            waiting.extend(next.map(|next| (level, next)));
            let child = self.follow(&entry, "First");
            waiting.extend(child.map(|child| (level + 1, child)).filter(|&(level, _)| level <= MOST_DEPTH));
        }
    }

    /// The entry behind `key`, unless it was met before.
    fn follow(&mut self, entry: &Dict<'a>, key: &str) -> Option<Dict<'a>> {
        let is_new = self.seen.len() < MOST_ENTRIES && self.seen.insert(entry.get_ref(key)?);
        entry.get::<Dict<'a>>(key).filter(|_| is_new)
    }

    fn entry(&mut self, level: u8, entry: &Dict<'a>) {
        let words = entry.get::<PdfString<'_>>("Title").map(|title| strings::text(title.as_bytes()));
        let words = words.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let words: String = words.chars().take(MOST_WORDS).collect();
        let place =
            entry.get::<Object<'a>>("Dest").or_else(|| entry.get::<Dict<'a>>("A")?.get::<Object<'a>>("D"));
        if let Some(page) = place.and_then(|place| self.page(place, 0)).filter(|_| !words.is_empty()) {
            self.outline.0.entry(page).or_default().push(Heading { level, words });
        }
    }

    /// The page that a place lies on: a page, or the name of a place.
    fn page(&self, place: Object<'a>, depth: u8) -> Option<usize> {
        if depth > 4 {
            return None;
        }
        match place {
            Object::Array(array) => page_of(&array, &self.pages),
            Object::Dict(dict) => self.page(dict.get::<Object<'a>>("D")?, depth + 1),
            Object::String(name) => self.page(self.names.get(name.as_bytes())?.clone(), depth + 1),
            Object::Name(name) => self.page(self.names.get(name.deref())?.clone(), depth + 1),
            _ => None,
        }
    }
}

fn page_of(place: &Array<'_>, pages: &HashMap<ObjectIdentifier, usize>) -> Option<usize> {
    match place.raw_iter().next()? {
        MaybeRef::Ref(page) => pages.get(&page.into()).copied(),
        MaybeRef::NotRef(number) => usize::try_from(number.into_i32()?).ok(),
    }
}

/// Named places: a dictionary in old files, a tree in newer ones.
fn names<'a>(catalog: &Dict<'a>) -> HashMap<Vec<u8>, Object<'a>> {
    let mut names = HashMap::new();
    if let Some(places) = catalog.get::<Dict<'a>>("Dests") {
        for key in places.keys().take(MOST_ENTRIES) {
            let place = places.get::<Object<'a>>(key.deref());
            names.extend(place.map(|place| (key.deref().to_vec(), place)));
        }
    }
    let tree = catalog.get::<Dict<'a>>("Names").and_then(|it| it.get::<Dict<'a>>("Dests"));
    let mut waiting: Vec<Dict<'a>> = tree.into_iter().collect();
    let mut visited = 0;
    while let Some(node) = waiting.pop() {
        visited += 1;
        if visited > MOST_ENTRIES || names.len() > MOST_ENTRIES {
            break;
        }
        if let Some(children) = node.get::<Array<'a>>("Kids") {
            waiting.extend(children.iter::<Dict<'a>>().take(MOST_ENTRIES));
        }
        let Some(pairs) = node.get::<Array<'a>>("Names") else { continue };
        let mut pairs = pairs.iter::<Object<'a>>();
        while let (Some(name), Some(place)) = (pairs.next(), pairs.next()) {
            if let Object::String(name) = name {
                names.insert(name.as_bytes().to_vec(), place);
            }
        }
    }
    names
}
