//! What somebody does: a verb and what belongs to it, turned from "you" to "I".

use super::{
    grammar::{base_of_gerund, is_vague, is_verb, may_end},
    passage::Word,
    rules::Context,
};

/// Words at which a clause begins that the question does without.
const CLAUSE_STARTS: &[&str] = &[
    "because", "so", "which", "while", "if", "unless", "then", "but", "since", "by", "using", "though",
    "although", "even", "rather", "instead", "until", "where", "whereas", "before", "after", "via", "like",
    "however", "is", "are", "was", "were", "will", "would", "can", "could", "should", "must", "may", "might",
];

/// Longest phrase in words.
const MAX_WORDS: usize = 11;

/// The phrase that starts at `words[0]`, a verb in its base form, up to the clause's end: "write a test for my
/// crate". `None` where it would not be understood away from its place.
pub(super) fn action(context: &Context, words: &[Word], is_title: bool) -> Option<String> {
    let first = words.first()?;
    if first.is_code || !first.before.is_empty() || !is_verb(&first.lower()) {
        return None;
    }
    let mut said = vec![first.lower()];
    let mut previous = first;
    for word in &words[1..] {
        let lower = word.lower();
        let is_end = !previous.after.is_empty() || !word.before.is_empty();
        if is_end || !word.is_code && CLAUSE_STARTS.contains(&lower.as_str()) {
            break;
        }
        said.push(turned(context, word, &lower, is_title));
        previous = word;
    }
    let said = within_limits(said)?;
    is_meaningful(&said).then(|| said.join(" "))
}

/// The phrase of a heading that starts with a gerund: "Defining and Using Structs" gives "define and use
/// structs".
pub(super) fn action_of_gerund(context: &Context, words: &[Word]) -> Option<String> {
    let mut words = words.to_vec();
    let mut follows_and = true;
    for word in words.iter_mut().take(4) {
        let lower = word.lower();
        if follows_and
            && !word.is_code
            && let Some(base) = base_of_gerund(&lower)
        {
            word.text = base;
        }
        follows_and = lower == "and" || lower == "or";
    }
    action(context, &words, true)
}

/// The word with "you" turned to "I".
fn turned(context: &Context, word: &Word, lower: &str, is_title: bool) -> String {
    match lower {
        "your" | "our" => "my".to_owned(),
        "yours" | "ours" => "mine".to_owned(),
        "yourself" | "ourselves" => "myself".to_owned(),
        _ => context.casing.inside(word, is_title),
    }
}

/// Cuts before "and" where what follows is vague ("create a package and build it"), or the phrase too long.
fn within_limits(mut said: Vec<String>) -> Option<Vec<String>> {
    let vague = said.iter().position(|word| is_vague(&word.to_lowercase()));
    let limit = vague.unwrap_or(said.len()).min(MAX_WORDS);
    if limit < said.len() || said.len() > MAX_WORDS {
        let end = said[..=limit.min(said.len() - 1)].iter().rposition(|word| {
            matches!(word.as_str(), "and" | "or" | "when" | "to" | "that" | "in" | "for" | "with")
        })?;
        let has_object =
            end > 2 && (said[end] != "in" && said[end] != "for" && said[end] != "with" || vague.is_none());
        if !has_object {
            return None;
        }
        said.truncate(end);
    }
    Some(said)
}

/// Whether the words say enough, and end as a sentence may.
fn is_meaningful(said: &[String]) -> bool {
    let ends_well = said.last().is_some_and(|word| may_end(&word.to_lowercase()));
    // "that" is kept only as a clause of its own: "a function that returns a value".
    let that_is_clause = said.windows(2).all(|pair| {
        pair[0] != "that"
            || pair[1].ends_with('s') && pair[1].len() > 3
            || ["has", "is", "can"].contains(&pair[1].as_str())
    });
    let is_odd = said.iter().any(|word| word.contains(['\n', '"', '“', '|', '{', ';']) || word.len() > 48);
    let has_object = said.len() > 2 || said.len() == 2 && !is_particle(&said[1]);
    has_object && ends_well && that_is_clause && !is_odd
}

fn is_particle(word: &str) -> bool {
    ["up", "out", "off", "down", "away", "back", "in", "on", "again", "first", "together"].contains(&word)
}
