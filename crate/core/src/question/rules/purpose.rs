//! "X lets you ...", "X is used to ...": what is it for?

use super::{Context, add, without_introduction};
use crate::question::{
    Question, QuestionType,
    passage::{Word, range_of},
    phrase::action,
    subject::subject,
};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        let words = without_introduction(sentence);
        stated(context, words, candidates);
        let Some((subject_end, rest)) = split(words) else { continue };
        let source = range_of(sentence);
        if let Some(subject) = subject(context, &words[..subject_end], false) {
            let question = format!("What {} {} used for?", subject.be(), subject.text);
            add(candidates, QuestionType::Purpose, 0.78, source.clone(), question);
        }
        if let Some(phrase) = action(context, rest, false) {
            add(candidates, QuestionType::Process, 0.66, source, format!("How do I {phrase}?"));
        }
    }
}

/// "The purpose of X is ...", "The benefit of X is ...".
fn stated(context: &Context, words: &[Word], candidates: &mut Vec<Question>) {
    const STATED: &[&str] =
        &["purpose", "benefit", "advantage", "disadvantage", "downside", "drawback", "goal", "role"];
    let is_stated = words.len() > 4 && words[0].is("the") && words[2].is("of");
    let Some(noun) = STATED.iter().find(|noun| is_stated && words[1].is(noun)) else { return };
    let Some(end) = words.iter().position(|word| word.is("is")).filter(|&end| end > 3) else { return };
    if let Some(subject) = subject(context, &words[3..end], false) {
        let question = format!("What is the {noun} of {}?", subject.text);
        add(candidates, QuestionType::Purpose, 0.8, range_of(words), question);
    }
}

/// Where the subject ends, and the action that it serves.
fn split(words: &[Word]) -> Option<(usize, &[Word])> {
    let is = |at: usize, accepted: &[&str]| {
        words.get(at).is_some_and(|word| accepted.iter().any(|other| word.is(other)))
    };
    (1..words.len().min(9)).find_map(|at| {
        if words[at - 1].is("not") || !words[at - 1].after.is_empty() {
            return None;
        }
        let skipped = usize::from(is(at, &["can", "also"]));
        let verb = at + skipped;
        if is(verb, &["lets", "let"]) && is(verb + 1, &["you", "us"]) {
            return Some((at, &words[verb + 2..]));
        }
        let enables = ["allows", "allow", "enables", "enable", "helps", "help"];
        if is(verb, &enables) && is(verb + 1, &["you", "us"]) {
            return Some((at, &words[verb + 2 + usize::from(is(verb + 2, &["to"]))..]));
        }
        let is_used = is(at, &["is", "are"]) && is(at + 1, &["used", "useful", "intended", "designed"]);
        if is_used && is(at + 2, &["to"]) {
            return Some((at, &words[at + 3..]));
        }
        (is_used && is(at + 2, &["for", "when"])).then_some((at, &words[..0]))
    })
}
