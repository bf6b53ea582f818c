//! Terms: the code and the noun phrases that a sentence names.

use super::{
    casing::is_identifier,
    grammar::{
        Table, base_of_statement, base_of_third_person, is_adjective, is_allowed_in_subject, is_article,
        is_plural, is_verb, table,
    },
    passage::{Word, range_of},
    rules::Context,
    subject::subject,
};
use std::{ops::Range, sync::LazyLock};

/// A term as it stands inside a question.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// With its article where it takes one.
    pub(super) text: String,
    /// Its last word in lower case, which names what it is.
    pub(super) head: String,
    pub(super) is_plural: bool,
    pub(super) is_code: bool,
    pub(super) range: Range<usize>,
}

impl Term {
    /// Whether it is one plain word with its article: "a network".
    pub(super) fn is_single(&self) -> bool {
        !self.is_code && self.text.split(' ').count() < 3 && !self.is_plural
    }

    /// "does" or "do".
    pub(super) fn does(&self) -> &'static str {
        if self.is_plural { "do" } else { "does" }
    }

    /// "is" or "are".
    pub(super) fn be(&self) -> &'static str {
        if self.is_plural { "are" } else { "is" }
    }
}

/// Words that no term holds although subjects may: what they say depends on the place.
static SMALL: Table = LazyLock::new(|| {
    table(
        "of in for with on to and or at new old different entire whole current given final actual specific valid \
         invalid default single primary original additional particular possible inside exists problem various \
         certain similar multiple common simple full real main able following available required own \
         little known found shown given made built written alone onscreen alive wide general together apart",
    )
});

/// Verbs that are as often nouns.
static NOUNS_TOO: Table = LazyLock::new(|| {
    table(
        "type test call name list match process update change build document format filter index import export map \
         mark override query reference release request result search set stream structure target thread transform \
         view cast comment copy design group link lock loop measure merge mock output patch place profile record \
         register report review scale schedule share slice sort split store swap trace track trigger turn visit \
         count rank trait guarantee limit control pattern benchmark borrow bump cache clone cost display",
    )
});

/// Words behind which a noun phrase without an article may begin.
static BEFORE_BARE: Table = LazyLock::new(|| {
    table(
        "of in for with on to and or by from between into as at via through without about using like over all",
    )
});

/// The terms of `sentence`, in its order.
pub(super) fn terms(context: &Context, sentence: &[Word]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < sentence.len() {
        let length = length_at(sentence, at);
        let words = &sentence[at..at + length.max(1)];
        at += length.max(1);
        let Some(subject) = (length > 0).then(|| subject(context, words, false)).flatten() else { continue };
        found.push(Term {
            text: subject.text,
            head: words[words.len() - 1].lower().to_lowercase(),
            is_plural: subject.is_plural,
            is_code: words.iter().any(|word| word.is_code),
            range: range_of(words),
        });
    }
    found
}

/// Number of words of the term that starts at `at`; 0 where none does.
fn length_at(sentence: &[Word], at: usize) -> usize {
    let word = &sentence[at];
    if is_article(&word.lower()) && !word.is_code {
        let length = noun_phrase(&sentence[at + 1..], !word.is("the"));
        return if length == 0 { 0 } else { length + 1 };
    }
    let previous = at.checked_sub(1).map(|previous| &sentence[previous]);
    let follows_article = previous.is_some_and(|previous| is_article(&previous.lower()));
    if word.is_code {
        return usize::from(is_name(word) && word.before.is_empty() && !follows_article);
    }
    let is_free = previous
        .is_none_or(|previous| !previous.after.is_empty() || BEFORE_BARE.contains(previous.lower().as_str()));
    let length = if is_free { noun_phrase(&sentence[at..], false) } else { 0 };
    if length < 2 || is_verb(&word.lower()) {
        return 0;
    }
    // "Hugo renders a document" holds a verb.
    let last = &sentence[at + length - 1];
    let has_object = last.after.is_empty()
        && sentence.get(at + length).is_some_and(|next| next.is_code || is_article(&next.lower()));
    let starts_clause = previous.is_none_or(|previous| !previous.after.is_empty());
    let is_verb_like = (has_object || starts_clause) && base_of_third_person(&last.lower()).is_some();
    if is_plural(&last.lower()) && !is_verb_like { length } else { 0 }
}

/// Number of words, two or three, of the noun phrase without its article that `words` begin with; one where it
/// is code, or where `is_indefinite` says that "a" stands before it.
fn noun_phrase(words: &[Word], is_indefinite: bool) -> usize {
    let mut length = 0_usize;
    for noun in words.iter().take(4) {
        if !is_content(noun) {
            break;
        }
        length += 1;
        if !noun.after.is_empty() {
            break;
        }
    }
    let (Some(last), true) = (length.checked_sub(1).map(|last| &words[last]), length <= 3) else { return 0 };
    let is_bounded = !last.after.is_empty() || words.get(length).is_none_or(is_boundary);
    let lower = last.lower();
    let is_noun = last.is_code
        || !is_verb_form(&lower)
            && !lower.ends_with("ing")
            && !lower.ends_with("ed")
            && (is_plural(&lower) || !is_verb(&lower));
    let is_clear = length > 1
        || last.is_code && is_name(last)
        || is_indefinite && lower.len() > 3 && !is_adjective(&lower);
    if is_bounded && is_noun && is_clear { length } else { 0 }
}

/// Whether `word` is a verb's third person, and hardly ever a plural: "the worker loads".
fn is_verb_form(word: &str) -> bool {
    base_of_statement(word).is_some_and(|base| !NOUNS_TOO.contains(base.as_str()))
}

fn is_content(word: &Word) -> bool {
    if word.is_code {
        return word.before.is_empty() && is_name(word);
    }
    let lower = word.lower();
    word.before.is_empty()
        && lower.len() > 2
        && lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
        && is_allowed_in_subject(&lower)
        && !SMALL.contains(lower.as_str())
        && !is_article(&lower)
        && !lower.ends_with("ly")
}

/// Whether no noun phrase holds `word`, so that one ends before it.
pub(super) fn is_boundary(word: &Word) -> bool {
    let lower = word.lower();
    !word.is_code
        && (!is_allowed_in_subject(&lower)
            || ["of", "in", "for", "with", "on", "to", "and", "or", "at", "a", "an", "the"]
                .contains(&lower.as_str())
            || base_of_third_person(&lower).is_some() && !is_plural(&lower))
}

/// Whether code names something that can be used: `Vec::push`, `println!`, not `x`, `5` or `let y = 1`.
pub(super) fn is_name(word: &Word) -> bool {
    let text = word.text.as_str();
    let is_speaking =
        text.contains(['_', ':', '!', '.']) || text.chars().any(char::is_uppercase) || text.ends_with("()");
    is_identifier(word)
        && is_speaking
        && text.len() >= 3
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:!-.<>()".contains(&b))
        && text.matches('(').count() == usize::from(text.ends_with("()"))
        && text.matches('<').count() == text.matches('>').count()
        && !text.ends_with(['.', '-', ':'])
}
