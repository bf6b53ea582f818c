use rust_stemmers::{Algorithm, Stemmer};
use std::borrow::Cow;

/// The English Snowball stem of a term. Identifiers and terms with digits are their own stem.
pub fn stem(term: &str) -> Cow<'_, str> {
    if term.bytes().all(|byte| byte.is_ascii_lowercase()) {
        Stemmer::create(Algorithm::English).stem(term)
    } else {
        Cow::Borrowed(term)
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn rows() {
        for (term, expected) in [
            ("borrowing", "borrow"),
            ("borrowed", "borrow"),
            ("happiness", "happi"),
            ("e0502", "e0502"),
            ("café", "café"),
        ] {
            assert_eq!(stem(term), expected);
        }
    }
}
