//! Phrases that the chunk comes back to: "the borrow checker" three times asks how it works.

use super::{Context, add};
use crate::question::{
    Question, QuestionType,
    grammar::{base_of_third_person, is_allowed_in_subject, is_article, is_plural, is_verb},
    passage::{Word, range_of},
    subject::subject,
};
use std::collections::BTreeMap;

/// Times that a phrase has to stand in the chunk.
const MIN_COUNT: usize = 3;
/// Times that suffice where a heading above names it.
const MIN_COUNT_OF_TOPIC: usize = 2;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for (count, words) in phrases(context).into_iter().take(2) {
        // A phrase that no heading names may stand there for any reason.
        if !words.iter().all(|word| context.is_topic(&word.lower())) {
            continue;
        }
        let is_plural = words.last().is_some_and(|word| is_plural(&word.lower()));
        let has_article = matches!(context.article_before(words), Some(Some(_)));
        if !(is_plural || has_article) {
            continue;
        }
        let subject = subject(context, words, false)
            .filter(|subject| is_plural || subject.text.split(' ').next().is_some_and(is_article));
        if let Some(subject) = subject {
            let confidence = 0.36 + 0.02 * count.min(6) as f32;
            let question = format!("How {} {} work?", subject.does(), subject.text);
            add(candidates, QuestionType::Process, confidence, range_of(words), question);
        }
    }
}

/// The phrases that the chunk comes back to with how often, the most frequent first.
pub(in crate::question) fn phrases<'a>(context: &'a Context<'_>) -> Vec<(usize, &'a [Word])> {
    let mut phrases: BTreeMap<String, (usize, &[Word])> = BTreeMap::new();
    for sentence in context.sentences() {
        for length in [2, 3] {
            for words in sentence.windows(length).filter(|words| is_phrase(words)) {
                let key = words.iter().map(Word::lower).collect::<Vec<_>>().join(" ");
                phrases.entry(key.trim_end_matches('s').to_owned()).or_insert((0, words)).0 += 1;
            }
        }
    }
    let mut phrases: Vec<_> = phrases
        .into_iter()
        .filter(|(_, (count, words))| {
            let is_topic = words.iter().any(|word| context.is_topic(&word.lower()));
            *count >= if is_topic { MIN_COUNT_OF_TOPIC } else { MIN_COUNT }
        })
        .collect();
    phrases.sort_by_key(|(key, (count, _))| (std::cmp::Reverse(*count), key.clone()));
    phrases.into_iter().map(|(_, phrase)| phrase).collect()
}

/// Whether the words may be the name of something: no small words, no verbs, nothing in between.
fn is_phrase(words: &[Word]) -> bool {
    let (last, inner) = words.split_last().expect("phrases have words");
    let is_content = |word: &Word| {
        let lower = word.lower();
        !word.is_code
            && word.before.is_empty()
            && lower.len() > 2
            && lower.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
            && is_allowed_in_subject(&lower)
            && !is_article(&lower)
            && !["of", "in", "for", "with", "on", "to", "and", "or", "at"].contains(&lower.as_str())
            && !lower.ends_with("ly")
    };
    let is_noun = {
        let lower = last.lower();
        !lower.ends_with("ing")
            && !lower.ends_with("ed")
            && base_of_third_person(&lower).is_none()
            && !is_verb(&lower)
    };
    words.iter().all(is_content)
        && inner.iter().all(|word| word.after.is_empty() && base_of_third_person(&word.lower()).is_none())
        && !is_verb(&words[0].lower())
        && !words[0].lower().ends_with("ing")
        && is_noun
}
