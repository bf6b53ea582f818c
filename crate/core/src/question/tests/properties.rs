//! What holds of any text.

use super::*;
use proptest::prelude::*;

/// Text made of the words that rules look for, and of anything else.
fn part() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "A",
        "a",
        "the",
        "The",
        "trait",
        "slices",
        "is",
        "are",
        "To",
        "to",
        "run",
        "create",
        "lets",
        "you",
        "can't",
        "you",
        "can",
        "use",
        "instead",
        "of",
        "difference",
        "between",
        "and",
        "Unlike",
        "Cargo,",
        "vs",
        "called",
        "known",
        "as",
        "that",
        "E0502",
        "error:",
        "How",
        "Installing",
        "Examples",
        "works",
        "consists",
        "when",
        "happens",
        "for",
        "it",
        "…",
        ".",
        "?",
        "(",
        "“x”",
        "漢字",
        "🦀",
        "é",
        "-",
        "--all",
        "Vec<T>",
        "x_y",
        "1.",
        "\n",
        "’",
        "and",
        "Use",
        "which",
        "such",
        "if",
        "fails",
        "way",
        "why",
        "size",
        "Free",
        "File",
        "(FF)",
        "[profile.dev]\n",
        "opt-level = 1\n",
        "pub struct Rectangle {",
        "$ git push x\n",
        "String::from(",
    ];
    prop_oneof![8 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn promises_hold(
        parts in prop::collection::vec(
            (
                prop::sample::select(vec![Prose, Prose, Heading, InlineCode, Code, Break]),
                prop::collection::vec(part(), 0..14),
            ),
            0..8,
        ),
        count in 0_usize..6,
    ) {
        let parts: Vec<(SpanKind, String)> = parts.into_iter().map(|(kind, words)| (kind, words.join(" "))).collect();
        let parts: Vec<_> = parts.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        let mut document = document_of_spans(&parts);
        document.language = Some("en".into());
        for chunk in split(&document, &WordEstimate, &ChunkSettings { max_tokens: 64, overlap_tokens: 0 }) {
            let questions = RuleGenerator.generate_questions(&document, &chunk, count);
            prop_assert!(questions.len() <= count);
            prop_assert!(questions.is_sorted_by(|a, b| a.confidence >= b.confidence));
            let mut normal: Vec<_> = questions.iter().map(|question| normalise_question(&question.question_text)).collect();
            normal.sort();
            normal.dedup();
            prop_assert_eq!(normal.len(), questions.len());
            for Question { question_text, confidence, source_mapping, .. } in questions {
                prop_assert!(question_text.ends_with(['?', '？']), "{question_text}");
                prop_assert!(question_text.starts_with(|c: char| !c.is_lowercase()), "{question_text}");
                prop_assert!((0.0..=1.0).contains(&confidence));
                prop_assert!(!question_text.contains("  "), "{question_text}");
                prop_assert!(chunk.range.start <= source_mapping.start && source_mapping.end <= chunk.range.end);
                prop_assert!(document.text.get(source_mapping).is_some());
            }
        }
    }
}
