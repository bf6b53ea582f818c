//! A key that does not get out.

use std::fmt;

/// Shorter keys are no secrets: local servers want one and take any, such as "none" or their own name, which replies
/// may hold for good reasons.
const SHORTEST: usize = 12;

/// A key. It has no `Display`, and its `Debug` says nothing.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// The key in `value`; `None` where that is blank.
    pub(crate) fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        (!value.is_empty()).then(|| Self(value.to_owned()))
    }

    /// The value of the header `Authorization`.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// `text` without the key. Servers quote keys in errors, and a model may be made to repeat what it saw.
    pub(crate) fn cut_from(&self, text: &str) -> String {
        if self.0.len() < SHORTEST { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_not_shown() {
        let secret = Secret::new(" sk-123456789\n").expect("a key");
        assert_eq!(format!("{secret:?}"), "[key]");
        assert_eq!(secret.cut_from("bad key sk-123456789!"), "bad key [key]!");
        assert_eq!(secret.authorization(), "Bearer sk-123456789");
        let any = Secret::new("ollama").expect("a key");
        assert_eq!(any.cut_from("How do I start ollama?"), "How do I start ollama?");
        assert_eq!(Secret::new(" "), None);
    }
}
