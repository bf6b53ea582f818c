//! What a question asks about: a noun phrase with its article and number.

use super::{
    casing::{Casing, is_identifier},
    grammar::{
        Table, base_of_gerund, indefinite_article, is_allowed_behind, is_article, is_mass, is_plural,
        is_verb, makes_gerund_a_thing, table,
    },
    passage::Word,
    rules::Context,
};
use std::sync::LazyLock;

/// A noun phrase as it stands inside a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// With its article where it takes one.
    pub(super) text: String,
    pub(super) is_plural: bool,
}

impl Subject {
    /// "is" or "are".
    pub(super) fn be(&self) -> &'static str {
        if self.is_plural { "are" } else { "is" }
    }

    /// "does" or "do".
    pub(super) fn does(&self) -> &'static str {
        if self.is_plural { "do" } else { "does" }
    }
}

/// Longest subject in words, the article not counted.
const MAX_WORDS: usize = 6;

/// Kinds of thing that stand before or after their name without being the name: "the `match` keyword".
pub(super) static KINDS: Table = LazyLock::new(|| {
    table(
        "attribute command constructor crate directive element enum expression field file flag function key \
     keyword lint macro method module operator option package parameter property shortcode statement \
     struct subcommand tag template trait type variable variant library tool class setting partial",
    )
});

/// Acronyms that are counted.
static ACRONYMS: Table = LazyLock::new(|| table("ABI API CLI FFI GUI ID IDE IR OS SDK UI URI URL"));

/// Nouns that mean nothing, whatever stands before them: "a common use case".
static VAGUE_HEADS: Table =
    LazyLock::new(|| table("case cases reason reasons fact facts point points note notes"));

/// Nouns that mean nothing with an article and nothing else.
static BARE: Table = LazyLock::new(|| {
    table(
        "code program value name line output error compiler user project number argument body default syntax \
     problem difference text content data list version item items values names arguments rules change \
     changes page site book concept process definition solution issue feature case cases term word end \
     start set documentation downside advantage disadvantage topic basics details mechanism approach \
     pattern construct relationships behavior benefit purpose",
    )
});

/// The subject that `words` are, or `None` where they are no noun phrase that can stand alone.
///
/// `is_title` says that capitals may come from a title's style rather than from names.
pub(super) fn subject(context: &Context, words: &[Word], is_title: bool) -> Option<Subject> {
    let article = words.first().filter(|word| !word.is_code).map(Word::lower).filter(|word| is_article(word));
    let noun = if article.is_some() { &words[1..] } else { words };
    let head = head_of(noun)?;
    if noun.len() > MAX_WORDS
        || is_action(noun)
        || !noun.iter().enumerate().all(|(at, word)| is_allowed(article.as_deref(), noun, at, word))
    {
        return None;
    }
    if VAGUE_HEADS.contains(head.lower().as_str()) {
        return None;
    }
    let is_single_plain = noun.len() == 1 && !is_identifier(head);
    let lower = head.lower();
    if is_single_plain && (KINDS.contains(lower.as_str()) && is_title || BARE.contains(lower.as_str())) {
        return None;
    }
    if is_single_plain && lower.len() > 4 && lower.ends_with("ed") {
        return None;
    }
    if is_single_plain && article.as_deref() == Some("the") && !context.is_topic(&lower) {
        return None;
    }
    if article.is_some() && noun.iter().any(|word| word.is("and") || word.is("or")) {
        return None;
    }
    let text: Vec<_> = noun
        .iter()
        .enumerate()
        .map(|(at, word)| context.casing.inside(word, is_title || at == 0 && article.is_none()))
        .collect();
    let text = text.join(" ");
    // Code is one thing, however it is spelled; so is a name (Windows, Postgres).
    // "a chunk answers" holds a verb.
    let is_indefinite = article.as_deref().is_some_and(|article| article != "the");
    let is_only_a_name = is_identifier(head) || noun.len() == 1 && context.casing.is_name(&head.text);
    let is_plural = !is_only_a_name && is_plural(&lower);
    if is_indefinite && is_plural {
        return None;
    }
    let article = match article {
        Some(article) if article == "the" => Some("the"),
        Some(_) => Some(indefinite_article(&text)),
        None => missing_article(context, noun, head, is_plural)?,
    };
    let text = article.map_or_else(|| text.clone(), |article| format!("{article} {text}"));
    Some(Subject { text, is_plural })
}

