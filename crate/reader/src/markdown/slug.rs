//! Anchors of headings as GitHub, mdBook and most generators make them.

use std::collections::{HashMap, HashSet};

/// Gives the headings of one document their anchors, each a different one.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    used: HashSet<String>,
    repeats: HashMap<String, usize>,
}

impl Slugs {
    /// The anchor of a heading with its own id (`{#id}`). It is taken as it is, even a second time.
    pub(crate) fn own(&mut self, id: &str) -> String {
        self.used.insert(id.to_owned());
        id.to_owned()
    }

    /// The anchor of a heading that reads `words`: its slug, with `-1`, `-2` ... where that is taken. `None` for
    /// a heading without a letter or digit, which generators give no usable anchor.
    pub(crate) fn of(&mut self, words: &str) -> Option<String> {
        let slug = slug(words);
        if slug.is_empty() {
            return None;
        }
        if self.used.insert(slug.clone()) {
            return Some(slug);
        }
        let repeat = self.repeats.entry(slug.clone()).or_insert(0);
        loop {
            *repeat += 1;
            let numbered = format!("{slug}-{repeat}");
            if self.used.insert(numbered.clone()) {
                return Some(numbered);
            }
        }
    }
}

/// Lower case; letters, digits, `_` and `-` kept; each white space a `-`; the rest dropped.
fn slug(words: &str) -> String {
    let mut slug = String::with_capacity(words.len());
    for character in words.trim().chars() {
        if character.is_alphanumeric() || matches!(character, '_' | '-') {
            slug.extend(character.to_lowercase());
        } else if character.is_whitespace() {
            slug.push('-');
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs() {
        let rows = [
            ("Getting Started", Some("getting-started")),
            ("`Option<T>` & you", Some("optiont--you")),
            ("snake_case-kebab", Some("snake_case-kebab")),
            ("Über uns", Some("über-uns")),
            ("日本語 見出し", Some("日本語-見出し")),
            ("  What's new?  ", Some("whats-new")),
            ("???", None),
        ];
        for (words, expected) in rows {
            assert_eq!(Slugs::default().of(words).as_deref(), expected, "{words}");
        }
    }

    #[test]
    fn repeats_are_numbered() {
        let mut slugs = Slugs::default();
        let own = slugs.own("b");
        let given: Vec<_> = ["a", "a", "a-1", "a", "b"].iter().filter_map(|words| slugs.of(words)).collect();
        assert_eq!(own, "b");
        assert_eq!(given, ["a", "a-1", "a-1-1", "a-2", "b-1"]);
    }
}
