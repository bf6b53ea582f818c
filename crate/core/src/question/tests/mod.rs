//! Each rule by rows of text and the exact question, then what holds of any text.

mod properties;
mod weak;

use super::*;
use crate::{
    chunk::{ChunkSettings, split, tests::document_of_spans},
    document::SpanKind::{self, Break, Code, Heading, InlineCode, Prose},
    embedding::WordEstimate,
};

/// All questions of the document's first `chunks` chunks.
fn questions(document: &Document) -> Vec<Question> {
    let chunks = split(document, &WordEstimate, &ChunkSettings::default());
    chunks.iter().flat_map(|chunk| RuleGenerator.generate_questions(document, chunk, 5)).collect()
}

/// A document of one paragraph, `code` in backquotes.
fn paragraph(text: &str) -> Document {
    let parts: Vec<_> = text
        .split('`')
        .enumerate()
        .map(|(index, part)| (if index % 2 == 0 { Prose } else { InlineCode }, part))
        .collect();
    let mut document = document_of_spans(&parts);
    document.language = Some("en".into());
    document.title = "a.md".into();
    document
}

/// A document of headings, one below the other, the last one with `body`.
fn headings(headings: &[&str], body: &str) -> Document {
    let mut parts = Vec::new();
    for heading in headings {
        parts.extend([(Heading, *heading), (Break, "\n\n")]);
    }
    parts.push((Prose, body));
    let mut document = document_of_spans(&parts);
    document.language = Some("en".into());
    document.title = headings[0].into();
    document
}

/// Checks that the paragraph gives exactly `expected` among the questions that are made from what it states, best
/// first.
fn check(text: &str, expected: &[&str]) {
    let questions = questions(&paragraph(text));
    let stated = questions.iter().filter(|question| question.confidence > 0.55);
    let texts: Vec<_> = stated.map(|question| question.question_text.as_str()).collect();
    assert_eq!(texts, expected, "{text:?}");
}

