//! English by tables: words that no subject or question may hold, articles, and the forms of verbs and nouns.

mod nouns;
mod verbs;

pub(in crate::question) use nouns::*;
pub(in crate::question) use verbs::*;

use std::{collections::HashSet, sync::LazyLock};

/// A table of words.
pub(in crate::question) type Table = LazyLock<HashSet<&'static str>>;

/// The words of `list`, which spaces separate.
pub(in crate::question) fn table(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// Words that no subject may hold: with one of them it is a clause, or means nothing away from its place.
static NOT_IN_SUBJECT: Table = LazyLock::new(|| {
    table(
        "i you we he she it they them us me my your our their its this that these those there here who whom \
     whose which what when where why how if unless whether because since while although though as than \
     then so but not no nor each every any some all both either neither many most more much few several \
     other another others such same own one two three four five six seven eight nine ten first second third next last previous following \
     above below is are was were be been being am has have had do does did can could will would shall \
     should may might must let lets let's also however note now only just even very too still yet already \
     again let’s don't doesn't among amid nevertheless nonetheless meanwhile moreover furthermore further whereby example listing figure chapter section table appendix step by from into \
     onto after before during until via using about between through within without see please instead \
     under over across against along around behind beyond beside rather otherwise therefore finally additionally getting once sometimes usually thing things something anything everything \
     nothing way ways reason result part rest kind lot bit etc question answer idea point goal hence",
    )
});

/// Words that mean nothing away from the chunk, wherever they stand in a question.
static VAGUE: Table = LazyLock::new(|| {
    table(
        "this these those it its they them their he she his her here above below following previous we us our \
     you your listing figure chapter section it's you're we're they're you've we've there such former \
     latter aforementioned something things thing so itself themselves one ones respectively it’s again \
     you’re we’re you’ll you'll we'll we’ll accordingly earlier later likewise same example step \
     e.g i.e etc you'd we'd you’d we’d now today both other others another",
    )
});

/// Words that do not end a phrase.
static NOT_AT_END: Table = LazyLock::new(|| {
    table(
        "a an the of to in for with on at by from into and or but as than that is are be not no my more very \
     only also just any some each every all per via using between without like about over under when \
     whether if how what which i can will should must may has have do next previous \
     first second last own both either sometimes indicating containing specifying including representing \
     describing meaning consisting depending starting ending showing providing allowing requiring because fact follows",
    )
});

/// Whether `word` (in lower case) may be part of a subject.
pub(in crate::question) fn is_allowed_in_subject(word: &str) -> bool {
    let word = word.replace('’', "'");
    let is_contraction = ["n't", "'ve", "'re", "'ll", "'d", "'m"].iter().any(|end| word.ends_with(end));
    !is_contraction && !NOT_IN_SUBJECT.contains(word.as_str())
}

/// Nouns that mean a place of the document itself, unless any such place is meant: "a section".
const PLACES: &[&str] = &["chapter", "example", "figure", "listing", "section", "step", "table"];

/// Whether what follows `word` may be any of its kind.
fn names_any(word: &str) -> bool {
    ["a", "an", "any", "each", "every", "no"].contains(&word)
}

/// Whether `word` behind `article` (both in lower case) may end a subject.
pub(in crate::question) fn is_allowed_behind(article: &str, word: &str) -> bool {
    names_any(article) && PLACES.contains(&word) || is_allowed_in_subject(word)
}

/// Where the words begin to mean nothing away from their chunk. "One" is vague without its noun: "one tab".
pub(in crate::question) fn first_vague<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let lower = |at: usize| words.get(at).map(|word: &T| word.as_ref().to_lowercase());
    (0..words.len()).find(|&at| {
        let counts = || lower(at + 1).is_some_and(|next| is_allowed_in_subject(&next) && may_end(&next));
        let is_indefinite = || at > 0 && lower(at - 1).is_some_and(|article| names_any(&article));
        lower(at).filter(|word| VAGUE.contains(word.as_str())).is_some_and(|word| match word.as_str() {
            "one" => !counts(),
            place => !(PLACES.contains(&place) && is_indefinite()),
        })
    })
}

/// Whether a phrase may end with `word` (in lower case).
pub(in crate::question) fn may_end(word: &str) -> bool {
    !NOT_AT_END.contains(word)
}

/// Whether `word` is an article.
pub(in crate::question) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

/// "a" or "an" before `word`, by its spelling.
pub(in crate::question) fn indefinite_article(word: &str) -> &'static str {
    let lower = word.to_lowercase();
    let sounds_consonant = ["uni", "use", "usa", "usi", "uti", "eu", "one", "once", "ubi", "ura"];
    let sounds_vowel =
        ["hour", "honest", "honor", "heir", "html", "http", "xml", "sql", "ssh", "mdbook", "rss"];
    let is_acronym = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_vowel = if sounds_consonant.iter().any(|start| lower.starts_with(start)) {
        false
    } else if sounds_vowel.iter().any(|start| lower.starts_with(start)) {
        true
    } else if is_acronym {
        lower.starts_with(['a', 'e', 'f', 'h', 'i', 'l', 'm', 'n', 'o', 'r', 's', 'x'])
    } else {
        lower.starts_with(['a', 'e', 'i', 'o', 'u'])
    };
    if is_vowel { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gerunds() {
        for (gerund, base) in [
            ("installing", Some("install")),
            ("running", Some("run")),
            ("using", Some("use")),
            ("calling", Some("call")),
            ("passing", Some("pass")),
            ("copying", Some("copy")),
            ("panicking", Some("panic")),
            ("string", None),
            ("dangling", None),
            ("ing", None),
        ] {
            assert_eq!(base_of_gerund(gerund).as_deref(), base, "{gerund}");
        }
    }

    #[test]
    fn third_persons() {
        for (word, base) in [
            ("returns", Some("return")),
            ("copies", Some("copy")),
            ("matches", Some("match")),
            ("strings", None),
        ] {
            assert_eq!(base_of_third_person(word).as_deref(), base, "{word}");
        }
    }

    #[test]
    fn plurals_and_articles() {
        for (noun, expected) in [
            ("slices", true),
            ("class", false),
            ("status", false),
            ("alias", false),
            ("indices", true),
            ("os", false),
        ] {
            assert_eq!(is_plural(noun), expected, "{noun}");
        }
        for (noun, article) in
            [("enum", "an"), ("trait", "a"), ("union", "a"), ("HTML page", "an"), ("URL", "a"), ("RFC", "an")]
        {
            assert_eq!(indefinite_article(noun), article, "{noun}");
        }
    }
}
