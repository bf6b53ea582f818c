//! "If X, ...", "... when X": what happens, or what should I do, if X?

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::{Factual, Process, Troubleshooting},
    clause::{Clause, Finite, clause},
    grammar::{is_only_a_verb, third_person},
    passage::{Word, range_of},
    phrase::tail,
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        if let Some((question, is_to_reader)) = leading(context, sentence) {
            let question_type = match (is_trouble(&question), is_to_reader) {
                (true, _) => Troubleshooting,
                (_, true) => Process,
                _ => Factual,
            };
            add(candidates, question_type, 0.72, range_of(sentence), question);
        }
    }
}

/// The question of a sentence that begins with its condition, and whether it tells what to do.
fn leading(context: &Context, sentence: &[Word]) -> Option<(String, bool)> {
    let word =
        ["if", "when"].into_iter().find(|word| sentence.first().is_some_and(|first| first.is(word)))?;
    let comma = sentence.iter().take(16).position(|word| word.after.starts_with(','))?;
    let main = sentence.get(comma + 1..).filter(|main| main.len() > 2)?;
    let said = condition(context, &sentence[1..=comma])?;
    let is_to_reader = is_advice(main);
    // "When" is often a time and no condition; what to do then is asked with "when" all the same.
    let asked = if is_to_reader { "What should I do" } else { "What happens" };
    Some((format!("{asked} {word} {said}?"), is_to_reader))
}

/// A whole condition as it stands inside a question.
fn condition(context: &Context, words: &[Word]) -> Option<String> {
    let clause = clause(context, words)?;
    let is_wish = clause.is_to_reader()
        && (clause.rest.first().is_some_and(|word| word.is("to"))
            || matches!(&clause.finite, Finite::HaveTo(_)));
    if clause.rest.is_empty() {
        let said = verb(&clause);
        return (!is_wish).then(|| format!("{} {}", clause.subject, said.trim_end()));
    }
    let tail = tail(context, clause.rest).filter(|tail| tail.is_whole && tail.end == clause.rest.len())?;
    (!is_wish).then(|| format!("{} {}{}", clause.subject, verb(&clause), tail.text))
}

/// The verb in the order of a statement, with a space after it.
fn verb(clause: &Clause) -> String {
    let not = if clause.is_negative { " not" } else { "" };
    match &clause.finite {
        Finite::Be(be) => format!("{be}{not} "),
        Finite::Modal("can") if clause.is_negative => "cannot ".to_owned(),
        Finite::Modal(modal) => format!("{modal}{not} "),
        Finite::HaveTo("does") => "has to ".to_owned(),
        Finite::HaveTo(_) => "have to ".to_owned(),
        Finite::Do(does, base) if clause.is_negative => format!("{does} not {base} "),
        Finite::Do("does", base) => format!("{} ", third_person(base)),
        Finite::Do(_, base) => format!("{base} "),
    }
}

/// Whether the main clause says what to do: "you should ...", "use ...".
fn is_advice(main: &[Word]) -> bool {
    let first = main[0].lower();
    let is_you = (first == "you" || first == "we")
        && ["can", "must", "should", "need", "have", "may"].iter().any(|verb| main[1].is(verb))
        && !main[2].is("not");
    is_you || is_only_a_verb(&first) && !main[0].is_code
}

fn is_trouble(question: &str) -> bool {
    [" fail", " panic", " error", " not ", " missing", "cannot", " invalid"]
        .iter()
        .any(|word| question.contains(word))
}
