//! Main clauses: who does what. A statement whose clause is understood can be turned into a question.
//!
//! ```text
//! "The compiler | also | inserts | a check" -> subject, do-verb "insert", rest "a check"
//! "A union      |        can     | have fields" -> subject, modal "can", rest "have fields"
//! ```
//!
//! The subject decides: a clause is taken only where [`subject`] accepts everything before the verb, and where
//! subject and verb agree in number. That keeps nouns which look like verbs ("crate types") from being taken
//! for them.

use super::{
    grammar::{
        Table, base_of_statement, is_allowed_in_subject, is_only_a_verb, is_plural, is_statement_verb,
        is_verb, table,
    },
    passage::Word,
    rules::Context,
    subject::{Subject, subject},
};
use std::sync::LazyLock;

/// The finite verb of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finite {
    /// "is" or "are".
    Be(&'static str),
    /// A verb that stands before the subject in questions: "can", "should".
    Modal(&'static str),
    /// "has to", "must".
    HaveTo(&'static str),
    /// Any other verb: "does" or "do", and the base form.
    Do(&'static str, String),
}

/// A clause: its subject, its finite verb, and the words after.
#[derive(Debug, Clone)]
pub(super) struct Clause<'a> {
    /// As it stands inside a question; "I" for "you" and "we".
    pub(super) subject: String,
    pub(super) finite: Finite,
    pub(super) is_negative: bool,
    /// Whether the subject is understood only beside the chunk: "the file", "each file".
    pub(super) is_loose: bool,
    /// What follows the verb, to the sentence's end.
    pub(super) rest: &'a [Word],
}

impl Clause<'_> {
    /// The question's beginning and what follows the subject before [`Clause::rest`]: ("does", "return").
    pub(super) fn parts(&self) -> (String, String) {
        match &self.finite {
            Finite::Be(be) => ((*be).to_owned(), String::new()),
            Finite::Modal(modal) => ((*modal).to_owned(), String::new()),
            Finite::HaveTo(does) => ((*does).to_owned(), "have to ".to_owned()),
            Finite::Do(does, base) => ((*does).to_owned(), format!("{base} ")),
        }
    }

    /// Whether the clause tells the reader what to do or not to do.
    pub(super) fn is_to_reader(&self) -> bool {
        self.subject == "I"
    }
}

/// Longest subject in words, its article counted.
const MAX_SUBJECT: usize = 8;

/// Words beside the verb that the question does without.
static ADVERBS: Table = LazyLock::new(|| {
    table(
        "also always usually typically generally often currently automatically then still never only therefore \
     normally simply implicitly thus already sometimes",
    )
});

/// Words that begin neither an object nor a place, so that the word before them is no verb.
static NO_OBJECT: Table = LazyLock::new(|| {
    table(
        "is are was were can could will would must should may might has have does do cannot and or but that which \
     of then than it them they this these those itself themselves if when because so",
    )
});

/// The clause that begins at `words[0]`, or `None` where it is not understood.
pub(super) fn clause<'a>(context: &Context, words: &'a [Word]) -> Option<Clause<'a>> {
    for at in 1..words.len().min(MAX_SUBJECT + 1) {
        if !words[at - 1].after.is_empty() || !words[at].before.is_empty() {
            return None;
        }
        let is_adverb = at > 1 && ADVERBS.contains(words[at - 1].lower().as_str());
        let who = &words[..at - usize::from(is_adverb)];
        let Some((finite, is_negative, used)) = finite(&words[at..]) else { continue };
        if let Some(clause) = agreeing(context, who, finite, is_negative, &words[at + used..]) {
            return Some(clause);
        }
    }
    None
}

/// The clause where its subject is one, and agrees with the verb.
fn agreeing<'a>(
    context: &Context,
    who: &[Word],
    finite: Finite,
    is_negative: bool,
    rest: &'a [Word],
) -> Option<Clause<'a>> {
    let skipped = rest.iter().take_while(|word| is_adverb(word)).count();
    let rest = &rest[skipped..];
    if who.len() == 1 && (who[0].is("you") || who[0].is("we")) {
        let finite = if finite == Finite::Be("are") { Finite::Be("am") } else { finite };
        let is_plain = matches!(finite, Finite::Do("does", _) | Finite::Be("is"));
        return (!is_plain).then(|| Clause {
            subject: "I".into(),
            finite,
            is_negative,
            is_loose: false,
            rest,
        });
    }
    if who.iter().any(is_adverb) {
        return None;
    }
    let strict = context.meant_by(who).or_else(|| subject(context, who, false));
    let is_loose = strict.is_none();
    let Subject { text, is_plural } = strict.or_else(|| loose_subject(context, who))?;
    let has_and = who.iter().any(|word| word.is("and"));
    let agrees = match &finite {
        Finite::Be(be) => (*be == "are") == (is_plural || has_and),
        Finite::Do(does, _) | Finite::HaveTo(does) => (*does == "do") == (is_plural || has_and),
        Finite::Modal(_) => true,
    };
    agrees.then_some(Clause { subject: text, finite, is_negative, is_loose, rest })
}