#[test]
fn definitions() {
    for (text, expected) in [
        ("Ownership is a set of rules that govern memory.", &["What is ownership?"][..]),
        ("A trait is a collection of methods for a type.", &["What is a trait?"]),
        ("An enum is a type with variants.", &["What is an enum?"]),
        ("Cargo is the build system of Rust.", &["What is Cargo?"]),
        ("In Rust, a vector is a list that grows.", &["What is a vector?"]),
        ("Slices are a kind of reference to memory.", &["What are slices?"]),
        ("The borrow checker is a part of the compiler.", &["What is the borrow checker?"]),
        ("A data race happens when two pointers write.", &["When does a data race happen?"]),
        ("A package consists of crates and a manifest.", &["What does a package consist of?"]),
        ("A manifest is made up of tables.", &["What is a manifest made up of?"]),
        (
            "The advantage of static linking is that nothing is missing.",
            &["What is the advantage of static linking?"],
        ),
        ("It is a set of rules that govern memory.", &[]),
        ("This is the end of the story, my friend.", &[]),
        ("Preventing errors in code is a duty of everyone.", &[]),
        ("The result is a number between one and ten.", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn purposes_and_actions() {
    for (text, expected) in [
        (
            "The `match` keyword lets you compare a value against patterns.",
            &["What is the match keyword used for?", "How do I compare a value against patterns?"][..],
        ),
        ("To create a new package, run the command below.", &["How do I create a new package?"]),
        ("To share your crate and sell it, publish.", &["How do I share my crate?"]),
        ("If you want to vendor your dependencies, use another tool.", &["How do I vendor my dependencies?"]),
        ("You can format your project by running the formatter.", &["How do I format my project?"]),
        ("Use a loop to repeat a block of statements.", &["How do I repeat a block of statements?"]),
        ("We cannot borrow a value as mutable twice.", &["Why can't I borrow a value as mutable twice?"]),
        ("To do this, run it again.", &[]),
        ("To run, it needs time.", &[]),
        ("To do, or not to do.", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn relationships() {
    for (text, expected) in [
        (
            "The difference between threads and processes is memory.",
            &["What is the difference between threads and processes?"][..],
        ),
        ("Unlike arrays, vectors can grow.", &["How are vectors different from arrays?"]),
        ("Rarely use globals instead of parameters.", &["When should I use globals instead of parameters?"]),
        ("Editions differ from versions.", &["How do editions differ from versions?"]),
    ] {
        check(text, expected);
    }
}

#[test]
fn statements() {
    for (text, expected) in [
        ("The artifacts are stored in the target folder.", &["Where are the artifacts stored?"][..]),
        (
            "The borrow checker rejects programs because references overlap.",
            &["Why does the borrow checker reject programs?"],
        ),
        (
            "The match guard is evaluated when the pattern matches.",
            &["When is the match guard evaluated?", "What happens when the pattern matches?"],
        ),
        (
            "A build script can print lines to the terminal.",
            &["Can a build script print lines to the terminal?"],
        ),
        ("Unions must not implement Drop.", &["Can unions implement Drop?"]),
        ("The borrow checker requires an annotation.", &["What does the borrow checker require?"]),
        ("You must declare every dependency.", &["Do I have to declare every dependency?"]),
        ("This is stored in a file.", &[]),
        ("The crate types specify nothing.", &["Do the crate types specify nothing?"]),
    ] {
        check(text, expected);
    }
}

#[test]
fn conditions() {
    for (text, expected) in [
        (
            "If the lock file is missing, Cargo writes one.",
            &["What happens if the lock file is missing?"][..],
        ),
        ("When a channel is closed, the loop ends.", &["What happens when a channel is closed?"]),
        (
            "If a build script fails, you should read its output.",
            &["What should I do if a build script fails?"],
        ),
        ("If it is missing, nothing happens.", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn ways_and_kinds() {
    for (text, expected) in [
        ("Set the `port` option to zero.", &["How do I set the port option to zero?"][..]),
        ("Then we define a struct with two fields.", &["How do I define a struct with two fields?"]),
        ("It is an error to move a borrowed value.", &["Can I move a borrowed value?"]),
        (
            "Rust has two kinds of macros, it is said.",
            &["What kinds of macros exist?", "Does Rust have two kinds of macros?"],
        ),
        ("See the manual to find a setting.", &[]),
        ("Note the difference.", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn names_and_indirect_questions() {
    for (text, expected) in [
        ("It has a Foreign Function Interface (FFI) for that.", &["What does FFI stand for?"][..]),
        ("`Cargo.lock`, a file that Cargo writes, pins versions.", &["What is Cargo.lock?"]),
        ("It comes with raw types, such as pointers.", &["What are some examples of raw types?"]),
        ("Here is a way to share state between threads.", &["How do I share state between threads?"]),
        (
            "This is why the borrow checker rejects a program.",
            &["Why does the borrow checker reject a program?"],
        ),
        ("It has a Free File Interface (FFX) for that.", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn terms() {
    for (text, expected) in [
        ("`--locked`: nothing is written to the lock file", &["What does the --locked option do?"][..]),
        ("Returns the number of words in a document.", &["How do I get the number of words in a document?"]),
        ("Whether to write a backup file.", &["How do I write a backup file?"]),
        ("`x`: a letter of the alphabet", &[]),
    ] {
        check(text, expected);
    }
}

#[test]
fn errors() {
    let code = "error[E0502]: cannot borrow `v` as mutable\n --> src/main.rs\nerror: aborting due to 1 previous error\n";
    let mut document = document_of_spans(&[(Prose, "Wrong"), (Break, "\n\n"), (Code, code)]);
    document.language = Some("en".into());
    document.title = "a.md".into();
    let texts: Vec<_> = questions(&document).into_iter().map(|question| question.question_text).collect();
    assert_eq!(texts, ["Why do I get the error “cannot borrow v as mutable”?", "How do I fix error E0502?"]);
}

#[test]
fn headings_ask() {
    for (path, expected) in [
        (&["Installing Rust"][..], Some("How do I install Rust?")),
        (&["Defining and Using Structs"], Some("How do I define and use structs?")),
        (&["How to Write Tests"], Some("How do I write tests?")),
        (&["Undo a commit"], Some("How do I undo a commit?")),
        (&["Inside the compiler"], None),
        (&["How Ownership Works"], Some("How does ownership work?")),
        (&["What Are Slices"], Some("What are slices?")),
        (&["When to use a trait"], Some("When should I use a trait?")),
        (&["Why is my build slow?"], Some("Why is my build slow?")),
        (&["What is it, and why?"], Some("What is it, and why?")),
        (&["Threads vs Processes"], Some("What is the difference between threads and processes?")),
        (&["References and Slices"], Some("How are references and slices related?")),
        (&["4.2. Slices"], Some("What are slices?")),
        (&["Chapter 3: Slices"], Some("What are slices?")),
        (&["Dangling References"], Some("What are dangling references?")),
        (&["The Slice Type"], Some("What is the slice type?")),
        (&["Relative URLs"], Some("What are relative URLs?")),
        (&["HTTP API"], Some("What is the HTTP API?")),
        (&["--verbose"], Some("What does --verbose do?")),
        (&["Slices", "Examples"], Some("What are some examples of slices?")),
        (&["Cargo", "Usage"], Some("How do I use Cargo?")),
        (&["Cargo", "See also"], None),
        (&["Fixed"], None),
        (&["所有权"], None),
    ] {
        let document = headings(path, "x");
        let last = questions(&document).into_iter().rfind(|question| {
            let section = document.sections.ids().last().expect("there is a section");
            question.source_mapping.start >= document.sections[section].range.start
        });
        assert_eq!(last.map(|question| question.question_text).as_deref(), expected, "{path:?}");
    }
}

#[test]
fn the_first_chunk_asks_the_heading_and_later_ones_repeat_it() {
    let body = "Words without a meaning stand in a row. ".repeat(60);
    let document = headings(&["Installing Rust"], &body);
    let chunks = split(&document, &WordEstimate, &ChunkSettings::default());
    assert!(chunks.len() > 2);
    let asked = questions(&document);
    let of_heading = || asked.iter().filter(|question| question.question_text == "How do I install Rust?");
    assert_eq!(of_heading().count(), chunks.len());
    assert_eq!(of_heading().filter(|question| question.is_searched()).count(), 1);
}

#[test]
fn other_languages_ask_only_their_own_questions() {
    let mut document = headings(&["Installing Rust"], "A trait is a collection of methods.");
    document.language = Some("de".into());
    assert_eq!(questions(&document), []);
    let mut document = headings(&["Wie installiere ich Rust?"], "So.");
    document.language = Some("de".into());
    assert_eq!(questions(&document)[0].question_text, "Wie installiere ich Rust?");
}
