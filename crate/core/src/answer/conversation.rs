//! Earlier turns: what they add to the search for a question, and to its prompt.
//!
//! "And on Windows?" finds nothing by itself. A question that leans on the one before it is searched with that one's
//! words; the model gets the turns themselves, the latest ones, within a number of tokens.

use super::CitationReader;
use crate::{
    lexical::is_stop_word,
    llm::{Message, Role, estimate_tokens},
};

/// One question, and what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// As it was asked.
    pub question: String,
    /// As it was shown.
    pub answer: String,
}

/// Tokens of earlier turns in a prompt where nothing else is said: three or four short answers.
pub const HISTORY_TOKENS: u64 = 600;

/// Most words that are taken over from earlier questions.
const MOST_WORDS: usize = 24;
/// Words that stand for something said before, wherever they stand.
const REFERENCES: &[&str] = &[
    "it", "its", "they", "them", "their", "theirs", "this", "these", "those", "he", "she", "former", "latter",
];
/// Words that do so at the end of a question.
const REFERENCES_AT_END: &[&str] = &["that", "there", "one", "ones", "so", "then", "instead", "else"];
/// Words with which what was asked before is gone on with.
const CONTINUATIONS: &[&str] = &["and", "but", "or", "so", "also", "then", "otherwise"];

/// What to search for, to answer `question` after `history`: the question, with words of the one before it where it
/// leans on that.
pub fn query_after(history: &[Turn], question: &str) -> String {
    let question = question.trim();
    let Some((last, before)) = history.split_last().filter(|_| is_elliptic(question)) else {
        return question.to_owned();
    };
    let own: Vec<_> = words(question).collect();
    let earlier = query_after(before, &last.question);
    let taken = telling_words(&earlier).filter(|word| !own.contains(&word.to_lowercase()));
    let taken: Vec<_> = taken.take(MOST_WORDS).collect();
    if taken.is_empty() { question.to_owned() } else { format!("{question} {}", taken.join(" ")) }
}

/// Whether a question cannot be understood without the one before it.
fn is_elliptic(question: &str) -> bool {
    let words: Vec<_> = words(question).collect();
    let [first, ..] = words.as_slice() else { return false };
    let is_about = words.len() > 1 && matches!(first.as_str(), "what" | "how") && words[1] == "about";
    is_about
        || CONTINUATIONS.contains(&first.as_str())
        || words.iter().any(|word| REFERENCES.contains(&word.as_str()))
        || words.last().is_some_and(|word| REFERENCES_AT_END.contains(&word.as_str()))
        // As in "does that work".
        || words.get(1).is_some_and(|word| word == "that")
        || words.len() < 6 && telling_words(question).count() < 2
}

fn words(text: &str) -> impl Iterator<Item = String> {
    split(text).map(str::to_lowercase)
}

/// Words that say what a text is about, as they are written.
fn telling_words(text: &str) -> impl Iterator<Item = &str> {
    split(text).filter(|word| {
        let lower = word.to_lowercase();
        !is_stop_word(&lower) && !REFERENCES.contains(&lower.as_str())
    })
}

/// Words with what belongs to them: `--port`, `querent.toml`.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| ".,;:!?\"'()[]{}«»“”…".contains(c)))
        .filter(|word| word.contains(char::is_alphanumeric))
}

/// The messages of the latest turns of `history` that have at most `most_tokens` tokens together.
///
/// Their citations are taken out: the numbers are those of other sources than the next answer's.
pub(super) fn messages_of(history: &[Turn], most_tokens: u64) -> Vec<Message> {
    let mut left = most_tokens;
    let mut messages = Vec::new();
    for turn in history.iter().rev() {
        let answer = without_citations(&turn.answer);
        let tokens = estimate_tokens(&turn.question) + estimate_tokens(&answer) + 8;
        let Some(rest) = left.checked_sub(tokens) else { break };
        left = rest;
        messages.push(Message::new(Role::Assistant, answer));
        messages.push(Message::new(Role::User, turn.question.trim()));
    }
    messages.reverse();
    messages
}

fn without_citations(answer: &str) -> String {
    let mut reader = CitationReader::new(0);
    let mut shown = reader.push(answer);
    shown.push_str(&reader.finish().0);
    shown.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(questions: &[&str]) -> Vec<Turn> {
        let turn = |question: &&str| Turn { question: (*question).into(), answer: "Yes [1].".into() };
        questions.iter().map(turn).collect()
    }

    #[test]
    fn what_leans_on_the_question_before_is_searched_with_its_words() {
        let port = &["How do I change the port of the server?"][..];
        for (before, question, expected) in [
            (port, "And on Windows?", "And on Windows? change port server"),
            (port, "Does that need a restart?", "Does that need a restart? change port server"),
            (port, "Why?", "Why? change port server"),
            (port, "Can I set it in querent.toml?", "Can I set it in querent.toml? change port server"),
            (port, "What about the server's host?", "What about the server's host? change port server"),
            (port, "Where are log files kept?", "Where are log files kept?"),
            (port, "Is there a flag that hides warnings?", "Is there a flag that hides warnings?"),
            (&[], "And on Windows?", "And on Windows?"),
            (port, "", ""),
            (
                &["What is a shard?", "How large is it?"],
                "And without --web?",
                "And without --web? large shard",
            ),
            (&["端口怎么改？"], "为什么？", "为什么？ 端口怎么改？"),
        ] {
            assert_eq!(query_after(&history(before), question), expected);
        }
    }

    #[test]
    fn the_latest_turns_that_fit() {
        let turns = history(&["First question?", "Second question?", "Third question?"]);
        let texts =
            |most| messages_of(&turns, most).into_iter().map(|message| message.content).collect::<Vec<_>>();
        assert_eq!(texts(28), ["Second question?", "Yes.", "Third question?", "Yes."]);
        assert_eq!(texts(12), Vec::<String>::new());
        assert_eq!(texts(u64::MAX).len(), 6);
        assert_eq!(messages_of(&turns, 14)[0].role, Role::User);
    }
}
