//! A key that does not get out.

use querent_core::llm::Redactor;
use std::fmt;

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

    /// What cuts the key out of what the server says.
    pub(crate) fn redactor(&self) -> Redactor {
        Redactor::new(&self.0)
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
        assert_eq!(secret.redactor().cut("bad key sk-123456789!"), "bad key [key]!");
        assert_eq!(secret.authorization(), "Bearer sk-123456789");
        let any = Secret::new("ollama").expect("a key");
        assert_eq!(any.redactor().cut("How do I start ollama?"), "How do I start ollama?");
        assert_eq!(Secret::new(" "), None);
    }
}
