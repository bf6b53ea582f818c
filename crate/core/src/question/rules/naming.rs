//! Names and their meaning: "Foreign Function Interface (FFI)", "`Cargo.lock`, a file that ...", "types such as ...".

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::Factual,
    passage::{Word, range_of},
    subject::subject,
    terms::terms,
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let source = range_of(sentence);
        for at in 1..sentence.len() {
            if let Some(short) = abbreviation(&sentence[..at], &sentence[at]) {
                let question = format!("What does {short} stand for?");
                add(candidates, Factual, 0.74, source.clone(), question);
            }
        }
        if let Some(question) = apposition(context, sentence) {
            add(candidates, Factual, 0.62, source.clone(), question);
        }
        if let Some(question) = examples(context, sentence) {
            add(candidates, Factual, 0.56, source, question);
        }
    }
}

/// An abbreviation in brackets whose letters begin the words before it.
fn abbreviation<'a>(words: &[Word], short: &'a Word) -> Option<&'a str> {
    let letters: Vec<char> = short.text.chars().collect();
    let is_short = (2..=6).contains(&letters.len()) && letters.iter().all(char::is_ascii_uppercase);
    let named = words.get(words.len().checked_sub(letters.len())?..)?;
    let spells = named.iter().zip(&letters).all(|(word, letter)| {
        word.text.chars().next().is_some_and(|first| first.eq_ignore_ascii_case(letter))
    });
    (is_short && short.before == "(" && short.after.starts_with(')') && spells).then_some(short.text.as_str())
}

/// "X, a Y that ...," at a sentence's beginning: what is X?
fn apposition(context: &Context, sentence: &[Word]) -> Option<String> {
    let comma = sentence.iter().take(5).position(|word| !word.after.is_empty())?;
    let next = sentence.get(comma + 1).filter(|_| sentence[comma].after == ",")?;
    let rest = &sentence[comma + 1..];
    let close = rest.iter().position(|word| word.after.starts_with(','))?;
    let is_list = rest.iter().take(close + 3).any(|word| word.is("and") || word.is("or"));
    let is_apposition = (next.is("a") || next.is("an")) && close > 2 && close + 2 < rest.len() && !is_list;
    let subject = subject(context, &sentence[..=comma], false).filter(|_| is_apposition)?;
    Some(format!("What {} {}?", subject.be(), subject.text))
}

/// "types such as ...", "types, such as ...": what are some examples of types?
fn examples(context: &Context, sentence: &[Word]) -> Option<String> {
    let such = sentence.windows(2).position(|pair| pair[0].is("such") && pair[1].is("as"))?;
    let before = &sentence[..such];
    let end = before.last()?.range.end;
    let term = terms(context, before).into_iter().rfind(|term| term.is_plural && term.range.end == end)?;
    Some(format!("What are some examples of {}?", term.text))
}
