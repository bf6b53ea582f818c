//! What the chunk's own terms have to do with its topic, for chunks that say little in a form that the other
//! rules know: narration, and sentences that lean on each other.
//!
//! The topic is the nearest heading that names a thing or a task; the terms are code and noun phrases of the
//! chunk. Such a question is weaker than one made from a statement, so it is asked only to fill up.

use super::{Context, add, generic, heading::without_number};
use crate::question::{
    Question,
    QuestionType::{Factual, Process, Purpose, Relationship},
    clause::clause,
    grammar::{base_of_gerund, is_only_a_verb},
    passage::{Word, words_of},
    phrase::action_of_gerund,
    subject::{Subject, subject},
    terms::{Term, terms},
};
use std::{cmp::Reverse, collections::BTreeMap, ops::Range};

/// What a heading is about.
pub(in crate::question) struct Topic {
    /// "recursive types", "adding metadata to a new crate"
    pub(in crate::question) about: String,
    is_plural: bool,
    /// Whether it is a task rather than a thing.
    is_task: bool,
}

/// Words of a chunk below which it is not filled up: it may well answer nothing more.
const MIN_WORDS: usize = 20;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    let topic = topic(context);
    if let (Some((block, _)), Some(topic)) = (context.code().next(), &topic) {
        in_code(topic, block, candidates);
    }
    if context.sentences().map(<[Word]>::len).sum::<usize>() < MIN_WORDS {
        return;
    }
    let about = topic.as_ref().map(|topic| topic.about.to_lowercase());
    let terms = counted(context, about.as_deref().unwrap_or_default());
    // What is named once may stand there for any reason.
    for (rank, (term, count)) in terms.iter().take(3).enumerate() {
        let weight = match (*count > 1, term.is_code) {
            (true, _) => 0.44,
            (false, true) => 0.38,
            (false, false) => 0.33,
        } - 0.01 * rank as f32;
        let used = format!("What {} {} used for?", term.be(), term.text);
        let mut ask = |question_type, confidence, question| {
            add(candidates, question_type, confidence, term.range.clone(), question);
        };
        if term.is_code {
            ask(Purpose, weight, used);
        }
        let Some(Topic { about, is_task, .. }) = &topic else { continue };
        if *is_task || rank % 2 == 0 {
            ask(Purpose, weight - 0.02, format!("What role {} {} play in {about}?", term.does(), term.text));
        } else {
            ask(Relationship, weight - 0.02, format!("How {} {} relate to {about}?", term.does(), term.text));
        }
    }
}

/// What a block of code below the topic's heading shows.
fn in_code(topic: &Topic, block: Range<usize>, candidates: &mut Vec<Question>) {
    let Topic { about, is_plural, is_task } = topic;
    let does = if *is_plural { "do" } else { "does" };
    add(candidates, Factual, 0.43, block.clone(), format!("What {does} {about} look like in code?"));
    if !is_task {
        add(candidates, Process, 0.4, block, format!("How do I use {about}?"));
    }
}

/// The chunk's terms that are not in the topic's name, those that it comes back to first, with how often.
pub(in crate::question) fn counted(context: &Context, about: &str) -> Vec<(Term, usize)> {
    let mut counted: BTreeMap<String, (Term, usize)> = BTreeMap::new();
    for term in context.sentences().flat_map(|sentence| terms(context, sentence)) {
        let is_vague = term.is_single() && !context.is_topic(&term.head);
        if !is_vague && !about.contains(term.head.trim_end_matches('s')) {
            counted.entry(term.text.to_lowercase()).or_insert_with(|| (term, 0)).1 += 1;
        }
    }
    let mut counted: Vec<_> = counted.into_values().collect();
    counted.sort_by_key(|(term, count)| (Reverse(*count), !term.is_code, term.range.start));
    counted
}

/// The nearest heading that names a thing or a task.
pub(in crate::question) fn topic(context: &Context) -> Option<Topic> {
    let own = std::iter::once(context.section.heading.as_str());
    own.chain(context.parents()).find_map(|heading| {
        let heading = without_number(heading);
        let words = words_of(heading);
        let is_statement = words.len() > 2 && clause(context, &words).is_some();
        let is_file = context.document.path.ends_with(heading);
        let is_instruction = words.len() > 1 && is_only_a_verb(&words[0].lower());
        if is_file
            || is_statement
            || is_instruction
            || heading.ends_with(['?', '!'])
            || generic::is_generic(heading)
            || words.len() > 8
        {
            return None;
        }
        let first = words.first()?;
        let has_list = words.iter().any(|word| {
            ["and", "or", "vs", "versus"].iter().any(|link| word.is(link)) || !word.after.is_empty()
        });
        if words.len() > 1 && base_of_gerund(&first.lower()).is_some() {
            let phrase = action_of_gerund(context, &words).filter(|_| !has_list)?;
            let (_, object) = phrase.split_once(' ')?;
            let about = format!("{} {object}", first.lower());
            return Some(Topic { about, is_plural: false, is_task: true });
        }
        // "The search" of a heading is a thing of its chunk, "linkage" is not.
        let is_clear = |subject: &Subject| words.len() > 1 || !subject.text.starts_with("the ");
        let Subject { text, is_plural } =
            subject(context, &words, true).filter(|_| !has_list).filter(is_clear)?;
        Some(Topic { about: text, is_plural, is_task: false })
    })
}
