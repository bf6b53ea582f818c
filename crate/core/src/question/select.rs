//! From candidates to the questions of a chunk.

use super::{Question, QuestionType, grammar, normalise_question};
use std::collections::BTreeSet;

/// Below this a candidate is not shown.
const MIN_CONFIDENCE: f32 = 0.3;
/// Longest question in words; error messages are quoted and may be longer.
const MAX_WORDS: usize = 16;
/// Longest question in bytes.
const MAX_BYTES: usize = 160;

/// Up to `count` of the candidates, best first: the first of its kind before the third of another.
pub(super) fn select(mut candidates: Vec<Question>, count: usize) -> Vec<Question> {
    candidates.retain(is_presentable);
    candidates.sort_by(|a, b| {
        b.confidence
            .total_cmp(&a.confidence)
            .then_with(|| a.source_mapping.start.cmp(&b.source_mapping.start))
            .then_with(|| a.question_text.cmp(&b.question_text))
    });
    let mut seen = BTreeSet::new();
    candidates.retain(|question| seen.insert(normalise_question(&question.question_text)));
    // Of one type no more than half are taken while other types are there to take.
    let most = count.div_ceil(2);
    let mut of_type = [0_usize; 5];
    let (mut chosen, mut spare) = (Vec::new(), Vec::new());
    for question in candidates {
        let taken = &mut of_type[type_index(question.question_type)];
        *taken += 1;
        if *taken <= most { chosen.push(question) } else { spare.push(question) }
    }
    chosen.truncate(count);
    chosen.extend(spare.into_iter().take(count - chosen.len()));
    chosen.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    chosen
}

fn type_index(question_type: QuestionType) -> usize {
    match question_type {
        QuestionType::Factual => 0,
        QuestionType::Relationship => 1,
        QuestionType::Purpose => 2,
        QuestionType::Process => 3,
        QuestionType::Troubleshooting => 4,
    }
}

/// The last look at a candidate, whatever rule it came from.
fn is_presentable(question: &Question) -> bool {
    let text = &question.question_text;
    let is_quote = text.contains('“');
    let words: Vec<_> = text.trim_end_matches(['?', '？']).split_whitespace().collect();
    let starts_well = text.starts_with(|c: char| !c.is_lowercase());
    let is_vague = words.iter().skip(1).any(|word| grammar::is_vague(&word.to_lowercase()));
    let repeats = words.windows(2).any(|pair| pair[0].eq_ignore_ascii_case(pair[1]));
    // Headings that are questions are their author's: they may say "it" and "you".
    let is_as_it_is = question.confidence >= super::rules::AS_IT_IS;
    let fits = words.len() <= MAX_WORDS && text.len() <= MAX_BYTES || is_quote && text.len() <= 2 * MAX_BYTES;
    let is_well_formed = text.ends_with(['?', '？'])
        && starts_well
        && !text.contains(['\n', '|'])
        && !text.contains("://")
        && text.matches('(').count() == text.matches(')').count()
        && question.confidence >= MIN_CONFIDENCE;
    is_well_formed && fits && (is_as_it_is || is_quote || words.len() > 2 && !is_vague && !repeats)
}
