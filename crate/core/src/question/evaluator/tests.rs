use super::*;
use crate::{
    chunk::{ChunkSettings, split, tests::document_of_spans},
    document::SpanKind::{Break, Heading, Prose},
    embedding::WordEstimate,
    question::QuestionType,
};
use proptest::prelude::*;

/// A document of one chunk for each text, with questions of this confidence.
fn prepared(chunks: &[(&str, &[(&str, f32)])]) -> PreparedDocument {
    let spans: Vec<_> = chunks
        .iter()
        .flat_map(|(text, _)| [(Heading, "Part"), (Break, "\n"), (Prose, *text), (Break, "\n")])
        .collect();
    let document = document_of_spans(&spans);
    let split = split(&document, &WordEstimate, &ChunkSettings::default());
    assert_eq!(split.len(), chunks.len());
    let question = |at: usize, (text, confidence): &(&str, f32)| Question {
        question_text: (*text).into(),
        question_type: QuestionType::Factual,
        confidence: *confidence,
        source_mapping: split[at].range.clone(),
    };
    let questions = chunks
        .iter()
        .enumerate()
        .map(|(at, (_, questions))| questions.iter().map(|given| question(at, given)).collect())
        .collect();
    PreparedDocument { document, chunks: split, questions, contexts: Vec::new() }
}

/// Vectors of two numbers.
type Rows<'a> = &'a [[f32; 2]];

/// Evaluates and gives the texts of each chunk, weak ones in brackets.
fn texts(
    mut prepared: PreparedDocument,
    vectors: Option<(Rows<'_>, Rows<'_>)>,
    settings: &EvaluatorSettings,
) -> (Vec<Vec<String>>, Evaluation) {
    let rows = |rows: &[[f32; 2]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let vectors = vectors.map(|(chunks, questions)| (rows(chunks), rows(questions)));
    let given =
        vectors.as_ref().map(|(chunks, questions)| EvaluatorVectors { chunks, questions, relevance: None });
    let documents = std::slice::from_mut(&mut prepared);
    let evaluation = evaluate(documents, given, settings);
    let shown = |question: &Question| {
        let text = &question.question_text;
        if question.is_searched() { text.clone() } else { format!("({text})") }
    };
    (prepared.questions.iter().map(|questions| questions.iter().map(shown).collect()).collect(), evaluation)
}

const PORT: &str = "The port is set by a flag.";
const CACHE: &str = "The cache is a folder of files.";

#[test]
fn questions_about_nothing_go() {
    let given =
        prepared(&[(PORT, &[("What is the purpose of this?", 0.9), ("How do I set the port?", 0.9)])]);
    let (texts, evaluation) =
        texts(given, None, &EvaluatorSettings { specificity: 0.0, ..EvaluatorSettings::default() });
    assert_eq!(texts, [["How do I set the port?"]]);
    assert_eq!((evaluation.candidates, evaluation.kept, evaluation.unspecific), (2, 1, 1));
}

#[test]
fn words_that_are_everywhere_cost() {
    let question = ("How do I set the port?", 0.61);
    let given = prepared(&[(PORT, &[question]), (PORT, &[]), (CACHE, &[("Where is the cache?", 0.61)])]);
    let settings = EvaluatorSettings { specificity: 0.2, ..EvaluatorSettings::default() };
    let (texts, evaluation) = texts(given, None, &settings);
    assert_eq!(
        texts,
        [vec!["(How do I set the port?)".to_owned()], vec![], vec!["(Where is the cache?)".into()]]
    );
    assert_eq!(evaluation.weak, 2);
}

#[test]
fn a_question_leads_back_to_its_chunk() {
    let (east, north, between) = ([1.0, 0.0], [0.0, 1.0], [0.8, 0.6]);
    let given = |east: &'static str, north: &'static str| {
        prepared(&[(PORT, &[(east, 0.8)]), (CACHE, &[(north, 0.8)])])
    };
    let settings = EvaluatorSettings { specificity: 0.0, answerability: 0.5, ..EvaluatorSettings::default() };
    // The second one is about the first chunk.
    let (found, evaluation) = texts(
        given("How do I set the port?", "Where is the port?"),
        Some((&[east, north], &[east, between])),
        &settings,
    );
    assert_eq!(found, [["How do I set the port?"], ["(Where is the port?)"]]);
    assert_eq!((evaluation.searched, evaluation.weak), (1, 1));
    // What is as near to both stays.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (found, _) = texts(
        given("How do I set the port?", "Where is the cache?"),
        Some((&[east, north], &[east, [half, half]])),
        &settings,
    );
    assert_eq!(found, [["How do I set the port?"], ["Where is the cache?"]]);
}

