//! Markdown: CommonMark with tables, footnotes, task lists and the extensions that generators share.
//!
//! The text of the document is the source itself, so a hit can be shown in an editor. Steps: front matter is
//! taken off the beginning ([`front_matter`]), directives of generators are covered ([`directive`]), the parser's
//! events are laid over the source as spans and headings ([`walk`]). HTML in between is understood as far as
//! text and headings go ([`inline_html`]); its scripts and styles are left out.

mod directive;
mod front_matter;
mod inline_html;
mod slug;
mod walk;

use crate::{ReadError, ReadSettings, Reading, url};
use front_matter::FrontMatter;
use querent_core::document::{ContentType, Document, DocumentWeight, SectionTree, SpanKind};
use std::collections::BTreeMap;
use walk::Outline;

/// Reads Markdown.
pub(crate) fn read(path: &str, text: String, settings: &ReadSettings) -> Result<Reading, ReadError> {
    let mut warnings = Vec::new();
    let block = front_matter::find(&text);
    let front_matter = match block.as_ref().map(|block| front_matter::parse(&text, block)) {
        Some(Ok(front_matter)) => front_matter,
        Some(Err(warning)) => {
            warnings.push(warning);
            FrontMatter::default()
        }
        None => FrontMatter::default(),
    };
    if front_matter.draft && !settings.include_drafts {
        let reason = "its front matter says `draft: true`; set `include_drafts` to read it".to_owned();
        return Err(ReadError::Skipped { path: path.to_owned(), reason });
    }
    if front_matter.excluded {
        let reason =
            "its front matter says `search: {exclude: true}`; remove that to have it indexed".to_owned();
        return Err(ReadError::Skipped { path: path.to_owned(), reason });
    }
    // Generators show the description above the body, and it says best what the document is about. Where the
    // body is made of directives it is all there is to find the document by.
    let description = front_matter.metadata.get("description").filter(|words| !words.trim().is_empty());
    let lead = description.zip(block.as_ref()).and_then(|(it, block)| front_matter::place(&text, block, it));
    let outline = walk::outline(&text, lead, block.map_or(0, |block| block.end));
    if outline.spans.is_empty() {
        return Err(ReadError::Empty { path: path.to_owned(), found: "no more than front matter or markup" });
    }
    let document = document(path, text, front_matter, outline, settings, &mut warnings);
    Ok(Reading { document, warnings, has_body_marker: false })
}

fn document(
    path: &str,
    text: String,
    front_matter: FrontMatter,
    outline: Outline,
    settings: &ReadSettings,
    warnings: &mut Vec<String>,
) -> Document {
    let url = url_of(path, &front_matter, settings, warnings);
    let title = front_matter.title.or_else(|| title_of(&outline));
    let filters = (!front_matter.tags.is_empty()).then(|| ("tag".to_owned(), front_matter.tags));
    Document {
        path: path.to_owned(),
        url,
        title: title.unwrap_or_else(|| url::title_of_path(path)),
        language: front_matter.language,
        content_type: ContentType::Markdown,
        sections: SectionTree::from_headings(text.len(), outline.headings),
        spans: outline.spans,
        text,
        metadata: front_matter.metadata,
        filters: filters.into_iter().collect::<BTreeMap<_, _>>(),
        weight: front_matter.boost.and_then(DocumentWeight::new).unwrap_or_default(),
    }
}

fn url_of(
    path: &str,
    front_matter: &FrontMatter,
    settings: &ReadSettings,
    warnings: &mut Vec<String>,
) -> String {
    if let Some(url) = &front_matter.url {
        match url::of_front_matter(url, settings) {
            Some(url) => return url,
            None => warnings.push(format!(
                "the front matter's URL {url:?} is no web address or path; the file's path is used instead"
            )),
        }
    }
    match &front_matter.slug {
        Some(slug) => url::of_path(&url::with_slug(path, slug), ContentType::Markdown, settings),
        None => url::of_path(path, ContentType::Markdown, settings),
    }
}

/// The first heading of level 1, or a heading of any level that the document begins with.
fn title_of(outline: &Outline) -> Option<String> {
    let first = outline.headings.iter().find(|(_, level, ..)| *level == 1);
    let begins = || {
        let opens = outline.spans.first().is_some_and(|span| span.kind == SpanKind::Heading);
        outline.headings.first().filter(|_| opens)
    };
    first.or_else(begins).map(|(_, _, words, _)| words.clone())
}

#[cfg(test)]
mod tests;