/// The noun that the phrase is about: the last word before a preposition.
fn head_of(noun: &[Word]) -> Option<&Word> {
    let end = noun.iter().position(is_preposition).unwrap_or(noun.len());
    noun[..end].last()
}

fn is_preposition(word: &Word) -> bool {
    !word.is_code && ["of", "in", "for", "with", "on", "to"].contains(&word.lower().as_str())
}

/// Whether a subject may hold `word` at `at`.
fn is_allowed(article: Option<&str>, noun: &[Word], at: usize, word: &Word) -> bool {
    let is_last = at + 1 == noun.len();
    let has_letter = word.text.chars().any(char::is_alphabetic);
    if !word.before.is_empty() || !is_last && !word.after.is_empty() {
        return false;
    }
    if word.is_code {
        return has_letter
            && !word.text.starts_with(':')
            && word.text.len() <= 40
            && !word.text.contains(['\n', '"', '{', '}', ';', '=']);
    }
    let lower = word.lower();
    // Digits may follow a name ("Windows 11"), not lead it.
    let is_word = has_letter || at > 0 && !is_last;
    let is_at_edge = at == 0 || is_last;
    // "the undo a commit": an article begins a phrase of its own, which only a preposition joins to this one.
    if at > 0 && is_article(&lower) && !is_preposition(&noun[at - 1]) {
        return false;
    }
    is_word
        && lower.chars().all(|c| c.is_alphanumeric() || "-_'’.:/+#!@".contains(c))
        && lower.is_ascii() | lower.contains('’')
        && is_allowed_behind(if at == 0 { article.unwrap_or_default() } else { "" }, &lower)
        && (at == 0 || is_last || base_of_gerund(&lower).is_none())
        && !(is_at_edge && (is_preposition(word) || lower == "and" || lower == "or" || is_article(&lower)))
        && !(is_at_edge && is_adverb_like(&lower))
}

/// Whether `word` ends as adverbs do: "similarly".
fn is_adverb_like(word: &str) -> bool {
    word.len() > 3
        && word.ends_with("ly")
        && !["assembly", "family", "reply", "anomaly", "poly"].contains(&word)
}

/// Whether the phrase is what somebody does: "preventing errors".
fn is_action(noun: &[Word]) -> bool {
    noun.len() > 1
        && !noun[0].is_code
        && base_of_gerund(&noun[0].lower()).is_some()
        && !(noun.len() == 2 && makes_gerund_a_thing(&noun[1].lower()))
}

/// The article of a phrase that has none; `None` when that cannot be told.
///
/// Plurals, names, code and masses take none. Otherwise the text around decides: how it uses the same words.
fn missing_article(
    context: &Context,
    noun: &[Word],
    head: &Word,
    is_plural: bool,
) -> Option<Option<&'static str>> {
    let lower = head.lower();
    // "The HTTP API", but "HTTP" and "rustc".
    if noun.len() > 1 && ACRONYMS.contains(head.text.as_str()) {
        return Some(Some("the"));
    }
    if is_plural
        || is_identifier(head)
        || context.casing.is_name(&head.text)
        || Casing::is_command(&noun[0].text)
    {
        return Some(None);
    }
    // "Rust's char type"
    let owner = noun[0].text.strip_suffix("'s").or_else(|| noun[0].text.strip_suffix("’s"));
    if owner.is_some_and(|owner| context.casing.is_name(owner)) {
        return Some(None);
    }
    // A name of several words, as settings have: `split-debuginfo`.
    if noun.len() == 1 && head.text.contains('-') && head.text.starts_with(char::is_lowercase) {
        return Some(None);
    }
    let used = context.article_before(noun);
    let is_mass = is_mass(&lower);
    if let Some(Some(article)) = used
        && (!is_mass || article != "the")
    {
        return Some(Some(article));
    }
    if used.is_some() && noun.len() == 1 && !KINDS.contains(lower.as_str()) {
        return Some(None);
    }
    // A gerund alone is a heading's shorthand, unless the text speaks of it: "borrowing", but not "calling".
    if noun.len() == 1 && used.is_none() && base_of_gerund(&lower).is_some() {
        return None;
    }
    if is_mass || base_of_gerund(&lower).is_some() {
        return Some(None);
    }
    let is_adjective =
        ["able", "ible", "ful", "ous", "ive", "ed", "al", "ic", "ly"].iter().any(|end| lower.ends_with(end));
    let is_clear = noun.len() > 1 && !is_adjective && !is_verb(&noun[0].lower());
    is_clear.then_some(Some("the"))
}
