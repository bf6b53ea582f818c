use super::{by_model::*, *};
use crate::{
    chunk::{ChunkSettings, split, tests::document_of_spans},
    document::SpanKind::{Break, Code, Heading, InlineCode, Prose},
    embedding::WordEstimate,
};
use proptest::prelude::*;

fn ports() -> (Document, Chunk) {
    let document = document_of_spans(&[
        (Heading, "Server ports"),
        (Break, "\n\n"),
        (Prose, "The server listens on port 8750. To change the port, start the server with "),
        (InlineCode, "--port"),
        (
            Prose,
            ". Connections wait in a thread pool. If another server uses the port, Docker stops with an error. A free port is found by ",
        ),
        (InlineCode, "Server::bind"),
        (Prose, "."),
        (Break, "\n\n"),
        (Code, "querent serve --port 9000\n"),
    ]);
    let mut document =
        Document { language: Some("en".into()), path: "configuration/ports.md".into(), ..document };
    document.title = "Querent".into();
    let chunk = split(&document, &WordEstimate, &ChunkSettings::default()).remove(0);
    (document, chunk)
}

#[test]
fn a_chunk_by_rules() {
    let (document, chunk) = ports();
    let analysis = analyze(&document, &chunk);
    assert_eq!(analysis.content_type, ContentKind::Configuration);
    assert_eq!(analysis.topics[..2], ["Server ports", "Querent"]);
    assert_eq!(analysis.entities, ["--port", "Server::bind", "Docker"]);
    assert!(analysis.actions.contains(&"change the port".to_owned()), "{:?}", analysis.actions);
    assert!(analysis.concepts.iter().any(|concept| concept == "thread pool"), "{:?}", analysis.concepts);
    let structure = &analysis.structure;
    assert_eq!(structure.heading_path, ["Querent", "Server ports"]);
    assert_eq!((structure.paragraphs, structure.sentences, structure.code_blocks), (1, 5, 1));
    assert!(analysis.aspects().count() > 5);
}

#[test]
fn kinds_of_content() {
    let check = |path: &str, heading: &str, expected: ContentKind| {
        let mut document = document_of_spans(&[(Heading, heading), (Break, "\n"), (Prose, "Some words.")]);
        document.path = path.into();
        let chunk = split(&document, &WordEstimate, &ChunkSettings::default()).remove(0);
        assert_eq!(ContentKind::of(&document, &chunk), expected, "{path} {heading}");
    };
    check("a.md", "Ownership", ContentKind::Documentation);
    check("faq.md", "Ownership", ContentKind::Faq);
    check("guide.md", "Troubleshooting", ContentKind::Issue);
    check("guide.md", "Getting started", ContentKind::Tutorial);
    check("guide.md", "Settings", ContentKind::Configuration);
    check("reference/vec.md", "push", ContentKind::Api);
    let document = document_of_spans(&[(Prose, "So:"), (Break, "\n"), (Code, "let x = 1;\nlet y = 2;\n")]);
    let chunk = split(&document, &WordEstimate, &ChunkSettings::default()).remove(0);
    assert_eq!(ContentKind::of(&document, &chunk), ContentKind::Code);
}

#[test]
fn a_models_reply_leads_and_rules_fill() {
    let (document, chunk) = ports();
    let reply = r#"Sure: {"topics": ["choosing a port", "mirrors"], "entities": ["--port"], "actions": ["bind the port"],
        "concepts": ["What is a port?", "network port"]}"#;
    let analysis = analysis_from_reply(&document, &chunk, reply).expect("of use");
    assert_eq!(analysis.topics[..2], ["choosing a port", "Server ports"]);
    assert_eq!(analysis.entities, ["--port", "Server::bind", "Docker"]);
    assert_eq!(analysis.actions[0], "bind the port");
    assert_eq!(analysis.concepts[0], "network port");
    assert_eq!(analysis.structure, analyze(&document, &chunk).structure);
    // The example of the prompt, other words, other forms.
    for reply in [
        r#"{"topics": ["pausing a mirror", "backup"], "entities": ["tide pause"], "actions": [], "concepts": []}"#,
        "I am sorry.",
        r#"["port"]"#,
        "",
    ] {
        assert_eq!(analysis_from_reply(&document, &chunk, reply), None, "{reply}");
    }
}

#[test]
fn the_prompt_shows_the_chunk_in_its_place() {
    let (document, chunk) = ports();
    let messages = analysis_prompt(&document, &chunk).expect("enough to ask about");
    let ask = &messages.last().expect("a message").content;
    assert!(
        ask.starts_with("Kind: configuration\nTitle: Querent\nSection: Server ports\n===== TEXT"),
        "{ask}"
    );
    assert!(ask.contains("listens on port 8750") && ask.ends_with("===== END =====\nSort it."), "{ask}");
}

proptest! {
    #[test]
    fn any_text_and_any_reply(heading in "\\PC{0,20}", text in "\\PC{0,80}", code in "\\PC{0,20}", reply in "\\PC{0,60}") {
        let (heading, text) = (format!("H{heading}"), format!("T{text}"));
        let document = document_of_spans(&[(Heading, &heading), (Break, "\n"), (Prose, &text), (InlineCode, &code)]);
        for chunk in split(&document, &WordEstimate, &ChunkSettings::default()) {
            let analysis = analyze(&document, &chunk);
            for list in [&analysis.topics, &analysis.entities, &analysis.actions, &analysis.concepts] {
                prop_assert!(list.len() <= MOST && list.iter().all(|name| !name.is_empty()));
            }
            let _ = analysis_prompt(&document, &chunk);
            let topics = serde_json::json!({"topics": [reply.clone()]}).to_string();
            for reply in [&reply, &topics] {
                let _ = analysis_from_reply(&document, &chunk, reply);
            }
        }
    }
}
