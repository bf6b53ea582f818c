//! What a thing has: "the size of an array" asks what the size of an array is.

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::{Factual, Purpose, Relationship},
    grammar::{Table, is_adjective, is_allowed_in_subject, is_plural, is_verb, table},
    passage::{Word, range_of},
    subject::{Subject, subject},
    terms::is_boundary,
};
use std::sync::LazyLock;

/// What things have and readers ask for.
static ATTRIBUTES: Table = LazyLock::new(|| {
    table(
        "advantage advantages alignment behavior benefit benefits cost default definition disadvantage disadvantages \
         drawback drawbacks effect effects format kinds layout length lifetime limitations limits location meaning \
         order ownership position precedence purpose representation restrictions role rules scope semantics \
         signature size structure syntax type types value values visibility",
    )
});

/// Nouns before "of" that say where or how much.
static AMOUNTS: Table = LazyLock::new(|| {
    table(
        "amount beginning body bottom case cases context core couple course edge front half inside instance lack \
         majority middle most name number numbers outside pair part path piece portion power rest series side some \
         sort start state success sum text time times total version versions word words world",
    )
});

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        for (at, words) in sentence.windows(2).enumerate().skip(1) {
            let attribute = words[0].lower();
            let is_attribute = words[0].after.is_empty() && (is_known(&attribute) || is_noun(&words[0]));
            if !is_attribute || !words[1].is("of") || !sentence[at - 1].is("the") {
                continue;
            }
            let Some(subject) = thing(context, &sentence[at + 2..]) else { continue };
            let be = if is_plural(&attribute) { "are" } else { "is" };
            let question_type = match attribute.as_str() {
                "purpose" | "role" | "benefit" | "benefits" | "advantage" | "advantages" => Purpose,
                "kinds" | "types" => Relationship,
                _ => Factual,
            };
            let question = format!("What {be} the {attribute} of {}?", subject.text);
            let confidence = if is_known(&attribute) { 0.52 } else { 0.41 };
            add(candidates, question_type, confidence, range_of(sentence), question);
        }
    }
}

fn is_known(noun: &str) -> bool {
    ATTRIBUTES.contains(noun)
}

/// Whether the word before "of" is a noun that names something of the thing behind, and not a place or an amount.
fn is_noun(word: &Word) -> bool {
    let lower = word.lower();
    !word.is_code
        && lower.len() > 3
        && lower.bytes().all(|b| b.is_ascii_lowercase())
        && is_allowed_in_subject(&lower)
        && !is_verb(&lower)
        && !is_adjective(&lower)
        && !AMOUNTS.contains(lower.as_str())
}

/// The noun phrase that `words` begin with.
fn thing(context: &Context, words: &[Word]) -> Option<Subject> {
    let is_end = |&at: &usize| !words[at - 1].after.is_empty() || is_boundary(&words[at]);
    let end = (1..words.len()).find(is_end).unwrap_or(words.len());
    subject(context, &words[..end], false)
}
