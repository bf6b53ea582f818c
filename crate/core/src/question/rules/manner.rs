//! Ways and kinds: "use X to Y" anywhere in a sentence, "it is possible to Y", "Set the Y", "there are two kinds
//! of Y".

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::{Factual, Process, Troubleshooting},
    grammar::{Table, is_article, is_only_a_verb, is_verb, table},
    passage::{Word, range_of},
    phrase::action,
    subject::subject,
};
use std::sync::LazyLock;

/// Verbs whose object serves what follows "to".
static MEANS: Table = LazyLock::new(|| {
    table(
        "use uses using used call calls calling called run running add adding set setting pass passing specify write \
     implement create employ provide provides invoke apply choose",
    )
});

/// Instructions to look somewhere else, or at something: nothing is done by them.
static LOOKING: Table = LazyLock::new(|| {
    table(
        "see note consider refer read look notice imagine keep remember recall check understand examine let review",
    )
});

/// Words with a "to" of their own, which begins no purpose: "access to commit data".
static TAKING_TO: Table = LazyLock::new(|| {
    table(
        "access reference references link links path relative equal similar due according up respect identical related \
         opposed addition key route compared close next prior symbol name item thing something anything what where which",
    )
});

/// Words between which a purpose may stand behind its means.
const REACH: usize = 8;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        // What another place explains is no answer here.
        let points_away = sentence.iter().any(|word| word.is("see") || word.is("refer"));
        if points_away || sentence.last().is_some_and(|word| word.after.contains('?')) {
            continue;
        }
        let source = range_of(sentence);
        let mut ask = |question_type, confidence, question| {
            add(candidates, question_type, confidence, source.clone(), question);
        };
        // "Use X to Y" is asked by what it is for.
        if let Some(phrase) = means(context, sentence) {
            ask(Process, 0.66, format!("How do I {phrase}?"));
        } else if let Some(phrase) = instruction(context, sentence) {
            let confidence = if context.is_history() { 0.45 } else { 0.68 };
            ask(Process, confidence, format!("How do I {phrase}?"));
        }
        for (phrase, is_sure) in doings(context, sentence) {
            ask(Process, if is_sure { 0.6 } else { 0.5 }, format!("How do I {phrase}?"));
        }
        if let Some((question_type, question)) = judged(context, sentence) {
            ask(question_type, 0.66, question);
        }
        if let Some(question) = kinds(context, sentence) {
            ask(Factual, 0.76, question);
        }
    }
}

/// "... use X to Y": Y.
fn means(context: &Context, words: &[Word]) -> Option<String> {
    let verb = words.iter().position(|word| !word.is_code && MEANS.contains(word.lower().as_str()))?;
    let reach = &words[verb + 1..words.len().min(verb + 1 + REACH)];
    let to = reach.iter().position(|word| word.is("to"))?;
    let takes_to = to > 0 && TAKING_TO.contains(reach[to - 1].lower().as_str());
    let is_denied = words[..verb].iter().rev().take(3).any(is_negation);
    let is_one_clause = !takes_to
        && !is_denied
        && reach[..to].iter().all(|word| word.after.is_empty() && !word.is("how") && !word.is("that"));
    // "Set x to return" and "called to": only a phrase between the two is a means.
    let is_passive = words[verb].is("used") && to == 0;
    (is_one_clause && (to > 0 || is_passive)).then(|| action(context, &words[verb + to + 2..], false))?
}

/// "cannot", "not", "can't".
fn is_negation(word: &Word) -> bool {
    let lower = word.lower().replace('’', "'");
    ["not", "cannot", "never"].contains(&lower.as_str()) || lower.ends_with("n't")
}

/// "Set the X to Y.", "Let's add a X."
fn instruction(context: &Context, sentence: &[Word]) -> Option<String> {
    const BEFORE: &[&str] =
        &["let's", "let’s", "please", "so", "then", "now", "next", "finally", "instead", "just"];
    let words = match sentence.first()? {
        first if BEFORE.iter().any(|before| first.is(before)) => &sentence[1..],
        _ => sentence,
    };
    let [first, second, ..] = words else { return None };
    let verb = first.lower();
    let is_object = second.is_code
        || is_article(&second.lower())
        || ["your", "all", "any", "each", "every", "multiple"].iter().any(|word| second.is(word));
    let does = !first.is_code && is_verb(&verb) && !LOOKING.contains(verb.as_str());
    (does && (is_object || is_only_a_verb(&verb)) && words.len() > 2)
        .then(|| action(context, words, false))?
}

