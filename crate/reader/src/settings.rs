//! How to read.

use serde::{Deserialize, Serialize};

/// How to read. See the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReadSettings {
    /// What stands before every document's path in its URL: `https://example.org/docs/`, `/docs/` or, by default,
    /// nothing. Without it URLs are relative to the site's root. A missing `/` at the end is added.
    pub base_url: String,
    /// How the URL of a Markdown file follows from its path, default [`MarkdownUrl::Keep`].
    pub markdown_url: MarkdownUrl,
    /// Read documents whose front matter says `draft: true`, default false. Site generators leave drafts out of
    /// what they publish, so a hit in a draft would lead nowhere.
    pub include_drafts: bool,
    /// The language of documents that state none, as a BCP 47 tag (`de`, `pt-BR`). Default: empty, the language is
    /// taken from the text where that is sure.
    pub language: String,
}

/// How the URL of a Markdown file follows from its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MarkdownUrl {
    /// `a/b.md` stays `a/b.md`: the files are served as they are, or a program reads the hits.
    #[default]
    Keep,
    /// `a/b.md` becomes `a/b.html`, and `a/README.md`, `a/index.md` and `a/_index.md` become `a/`: mdBook.
    Html,
    /// `a/b.md` becomes `a/b/`, and the index files become `a/`: Hugo, MkDocs, Docusaurus and others.
    Directory,
}

impl ReadSettings {
    /// Sets [`Self::base_url`].
    #[must_use]
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = base_url.into();
        self
    }

    /// Sets [`Self::markdown_url`].
    #[must_use]
    pub fn markdown_url(mut self, markdown_url: MarkdownUrl) -> Self {
        self.markdown_url = markdown_url;
        self
    }

    /// Sets [`Self::include_drafts`].
    #[must_use]
    pub fn include_drafts(mut self, include_drafts: bool) -> Self {
        self.include_drafts = include_drafts;
        self
    }

    /// Sets [`Self::language`].
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Self {
        self.language = language.into();
        self
    }
}
