//! What somebody does: a verb and what belongs to it, turned from "you" to "I".

use super::{
    grammar::{Table, base_of_gerund, first_vague, is_article, is_only_a_verb, is_verb, may_end, table},
    passage::Word,
    rules::Context,
};
use std::sync::LazyLock;

/// Words at which a clause begins that the question does without.
static CLAUSE_STARTS: Table = LazyLock::new(|| {
    table(
        "because otherwise so which while if unless then but since by using though although even rather instead until \
     where whereas before after via like however is are was were will would can could should must may \
     might how what whether whenever wherever once",
    )
});

/// Participles without -ed: with one of them at its end a phrase was cut.
const PARTICIPLES: &[&str] =
    &["written", "shown", "known", "given", "made", "done", "taken", "found", "built"];

/// Verbs of what things do by themselves, which nobody asks how to do.
const NOT_DONE: &[&str] = &["contain", "represent", "understand", "mean"];

/// Longest phrase in words.
const MAX_WORDS: usize = 11;

/// The phrase that starts at `words[0]`, a verb in its base form, up to the clause's end: "write a test for my
/// crate". `None` where it would not be understood away from its place.
pub(super) fn action(context: &Context, words: &[Word], is_title: bool) -> Option<String> {
    let first = words.first().filter(|first| !NOT_DONE.iter().any(|verb| first.is(verb)))?;
    let is_action = is_verb(&first.lower()) || is_title && governs_article(words);
    if first.is_code || !first.before.is_empty() || !is_action {
        return None;
    }
    let mut said = vec![first.lower()];
    let mut previous = first;
    for word in &words[1..] {
        let lower = word.lower();
        // A name with its mark was cut there: "the join! macro".
        if previous.after.starts_with(['!', '?']) || is_issue(word) {
            return None;
        }
        let is_end = !previous.after.is_empty() || !word.before.is_empty();
        if is_end || !word.is_code && CLAUSE_STARTS.contains(lower.as_str()) {
            break;
        }
        said.push(turned(context, word, &lower, is_title));
        previous = word;
    }
    let said = within_limits(said)?;
    is_meaningful(&said).then(|| said.join(" "))
}

