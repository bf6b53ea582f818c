//! "The `match` keyword compares ...", "`push` returns ...": what does it do?

use super::{Context, add, without_introduction};
use crate::question::{
    Question, QuestionType,
    grammar::{Table, base_of_statement, table},
    passage::{Word, range_of},
    subject::{KINDS, subject},
    terms::is_name,
};
use std::{collections::BTreeMap, sync::LazyLock};

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    for sentence in context.sentences() {
        does(context, without_introduction(sentence), sentence, candidates);
    }
    used_in_code(context, candidates);
    named_with_kind(context, candidates);
}

/// "What does X do?" where a sentence says what code does.
fn does(context: &Context, words: &[Word], sentence: &[Word], candidates: &mut Vec<Question>) {
    let Some(verb) =
        words.iter().take(5).position(|word| !word.is_code && base_of_statement(&word.lower()).is_some())
    else {
        return;
    };
    let names = &words[..verb];
    let is_about_code = names.iter().any(|word| word.is_code && is_nameable(word));
    let is_kind = names.last().is_some_and(|word| KINDS.contains(&word.lower().as_str()) || word.is_code);
    if !is_about_code
        || !is_kind
        || !names.iter().all(|word| word.after.is_empty())
        || names.iter().any(|word| word.is("that") || word.is("of") || word.is("for"))
    {
        return;
    }
    let Some(subject) = subject(context, names, false).filter(|subject| !subject.is_plural) else { return };
    let source = range_of(sentence);
    let question = if words[verb].is("returns") {
        format!("What does {} return?", subject.text)
    } else {
        format!("What does {} do?", subject.text)
    };
    add(candidates, QuestionType::Factual, 0.76, source, question);
}

/// "How do I use X?" for code that is named in the text again and again and stands in an example.
fn used_in_code(context: &Context, candidates: &mut Vec<Question>) {
    let mut named: BTreeMap<&str, (usize, &Word)> = BTreeMap::new();
    for word in context.sentences().flatten().filter(|word| word.is_code && is_name(word)) {
        named.entry(&word.text).or_insert((0, word)).0 += 1;
    }
    let mut named: Vec<_> = named
        .into_iter()
        .filter(|(text, (count, _))| {
            let bare = text.trim_end_matches("()").trim_end_matches('!');
            *count >= 2 && context.code().any(|(_, code)| code.contains(bare))
        })
        .collect();
    named.sort_by_key(|(text, (count, _))| (std::cmp::Reverse(*count), *text));
    for (text, (count, word)) in named.into_iter().take(2) {
        let confidence = 0.44 + 0.02 * count.min(5) as f32;
        add(
            candidates,
            QuestionType::Process,
            confidence,
            word.range.clone(),
            format!("How do I use {text}?"),
        );
    }
}

/// "the `thread::sleep` function" in any sentence, where the chunk says nothing more direct.
fn named_with_kind(context: &Context, candidates: &mut Vec<Question>) {
    let mut named: BTreeMap<(&str, &str), (usize, &[Word])> = BTreeMap::new();
    for sentence in context.sentences() {
        for words in sentence.windows(2) {
            let [name, kind] = words else { continue };
            if name.is_code
                && !kind.is_code
                && name.after.is_empty()
                && is_nameable(name)
                && context.is_named_above(&name.text)
                && KINDS.contains(&kind.text.as_str())
            {
                named.entry((&name.text, &kind.text)).or_insert((0, words)).0 += 1;
            }
        }
    }
    let mut named: Vec<_> = named.into_iter().collect();
    named.sort_by_key(|(name, (count, _))| (std::cmp::Reverse(*count), *name));
    for ((name, kind), (count, words)) in named.into_iter().take(2) {
        let confidence = 0.47 + 0.03 * count.min(5) as f32;
        let question = if ACTING.contains(kind) {
            format!("What does the {name} {kind} do?")
        } else {
            format!("What is the {name} {kind}?")
        };
        add(candidates, QuestionType::Factual, confidence, range_of(words), question);
    }
}

/// Kinds that do something.
static ACTING: Table = LazyLock::new(|| {
    table(
        "attribute command directive flag function keyword lint macro method operator option shortcode \
     statement subcommand setting partial template",
    )
});

/// Whether a thing of `kind` does something, and is not only something.
pub(super) fn is_acting(kind: &str) -> bool {
    ACTING.contains(kind)
}

/// Whether code is a name and not an expression.
fn is_nameable(word: &Word) -> bool {
    let text = word.text.as_str();
    text.len() >= 2
        && text.len() <= 40
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-' || c == '#' || c == '.')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:!-.<>#[]/".contains(&b))
        && text.bytes().filter(u8::is_ascii_alphabetic).count() >= 2
}
