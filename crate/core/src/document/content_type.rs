//! What a document was made from.

use serde::{Deserialize, Serialize};

/// The kinds of document that a reader knows.
///
/// Stored by position (docs/format.md), so new kinds come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContentType {
    /// CommonMark with tables.
    Markdown,
    /// HTML.
    Html,
    /// Text without structure.
    Text,
    /// JSON, also with comments, also one value a line.
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// Rows of values, separated by commas, semicolons or tabs.
    Csv,
    /// PDF.
    Pdf,
    /// Word's documents, Office Open XML.
    Docx,
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// JavaScript, also with JSX.
    JavaScript,
    /// TypeScript, also with JSX.
    TypeScript,
    /// Go.
    Go,
    /// Java.
    Java,
    /// C.
    C,
}

impl ContentType {
    /// The MIME type, as in HTTP.
    pub fn mime(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Text => "text/plain",
            Self::Json => "application/json",
            Self::Yaml => "application/yaml",
            Self::Toml => "application/toml",
            Self::Csv => "text/csv",
            Self::Pdf => "application/pdf",
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Rust => "text/x-rust",
            Self::Python => "text/x-python",
            Self::JavaScript => "text/javascript",
            Self::TypeScript => "text/x-typescript",
            Self::Go => "text/x-go",
            Self::Java => "text/x-java",
            Self::C => "text/x-c",
        }
    }

    /// Whether it is data, whose headings are key paths.
    pub fn is_data(self) -> bool {
        matches!(self, Self::Json | Self::Yaml | Self::Toml | Self::Csv)
    }

    /// Whether it is source code, whose headings are symbols.
    pub fn is_code(self) -> bool {
        use ContentType::{C, Go, Java, JavaScript, Python, Rust, TypeScript};
        matches!(self, Rust | Python | JavaScript | TypeScript | Go | Java | C)
    }

    /// Whether its sections are exact units, symbols or keys, and its text is the source.
    pub fn is_structured(self) -> bool {
        self.is_code() || self.is_data()
    }
}
