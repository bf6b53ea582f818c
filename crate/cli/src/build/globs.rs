//! `--include` and `--exclude`.

use crate::Usage;
use anyhow::Result;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// Decides by a document's path, relative to its INPUT.
///
/// A pattern without `/` matches at any depth, as in `.gitignore`; a pattern that matches a folder matches all
/// that is in it.
#[derive(Debug)]
pub(crate) struct Globs {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Globs {
    /// Compiles the patterns. Without any `include` everything is included.
    ///
    /// # Errors
    /// When a pattern is wrong; the message names it.
    pub(crate) fn new(include: &[String], exclude: &[String]) -> Result<Self> {
        let include = if include.is_empty() { None } else { Some(compile(include)?) };
        Ok(Self { include, exclude: compile(exclude)? })
    }

    /// Whether `--include` says what is wanted.
    pub(crate) fn has_include(&self) -> bool {
        self.include.is_some()
    }

    /// Whether the document is to be indexed.
    pub(crate) fn matches(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|include| include.is_match(path)) && !self.exclude.is_match(path)
    }
}

fn compile(patterns: &[String]) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let bare = pattern.trim_start_matches("./").trim_end_matches('/');
        let anywhere = if bare.contains('/') { String::new() } else { "**/".to_owned() };
        let bare = bare.trim_start_matches('/');
        for variant in [format!("{anywhere}{bare}"), format!("{anywhere}{bare}/**")] {
            let glob = GlobBuilder::new(&variant)
                .literal_separator(true)
                .build()
                .map_err(|error| Usage(format!("glob {pattern:?}: {}", error.kind())))?;
            set.add(glob);
        }
    }
    Ok(set.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let strings = |patterns: &[&str]| patterns.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let rows: [(&[&str], &[&str], &str, bool); 11] = [
            (&[], &[], "a/b.md", true),
            (&["*.md"], &[], "a/b.md", true),
            (&["*.md"], &[], "a/b.html", false),
            (&["**/*.md"], &[], "b.md", true),
            (&["a/*.md"], &[], "a/c/b.md", false),
            (&["a"], &[], "a/c/b.md", true),
            (&[], &["drafts/"], "x/drafts/b.md", false),
            (&[], &["/drafts"], "x/drafts/b.md", true),
            (&[], &["./x/drafts"], "x/drafts/b.md", false),
            (&["*.{md,html}"], &["b.*"], "a/b.md", false),
            (&["*.{md,html}"], &["b.*"], "a/c.html", true),
        ];
        for (include, exclude, path, expected) in rows {
            let globs = Globs::new(&strings(include), &strings(exclude)).expect("compiles");
            assert_eq!(globs.matches(path), expected, "{include:?} {exclude:?} {path}");
        }
        assert!(Globs::new(&strings(&["a["]), &[]).expect_err("is wrong").to_string().contains("a["));
    }
}
