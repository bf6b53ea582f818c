//! Answers: a language model's words about what a search found, with its sources checked.
//!
//! ```text
//! history, question -> query_after -> (a search) -> hits -> sources
//! history, question, sources -> answer_prompt -> (somebody asks a model) -> AnswerReader -> words to show, Answer
//! ```
//!
//! Nothing here sends a request. A model cites sources by number, and small models invent numbers: whatever is shown
//! cites only what was given to it, and the caller learns what was taken out. Where the sources do not answer the
//! question, the model is told to say [`SILENCE`], and [`is_silent`] knows that it did.

mod citation;
mod conversation;
mod prompt;
mod reader;

pub use citation::{CitationReader, Citations};
pub use conversation::{HISTORY_TOKENS, Turn, query_after};
pub use prompt::{Source, Template, TemplateError, answer_prompt};
pub use reader::{Answer, AnswerReader};

/// What is said where the documents do not answer the question.
pub const SILENCE: &str = "The documents do not say.";

/// Words behind which what the documents do say follows.
const CONTRASTS: &[&str] = &["but", "however", "although", "though", "yet", "except", "instead", "only"];

/// Whether `answer` says that the documents do not say, and nothing that they do.
///
/// "The documents do not say which, but `[1]` names two" is an answer, and so is what cites a source afterwards. The text
/// is what a [`CitationReader`] gave.
pub fn is_silent(answer: &str) -> bool {
    let mut has_begun = false;
    for sentence in answer.split(['.', '!', '?', '。', '\n']).filter(|sentence| has_words(sentence)) {
        match after_silence(sentence) {
            Some(rest) if answers_after_all(rest) => return false,
            Some(_) => has_begun = true,
            None if !has_begun || sentence.contains('[') || has_contrast(sentence) => return false,
            None => {}
        }
    }
    has_begun
}

/// Whether `text` holds anything but citations, which is all that some small models say.
pub fn has_words(text: &str) -> bool {
    text.split(['[', ']']).step_by(2).any(|outside| outside.contains(char::is_alphanumeric))
}

/// What follows [`SILENCE`] in a sentence that begins with it, whatever marks and citations stand between its letters:
/// small models cite even for that they found nothing.
fn after_silence(sentence: &str) -> Option<&str> {
    let mut wanted = SILENCE.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).peekable();
    let mut is_cited = false;
    for (at, c) in sentence.char_indices() {
        is_cited = if is_cited { c != ']' } else { c == '[' };
        if !is_cited && c.is_alphanumeric() && !c.to_lowercase().all(|c| wanted.next() == Some(c)) {
            return None;
        }
        if wanted.peek().is_none() {
            return Some(&sentence[at + c.len_utf8()..]);
        }
    }
    None
}

/// Whether the rest of a sentence, which began by saying nothing, says something: behind a citation or a contrast.
fn answers_after_all(rest: &str) -> bool {
    let behind_citation = rest.split_once(']').is_some_and(|(_, behind)| has_words(behind));
    behind_citation || has_contrast(rest)
}

fn has_contrast(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| CONTRASTS.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence() {
        for (answer, expected) in [
            ("The documents do not say.", true),
            (" **The documents do not say** where.", true),
            ("[1] The documents do not say.\n[2] The documents do not say.", true),
            ("The documents do not say [1]. I am sorry.", true),
            ("The documents do say.", false),
            ("The documents do not say X, but [1] says that it is kept for a week.", false),
            ("The documents do not say why; [1] says how.", false),
            ("The documents do not say which one. However, the port is 8750.", false),
            ("The documents do not say which one. The port is 8750 [1].", false),
            ("It is 8750 [1]. The documents do not say why.", false),
            ("", false),
        ] {
            assert_eq!(is_silent(answer), expected, "{answer}");
        }
    }
}
