//! An answer while it arrives: what can be shown of it, and at the end what it amounts to.

use super::{CitationReader, Citations, SILENCE, is_silent};

/// Reads an answer from a model's words.
#[derive(Debug)]
pub struct AnswerReader {
    citations: CitationReader,
    text: String,
}

/// A model's answer, its citations checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What was shown, without white space around it.
    pub text: String,
    /// What it cites.
    pub citations: Citations,
    /// Whether it says that the documents do not say.
    pub is_silent: bool,
}

impl Answer {
    /// What is said where there is nothing to answer from.
    pub fn silent() -> Self {
        Self { text: SILENCE.into(), citations: Citations::default(), is_silent: true }
    }
}

impl AnswerReader {
    /// A reader of an answer to which sources 1 to `sources` were given.
    pub fn new(sources: usize) -> Self {
        Self { citations: CitationReader::new(sources), text: String::new() }
    }

    /// Takes the next words and gives those that can be shown.
    pub fn push(&mut self, words: &str) -> String {
        // A model's words may hold escape sequences, as a document's may. They go first: inside brackets they would hide a
        // citation from those who check it.
        let words: String = words.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let words = self.citations.push(&words);
        self.show(&words)
    }

    /// The last words, and the answer.
    pub fn finish(mut self) -> (String, Answer) {
        let (rest, citations) = std::mem::replace(&mut self.citations, CitationReader::new(0)).finish();
        let rest = self.show(&rest);
        let is_silent = is_silent(&self.text);
        (rest, Answer { text: self.text.trim().to_owned(), citations, is_silent })
    }

    fn show(&mut self, words: &str) -> String {
        let words = if self.text.is_empty() { words.trim_start() } else { words };
        self.text.push_str(words);
        words.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        let mut reader = AnswerReader::new(2);
        let shown: Vec<_> =
            ["\n [9] ", "On \u{1b}[31mport", " 8750 [1", "]. "].map(|words| reader.push(words)).into();
        assert_eq!(shown, ["", "On", " [31mport 8750", " [1]."]);
        let (rest, answer) = reader.finish();
        assert_eq!((rest.as_str(), answer.text.as_str()), ("", "On [31mport 8750 [1]."));
        assert_eq!(
            (answer.citations.cited.len(), answer.citations.invented.len(), answer.is_silent),
            (1, 1, false)
        );
        let mut reader = AnswerReader::new(2);
        reader.push("Objects [\u{1}9].");
        let (_, answer) = reader.finish();
        assert_eq!((answer.text.as_str(), answer.citations.invented.len()), ("Objects.", 1));
        let mut reader = AnswerReader::new(2);
        reader.push(SILENCE);
        assert_eq!(reader.finish().1, Answer::silent());
    }
}