#[test]
fn somebody_else_may_say_what_is_answered() {
    let mut given = prepared(&[(PORT, &[("How do I set the port?", 0.8), ("Why is the port red?", 0.8)])]);
    let (chunks, questions) = (vec![vec![1.0, 0.0]], vec![vec![1.0, 0.0], vec![0.0, 1.0]]);
    let vectors = EvaluatorVectors { chunks: &chunks, questions: &questions, relevance: Some(&[0.0, 1.0]) };
    let settings = EvaluatorSettings { specificity: 0.0, ..EvaluatorSettings::default() };
    evaluate(std::slice::from_mut(&mut given), Some(vectors), &settings);
    let searched: Vec<_> = given.questions[0].iter().map(|question| question.is_searched()).collect();
    assert_eq!(
        (given.questions[0][0].question_text.as_str(), searched),
        ("Why is the port red?", vec![true, false])
    );
}

#[test]
fn the_same_is_asked_once() {
    let settings = EvaluatorSettings { specificity: 0.0, answerability: 0.0, ..EvaluatorSettings::default() };
    let near = [0.999, 0.0447];
    let given = prepared(&[
        (
            PORT,
            &[("How do I set the port?", 0.8), ("How can I set the port?", 0.9), ("What is a port?", 0.7)],
        ),
        (
            CACHE,
            &[("How does one set the port?", 0.7), ("what is the port", 0.65), ("What is a cache?", 0.5)],
        ),
    ]);
    let east = [1.0, 0.0];
    let (found, evaluation) =
        texts(given, Some((&[east, [0.0, 1.0]], &[east, near, [0.0, 1.0], near, [0.6, 0.8]])), &settings);
    assert_eq!(found[0], ["How can I set the port?", "What is a port?"]);
    assert_eq!(found[1], ["(How does one set the port?)", "(what is the port)", "(What is a cache?)"]);
    assert_eq!((evaluation.same_within, evaluation.same_across, evaluation.searched), (1, 2, 2));
}

#[test]
fn what_is_asked_about_nowhere_else_goes_first() {
    let text = "The scheduler runs the jobs. It is told by the server ports.";
    let questions = [
        ("What are the jobs of the scheduler?", 0.8),
        ("Why does the scheduler run the jobs?", 0.79),
        ("What are the server ports?", 0.78),
    ];
    let settings = EvaluatorSettings { count: 2, specificity: 0.0, ..EvaluatorSettings::default() };
    let (found, evaluation) = texts(prepared(&[(text, &questions)]), None, &settings);
    assert_eq!(found[0].len(), 2);
    assert!(found[0].contains(&"What are the server ports?".to_owned()), "{found:?}");
    assert_eq!(evaluation.over_count, 1);
}

#[test]
fn the_best_share_is_searched() {
    let questions = [("What is a port?", 0.9), ("Who sets the port?", 0.8), ("When is the port set?", 0.7)];
    let settings =
        EvaluatorSettings { searched_share: 0.34, specificity: 0.0, ..EvaluatorSettings::default() };
    let (found, evaluation) = texts(prepared(&[(PORT, &questions)]), None, &settings);
    assert_eq!(found[0], ["What is a port?", "(Who sets the port?)", "(When is the port set?)"]);
    assert_eq!((evaluation.searched, evaluation.weak), (1, 2));
}

proptest! {
    #[test]
    fn scores_stay_within_and_nothing_is_added(
        asked in prop::collection::vec(("(What|How|port|cache|is|the|é|漢| ){1,8}\\?", 0.0_f32..1.0), 0..8),
        angles in prop::collection::vec(0.0_f32..6.3, 8),
        count in 1_usize..5,
    ) {
        let asked: Vec<(&str, f32)> = asked.iter().map(|(text, confidence)| (text.as_str(), *confidence)).collect();
        let half = asked.len() / 2;
        let mut given = prepared(&[(PORT, &asked[..half]), (CACHE, &asked[half..])]);
        let before = given.clone();
        let searched = searched_texts(std::slice::from_ref(&given)).len();
        let unit = |angle: &f32| vec![angle.cos(), angle.sin()];
        let (chunks, questions): (Vec<_>, Vec<_>) =
            (angles[..2].iter().map(unit).collect(), angles.iter().take(searched).map(unit).collect());
        let vectors = EvaluatorVectors { chunks: &chunks, questions: &questions, relevance: None };
        let settings = EvaluatorSettings { count, ..EvaluatorSettings::default() };
        let evaluation = evaluate(std::slice::from_mut(&mut given), Some(vectors), &settings);
        prop_assert_eq!(evaluation.candidates, asked.len());
        for (now, before) in given.questions.iter().zip(&before.questions) {
            prop_assert!(now.len() <= count);
            for question in now {
                prop_assert!((0.0..=1.0).contains(&question.confidence));
                let was = before.iter().any(|other| {
                    other.question_text == question.question_text && other.confidence >= question.confidence
                });
                prop_assert!(was);
            }
        }
    }
}
