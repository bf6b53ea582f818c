use super::{Matcher, count_different};
use crate::{lexical::words, segment::StoredQuestion};

/// The question that shares most with the query; the best one when none shares anything.
pub fn nearest_question<'a>(
    questions: &'a [StoredQuestion],
    matcher: &Matcher,
) -> Option<&'a StoredQuestion> {
    let shared = |question: &StoredQuestion| {
        let stems: Vec<_> = words(&question.text).filter_map(|word| matcher.matches(word.text)).collect();
        count_different(&stems)
    };
    // `max_by_key` keeps the last of equal ones; the first is the better question.
    questions.iter().rev().max_by_key(|question| (shared(question), question.confidence))
}
