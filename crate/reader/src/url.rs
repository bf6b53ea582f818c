//! Where a reader opens a document.

use crate::{MarkdownUrl, ReadSettings};
use querent_core::document::ContentType;

/// The URL of the document at `path`: base URL and path, percent-encoded, index files as their directory.
pub(crate) fn of_path(path: &str, content_type: ContentType, settings: &ReadSettings) -> String {
    join(&settings.base_url, &encode_path(&site_path(path, content_type, settings)))
}

/// The URL that front matter asks for: absolute ones stay, paths are put behind the base URL's.
///
/// `None` for what is no web address (`javascript:` and its like would run in the reader's page) and for
/// patterns such as `/:year/:title/`, which only the generator can fill in.
pub(crate) fn of_front_matter(url: &str, settings: &ReadSettings) -> Option<String> {
    let url = url.trim();
    if ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Some(encode_url(url));
    }
    let pattern = url.split('/').any(|part| part.starts_with(':'));
    let scheme = url.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    let usable = !(url.is_empty() || url.starts_with("//") || pattern || scheme);
    usable.then(|| join(&settings.base_url, &encode_url(url.trim_start_matches('/'))))
}

/// `path` with its last part replaced by a front matter's `slug`, the extension kept.
pub(crate) fn with_slug(path: &str, slug: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let slug = slug.trim_matches('/');
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{slug}.{extension}")
}

/// The last part of `path`: what code and data are known by.
pub(crate) fn name_of_path(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

/// A title for a document that has none: the file's stem, or its folder's for an index file, as words.
pub(crate) fn title_of_path(path: &str) -> String {
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = if is_index(stem) { parts.next().unwrap_or(stem) } else { stem };
    let words = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut characters = words.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => path.to_owned(),
    }
}

fn is_index(stem: &str) -> bool {
    matches!(stem, "index" | "_index" | "README" | "readme")
}

fn site_path(path: &str, content_type: ContentType, settings: &ReadSettings) -> String {
    let path = path.trim_start_matches('/');
    let folder_len = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, name) = path.split_at(folder_len);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    match (content_type, settings.markdown_url) {
        (ContentType::Html, _) if stem == "index" => folder.to_owned(),
        (ContentType::Markdown, MarkdownUrl::Html | MarkdownUrl::Directory) if is_index(stem) => {
            folder.to_owned()
        }
        (ContentType::Markdown, MarkdownUrl::Html) => format!("{folder}{stem}.html"),
        (ContentType::Markdown, MarkdownUrl::Directory) => format!("{folder}{stem}/"),
        _ => path.to_owned(),
    }
}

fn join(base: &str, path: &str) -> String {
    match (base, path) {
        // An empty URL would mean the document that shows the hit.
        ("", "") => "./".to_owned(),
        ("", path) => path.to_owned(),
        (base, path) if base.ends_with('/') => format!("{base}{path}"),
        (base, path) => format!("{base}/{path}"),
    }
}

/// Percent-encodes a file's path. A colon too: at the beginning of a relative URL it would end a scheme.
fn encode_path(path: &str) -> String {
    encode(path, b"-._~/@!$&'()*+,;=")
}

/// Percent-encodes what may not stand in a URL at all: its author wrote `%` and `:` on purpose.
fn encode_url(url: &str) -> String {
    encode(url, b"-._~/@!$&'()*+,;=:%?")
}

fn encode(text: &str, keep: &[u8]) -> String {
    let mut url = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || keep.contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use ContentType::{Html, Markdown, Text};

    #[test]
    fn paths() {
        let rows = [
            ("a/b.html", Html, "", MarkdownUrl::Keep, "a/b.html"),
            ("a/index.html", Html, "", MarkdownUrl::Keep, "a/"),
            ("index.html", Html, "", MarkdownUrl::Keep, "./"),
            ("index.html", Html, "/docs", MarkdownUrl::Keep, "/docs/"),
            ("a/b.html", Html, "https://x.org/d/", MarkdownUrl::Keep, "https://x.org/d/a/b.html"),
            ("a b/ü#?.html", Html, "/", MarkdownUrl::Keep, "/a%20b/%C3%BC%23%3F.html"),
            ("a/b.md", Markdown, "", MarkdownUrl::Keep, "a/b.md"),
            ("a:50%.md", Markdown, "", MarkdownUrl::Keep, "a%3A50%25.md"),
            ("a/README.md", Markdown, "", MarkdownUrl::Keep, "a/README.md"),
            ("a/README.md", Markdown, "", MarkdownUrl::Html, "a/"),
            ("a/b.md", Markdown, "", MarkdownUrl::Html, "a/b.html"),
            ("a/b.md", Markdown, "/", MarkdownUrl::Directory, "/a/b/"),
            ("a/_index.md", Markdown, "/", MarkdownUrl::Directory, "/a/"),
            ("a.txt", Text, "", MarkdownUrl::Html, "a.txt"),
        ];
        for (path, content_type, base, markdown_url, expected) in rows {
            let settings = ReadSettings::default().base_url(base).markdown_url(markdown_url);
            assert_eq!(of_path(path, content_type, &settings), expected, "{path} {base} {markdown_url:?}");
        }
    }

    #[test]
    fn front_matter() {
        let rows = [
            ("/a/b/", Some("/docs/a/b/")),
            ("a", Some("/docs/a")),
            ("/a%20b?c=d", Some("/docs/a%20b?c=d")),
            ("https://x.org/a b", Some("https://x.org/a%20b")),
            ("javascript:alert(1)", None),
            ("//evil.example/", None),
            ("/:year/:title/", None),
            (" ", None),
        ];
        for (url, expected) in rows {
            let settings = ReadSettings::default().base_url("/docs/");
            assert_eq!(of_front_matter(url, &settings).as_deref(), expected, "{url}");
        }
        assert_eq!(with_slug("a/b.md", "c"), "a/c.md");
        assert_eq!(with_slug("b.md", "/c/"), "c.md");
    }

    #[test]
    fn titles() {
        let rows = [
            ("a/getting-started.md", "Getting started"),
            ("snake_case.html", "Snake case"),
            ("guide/index.html", "Guide"),
            ("index.html", "Index"),
            ("a/ünder.txt", "Ünder"),
            ("---.md", "---.md"),
            ("", ""),
        ];
        for (path, expected) in rows {
            assert_eq!(title_of_path(path), expected, "{path}");
        }
    }
}
