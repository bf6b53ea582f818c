//! "If X, ...", "... when X": what happens, or what should I do, if X?

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::{Factual, Process, Troubleshooting},
    clause::{Finite, clause},
    grammar::{
        base_of_gerund, base_of_third_person, is_allowed_in_subject, is_article, is_only_a_verb, is_verb,
    },
    passage::{Word, range_of},
    phrase::{action_of_gerund, tail},
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
        if let Some(question) = of_gerund(context, sentence) {
            add(candidates, Factual, 0.58, range_of(sentence), question);
        }
        for question in inner(context, sentence) {
            let question_type = if is_trouble(&question) { Troubleshooting } else { Factual };
            add(candidates, question_type, 0.57, range_of(sentence), question);
        }
    }
}

/// "Enabling the mode starts a server": what happens when I enable the mode?
fn of_gerund(context: &Context, sentence: &[Word]) -> Option<String> {
    let first = sentence.first().filter(|first| {
        !first.is_code && is_allowed_in_subject(&first.lower()) && base_of_gerund(&first.lower()).is_some()
    })?;
    let is_verb = |word: &Word| {
        !word.is_code && (word.is("can") || word.is("will") || base_of_third_person(&word.lower()).is_some())
    };
    let verbs = (2..sentence.len().min(14)).filter(|&at| first.after.is_empty() && is_verb(&sentence[at]));
    verbs.into_iter().find_map(|at| {
        let is_one = sentence[..at].iter().all(|word| word.after.is_empty());
        let next = sentence.get(at + 1).filter(|next| is_one && (next.is_code || may_follow_verb(next)))?;
        let phrase = action_of_gerund(context, &sentence[..at]).filter(|_| sentence[at].after.is_empty())?;
        let is_whole = phrase.split(' ').count() + 1 >= at && next.before.is_empty();
        is_whole.then(|| format!("What happens when I {phrase}?"))
    })
}

/// Whether the word may begin what a verb takes: an article, a noun's beginning, another verb after "can".
fn may_follow_verb(word: &Word) -> bool {
    let lower = word.lower();
    is_article(&lower)
        || lower.ends_with("ly")
        || is_allowed_in_subject(&lower) && !is_verb(&lower)
        || is_only_a_verb(&lower)
}

/// Words before "if" and "when" that make them no condition.
const NO_CONDITION: &[&str] = &[
    "even",
    "only",
    "as",
    "see",
    "check",
    "know",
    "determine",
    "sure",
    "tell",
    "what",
    "like",
    "especially",
    "and",
];

/// The questions of conditions inside the sentence: "The build fails if the file is missing."
fn inner<'a>(context: &'a Context, sentence: &'a [Word]) -> impl Iterator<Item = String> + 'a {
    (3..sentence.len()).filter_map(move |at| {
        let word =
            ["if", "when"].into_iter().find(|word| sentence[at].is(word) && sentence[at].after.is_empty())?;
        let is_condition = !NO_CONDITION.iter().any(|no| sentence[at - 1].is(no));
        let rest = sentence.get(at + 1..).filter(|rest| is_condition && rest.len() > 2)?;
        let end = rest.iter().position(|word| word.after.starts_with([',', '.', ';', ':', ')']))?;
        condition(context, &rest[..=end]).map(|said| format!("What happens {word} {said}?"))
    })
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
        let said = clause.stated();
        return (!is_wish).then(|| format!("{} {}", clause.subject, said.trim_end()));
    }
    let tail = tail(context, clause.rest).filter(|tail| tail.is_whole && tail.end == clause.rest.len())?;
    (!is_wish).then(|| format!("{} {}{}", clause.subject, clause.stated(), tail.text))
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