/// Subjects that are no topic of their own but stand well in a statement: "the file", "each crate".
fn loose_subject(context: &Context, who: &[Word]) -> Option<Subject> {
    let (first, noun) = who.split_first().filter(|(first, noun)| !first.is_code && !noun.is_empty())?;
    let lower = first.lower();
    let last = noun.last()?;
    let is_word = |word: &Word| word.before.is_empty() && word.after.is_empty();
    if !noun.iter().all(is_word) {
        return None;
    }
    let (takes_singular, takes_plural) = match lower.as_str() {
        "each" | "every" => (true, false),
        "the" | "any" => (true, true),
        "all" | "most" | "some" | "many" | "multiple" => (false, true),
        _ => return None,
    };
    let is_plural = !last.is_code && is_plural(&last.lower());
    if if is_plural { !takes_plural } else { !takes_singular } {
        return None;
    }
    let is_plain = noun.len() == 1
        && last.text.len() > 2
        && last.text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
        && is_allowed_in_subject(&last.lower())
        && !is_adjective(&last.lower());
    let text =
        if is_plain { last.lower() } else { subject(context, noun, false).map(|_| said(context, noun))? };
    Some(Subject { text: format!("{lower} {text}"), is_plural })
}

/// The words as they stand inside a sentence.
fn said(context: &Context, words: &[Word]) -> String {
    words.iter().map(|word| context.casing.inside(word, false)).collect::<Vec<_>>().join(" ")
}

/// Whether `word` may be an adjective that stands for nothing alone ("the latter", "the new").
fn is_adjective(word: &str) -> bool {
    ["able", "ible", "ful", "ous", "ive", "ed", "al", "ic", "ly", "er"].iter().any(|end| word.ends_with(end))
        && ![
            "compiler",
            "parser",
            "server",
            "user",
            "browser",
            "header",
            "parameter",
            "number",
            "buffer",
            "pointer",
            "counter",
            "linker",
            "folder",
            "iterator",
            "caller",
            "worker",
            "integer",
            "signal",
            "directive",
            "primitive",
            "container",
            "identifier",
            "order",
            "literal",
            "topic",
            "terminal",
            "seed",
            "feed",
        ]
        .contains(&word)
        || ["new", "old", "right", "left", "main", "rest", "end", "whole"].contains(&word)
}

fn is_adverb(word: &Word) -> bool {
    !word.is_code && word.after.is_empty() && ADVERBS.contains(word.lower().as_str())
}

/// The finite verb at `words[0]`, whether it is negated, and the words that it takes.
fn finite(words: &[Word]) -> Option<(Finite, bool, usize)> {
    let first = words.first().filter(|word| {
        let ends = words.len() == 1 || word.after.is_empty();
        !word.is_code && ends && !word.text.starts_with(char::is_uppercase)
    })?;
    let next = match words.get(1) {
        Some(next) => next,
        None => return intransitive(first),
    };
    let not = usize::from(next.is("not"));
    let lower = first.lower().replace('’', "'");
    let (verb, is_negative) = match lower.strip_suffix("n't") {
        Some("ca") => ("can", true),
        Some("wo") => ("will", true),
        Some(verb) => (verb, true),
        None if lower == "cannot" => ("can", true),
        None => (lower.as_str(), not == 1),
    };
    let used = 1 + not;
    let simple = match verb {
        "is" => Some(Finite::Be("is")),
        "are" => Some(Finite::Be("are")),
        "can" | "may" => Some(Finite::Modal("can")),
        "should" => Some(Finite::Modal("should")),
        "will" => Some(Finite::Modal("will")),
        "must" if is_negative => Some(Finite::Modal("can")),
        _ => None,
    };
    if let Some(finite) = simple {
        return Some((finite, is_negative, used));
    }
    match verb {
        "must" => Some((Finite::HaveTo("do"), false, 1)).filter(|_| words.len() > 1),
        "has" if next.is("to") => Some((Finite::HaveTo("does"), false, 2)),
        "have" | "need" if next.is("to") => Some((Finite::HaveTo("do"), false, 2)),
        "does" | "do" if is_negative => {
            let base = words.get(used).filter(|word| !word.is_code && is_base(word))?;
            let does = if verb == "do" { "do" } else { "does" };
            Some((Finite::Do(does, base.lower()), true, used + 1))
        }
        "has" => plain_verb("does", "have".into(), next),
        "have" => plain_verb("do", "have".into(), next),
        _ => match base_of_statement(verb) {
            Some(base) => plain_verb("does", base, next),
            None if is_statement_verb(verb) => plain_verb("do", verb.into(), next),
            None => None,
        },
    }
}

/// A verb with nothing after it: "a build script fails".
fn intransitive(word: &Word) -> Option<(Finite, bool, usize)> {
    let base = base_of_statement(&word.lower())?;
    Some((Finite::Do("does", base), false, 1))
}

fn is_base(word: &Word) -> bool {
    let lower = word.lower();
    is_statement_verb(&lower) || lower == "have"
}

/// A verb with what it is about after it.
fn plain_verb(does: &'static str, base: String, next: &Word) -> Option<(Finite, bool, usize)> {
    let lower = next.lower();
    let is_participle = base == "have" && (lower.ends_with("ed") || lower == "been");
    // "The specifics of TLS support depend on ...": with a second verb after it the first was a noun.
    let is_second_verb = is_only_a_verb(&lower) || does == "do" && is_verb(&lower);
    let may_follow = next.is_code || is_plural(&lower) || !is_second_verb;
    let is_object =
        next.before.is_empty() && (next.is_code || !NO_OBJECT.contains(lower.as_str()) || lower == "that");
    (is_object && may_follow && !is_participle).then_some((Finite::Do(does, base), false, 1))
}
