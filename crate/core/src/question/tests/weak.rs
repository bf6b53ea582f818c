//! The rules whose questions fill a chunk's set up and are not searched, each by rows of text and a question.

use super::*;

/// Checks that `expected` is among the questions of the paragraph, and that it is not searched.
fn check(text: &str, expected: &str) {
    let questions = questions(&paragraph(text));
    let found = questions.iter().find(|question| question.question_text == expected);
    assert!(found.is_some_and(|question| !question.is_searched()), "{text:?} gives {questions:#?}");
}

/// Checks that the paragraph gives no question that holds `part`.
fn check_none(text: &str, part: &str) {
    let questions = questions(&paragraph(text));
    assert!(questions.iter().all(|question| !question.question_text.contains(part)), "{questions:#?}");
}

#[test]
fn predicates() {
    for (text, expected) in [
        ("It prevents data races at compile time.", "What prevents data races at compile time?"),
        ("They are stored on a stack of frames.", "What is stored on a stack of frames?"),
        ("These can be used in const contexts.", "What can be used in const contexts?"),
        ("We write a check that rejects empty names.", "What rejects empty names?"),
        ("A file that cannot be read is reported.", "What happens to a file that cannot be read?"),
    ] {
        check(text, expected);
    }
    check_none("It is possible to run tests in parallel.", "What is");
    check_none("It looks good to us.", "What looks");
    check_none("Alerts are blockquotes used for emphasis.", "What is");
    check_none("We call the act of making a reference borrowing.", "How do I call");
}

#[test]
fn attributes() {
    for (text, expected) in [
        ("Look at the size of an array, then go on.", "What is the size of an array?"),
        ("We know the lifetimes, the types of parameters, and more.", "What are the types of parameters?"),
        ("See the signature of `Vec::push` for more.", "What is the signature of Vec::push?"),
    ] {
        check(text, expected);
    }
    check_none("At the end of a loop we go on.", "the end of");
}

#[test]
fn related_terms() {
    for (text, expected) in [
        ("Sharing needs `Rc<T>` or rather `RefCell<T>` here.", "How are Rc<T> and RefCell<T> related?"),
        (
            "They speak of the borrow checker, a raw pointer, and more.",
            "How are the borrow checker and a raw pointer related?",
        ),
    ] {
        check(text, expected);
    }
    check_none("In a network there is a time.", "related");
    check_none("Then the worker loads a raw pointer.", "worker loads");
}

#[test]
fn conditions_inside() {
    for (text, expected) in [
        ("Nothing is written if the disk is full.", "What happens if the disk is full?"),
        ("Closing channels stops a worker.", "What happens when I close channels?"),
    ] {
        let questions = questions(&paragraph(text));
        assert!(questions.iter().any(|question| question.question_text == expected), "{questions:#?}");
    }
    check_none("Nobody knows even if the disk is full.", "What happens");
    check_none("Listing 3 splits the values.", "What happens");
}

#[test]
fn what_a_section_says_of_its_terms() {
    let cells =
        ["lexical", "SciFact", "smaller chunks", "0.726", "0.69", "as before", "and so on to 0.75 and more"];
    let mut spans = vec![(Heading, "Goals")];
    for cell in &cells {
        spans.extend([(Break, "\n"), (Prose, *cell)]);
    }
    let questions: Vec<_> =
        questions(&document_of_spans(&spans)).into_iter().map(|question| question.question_text).collect();
    assert_eq!(
        questions,
        [
            "What are goals?",
            "What does “Goals” say about smaller chunks?",
            "What does “Goals” say about SciFact?"
        ]
    );
}

#[test]
fn columns_and_parents() {
    let mut spans = vec![(Heading, "Goals"), (Break, "\n\n")];
    for cell in
        ["lexical", "measured", "0.69", "the", "0.7", "0.726", "and so on to 0.75 and more, whatever it is"]
    {
        spans.extend([(Break, "\n"), (Prose, cell)]);
    }
    let document = Document { title: "Search quality".into(), ..document_of_spans(&spans) };
    let asked: Vec<_> = questions(&document).into_iter().map(|question| question.question_text).collect();
    let expected = [
        "What are goals?",
        "What does “Goals” say about lexical?",
        "How does “Goals” relate to “Search quality”?",
    ];
    assert_eq!(asked, expected);
}

#[test]
fn data_is_not_asked_for_its_code() {
    let mut document = document_of_spans(&[(Heading, "server"), (Break, "\n"), (Code, "port: 8750\n")]);
    (document.language, document.title) = (Some("en".into()), "settings".into());
    let asks =
        |document: &Document| questions(document).iter().any(|found| found.question_text.contains("in code"));
    assert!(asks(&document));
    document.content_type = crate::document::ContentType::Yaml;
    assert!(!asks(&document), "{:#?}", questions(&document));
}

/// The questions of a code block below the heading "Raw pointers".
fn of_code(code: &str) -> Vec<String> {
    let mut document = document_of_spans(&[(Heading, "Raw pointers"), (Break, "\n\n"), (Code, code)]);
    document.language = Some("en".into());
    document.title = "Raw pointers".into();
    questions(&document).into_iter().map(|question| question.question_text).collect()
}

#[test]
fn code_blocks() {
    for (code, expected) in [
        ("pub struct Rectangle {\n    width: u32,\n}\n", "How is the Rectangle struct defined?"),
        ("async def fetch_all(urls):\n", "How is the fetch_all function defined?"),
        ("$ git push origin\n", "What does the command git push origin do?"),
        ("cargo build --release\n", "How do I use cargo build?"),
        ("[profile.dev]\nopt-level = 1\n", "How do I set opt-level in [profile.dev]?"),
        ("let s = String::from(x);\n", "How is String::from used?"),
        ("let x = 1;\n", "What do raw pointers look like in code?"),
        ("let x = 1;\n", "How do I use raw pointers?"),
    ] {
        let asked = of_code(code);
        assert!(asked.iter().any(|question| question == expected), "{code:?} gives {asked:#?}");
    }
    for (code, part) in [
        ("fn main() {}\n", "main"),
        ("fn foo() {}\n", "foo"),
        ("$ cd src\n", "cd"),
        ("x.len(); self.width.max(y);\n", "used"),
        ("opt-level = 1\n", "opt-level"),
    ] {
        let asked = of_code(code);
        assert!(asked.iter().all(|question| !question.contains(part)), "{code:?} gives {asked:#?}");
    }
}

#[test]
fn a_set_spreads_over_sentences_and_types() {
    let text = "The borrow checker rejects overlapping borrows at compile time. It prevents data races in safe code. \
                A raw pointer can point to freed memory. They speak of the borrow checker, a raw pointer, and more.";
    let questions = questions(&paragraph(text));
    let mut types: Vec<_> = questions.iter().map(|question| question.question_type).collect();
    types.sort_unstable();
    types.dedup();
    assert!(questions.len() >= 3 && types.len() > 1, "{questions:#?}");
}
