//! Error codes and messages: how do I fix it, why do I get it?

use super::{Context, add};
use crate::question::{Question, QuestionType};
use std::ops::Range;

/// Longest message that is quoted, in bytes.
const MAX_MESSAGE: usize = 120;
/// Most messages of a chunk.
const MAX_ERRORS: usize = 3;

pub(super) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    let mut errors = 0;
    for (block, code) in context.code() {
        for (offset, line) in lines(code) {
            let source = block.start + offset..block.start + offset + line.len();
            if errors < MAX_ERRORS && ask(line, source, candidates) {
                errors += 1;
            }
        }
    }
    for sentence in context.sentences() {
        for (at, word) in sentence.iter().enumerate() {
            let is_message = word.is_code
                && at > 0
                && ["error", "message", "error:"].iter().any(|noun| sentence[at - 1].is(noun));
            if is_message && word.text.split(' ').count() >= 3 {
                ask(&format!("error: {}", word.text), word.range.clone(), candidates);
            }
            if let Some(code) = error_code(&word.text) {
                let question = format!("How do I fix error {code}?");
                add(candidates, QuestionType::Troubleshooting, 0.7, word.range.clone(), question);
            }
        }
    }
}

/// The lines of `code` with their offsets, without the space around them.
fn lines(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    code.split_inclusive('\n').map(move |line| {
        let offset = at + line.len() - line.trim_start().len();
        at += line.len();
        (offset, line.trim())
    })
}

/// Asks about the message that a compiler or program wrote on `line`, if it is one.
fn ask(line: &str, source: Range<usize>, candidates: &mut Vec<Question>) -> bool {
    let (code, message) = if let Some(rest) = line.strip_prefix("error[") {
        let Some((code, message)) = rest.split_once("]: ") else { return false };
        (error_code(code), message)
    } else if let Some(message) = ["error: ", "Error: ", "ERROR ", "ERROR: ", "fatal: "]
        .iter()
        .find_map(|start| line.strip_prefix(start))
    {
        (None, message)
    } else {
        return false;
    };
    let message = message.trim().trim_end_matches(['.', ':', '?', '!']);
    let is_summary = ["aborting due to", "could not compile", "test failed", "process didn't exit"]
        .iter()
        .any(|start| message.starts_with(start));
    let is_message = message.contains(' ')
        && message.len() <= MAX_MESSAGE
        && !is_summary
        && !message.contains(['“', '”', '|', '\\']);
    if let Some(code) = code {
        let question = format!("How do I fix error {code}?");
        add(candidates, QuestionType::Troubleshooting, 0.82, source.clone(), question);
    }
    if is_message {
        let message = message.replace('`', "");
        let question = format!("Why do I get the error “{message}”?");
        add(candidates, QuestionType::Troubleshooting, 0.84, source, question);
    }
    code.is_some() || is_message
}

/// `word` where it has the form of an error code: `E0502`, `ENOENT`, `TS2304`, `ERR_MODULE_NOT_FOUND`.
fn error_code(word: &str) -> Option<&str> {
    let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
    let letters = &word[..word.len() - digits];
    let is_numbered = (4..=5).contains(&digits) && ["E", "TS", "CS"].contains(&letters);
    let is_named = word.starts_with("ERR_")
        && word.len() > 6
        && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let is_errno = ["ENOENT", "EACCES", "EADDRINUSE", "ECONNREFUSED", "EPERM", "ENOMEM", "EMFILE", "ENOSPC"]
        .contains(&word);
    (is_numbered || is_named || is_errno).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::error_code;

    #[test]
    fn codes() {
        for (word, expected) in [
            ("E0502", true),
            ("TS2304", true),
            ("ENOENT", true),
            ("ERR_NAME", true),
            ("E05", false),
            ("é0502", false),
            ("", false),
        ] {
            assert_eq!(error_code(word).is_some(), expected, "{word}");
        }
    }
}
