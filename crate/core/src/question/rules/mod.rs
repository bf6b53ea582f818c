//! The rules, one family a file. Each takes the context and adds its candidates.

mod attribute;
mod code_block;
mod comparison;
mod condition;
mod context;
mod definition;
mod error;
pub(super) mod generic;
pub(super) mod heading;
mod identifier;
mod imperative;
mod indirect;
pub(super) mod key_phrase;
mod manner;
pub(super) mod mention;
mod naming;
mod predicate;
mod purpose;
mod related;
mod statement;
mod term;
pub(super) mod topic;

pub(super) use context::Context;

use super::{
    Question, QuestionType,
    grammar::{Table, table},
    passage::Word,
};
use std::{ops::Range, sync::LazyLock};

/// A family of rules.
type Rule = fn(&Context, &mut Vec<Question>);

/// All families, in no particular order: candidates are sorted afterwards.
pub(super) const ALL: &[Rule] = &[
    heading::rule,
    definition::rule,
    purpose::rule,
    imperative::rule,
    error::rule,
    comparison::rule,
    identifier::rule,
    key_phrase::rule,
    statement::rule,
    condition::rule,
    manner::rule,
    term::rule,
    attribute::rule,
    indirect::rule,
    naming::rule,
    predicate::rule,
    code_block::rule,
];

/// Families that ask about what a chunk names rather than what it says: for chunks of which the others find too
/// little.
pub(super) const FILLING: &[Rule] = &[topic::rule, related::rule, heading::again];

/// Confidence of a heading that is a question already. No other candidate reaches it.
pub(super) const AS_IT_IS: f32 = 0.95;

/// Adds a candidate, its words one space apart.
pub(super) fn add(
    candidates: &mut Vec<Question>,
    question_type: QuestionType,
    confidence: f32,
    source_mapping: Range<usize>,
    question_text: String,
) {
    let question_text = question_text.split_whitespace().collect::<Vec<_>>().join(" ");
    candidates.push(Question { question_text, question_type, confidence, source_mapping });
}

/// A sentence without what introduces it: "However," or "In Rust,".
pub(super) fn without_introduction(words: &[Word]) -> &[Word] {
    static INTRODUCTIONS: Table = LazyLock::new(|| {
        table(
            "however in for also finally additionally furthermore moreover similarly recall therefore thus \
         first second next fortunately unfortunately generally typically usually internally basically \
         essentially technically alternatively on at by",
        )
    });
    let comma = words.iter().take(5).position(|word| word.after.starts_with(','));
    match (words.first(), comma) {
        (Some(first), Some(comma)) if INTRODUCTIONS.contains(first.lower().as_str()) => &words[comma + 1..],
        _ => words,
    }
}

/// The beginnings of clauses: the sentence without its introduction, what follows its commas, and what it says
/// "that" about.
pub(super) fn clauses(sentence: &[Word]) -> impl Iterator<Item = &[Word]> {
    static SAYING: Table = LazyLock::new(|| {
        table(
            "note means remember recall ensures ensure sure guarantees guarantee indicates is know fact notice says \
         see mean observe",
        )
    });
    let starts = sentence.iter().enumerate().filter(|(at, word)| {
        let is_mark = word.after.starts_with([',', ';', ':', '—']);
        let says = *at > 0 && SAYING.contains(sentence[at - 1].lower().as_str());
        let links = ["and", "but", "so", "because", "since", "while", "whereas", "although"];
        is_mark
            || word.after.is_empty() && links.iter().any(|link| word.is(link))
            || word.is("that") && word.after.is_empty() && says
    });
    std::iter::once(0).chain(starts.map(|(at, _)| at + 1)).filter_map(|start| {
        let skipped = sentence.get(start).is_some_and(|word| {
            ["and", "but", "so", "then", "or", "however"].iter().any(|link| word.is(link))
        });
        sentence.get(start + usize::from(skipped)..).filter(|words| words.len() > 2)
    })
}
