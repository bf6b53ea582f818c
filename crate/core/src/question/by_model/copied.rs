//! Whether a question was copied from the prompt's examples.
//!
//! Small models repeat the questions that they were shown, at best with the subject replaced: "How do I pause a
//! Python mirror?" under a text about Python. The words that such a question takes from an example are not in the
//! text that it pretends to ask about. One of them may be chance, two are not; and the names of things in the
//! examples are never chance.

use super::{prompt::EXAMPLES, vocabulary::Vocabulary};
use crate::question::normalise_question;

/// Stems of what the examples are about.
const NAMES: &[&str] = &["tidewat", "tidewater", "tide", "mirror", "marl", "prune", "compact"];

/// Words of one example that are not chance.
const TELLTALE: usize = 2;

/// Whether `question` is one of the examples, or an example with words of `text` put in.
pub(super) fn is_copied(question: &str, text: &Vocabulary) -> bool {
    let normal = normalise_question(question);
    let foreign: Vec<_> = text
        .subjects(question)
        .into_iter()
        .filter(|(_, word)| !text.holds(word))
        .map(|(stem, _)| stem)
        .collect();
    if foreign.iter().any(|stem| NAMES.contains(&stem.as_str())) {
        return true;
    }
    EXAMPLES.iter().flat_map(|example| example.questions).any(|example| {
        let stems = text.subjects(example);
        let shared = foreign.iter().filter(|stem| stems.iter().any(|(known, _)| known == *stem)).count();
        shared >= TELLTALE || shared > 0 && normalise_question(example) == normal
    })
}
