//! When two questions are the same.

/// The words of `question` in lower case, one space apart, without punctuation and articles: equal for
/// questions that a reader would call the same.
pub fn normalise_question(question: &str) -> String {
    let mut normal = String::with_capacity(question.len());
    let lower = question.to_lowercase().replace(['’', '\''], "");
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if matches!(word, "a" | "an" | "the") {
            continue;
        }
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.push_str(word);
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_questions() {
        for (question, expected) in [
            ("What is a `Vec<T>`?", "what is vec t"),
            ("What is the Vec<T>", "what is vec t"),
            ("  Why can’t I?? ", "why cant i"),
            ("所有権とは？", "所有権とは"),
            ("?", ""),
        ] {
            assert_eq!(normalise_question(question), expected);
        }
    }
}
