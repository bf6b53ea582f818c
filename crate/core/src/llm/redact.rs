//! Secrets stay out of what is shown, kept and reported.
//!
//! Servers quote keys in errors, and a model may be made to repeat what it saw. Answers are shown while they arrive, so
//! a secret may come in pieces: what may be the beginning of one is held back until that is known.

/// Shorter keys are no secrets: local servers want one and take any, such as "none" or their own name, which replies
/// may hold for good reasons.
const SHORTEST: usize = 12;
/// What is shown in place of a secret.
const INSTEAD: &str = "[key]";

/// Cuts one secret out of text.
#[derive(Clone, Default)]
pub struct Redactor {
    secret: Option<String>,
    held: String,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor")
    }
}

impl Redactor {
    /// Cuts out `secret`, unless it is shorter than 12 bytes.
    pub fn new(secret: &str) -> Self {
        Self { secret: (secret.len() >= SHORTEST).then(|| secret.to_owned()), held: String::new() }
    }

    /// The same for another text.
    pub(super) fn fresh(&self) -> Self {
        Self { secret: self.secret.clone(), held: String::new() }
    }

    /// `text` without the secret.
    pub fn cut(&self, text: &str) -> String {
        self.secret.as_ref().map_or_else(|| text.to_owned(), |secret| text.replace(secret, INSTEAD))
    }

    /// Takes the next words of a text and gives those that can be shown.
    pub fn push(&mut self, words: &str) -> String {
        let Some(secret) = &self.secret else { return words.to_owned() };
        let held = std::mem::take(&mut self.held) + words;
        let mut shown = String::with_capacity(held.len());
        let mut rest = held.as_str();
        while let Some(at) = rest.find(secret) {
            shown.push_str(&rest[..at]);
            shown.push_str(INSTEAD);
            rest = &rest[at + secret.len()..];
        }
        let begins = |at: &usize| secret.starts_with(&rest[*at..]);
        let from = rest.char_indices().map(|(at, _)| at).find(begins).unwrap_or(rest.len());
        shown.push_str(&rest[..from]);
        self.held = rest[from..].to_owned();
        shown
    }

    /// The words that were held back, when no more come.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn secrets() {
        for (secret, text, expected) in [
            ("sk-123456789", "bad key sk-123456789!", "bad key [key]!"),
            ("ollama", "How do I start ollama?", "How do I start ollama?"),
            ("", "x", "x"),
        ] {
            assert_eq!(Redactor::new(secret).cut(text), expected);
        }
        assert_eq!(format!("{:?}", Redactor::new("sk-123456789")), "Redactor");
    }

    proptest! {
        #[test]
        fn a_secret_in_pieces_is_one(words in "(ababababababc|ab|é|c){0,12}", cuts: Vec<prop::sample::Index>) {
            let mut redactor = Redactor::new("ababababababc");
            let characters: Vec<_> = words.char_indices().map(|(at, _)| at).chain([words.len()]).collect();
            let mut at: Vec<_> = cuts.iter().map(|cut| characters[cut.index(characters.len())]).collect();
            at.extend([0, words.len()]);
            at.sort_unstable();
            let mut shown: String = at.windows(2).map(|pair| redactor.push(&words[pair[0]..pair[1]])).collect();
            shown += &redactor.finish();
            prop_assert_eq!(shown, redactor.cut(&words));
        }
    }
}
