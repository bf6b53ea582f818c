use super::{Matcher, count_different};
use crate::segment::StoredQuestion;

/// The question that shares most with the query; the best one when none shares anything.
pub fn nearest_question<'a>(
    questions: &'a [StoredQuestion],
    matcher: &Matcher,
) -> Option<&'a StoredQuestion> {
    let shared = |question: &StoredQuestion| {
        let stems: Vec<_> = matcher.matches(&question.text).into_iter().map(|(_, stem)| stem).collect();
        count_different(&stems)
    };
    // `max_by_key` keeps the last of equal ones; the first is the better question.
    questions.iter().rev().max_by_key(|question| (shared(question), question.confidence))
}