/// "... we define a Y", "you can move the Y": what the reader is led through, and whether its verb is nothing
/// but one.
fn doings<'a>(context: &'a Context, words: &'a [Word]) -> impl Iterator<Item = (String, bool)> + 'a {
    const LEADERS: &[&str] = &["we", "you", "we'll", "we’ll", "you'll", "you’ll", "let's", "let’s", "then"];
    const MODALS: &[&str] = &["can", "could", "must", "should", "may", "might", "also"];
    (1..words.len()).filter_map(move |at| {
        let modals =
            words[..at].iter().rev().take_while(|word| MODALS.iter().any(|modal| word.is(modal))).count();
        let leader = words[..at - modals].last()?;
        let is_led = LEADERS.iter().any(|leads| leader.is(leads)) && (modals == 0 || !leader.is("then"));
        let object = words.get(at + 1).filter(|_| leader.after.is_empty() && words[at].after.is_empty())?;
        let is_object = object.is_code || is_article(&object.lower()) || object.is("your");
        let verb = words[at].lower();
        let is_sure = is_only_a_verb(&verb) && modals == 0 && is_object;
        // "We call the act borrowing" names something, and nobody does it.
        let is_naming = verb == "call" && modals == 0;
        (is_led
            && !is_naming
            && !words[at].is_code
            && !LOOKING.contains(verb.as_str())
            && (is_object || !leader.is("then")))
        .then(|| action(context, &words[at..], false))?
        .map(|phrase| (phrase, is_sure))
    })
}

/// "It is possible to Y", "It is an error to Y", "It is recommended to Y".
fn judged(context: &Context, words: &[Word]) -> Option<(crate::question::QuestionType, String)> {
    let to = words.iter().take(8).position(|word| word.is("to")).filter(|&to| to >= 2)?;
    let starts = words[0].is("it's") || words[0].is("it’s") || words[0].is("it") && words[1].is("is");
    if !starts {
        return None;
    }
    let judged =
        |judgements: &[&str]| words[1..to].iter().any(|word| judgements.iter().any(|other| word.is(other)));
    let phrase = action(context, &words[to + 1..], false)?;
    if judged(&["error", "illegal", "invalid", "impossible", "forbidden"]) {
        return Some((Troubleshooting, format!("Can I {phrase}?")));
    }
    if judged(&["possible", "allowed", "legal", "valid", "permitted"]) {
        return Some((Process, format!("Can I {phrase}?")));
    }
    judged(&["recommended", "best", "better", "important", "idiomatic", "useful", "advisable"])
        .then(|| (Process, format!("Should I {phrase}?")))
}

/// "There are two kinds of Y", "Rust has three types of Y": which are they?
fn kinds(context: &Context, words: &[Word]) -> Option<String> {
    const NUMBERS: &[&str] =
        &["two", "three", "four", "five", "six", "several", "many", "various", "different", "following"];
    let kind = ["kinds", "types", "forms", "sorts", "categories", "flavors"];
    let at = words.iter().position(|word| kind.iter().any(|kind| word.is(kind)))?;
    let is_counted = at > 0 && NUMBERS.iter().any(|number| words[at - 1].is(number));
    if !is_counted || !words.get(at + 1)?.is("of") {
        return None;
    }
    let rest = &words[at + 2..];
    let end = rest.iter().take(5).position(|word| {
        !word.after.is_empty()
            || ["in", "that", "which", "for", "are", "can", "you", "to"].iter().any(|end| word.is(end))
    })?;
    let end = if rest[end].after.is_empty() { end } else { end + 1 };
    let subject = subject(context, &rest[..end], false).filter(|subject| subject.is_plural)?;
    Some(format!("What {} of {} exist?", words[at].lower(), subject.text))
}
