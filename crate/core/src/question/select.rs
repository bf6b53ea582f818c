//! From candidates to the questions of a chunk.

use super::{Question, grammar, normalise_question};
use std::{collections::BTreeSet, ops::Range};

/// Below this a candidate is not shown.
const MIN_CONFIDENCE: f32 = 0.3;
/// Longest question in words; error messages are quoted and may be longer.
const MAX_WORDS: usize = 16;
/// Longest question in bytes.
const MAX_BYTES: usize = 160;

/// Weak questions fill a chunk's set up to this.
const FILLED: usize = 4;
/// What a question loses for each of its type, and for each of its sentence, that was chosen before it.
const SAME_TYPE: f32 = 0.08;
const SAME_SOURCE: f32 = 0.1;

/// Up to `count` of the candidates, best first. Those that are searched go before weaker ones of any type; among
/// either, other types and other sentences go before more of the same.
pub(super) fn select(mut candidates: Vec<Question>, count: usize) -> Vec<Question> {
    candidates.retain(is_presentable);
    best_of(candidates, count)
}

/// As [`select`], of candidates that were looked at before.
pub(super) fn best_of(mut candidates: Vec<Question>, count: usize) -> Vec<Question> {
    candidates.sort_by(|a, b| {
        b.confidence
            .total_cmp(&a.confidence)
            .then_with(|| a.source_mapping.start.cmp(&b.source_mapping.start))
            .then_with(|| a.question_text.cmp(&b.question_text))
    });
    let mut seen = BTreeSet::new();
    candidates.retain(|question| seen.insert(normalise_question(&question.question_text)));
    best_by(candidates, count, &|_, _| 0.0)
}

/// Up to `count` of `candidates`, no two of which are the same, best first. `gain` is what a question is worth beside
/// its quality when others were chosen.
pub(super) fn best_by(
    candidates: Vec<Question>,
    count: usize,
    gain: &dyn Fn(&Question, &[Question]) -> f32,
) -> Vec<Question> {
    let (strong, weak): (Vec<_>, Vec<_>) = candidates.into_iter().partition(Question::is_searched);
    let mut chosen = Vec::new();
    choose(strong, count, gain, &mut chosen);
    choose(weak, count.min(FILLED), gain, &mut chosen);
    sort(&mut chosen);
    chosen
}

/// Adds `candidates` in their order until there are `count` questions, none twice.
pub(super) fn top_up(questions: &mut Vec<Question>, candidates: Vec<Question>, count: usize) {
    for candidate in candidates.into_iter().filter(is_presentable) {
        let key = normalise_question(&candidate.question_text);
        let is_new = questions.iter().all(|known| normalise_question(&known.question_text) != key);
        if is_new && questions.len() < count {
            questions.push(candidate);
        }
    }
    sort(questions);
}

/// The best first; equal ones keep their order.
fn sort(questions: &mut [Question]) {
    questions.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
}

/// Moves the best of `candidates`, which are sorted, to `chosen` until it holds `count`.
fn choose(
    mut candidates: Vec<Question>,
    count: usize,
    gain: &dyn Fn(&Question, &[Question]) -> f32,
    chosen: &mut Vec<Question>,
) {
    while chosen.len() < count && !candidates.is_empty() {
        let worth = |question: &Question| {
            let alike = |is_alike: &dyn Fn(&Question) -> bool| {
                chosen.iter().filter(|other| is_alike(other)).count() as f32
            };
            question.confidence + gain(question, chosen)
                - SAME_TYPE * alike(&|other| other.question_type == question.question_type)
                - SAME_SOURCE * alike(&|other| overlap(&other.source_mapping, &question.source_mapping))
        };
        // `max_by` keeps the last of equal ones; the first is the better question.
        let worths = candidates.iter().map(worth).enumerate().rev();
        let Some((best, _)) = worths.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        chosen.push(candidates.remove(best));
    }
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The last look at a candidate, whatever rule it came from.
fn is_presentable(question: &Question) -> bool {
    let text = &question.question_text;
    let words: Vec<_> = text.trim_end_matches(['?', '？']).split_whitespace().collect();
    let is_vague = words.get(1..).is_some_and(|words| grammar::first_vague(words).is_some());
    // Headings that are questions are their author's: they may say "it" and "you".
    let is_as_it_is = question.confidence >= super::rules::AS_IT_IS;
    is_well_formed(question)
        && (is_as_it_is || is_quote(text) || words.len() > 2 && !is_vague && !repeats(&words))
}

fn is_quote(text: &str) -> bool {
    text.contains('“')
}

/// Whether a word stands twice in a row.
pub(super) fn repeats(words: &[&str]) -> bool {
    words.windows(2).any(|pair| pair[0].eq_ignore_ascii_case(pair[1]))
}

/// Whether the question has the form of one and a length that can be shown.
pub(super) fn is_well_formed(question: &Question) -> bool {
    let text = &question.question_text;
    let words = text.split_whitespace().count();
    let starts_well = text.starts_with(|c: char| !c.is_lowercase());
    let fits = words <= MAX_WORDS && text.len() <= MAX_BYTES || is_quote(text) && text.len() <= 2 * MAX_BYTES;
    text.ends_with(['?', '？'])
        && starts_well
        && !text.contains(['\n', '|'])
        && !text.contains("://")
        && text.matches('(').count() == text.matches(')').count()
        && question.confidence >= MIN_CONFIDENCE
        && fits
}
