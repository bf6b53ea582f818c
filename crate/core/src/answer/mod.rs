//! Answers: a language model's words about what a search found, with its sources checked.
//!
//! ```text
//! hits -> sources -> answer_prompt -> (somebody asks a model) -> CitationReader -> words that can be shown
//! ```
//!
//! Nothing here sends a request. A model cites sources by number, and small models invent numbers: whatever is shown
//! cites only what was given to it, and the caller learns what was taken out. Where the sources do not answer the
//! question, the model is told to say [`SILENCE`], and [`is_silent`] knows that it did.

mod citation;
mod prompt;

pub use citation::{CitationReader, Citations};
pub use prompt::{Source, Template, TemplateError, answer_prompt};

/// What is said where the documents do not answer the question.
pub const SILENCE: &str = "The documents do not say.";

/// Whether `answer` says that the documents do not say.
pub fn is_silent(answer: &str) -> bool {
    let letters = |text: &str| -> String {
        // Small models cite even for that they found nothing.
        let outside = text.split(['[', ']']).step_by(2).flat_map(str::chars);
        outside.filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect()
    };
    letters(answer).starts_with(&letters(SILENCE))
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
            ("The documents do say.", false),
            ("", false),
        ] {
            assert_eq!(is_silent(answer), expected, "{answer}");
        }
    }
}
