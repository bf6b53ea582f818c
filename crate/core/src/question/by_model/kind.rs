//! What a question asks for, by its words.

use crate::question::QuestionType;

/// The type that a reply named, where it is one.
pub(super) fn type_of_name(name: &str) -> Option<QuestionType> {
    let name = name.to_lowercase();
    [
        ("fact", QuestionType::Factual),
        ("relat", QuestionType::Relationship),
        ("compar", QuestionType::Relationship),
        ("purpose", QuestionType::Purpose),
        ("process", QuestionType::Process),
        ("procedur", QuestionType::Process),
        ("how", QuestionType::Process),
        ("troubleshoot", QuestionType::Troubleshooting),
    ]
    .into_iter()
    .find_map(|(start, question_type)| name.starts_with(start).then_some(question_type))
}

/// The type of an English question by its form; others are factual.
pub(super) fn type_of_form(question: &str) -> QuestionType {
    let lower = question.to_lowercase();
    let words: Vec<_> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let begins = |any: &[&str]| any.iter().any(|start| lower.starts_with(start));
    let fails = [
        "fail", "fails", "failed", "failing", "error", "errors", "fix", "wrong", "cannot", "can't", "broken",
        "crash", "crashes", "refused", "missing", "not", "doesn't", "isn't", "won't", "avoid", "solve",
        "resolve",
    ];
    if has(&fails) && begins(&["why", "how", "what should", "what do i do", "what can i do", "what causes"]) {
        return QuestionType::Troubleshooting;
    }
    if has(&[
        "difference",
        "differ",
        "differs",
        "differences",
        "relate",
        "related",
        "relationship",
        "versus",
        "vs",
        "compare",
        "compared",
        "instead",
    ]) {
        return QuestionType::Relationship;
    }
    if begins(&[
        "why",
        "what is the purpose",
        "what is the benefit",
        "what are the benefits",
        "when should",
        "when would",
    ]) || lower.starts_with("what") && has(&["for"]) && has(&["used", "good"])
    {
        return QuestionType::Purpose;
    }
    let process = [
        "how do",
        "how can",
        "how to",
        "how should",
        "how would",
        "how does",
        "how is",
        "how are",
        "where do i",
        "what steps",
        "what command",
    ];
    if begins(&process) { QuestionType::Process } else { QuestionType::Factual }
}
