//! What kind of document a file is: by its content first, by its name second.

use crate::{ReadError, Source, encoding};
use querent_core::document::ContentType;

/// The kind of document that `bytes` hold, or `None` for what is binary or of an unknown kind.
///
/// A file that begins as HTML is HTML under any name; otherwise the extension decides. Only the beginning of
/// `bytes` is looked at, so a caller may hand over the first 8 kB of a file to decide whether to read the rest.
pub fn content_type(path: &str, bytes: &[u8]) -> Option<ContentType> {
    if let Some(packed) = by_magic(path, bytes) {
        return Some(packed);
    }
    if binary_kind(bytes).is_some() {
        return None;
    }
    if begins_as_html(bytes) {
        return Some(ContentType::Html);
    }
    by_name(path)
}

/// As [`content_type`], with the reason where there is none.
pub(crate) fn require(source: &Source<'_>) -> Result<ContentType, ReadError> {
    let path = source.path.to_owned();
    if let Some(packed) = by_magic(source.path, source.bytes) {
        return Ok(packed);
    }
    if let Some(found) = binary_kind(source.bytes) {
        return Err(ReadError::Binary { path, found });
    }
    content_type(source.path, source.bytes).ok_or_else(|| {
        let found = match extension(source.path) {
            Some(extension) => format!("a file named .{extension}"),
            None => "a file without extension".to_owned(),
        };
        ReadError::Unsupported { path, found }
    })
}

/// Documents that are no text: known by their first bytes, or by their name where nothing contradicts it. A PDF may begin
/// behind something else, and readers accept that within the first kilobyte.
fn by_magic(path: &str, bytes: &[u8]) -> Option<ContentType> {
    let beginning = &bytes[..bytes.len().min(1024)];
    let is_pdf = beginning.windows(5).any(|window| window == b"%PDF-");
    let named = |name| extension(path).is_some_and(|it| it == name);
    if cfg!(feature = "pdf") && (bytes.starts_with(b"%PDF-") || named("pdf") && (is_pdf || bytes.is_empty()))
    {
        return Some(ContentType::Pdf);
    }
    // A DOCX is a ZIP archive like others; Word wraps encrypted ones into the container of its old formats.
    let is_zip = bytes.starts_with(b"PK\x03\x04");
    let is_wrapped = bytes.starts_with(b"\xd0\xcf\x11\xe0");
    let is_named =
        ["docx", "docm", "dotx"].into_iter().any(named) && (is_zip || is_wrapped || bytes.is_empty());
    let holds_document = || bytes.windows(17).any(|window| window == b"word/document.xml");
    if cfg!(feature = "docx") && (is_named || is_zip && holds_document()) {
        return Some(ContentType::Docx);
    }
    None
}

fn by_name(path: &str) -> Option<ContentType> {
    let Some(extension) = extension(path) else {
        let name = path.rsplit('/').next().unwrap_or(path);
        let known = ["README", "CHANGELOG", "CONTRIBUTING", "INSTALL", "NEWS", "AUTHORS"];
        return known.contains(&name).then_some(ContentType::Text);
    };
    match extension.as_str() {
        "md" | "markdown" | "mdown" | "mkd" | "mkdn" => Some(ContentType::Markdown),
        "html" | "htm" | "xhtml" => Some(ContentType::Html),
        "txt" | "text" => Some(ContentType::Text),
        "json" | "jsonc" | "jsonl" | "ndjson" | "geojson" => Some(ContentType::Json),
        "yaml" | "yml" => Some(ContentType::Yaml),
        "toml" => Some(ContentType::Toml),
        "csv" | "tsv" => Some(ContentType::Csv),
        "rs" => Some(ContentType::Rust),
        "py" | "pyi" => Some(ContentType::Python),
        "js" | "mjs" | "cjs" | "jsx" => Some(ContentType::JavaScript),
        "ts" | "mts" | "cts" | "tsx" => Some(ContentType::TypeScript),
        "go" => Some(ContentType::Go),
        "java" => Some(ContentType::Java),
        "c" | "h" => Some(ContentType::C),
        _ => None,
    }
}

fn extension(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then(|| extension.to_ascii_lowercase())
}

/// What the bytes are when they are not text.
fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 9] = [
        (b"%PDF-", "a PDF"),
        (b"PK\x03\x04", "a ZIP archive (DOCX, EPUB and others are such)"),
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\0asm", "a WebAssembly module"),
        (b"\x7fELF", "a program"),
        (b"wOF", "a font"),
    ];
    if let Some((_, kind)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(kind);
    }
    // A zero byte is git's sign too. UTF-16 is full of them and text all the same; HTML with a stray one is
    // read by browsers.
    let beginning = &bytes[..bytes.len().min(8_000)];
    let binary = beginning.contains(&0) && encoding::utf16(bytes).is_none() && !begins_as_html(bytes);
    binary.then_some("binary data (it has zero bytes)")
}

/// Whether the first thing in the file is a doctype or an `<html>` tag.
fn begins_as_html(bytes: &[u8]) -> bool {
    let beginning = encoding::decode_beginning(bytes);
    let mut rest = beginning.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some(end) = comment.find("-->") else { return false };
        rest = comment[end + 3..].trim_start();
    }
    if rest.starts_with("<?xml")
        && let Some(end) = rest.find("?>")
    {
        rest = rest[end + 2..].trim_start();
    }
    let starts = |prefix: &str| rest.get(..prefix.len()).is_some_and(|it| it.eq_ignore_ascii_case(prefix));
    let after = |prefix: &str| rest[prefix.len()..].starts_with(|c: char| c == '>' || c.is_whitespace());
    starts("<!doctype html") || (starts("<html") && after("<html"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ContentType::{Html, Markdown, Text};

    #[test]
    fn kinds() {
        let rows: [(&str, &[u8], Option<ContentType>); 22] = [
            ("a.md", b"# A", Some(Markdown)),
            ("a.MARKDOWN", b"", Some(Markdown)),
            ("a/b.c/d", b"text", None),
            ("README", b"text", Some(Text)),
            ("a.txt", b"text", Some(Text)),
            ("a.txt", b"<!DOCTYPE HTML><p>x", Some(Html)),
            ("a", b"\xef\xbb\xbf \n<html lang=en>", Some(Html)),
            ("a", b"<!-- x --> <!doctype html>", Some(Html)),
            ("a.xhtml", b"<?xml version='1.0'?><html xmlns=''>", Some(Html)),
            ("a", b"\xff\xfe<\0h\0t\0m\0l\0>\0", Some(Html)),
            ("a.md", b"<htmlish>", Some(Markdown)),
            ("a.htm", b"<p>x", Some(Html)),
            ("a.md", b"%PDF-1.7", cfg!(feature = "pdf").then_some(ContentType::Pdf)),
            ("a.docx", b"PK\x03\x04", cfg!(feature = "docx").then_some(ContentType::Docx)),
            ("a.zip", b"PK\x03\x04", None),
            ("a.md", b"a\0b", None),
            ("a.md", b"\xff\xfea\0b\0", Some(Markdown)),
            ("a.rs", b"fn main() {}", Some(ContentType::Rust)),
            ("a.yml", b"a: 1", Some(ContentType::Yaml)),
            ("a.cpp", b"int main() {}", None),
            (".md", b"x", None),
            ("", b"", None),
        ];
        for (path, bytes, expected) in rows {
            assert_eq!(content_type(path, bytes), expected, "{path} {bytes:?}");
        }
    }
}
