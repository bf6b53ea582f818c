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

mod finite;

pub(super) use finite::Finite;

use super::{
    grammar::{is_adjective, is_allowed_behind, is_plural, third_person},
    passage::Word,
    rules::Context,
    subject::{Subject, subject},
};
use finite::{finite, is_adverb};

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

    /// The verb in the order of a statement, with a space after it: "does not return ".
    pub(super) fn stated(&self) -> String {
        let not = if self.is_negative { " not" } else { "" };
        match &self.finite {
            Finite::Be(be) => format!("{be}{not} "),
            Finite::Modal("can") if self.is_negative => "cannot ".to_owned(),
            Finite::Modal(modal) => format!("{modal}{not} "),
            Finite::HaveTo("does") => "has to ".to_owned(),
            Finite::HaveTo(_) => "have to ".to_owned(),
            Finite::Do(does, base) if self.is_negative => format!("{does} not {base} "),
            Finite::Do("does", base) => format!("{} ", third_person(base)),
            Finite::Do(_, base) => format!("{base} "),
        }
    }

    /// The clause with its verb in the singular.
    pub(super) fn singular(mut self) -> Self {
        self.finite = match self.finite {
            Finite::Be("was" | "were") => Finite::Be("was"),
            Finite::Be(_) => Finite::Be("is"),
            Finite::HaveTo(_) => Finite::HaveTo("does"),
            Finite::Do(_, base) => Finite::Do("does", base),
            modal @ Finite::Modal(_) => modal,
        };
        self
    }

    /// Whether the clause tells what was: a story, of which readers ask less.
    pub(super) fn is_past(&self) -> bool {
        matches!(self.finite, Finite::Be("was" | "were"))
    }

    /// Whether the clause tells the reader what to do or not to do.
    pub(super) fn is_to_reader(&self) -> bool {
        self.subject == "I"
    }
}

/// Longest subject in words, its article counted.
const MAX_SUBJECT: usize = 8;

/// The clause that begins at `words[0]`, or `None` where it is not understood.
pub(super) fn clause<'a>(context: &Context, words: &'a [Word]) -> Option<Clause<'a>> {
    for at in 1..words.len().min(MAX_SUBJECT + 1) {
        if !words[at - 1].after.is_empty() || !words[at].before.is_empty() {
            return None;
        }
        let is_adverb = at > 1 && is_adverb(&words[at - 1]);
        let who = &words[..at - usize::from(is_adverb)];
        let Some((finite, is_negative, used)) = finite(&words[at..]) else { continue };
        if let Some(clause) = agreeing(context, who, finite, is_negative, &words[at + used..]) {
            return Some(clause);
        }
    }
    None
}

/// The clause whose verb stands at `words[0]`, with "what" for its subject: "prevents data races" gives "what
/// prevents data races". `None` where no finite verb stands there.
pub(super) fn predicate(words: &[Word]) -> Option<Clause<'_>> {
    let skipped = usize::from(words.first().is_some_and(is_adverb));
    let (finite, is_negative, used) = finite(words.get(skipped..)?)?;
    let rest = words.get(skipped + used..)?;
    let skipped = rest.iter().take_while(|word| is_adverb(word)).count();
    Some(Clause { subject: "what".into(), finite, is_negative, is_loose: false, rest: &rest[skipped..] })
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
        let is_plain = matches!(finite, Finite::Do("does", _) | Finite::Be("is" | "was" | "were"));
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
        Finite::Be(be) => ["are", "were"].contains(be) == (is_plural || has_and),
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
        && is_allowed_behind(&lower, &last.lower())
        && !is_adjective(&last.lower());
    let text =
        if is_plain { last.lower() } else { subject(context, noun, false).map(|_| said(context, noun))? };
    Some(Subject { text: format!("{lower} {text}"), is_plural })
}

/// The words as they stand inside a sentence.
fn said(context: &Context, words: &[Word]) -> String {
    words.iter().map(|word| context.casing.inside(word, false)).collect::<Vec<_>>().join(" ")
}
