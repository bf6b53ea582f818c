//! Nouns: their number, and whether they take an article.

use super::{Table, table};
use std::sync::LazyLock;

/// Words ending in -s that are not plurals.
static SINGULAR_IN_S: Table = LazyLock::new(|| {
    table(
        "address alias always analysis aws axis basis bias bus canvas chaos cors css dns emphasis gas \
     has https ios is its jenkins js kubernetes lens macos news os physics plus rails redis sass series \
     status synopsis this thus tls versus windows was does postgres axios ps ls",
    )
});

/// Plurals without -s.
const PLURALS: &[&str] =
    &["children", "criteria", "indices", "media", "people", "vertices", "matrices", "schemata"];

/// Nouns without an article in the singular.
static MASS: Table = LazyLock::new(|| {
    table(
        "access code concurrency content control data debt documentation feedback flow hardware help info \
     information inheritance input memory metadata middleware output parallelism performance polymorphism \
     privacy safety security semver software state storage support syntax text time traffic behavior work",
    )
});

/// Endings of nouns without an article in the singular, where nothing in the text says otherwise.
const MASS_ENDINGS: &[&str] = &["ship", "ness", "ism", "ility", "ware", "ancy", "ency", "age", "phy", "tion"];

/// See [`makes_gerund_a_thing`].
static AFTER_GERUND: Table = LazyLock::new(|| {
    table(
        "algorithm attributes behavior blocks context convention conventions directory guide guidelines logic keys mode \
         operator operators options order point process profile rules scope semantics strategies strategy style \
         system tool tools pipeline",
    )
});

/// Whether a noun (in lower case) is plural.
pub(in crate::question) fn is_plural(noun: &str) -> bool {
    let last = noun.rsplit(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or(noun);
    PLURALS.contains(&last)
        || last.len() > 2
            && last.ends_with('s')
            && !["ss", "us", "is", "'s", "’s"].iter().any(|ending| last.ends_with(ending))
            && !SINGULAR_IN_S.contains(last)
}

/// Whether a singular noun (in lower case) takes no article.
pub(in crate::question) fn is_mass(noun: &str) -> bool {
    MASS.contains(noun)
        || noun.len() > 4 && noun.ends_with("ing")
        || MASS_ENDINGS.iter().any(|ending| noun.len() > ending.len() + 2 && noun.ends_with(ending))
}

/// Whether a noun after a gerund makes it a thing ("building blocks"), not an action ("building sites").
pub(in crate::question) fn makes_gerund_a_thing(noun: &str) -> bool {
    AFTER_GERUND.contains(noun)
}

/// Nouns that end as adjectives do.
static NOUNS_LIKE_ADJECTIVES: Table = LazyLock::new(|| {
    table(
        "compiler parser server user browser header parameter number buffer pointer counter linker folder iterator \
         caller worker integer signal directive primitive container identifier order literal topic terminal seed \
         feed signal interval archive table variable",
    )
});

/// Whether `word` may be an adjective that stands for nothing alone ("the latter", "the new").
pub(in crate::question) fn is_adjective(word: &str) -> bool {
    let ends_so = ["able", "ible", "ful", "ous", "ive", "ed", "al", "ic", "ly", "er"]
        .iter()
        .any(|end| word.ends_with(end));
    ends_so && !NOUNS_LIKE_ADJECTIVES.contains(word)
        || ["new", "old", "right", "left", "main", "rest", "end", "whole"].contains(&word)
}
