//! Languages: which stemmer belongs to a document's words.
//!
//! English is always there, because identifiers, options and error messages are English in documents of every
//! language. The others are compiled in with the feature `languages`; without it a document in another language
//! is found by the words as they are written.
//!
//! Two forms of a word need not stand beside each other in the dictionary: `Haus` and `Häuser`, or an Arabic noun
//! with its article in front of it. [`Language::stretch`] is where a query looks for the forms of a stem, and
//! [`Language::distant_stem`] is the term by which a document has a word besides, whose form is not found there.

use super::script::is_mark;
use frostem::{Algorithm, Stemmer};
use std::borrow::Cow;

macro_rules! languages {
    ($($name:ident $($tag:literal)+;)+) => {
        /// A language with a stemmer.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Language {
            /// `en`
            English,
            $(
                #[doc = concat!($("`", $tag, "` "),+)]
                #[cfg(feature = "languages")]
                $name,
            )+
        }

        impl Language {
            /// All languages of this build.
            pub const ALL: &[Self] = &[Self::English, $(#[cfg(feature = "languages")] Self::$name),+];

            /// The language's subtag, as BCP 47 has it.
            pub fn tag(self) -> &'static str {
                self.tags()[0]
            }

            /// The language's subtag, then those of languages that are written alike.
            fn tags(self) -> &'static [&'static str] {
                match self {
                    Self::English => &["en"],
                    $(#[cfg(feature = "languages")] Self::$name => &[$($tag),+],)+
                }
            }

            fn algorithm(self) -> Algorithm {
                match self {
                    Self::English => Algorithm::English,
                    $(#[cfg(feature = "languages")] Self::$name => Algorithm::$name,)+
                }
            }
        }
    };
}

// All of the Snowball family but Serbian: its stems are in another script than half of its words.
languages! {
    Arabic "ar";
    Armenian "hy";
    Basque "eu";
    Catalan "ca";
    Czech "cs";
    Danish "da";
    Dutch "nl";
    Esperanto "eo";
    Estonian "et";
    Finnish "fi";
    French "fr";
    German "de";
    Greek "el";
    Hindi "hi";
    Hungarian "hu";
    Indonesian "id";
    Irish "ga";
    Italian "it";
    Lithuanian "lt";
    Nepali "ne";
    Norwegian "no" "nb" "nn";
    Persian "fa";
    Polish "pl";
    Portuguese "pt";
    Romanian "ro";
    Russian "ru";
    Sesotho "st";
    Spanish "es";
    Swedish "sv";
    Tamil "ta";
    Turkish "tr";
    Ukrainian "uk";
    Yiddish "yi";
}

/// A language of a segment, and the number by which its directory says it of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentLanguage {
    /// Position in the segment's list of languages, from 1.
    pub number: u8,
    /// The language.
    pub language: Language,
}

impl Language {
    /// The language of a BCP 47 tag (`de`, `pt-BR`, also `pt_BR`), by its first subtag. `None` where this build has no
    /// stemmer for it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let first = tag.trim().split(['-', '_']).next()?;
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.tags().iter().any(|tag| tag.eq_ignore_ascii_case(first)))
    }

    /// The Snowball stem of a term. What is no word of the language — identifiers, terms with digits, for English all
    /// other letters than a to z — is its own stem.
    pub fn stem(self, term: &str) -> Cow<'_, str> {
        let is_word = if self == Self::English {
            term.bytes().all(|byte| byte.is_ascii_lowercase())
        } else {
            term.chars().all(|c| c.is_alphabetic() || is_mark(c))
        };
        if is_word { Stemmer::new(self.algorithm()).stem(term) } else { Cow::Borrowed(term) }
    }

    /// What the forms of `stem` begin with, those apart that are indexed by their [distant
    /// stem](Self::distant_stem).
    ///
    /// Snowball changes at most the last letter that forms of a stem share (`happi`: happy, happiness; `hope`: hoping),
    /// so the stem without it begins most of them.
    pub fn stretch(stem: &str) -> &str {
        let last = stem.char_indices().next_back().map_or(0, |(at, _)| at);
        // The cut of a very short stem would be half the alphabet.
        if stem.chars().take(3).count() > 2 { &stem[..last] } else { stem }
    }

    /// The stem of `term` where a query would not come upon `term` when it looks for the stem's forms.
    pub fn distant_stem(self, term: &str) -> Option<String> {
        let stem = self.stem(term);
        let is_distant = !stem.is_empty() && !term.starts_with(Self::stretch(&stem));
        is_distant.then(|| stem.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags() {
        let check = |tag: &str, expected: Option<&str>| {
            assert_eq!(Language::of_tag(tag).map(Language::tag), expected, "{tag:?}");
        };
        check("en", Some("en"));
        check("en-GB", Some("en"));
        check(" EN_us ", Some("en"));
        check("zh-Hans", None);
        check("", None);
        #[cfg(feature = "languages")]
        for (tag, expected) in [("de-AT", "de"), ("nb", "no"), ("pt_BR", "pt")] {
            check(tag, Some(expected));
        }
    }

    #[test]
    fn english_stems() {
        for (term, expected) in [
            ("borrowing", "borrow"),
            ("borrowed", "borrow"),
            ("happiness", "happi"),
            ("e0502", "e0502"),
            ("café", "café"),
        ] {
            assert_eq!(Language::English.stem(term), expected);
        }
    }

    #[test]
    #[cfg(feature = "languages")]
    fn words_that_change_their_beginning_have_a_distant_stem() {
        let check = |language: Language, term: &str, expected: Option<&str>| {
            assert_eq!(language.distant_stem(term).as_deref(), expected, "{term}");
        };
        check(Language::German, "häuser", Some("haus"));
        check(Language::German, "hauses", None);
        check(Language::German, "größe", Some("gross"));
        check(Language::Arabic, "الكتاب", Some("كتاب"));
        check(Language::French, "chevaux", None);
        check(Language::English, "happiness", None);
    }

    proptest! {
        /// Whatever a reader gives: no stemmer fails, and every word is found by its stem.
        #[test]
        fn every_form_is_found(term in "\\w{1,24}") {
            let term = term.to_lowercase();
            for &language in Language::ALL {
                let stem = language.stem(&term).into_owned();
                let is_near = term.starts_with(Language::stretch(&stem));
                let distant = language.distant_stem(&term);
                prop_assert!(is_near || stem.is_empty() || distant.as_deref() == Some(stem.as_str()));
                prop_assert!(stem.starts_with(Language::stretch(&stem)));
            }
        }
    }
}
