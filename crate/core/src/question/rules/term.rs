//! Terms with their descriptions: lists of options, tables, definition lists, and descriptions that begin with
//! their verb ("Returns the ...", "Whether to ...").

use super::{Context, add, identifier::is_acting};
use crate::question::{
    Question,
    QuestionType::{Factual, Process},
    grammar::{base_of_third_person, is_allowed_in_subject},
    passage::{Block, BlockKind, Word, range_of},
    phrase::action,
    subject::{KINDS, subject},
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for (at, block) in context.blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::Prose) {
        described(context, at, block, candidates);
        for sentence in block.sentences() {
            if let Some(phrase) = beginning_with_verb(context, sentence) {
                let question = format!("How do I {phrase}?");
                add(candidates, Process, 0.7, range_of(sentence), question);
            }
        }
    }
}

/// "`--flag`: does ...", and a block of its own before its description.
fn described(context: &Context, at: usize, block: &Block, candidates: &mut Vec<Question>) {
    if let Some(question) = plain_term(context, at, block) {
        add(candidates, Factual, 0.52, block.range.clone(), question);
    }
    let Some(term) = block.words.first().filter(|word| is_term(word)) else { return };
    let is_alone = block.words.len() == 1
        || block.words.len() == 2 && block.words[1].text.chars().all(|c| c.is_uppercase());
    let has_description = if is_alone {
        let next = context.blocks.get(at + 1).filter(|next| next.kind == BlockKind::Prose);
        next.is_some_and(|next| {
            next.words.len() >= 4 && (!next.words[0].is_code || next.words[0].before.starts_with('('))
        })
    } else {
        let is_marked = [":", "—", "–", " -", ":—"].iter().any(|mark| term.after.starts_with(mark));
        (is_marked || block.words[1].is_code && block.words[1].text == "-") && block.words.len() >= 4
    };
    if !has_description {
        return;
    }
    if let Some((confidence, question)) = asked_of(context, term) {
        add(candidates, Factual, confidence, block.range.clone(), question);
    }
}

/// "What does X mean?" of one or two words in a block of their own before a longer one, as glossaries and tables
/// have them.
fn plain_term(context: &Context, at: usize, block: &Block) -> Option<String> {
    let is_plain = |word: &Word| {
        !word.is_code
            && word.before.trim_matches('*').is_empty()
            && word.after.trim_matches('*').is_empty()
            && word.text.len() > 2
            && word.text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
            && is_allowed_in_subject(&word.lower())
    };
    let next = context.blocks.get(at + 1).filter(|next| next.kind == BlockKind::Prose)?;
    let is_description = next.words.len() >= 5 && !next.words.last()?.after.contains('?');
    let words: Vec<_> = block.words.iter().map(|word| context.casing.inside(word, true)).collect();
    let is_name = words
        .first()
        .is_some_and(|first| !first.ends_with("ing") && !["yes", "no", "none"].contains(&first.as_str()));
    (is_description && is_name && block.words.len() <= 2 && block.words.iter().all(is_plain))
        .then(|| format!("What does {} mean?", words.join(" ")))
}

/// What is asked of a term that is described.
fn asked_of(context: &Context, term: &Word) -> Option<(f32, String)> {
    let name = &term.text;
    if name.starts_with('-') {
        return Some((0.72, format!("What does the {name} option do?")));
    }
    if let Some(kind) = kind_of(context) {
        // Among options that begin with a dash, other terms are their values.
        let has_dashes = || context.document.text[context.section.range.clone()].contains("--");
        return match kind {
            "option" | "flag" if has_dashes() => None,
            kind if is_acting(kind) => Some((0.72, format!("What does the {name} {kind} do?"))),
            kind => Some((0.72, format!("What is the {name} {kind} for?"))),
        };
    }
    let is_speaking = name.contains(['_', '.', ':', '-']) || name.chars().any(char::is_uppercase);
    let question = if is_speaking { format!("What is {name}?") } else { format!("What does {name} mean?") };
    Some((if is_speaking { 0.72 } else { 0.62 }, question))
}

/// Whether code is a name that a list may explain.
fn is_term(word: &Word) -> bool {
    let text = word.text.as_str();
    word.is_code
        && word.before.is_empty()
        && (3..=40).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(&b))
        && text.bytes().filter(u8::is_ascii_alphabetic).count() >= 2
}

/// What the heading says that the terms are: "Settings" lists settings.
fn kind_of(context: &Context) -> Option<&'static str> {
    let last = context.section.heading.rsplit(' ').next()?.to_lowercase();
    let singular = last.strip_suffix('s')?;
    KINDS.get(singular).copied()
}

/// "Returns the number of words" asks how to get them, "Whether to disable X" how to disable it.
fn beginning_with_verb(context: &Context, sentence: &[Word]) -> Option<String> {
    let first =
        sentence.first().filter(|word| !word.is_code && word.before.is_empty() && word.after.is_empty())?;
    if !first.text.starts_with(char::is_uppercase) || sentence.len() < 4 {
        return None;
    }
    if first.is("whether") && sentence[1].is("to") {
        return action(context, &sentence[2..], false);
    }
    let second = &sentence[1];
    let is_object =
        second.is_code || ["a", "an", "the", "all", "any", "every"].iter().any(|word| second.is(word));
    const TAKING: &[&str] = &["take", "accept", "receive", "require", "expect", "contain"];
    let base =
        base_of_third_person(&first.lower()).filter(|base| is_object && !TAKING.contains(&base.as_str()))?;
    let mut words = sentence.to_vec();
    words[0].text = if base == "return" { "get".into() } else { base };
    // "Returns the given string, escaped" is about what is done to it.
    let is_about_given = words[1].is("the")
        && words.get(2).is_some_and(|word| word.is("given"))
        && words.get(3)?.after.contains(',');
    action(context, &words, false)
        .filter(|_| !is_about_given)
        .filter(|_| subject(context, &sentence[..1], false).is_none() || is_object)
}