/// `#123`, the number of an issue: what a changelog says was done, and nobody is told to do.
fn is_issue(word: &Word) -> bool {
    word.text.strip_prefix('#').is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Words before an article that are no verbs, so that what follows them is no object.
static BEFORE_ARTICLES: Table = LazyLock::new(|| {
    table(
        "about above across after against all along among and are around as at because before behind below beneath \
     beside between beyond both but by despite down during except for from half how if in inside into is like \
     near not of off on once only onto or out outside over past per since some such than that through to \
     toward towards under until up upon via was what when where which while who why with within without",
    )
});

/// Whether the words of a heading begin with a verb, known or not, and its object's article: "Undo a commit".
fn governs_article(words: &[Word]) -> bool {
    let [verb, article, _, ..] = words else { return false };
    let lower = verb.lower();
    let is_word = verb.after.is_empty()
        && lower.len() > 1
        && !lower.ends_with("ing")
        && lower.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word && !article.is_code && is_article(&article.lower()) && !BEFORE_ARTICLES.contains(lower.as_str())
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
    if said.is_empty() {
        return None;
    }
    let limit = first_vague(&said).unwrap_or(said.len()).min(MAX_WORDS);
    if limit < said.len() || said.len() > MAX_WORDS {
        let until = &said[..=limit.min(said.len() - 1)];
        let last = |cuts: &[&str]| until.iter().rposition(|word| cuts.contains(&word.as_str()));
        let mut end = last(&["and", "or", "when", "that"]).or_else(|| last(&["to", "in", "for", "with"]))?;
        // What is left of "to blocks to specify | that they ..." is no end either.
        if end > 2 && said[end - 2] == "to" && is_verb(&said[end - 1]) {
            end -= 2;
        }
        if end < 3 {
            return None;
        }
        said.truncate(end);
        // "a structure for storing | and manipulating values" has lost its object.
        if said.last().is_some_and(|last| base_of_gerund(last).is_some()) {
            said.truncate(said.len().saturating_sub(2));
        }
    }
    if let Some(at) = said.windows(2).position(|pair| pair[0] == "and" && pair[1] == "to") {
        said.truncate(at);
    }
    if said.len() > 3 && said[said.len() - 2] == "and" && is_verb(&said[said.len() - 1]) {
        said.truncate(said.len() - 2);
    }
    Some(said)
}

/// What follows a verb: its words up to the clause's end.
pub(super) struct Tail {
    pub(super) text: String,
    /// Number of words that the clause has; the word there begins something else.
    pub(super) end: usize,
    /// Whether the text holds all of them.
    pub(super) is_whole: bool,
}

/// The rest of a clause after its verb, turned to "I". `None` where it would not be understood away from its
/// place.
pub(super) fn tail(context: &Context, words: &[Word]) -> Option<Tail> {
    let mut said = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let lower = word.lower();
        let joins_verb =
            ["and", "but", "or"].contains(&lower.as_str()) && words.get(at + 1).is_some_and(is_auxiliary);
        let is_end = joins_verb || at > 0 && !words[at - 1].after.is_empty() || !word.before.is_empty();
        let starts_clause =
            ["that", "when"].contains(&lower.as_str()) || CLAUSE_STARTS.contains(lower.as_str());
        if is_end || !word.is_code && starts_clause {
            break;
        }
        said.push(turned(context, word, &lower, false));
    }
    let end = said.len();
    let said = within_limits(said)?;
    let last = said.last()?;
    let is_odd = said.iter().any(|word| word.contains(['\n', '"', '“', '|', '{', ';']) || word.len() > 48);
    let ends_in_gerund = said.len() > 1 && said[said.len() - 2] == "and" && last.ends_with("ing");
    // "a full one or a smaller, reusable one" is cut before its noun.
    let is_comparative = end > 0 && last.ends_with("er") && words[end - 1].after.starts_with(',');
    let is_passive = said.len() > 1 && (said[said.len() - 2] == "be" || said[said.len() - 2].ends_with("ly"));
    let is_cut = said.len() > 1 && is_participle(last) && !is_passive || ends_in_gerund || is_comparative;
    let is_to = said[0] == "to"
        || said.len() > 1 && said[said.len() - 2] == "to" && !is_verb(last) && said.len() == 2;
    let is_whole = said.len() == end && !(said.len() > 1 && last.ends_with("ly"));
    (may_end(&last.to_lowercase()) && !is_odd && !is_cut && !is_to).then(|| Tail {
        text: said.join(" "),
        end,
        is_whole,
    })
}

/// Whether a second predicate begins with the word: "is valid and wasn't moved".
fn is_auxiliary(word: &Word) -> bool {
    let lower = word.lower().replace('’', "'");
    lower.ends_with("n't")
        || ["is", "are", "was", "were", "has", "have", "can", "cannot", "does", "must"]
            .contains(&lower.as_str())
}

fn is_participle(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") || PARTICIPLES.contains(&word)
}

/// Whether the words say enough, and end as a sentence may.
fn is_meaningful(said: &[String]) -> bool {
    let ends_well = said.last().is_some_and(|word| may_end(&word.to_lowercase()));
    // "that" is kept only as a clause of its own: "a function that returns a value".
    let that_is_clause = said.len() > 1
        && said[said.len() - 2] != "that"
        && said.windows(2).all(|pair| {
            pair[0] != "that"
                || pair[1].ends_with('s') && pair[1].len() > 3
                || ["has", "is", "can"].contains(&pair[1].as_str())
        });
    let is_odd = said.iter().any(|word| word.contains(['\n', '"', '“', '|', '{', ';']) || word.len() > 48);
    let has_object = said.len() > 2 || said.len() == 2 && !is_particle(&said[1]);
    // "choose to ..." is no action, "update and uninstall" has no object, "functions defined" no place.
    let is_empty = said.get(1).is_none_or(|second| second == "to")
        || is_only_a_verb(&said[0]) && ["for", "of", "as", "by"].contains(&said[1].as_str())
        || said.len() == 3 && said[1] == "and";
    let is_comparison = said.len() == 2 && (said[1].ends_with("er") || said[1].ends_with("ly"));
    let is_cut = said.last().is_some_and(|word| is_participle(word));
    has_object && ends_well && that_is_clause && !is_odd && !is_empty && !is_cut && !is_comparison
}

fn is_particle(word: &str) -> bool {
    ["up", "out", "off", "down", "away", "back", "in", "on", "again", "first", "together"].contains(&word)
}
