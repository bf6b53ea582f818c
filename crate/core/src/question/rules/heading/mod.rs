//! Headings: what the author said that the section is about.
//!
//! A section's first chunk asks its heading's questions: one form of heading, one question. Later chunks ask them
//! [again](again), as weak ones, where they have little else.

mod forms;

use super::{AS_IT_IS, Context, add, generic};
use crate::question::{
    Question, QuestionType,
    casing::is_identifier,
    grammar::{is_only_a_verb, is_plural},
    passage::{BlockKind, Word, words_of},
    subject::{Subject, subject},
};
use forms::{of_action, of_comparison, of_option, of_question_word, of_statement};
use std::ops::Range;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    let Some((heading, source)) = heading(context) else { return };
    let words = words(context, heading);
    let before = candidates.len();
    question_as_it_is(context, candidates);
    if candidates.len() == before {
        of_words(context, heading, &words, source, candidates);
    }
}

/// Most confidence of a heading's question where the heading stands above another chunk.
const AGAIN: f32 = 0.5;

/// The questions of the section's heading for a chunk further down: its section still answers them.
pub(super) fn again(context: &Context, candidates: &mut Vec<Question>) {
    let heading = without_number(&context.section.heading).trim();
    let Some(first) = context.blocks.first().filter(|_| !context.is_first) else { return };
    let mut asked = Vec::new();
    if heading.ends_with('?') {
        add(&mut asked, type_of(heading), AGAIN, first.range.clone(), heading.to_owned());
    } else {
        of_words(context, heading, &words_of(heading), first.range.clone(), &mut asked);
    }
    let weakened = |question: Question| Question { confidence: question.confidence.min(AGAIN), ..question };
    candidates.extend(asked.into_iter().map(weakened));
}

/// The questions of a heading that is no question itself.
fn of_words(
    context: &Context,
    heading: &str,
    words: &[Word],
    source: Range<usize>,
    candidates: &mut Vec<Question>,
) {
    if words.is_empty() {
        return;
    }
    let Some((question_type, confidence, question)) = generic::question(context, heading)
        .or_else(|| of_question_word(context, words))
        .or_else(|| of_comparison(context, words))
        .or_else(|| of_action(context, words))
        .or_else(|| of_option(words))
    else {
        let stated = of_statement(context, words);
        if stated.is_empty() {
            of_subject(context, words, source.clone(), candidates);
        }
        for (question_type, confidence, question) in stated {
            add(candidates, question_type, confidence, source.clone(), question);
        }
        return;
    };
    add(candidates, question_type, confidence, source, question);
}

/// The section's heading without its number, and its place. For the text before the first heading the
/// document's title, made from that text, unless it is only the file's name.
fn heading<'a>(context: &Context<'a>) -> Option<(&'a str, Range<usize>)> {
    let (document, section) = (context.document, context.section);
    if !context.is_first {
        return None;
    }
    if !section.heading.is_empty() {
        return Some((without_number(&section.heading), source(context)));
    }
    let is_repeated = document.sections.iter().any(|section| section.heading == document.title);
    if is_repeated || document.path.ends_with(&document.title) || document.title.is_empty() {
        return None;
    }
    let first = context.blocks.first()?;
    Some((without_number(&document.title), first.range.clone()))
}

/// The heading's words, those of the text where they tell what is code.
fn words(context: &Context, heading: &str) -> Vec<Word> {
    let words = words_of(heading);
    let block = context.blocks.first().filter(|block| block.kind == BlockKind::Heading);
    match block.map(|block| &block.words) {
        Some(in_text) if in_text.len() >= words.len() => in_text[in_text.len() - words.len()..].to_vec(),
        _ => words,
    }
}

/// A heading that ends with a question mark, in any language.
pub(in crate::question) fn question_as_it_is(context: &Context, candidates: &mut Vec<Question>) {
    let heading = without_number(&context.section.heading).trim();
    if !context.is_first
        || !heading.ends_with(['?', '？'])
        || heading.chars().filter(|c| c.is_alphabetic()).count() < 4
    {
        return;
    }
    let words = words(context, heading);
    let is_title = context.is_english
        && words.iter().skip(1).all(|word| word.text.len() < 4 || word.text.starts_with(char::is_uppercase));
    let heading = if is_title {
        let said = words
            .iter()
            .map(|word| format!("{}{}{}", word.before, context.casing.inside(word, true), word.after));
        said.collect::<Vec<_>>().join(" ")
    } else {
        heading.to_owned()
    };
    let mut letters = heading.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let question = first + letters.as_str();
    let question_type = type_of(&question);
    add(candidates, question_type, AS_IT_IS, source(context), question);
}

