//! Code blocks: what they define, set, run and use.
//!
//! A block answers how a thing is written; which language it is in is told by its lines.

use super::{Context, add};
use crate::question::{
    Question,
    QuestionType::{Factual, Process},
    grammar::{Table, table},
};
use std::sync::LazyLock;

/// Words that define what stands behind them, and what that is called.
const DEFINING: &[(&str, &str)] = &[
    ("fn", "function"),
    ("struct", "struct"),
    ("enum", "enum"),
    ("trait", "trait"),
    ("union", "union"),
    ("macro_rules!", "macro"),
    ("def", "function"),
    ("class", "class"),
    ("function", "function"),
    ("interface", "interface"),
    ("func", "function"),
];

/// Words that may stand before these.
static MODIFIERS: Table = LazyLock::new(|| {
    table("pub pub(crate) pub(super) async const unsafe export default static abstract public")
});

/// Names that stand for any name, and entry points, which say nothing of what a block shows.
static PLACEHOLDERS: Table = LazyLock::new(|| {
    table(
        "main test tests foo bar baz qux spam example demo it_works it_adds_two func function name thing new",
    )
});

/// Commands that only move about.
static MOVING: Table = LazyLock::new(|| table("cd ls mkdir echo cat touch rm cp mv export set sudo"));

/// Most questions of a chunk's blocks.
const MAX_QUESTIONS: usize = 4;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    let mut asked = 0;
    for (block, code) in context.code() {
        let mut table = None;
        for line in code.lines().map(str::trim) {
            table = table_of(line).or(table);
            let question = defined(line)
                .map(|question| (Factual, 0.48, question))
                .or_else(|| command(line).map(|question| (Factual, 0.5, question)))
                .or_else(|| setting(line, table?).map(|question| (Process, 0.5, question)));
            if let Some((question_type, confidence, question)) = question
                && asked < MAX_QUESTIONS
            {
                asked += 1;
                add(candidates, question_type, confidence, block.clone(), question);
            }
        }
        for (name, count) in used(code) {
            let confidence = if count > 1 || context.is_named_above(name) { 0.42 } else { 0.36 };
            add(candidates, Process, confidence, block.clone(), format!("How is {name} used?"));
        }
    }
}

/// The first names with a path that the code uses, with how often: `String::from`, `transform.Unmarshal`.
fn used(code: &str) -> Vec<(&str, usize)> {
    let mut names: Vec<(&str, usize)> = Vec::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.:".contains(c);
    for name in code.split(|c: char| !is_part(c)).map(|name| name.trim_end_matches(['.', ':'])) {
        if let Some((_, count)) = names.iter_mut().find(|(other, _)| *other == name) {
            *count += 1;
        } else if names.len() < 2 && is_path(name) {
            names.push((name, 1));
        }
    }
    names
}

/// Whether the name has parts, none of them a variable's: one at least is written as a type or a namespace is.
fn is_path(name: &str) -> bool {
    let separator = if name.contains("::") { "::" } else { "." };
    let parts: Vec<_> = name.split(separator).collect();
    let is_word = |part: &&str| {
        part.len() > 1 && part.starts_with(|c: char| c.is_ascii_alphabetic()) && !part.contains([':', '.'])
    };
    let is_typed =
        separator == "::" || parts.iter().any(|part| part.starts_with(|c: char| c.is_ascii_uppercase()));
    (2..=4).contains(&parts.len())
        && parts.iter().all(is_word)
        && is_typed
        && name.len() <= 40
        && !["self", "this", "super", "crate", "std"].contains(&parts[0])
}

/// "How is the Rectangle struct defined?"
fn defined(line: &str) -> Option<String> {
    let mut words = line.split([' ', '(', '<', '{', ':', ';', '=']).filter(|word| !word.is_empty());
    let word = words.find(|word| !MODIFIERS.contains(word))?;
    let (_, kind) = DEFINING.iter().find(|(defining, _)| *defining == word)?;
    let name = words.next().filter(|name| is_speaking(name))?;
    Some(format!("How is the {name} {kind} defined?"))
}

/// Whether a name says what it stands for: no placeholder, and longer than a letter or two.
fn is_speaking(name: &str) -> bool {
    name.len() > 3
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !PLACEHOLDERS.contains(name.to_lowercase().as_str())
}

/// "What does the command `git push origin` do?" after a prompt; "How do I use git push?" of a line that has none
/// but options.
fn command(line: &str) -> Option<String> {
    let Some(line) = line.strip_prefix("$ ") else { return subcommand(line) };
    let words: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.=:/@".contains(&b));
    let name = words.first().filter(|name| !MOVING.contains(**name))?;
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    (starts_well && (2..=5).contains(&words.len()) && words.iter().all(is_word))
        .then(|| format!("What does the command {} do?", words.join(" ")))
}

fn subcommand(line: &str) -> Option<String> {
    let mut words = line.split(' ');
    let (name, second) = (words.next()?, words.next()?);
    let is_word = |word: &str| word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let is_command = words.any(|word| word.starts_with('-') && word.len() > 1)
        && !line.contains(['=', '(', '{', ';', ',']);
    (is_command && is_word(name) && is_word(second) && !second.starts_with('-') && !MOVING.contains(name))
        .then(|| format!("How do I use {name} {second}?"))
}

/// The name of the table that `[name]` begins.
fn table_of(line: &str) -> Option<&str> {
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    let is_name = |c: char| c.is_ascii_lowercase() || "-_.".contains(c);
    (name.len() > 2 && name.chars().all(is_name)).then_some(name)
}

/// "How do I set opt-level in [profile.dev]?"
fn setting(line: &str, table: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim_end();
    let is_key = key.len() > 3 && key.bytes().all(|b| b.is_ascii_lowercase() || b"-_".contains(&b));
    let is_list = table.ends_with("dependencies") || table.ends_with("features");
    (is_key && !is_list && !value.trim().is_empty() && !PLACEHOLDERS.contains(key))
        .then(|| format!("How do I set {key} in [{table}]?"))
}
