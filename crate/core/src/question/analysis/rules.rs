//! The analysis by rules: what the rules for questions see of a chunk, as lists.

use super::{ContentAnalysis, ContentKind, ContentStructure, add};
use crate::{
    chunk::Chunk,
    document::Document,
    question::{
        Question, QuestionType,
        passage::{Block, BlockKind, Word},
        rules::{self, Context, generic, heading::without_number, key_phrase, topic},
        terms::is_name,
    },
};

/// Confidence of a question from which on what it asks how to do is an action of the chunk.
const SURE: f32 = 0.5;
/// Longest heading that is a topic, in words: a longer one is a sentence.
const HEADING_WORDS: usize = 8;

pub(super) fn analyze(document: &Document, chunk: &Chunk) -> ContentAnalysis {
    let context = Context::new(document, chunk);
    let mut analysis = ContentAnalysis {
        content_type: ContentKind::of(document, chunk),
        topics: headings(&context),
        entities: entities(&context),
        structure: structure(&context, document, chunk),
        ..ContentAnalysis::default()
    };
    if context.is_english {
        for (_, words) in key_phrase::phrases(&context) {
            add(&mut analysis.topics, &said(words));
        }
        let about = topic::topic(&context).map(|topic| topic.about.to_lowercase()).unwrap_or_default();
        let terms = topic::counted(&context, &about);
        terms.iter().filter(|(term, _)| !term.is_code).for_each(|(term, _)| {
            add(&mut analysis.concepts, without_article(&term.text));
        });
        analysis.actions = actions(&context);
    }
    analysis
}

/// The headings that say something, the nearest first, the title last.
fn headings(context: &Context) -> Vec<String> {
    let mut topics = Vec::new();
    let own = std::iter::once(context.section.heading.as_str());
    for heading in own.chain(context.parents()) {
        let heading = without_number(heading).trim_end_matches(['?', '!', ':', '.']);
        let is_file = context.document.path.ends_with(heading);
        let words = heading.split_whitespace().count();
        if !is_file && !generic::is_generic(heading) && words <= HEADING_WORDS {
            add(&mut topics, heading);
        }
    }
    topics
}

/// Code that names something, then capitalised names, each in the order of the text.
fn entities(context: &Context) -> Vec<String> {
    let mut entities = Vec::new();
    let is_option = |word: &Word| word.text.starts_with("--") && word.text.len() > 3;
    let words = || context.blocks.iter().flat_map(|block| &block.words);
    for word in words().filter(|word| word.is_code && (is_name(word) || is_option(word))) {
        add(&mut entities, &word.text);
    }
    for word in words().filter(|word| !word.is_code && context.casing.is_name(&word.text)) {
        let text = word.text.trim_end_matches("'s").trim_end_matches("’s");
        if text.starts_with(char::is_uppercase) && text.len() > 1 {
            add(&mut entities, text);
        }
    }
    entities
}

/// What the chunk tells how to do: what its questions by rules ask how to do.
fn actions(context: &Context) -> Vec<String> {
    let mut candidates = Vec::new();
    rules::ALL.iter().for_each(|rule| rule(context, &mut candidates));
    candidates.retain(|question: &Question| {
        question.question_type == QuestionType::Process && question.confidence >= SURE
    });
    candidates.sort_by(|a, b| {
        let place = |question: &Question| question.source_mapping.start;
        b.confidence.total_cmp(&a.confidence).then_with(|| place(a).cmp(&place(b)))
    });
    let mut actions = Vec::new();
    for question in &candidates {
        let action = question.question_text.strip_prefix("How do I ").and_then(|rest| rest.strip_suffix('?'));
        action.into_iter().for_each(|action| add(&mut actions, action));
    }
    actions
}

fn structure(context: &Context, document: &Document, chunk: &Chunk) -> ContentStructure {
    let prose = || context.blocks.iter().filter(|block| block.kind == BlockKind::Prose);
    ContentStructure {
        heading_path: document.heading_path(chunk.section).into_iter().map(str::to_owned).collect(),
        paragraphs: prose().count(),
        sentences: prose().map(|block| Block::sentences(block).len()).sum(),
        words: prose().map(|block| block.words.len()).sum(),
        code_blocks: context.code().count(),
    }
}

fn said(words: &[Word]) -> String {
    words.iter().map(Word::lower).collect::<Vec<_>>().join(" ")
}

fn without_article(term: &str) -> &str {
    ["the ", "an ", "a "].iter().find_map(|article| term.strip_prefix(article)).unwrap_or(term)
}
