/// Words that carry the grammar of an English sentence rather than its subject, sorted.
const ENGLISH: &[&str] = &[
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does", "doesnt", "doing", "dont",
    "each", "for", "from", "get", "had", "has", "have", "having", "he", "her", "here", "his", "how", "i",
    "id", "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "ive", "just", "me", "my", "no", "not",
    "of", "on", "one", "or", "our", "should", "so", "some", "such", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "us", "very", "want", "was", "we",
    "were", "what", "whats", "when", "where", "which", "while", "who", "whose", "why", "will", "with",
    "wont", "would", "you", "your",
];

/// Whether `term` says little about what a query is about. Such terms weigh little beside others; a query of
/// nothing else is searched for as it is.
pub fn is_stop_word(term: &str) -> bool {
    ENGLISH.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(ENGLISH.is_sorted());
        assert!(is_stop_word("why") && !is_stop_word("borrow"));
    }
}