/// What a question asks for, by its words.
fn type_of(question: &str) -> QuestionType {
    let lower = question.to_lowercase();
    let is_trouble = [
        "error",
        "fail",
        "can't",
        "can’t",
        "cannot",
        "doesn't",
        "doesn’t",
        "not work",
        "wrong",
        "fix",
        "slow",
    ]
    .iter()
    .any(|word| lower.contains(word));
    if is_trouble {
        QuestionType::Troubleshooting
    } else if lower.starts_with("why") {
        QuestionType::Purpose
    } else if lower.starts_with("how") {
        QuestionType::Process
    } else if lower.contains("difference") || lower.contains(" differ") {
        QuestionType::Relationship
    } else {
        QuestionType::Factual
    }
}

/// The heading's place.
fn source(context: &Context) -> Range<usize> {
    let section = &context.section.range;
    let mut headings = context
        .document
        .spans_in(section.clone())
        .filter(|(_, span)| span.kind == crate::document::SpanKind::Heading);
    let Some((first, _)) = headings.next() else { return section.start..section.start };
    let end = headings.last().map_or(first.end, |(range, _)| range.end);
    first.start..end
}

/// "3.2. Foo" and "Chapter 4: Foo" without what counts them.
pub(in crate::question) fn without_number(heading: &str) -> &str {
    let heading = heading.trim().trim_end_matches([':', '.', '¶', '#']).trim_end();
    if let Some((label, rest)) = heading.split_once(": ") {
        let label = label.to_lowercase();
        let is_label = [
            "chapter", "appendix", "part", "step", "section", "example", "exercise", "note", "tip", "warning",
        ]
        .iter()
        .any(|word| label.starts_with(word) && label.len() <= word.len() + 4);
        if is_label {
            return rest;
        }
    }
    let rest = heading.trim_start_matches(|c: char| c.is_ascii_digit() || ".)".contains(c));
    if rest.len() < heading.len() && rest.starts_with(' ') { rest.trim_start() } else { heading }
}

/// "Slices", "The Borrow Checker": what is it, how does it work.
fn of_subject(context: &Context, words: &[Word], source: Range<usize>, candidates: &mut Vec<Question>) {
    if let Some(at) = words.iter().position(|word| word.is("for"))
        && at > 0
        && words[at - 1].is_code
    {
        if let Some(subject) = subject(context, &words[..at], true) {
            let is_list = words[..at].iter().any(|word| word.is("and"));
            let be = if is_list { "are" } else { subject.be() };
            let question = format!("What {be} {} used for?", subject.text);
            add(candidates, QuestionType::Purpose, 0.74, source, question);
        }
        return;
    }
    let is_verb = words.len() == 1 && is_only_a_verb(&words[0].lower());
    let is_relative = ["new", "old", "other", "more"].iter().any(|word| words[0].is(word));
    // "Clarifying code with adapters", of a verb that nobody knows.
    let is_doing = words.len() > 2
        && words[0].lower().len() > 5
        && words[0].lower().ends_with("ing")
        && !words[0].is("string");
    if is_verb || is_relative || is_doing || words.iter().any(|word| word.is("or")) {
        return;
    }
    let Some(Subject { text, is_plural: is_plural_subject }) = subject(context, words, true) else { return };
    // A title that names several things, or what is done to something, is no thing that is or works.
    let is_list = words.iter().any(|word| word.is("and") || word.is("or"));
    let has_clause = words
        .iter()
        .any(|word| ["in", "for", "with", "on", "to"].iter().any(|preposition| word.is(preposition)));
    let subject = Subject {
        text,
        is_plural: is_plural_subject || is_list && words.iter().any(|word| is_plural(&word.lower())),
    };
    // One plain word with "the" is a thing of its chunk: "What is the scale?"
    let is_local = words.len() == 1 && subject.text.starts_with("the ");
    let confidence = if has_clause || is_list || is_local { 0.56 } else { 0.76 };
    let question = format!("What {} {}?", subject.be(), subject.text);
    add(candidates, QuestionType::Factual, confidence, source.clone(), question);
    if !has_clause
        && !is_list
        && words.len() <= 3
        && (words.len() > 1 || is_identifier(&words[0]))
        && context.sentences().flatten().count() > 60
        && !words.iter().any(|word| word.is("of"))
    {
        let question = format!("How {} {} work?", subject.does(), subject.text);
        add(candidates, QuestionType::Process, 0.42, source, question);
    }
}
