use super::Matcher;
use crate::{lexical::words, segment::StoredQuestion};
use std::collections::BTreeSet;

/// The question that shares most with the query; the best one when none shares anything.
pub fn nearest_question<'a>(
    questions: &'a [StoredQuestion],
    matcher: &Matcher,
) -> Option<&'a StoredQuestion> {
    let shared = |question: &StoredQuestion| {
        words(&question.text).filter_map(|word| matcher.matches(word.text)).collect::<BTreeSet<_>>().len()
    };
    // `max_by_key` keeps the last of equal ones; the first is the better question.
    questions.iter().rev().max_by_key(|question| (shared(question), question.confidence))
}
