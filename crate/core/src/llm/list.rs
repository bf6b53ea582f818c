//! A list out of what a model said, in whichever form it said it.
//!
//! Models asked for JSON reply with JSON, with JSON in a code fence, with a sentence around it, with an object of
//! objects, with half of it because the limit of tokens was reached, or with a numbered list. In that order each form
//! is tried, and the first one that holds anything is the list. Whether the items are any good is for the caller.

use serde_json::Value;

/// One item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListItem {
    /// Its words, without number, bullet and quotes.
    pub text: String,
    /// The kind that the reply gave it (`type` beside it, or the name of the list that holds it).
    pub kind: Option<String>,
}

/// Most items of a reply; what follows is dropped.
const MOST: usize = 100;
/// Names under which models put the words of an item.
const TEXT_NAMES: &[&str] = &["question_text", "question", "text", "query", "q", "content"];
/// Names under which they put its kind.
const KIND_NAMES: &[&str] = &["question_type", "type", "kind", "category"];
/// Names of lists that are no kind.
const LIST_NAMES: &[&str] = &["questions", "items", "list", "result", "results", "output", "data"];

/// The items of `reply`, in order; none where it holds no list.
pub fn parse_list(reply: &str) -> Vec<ListItem> {
    let reply = without_thoughts(reply);
    let mut items = Vec::new();
    for candidate in json_candidates(reply) {
        if let Ok(value) = serde_json::from_str::<Value>(candidate) {
            collect(&value, None, &mut items);
        }
        if !items.is_empty() {
            break;
        }
    }
    if items.is_empty() && reply.contains(['[', '{']) {
        salvage(reply, &mut items);
    }
    if items.is_empty() {
        items = reply.lines().filter_map(item_of_line).collect();
    }
    items.truncate(MOST);
    items
}

/// Models that think aloud put their thoughts first.
pub(super) fn without_thoughts(reply: &str) -> &str {
    reply.rfind("</think>").map_or(reply, |at| &reply[at + "</think>".len()..])
}

/// Stretches that may be JSON: the whole, what stands in fences, what stands between the outermost brackets.
pub(super) fn json_candidates(reply: &str) -> Vec<&str> {
    let mut candidates = vec![reply.trim()];
    // What stands between two fences is every second part, and begins with the name of the language.
    for part in reply.split("```").skip(1).step_by(2) {
        candidates.push(part.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).trim());
    }
    for (open, close) in [('{', '}'), ('[', ']')] {
        if let (Some(from), Some(to)) = (reply.find(open), reply.rfind(close))
            && from < to
        {
            candidates.push(&reply[from..=to]);
        }
    }
    candidates
}

/// The items in `value`; `kind` is the name of the list that they stand in. serde_json's limit on nesting ends the
/// recursion.
fn collect(value: &Value, kind: Option<&str>, items: &mut Vec<ListItem>) {
    match value {
        Value::String(text) => push(text, kind, items),
        Value::Array(values) => values.iter().for_each(|value| collect(value, kind, items)),
        Value::Object(fields) => {
            let named = |names: &[&str]| names.iter().find_map(|&name| fields.get(name)?.as_str());
            if let Some(text) = named(TEXT_NAMES) {
                push(text, named(KIND_NAMES).or(kind), items);
                return;
            }
            for (name, value) in fields {
                let name = name.to_lowercase();
                match value {
                    Value::String(_) if !is_item_name(&name) => {}
                    Value::String(_) => collect(value, kind, items),
                    _ if LIST_NAMES.contains(&name.as_str()) => collect(value, kind, items),
                    _ => collect(value, Some(&name), items),
                }
            }
        }
        _ => {}
    }
}

/// Whether a string of that name is an item: `1`, `q1`, `question 2`.
fn is_item_name(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', '-', ' ']);
    stem.is_empty() || TEXT_NAMES.contains(&stem)
}

/// The whole strings of JSON that ends too early. Names, and what belongs to names of something else, are left out.
fn salvage(reply: &str, items: &mut Vec<ListItem>) {
    let mut rest = reply;
    let mut name = None;
    while let Some(from) = rest.find('"') {
        let Some(length) = string_length(&rest[from..]) else { return };
        let text: Option<String> = serde_json::from_str(&rest[from..from + length]).ok();
        rest = &rest[from + length..];
        match text {
            Some(text) if rest.trim_start().starts_with(':') => name = Some(text.to_lowercase()),
            Some(text) => {
                let is_ours =
                    name.as_deref().is_none_or(|name| is_item_name(name) || LIST_NAMES.contains(&name));
                // At the very end it may be a name whose colon was cut off.
                let is_item = is_ours && (!rest.trim().is_empty() || text.ends_with('?'));
                if is_item {
                    push(&text, None, items);
                }
                // The next strings of the same array belong to the same name; those of an object have their own.
            }
            None => {}
        }
    }
}

/// Bytes of the JSON string that `text` begins with, quotes included.
pub(super) fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn push(text: &str, kind: Option<&str>, items: &mut Vec<ListItem>) {
    let text = without_marks(text);
    if !text.is_empty() && items.len() < MOST {
        items.push(ListItem { text: text.to_owned(), kind: kind.map(str::to_owned) });
    }
}

/// The item of a line of a plain list. A line without a mark counts only where it is a question: the others are the
/// sentences that models put around lists.
fn item_of_line(line: &str) -> Option<ListItem> {
    let line = line.trim();
    let text = without_marks(line);
    // What is left of broken JSON.
    if text.starts_with(['{', '[', '"']) {
        return None;
    }
    let is_item = text.ends_with(['?', '？']) || without_bullet(line) != line && !line.starts_with("```");
    (is_item && text.chars().any(char::is_alphanumeric))
        .then(|| ListItem { text: text.to_owned(), kind: None })
}

/// `1. **"What is X?"**,` without number, bold, quotes and comma.
fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let inner = without_bullet(text).trim_end_matches(',').trim();
        let inner = ["**", "\"", "'", "`", "“"].iter().fold(inner, |inner, mark| {
            let end = if *mark == "“" { "”" } else { mark };
            let within = inner.strip_prefix(mark).and_then(|inner| inner.strip_suffix(end));
            within.filter(|within| !within.contains(mark)).unwrap_or(inner)
        });
        if inner == text {
            return text;
        }
        text = inner.trim();
    }
}

/// `- x`, `* x`, `3) x`, `Q3: x` and `Question 3: x` without what stands before `x`.
fn without_bullet(text: &str) -> &str {
    if let Some(rest) = ["- ", "* ", "+ ", "• ", "– "].iter().find_map(|mark| text.strip_prefix(mark)) {
        return rest.trim_start();
    }
    let number =
        ["Question", "question", "Q"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let is_named = number.len() < text.len();
    let number = if is_named { number.trim_start() } else { number };
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = number.len() - rest.len();
    let rest = match rest.chars().next() {
        Some('.' | ')' | ':') if (1..=3).contains(&digits) || is_named && digits == 0 => &rest[1..],
        _ => return text,
    };
    if rest.starts_with(' ') { rest.trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms() {
        let check = |reply: &str, expected: &[&str]| {
            let texts: Vec<_> = parse_list(reply).into_iter().map(|item| item.text).collect();
            assert_eq!(texts, expected, "{reply}");
        };
        let two = &["What is X?", "How do I Y?"][..];
        check(r#"{"questions": ["What is X?", "How do I Y?"]}"#, two);
        check(r#"["What is X?", "How do I Y?"]"#, two);
        check("Sure!\n```json\n[\"What is X?\",\n\"How do I Y?\"]\n```\nAnything else?", two);
        check("Here: {\"questions\": [\"What is X?\", \"How do I Y?\"]} Done.", two);
        check(r#"[{"question": "What is X?", "answer": "No"}, {"question_text": "How do I Y?"}]"#, two);
        check(r#"{"question1": "What is X?", "question_2": "How do I Y?", "note": "none"}"#, two);
        check(r#"{"1": {"text": "What is X?"}, "2": {"text": "How do I Y?"}}"#, two);
        check(r#"["1. What is X?", "- \"How do I Y?\""]"#, two);
        check("1. What is X?\n2) How do I Y?", two);
        check("Here are two questions:\n\n- **What is X?**\n* \"How do I Y?\"\n", two);
        check("Q1: What is X?\nQuestion 2: How do I Y?\nI hope that helps.", two);
        check("<think>Is it \"a\"?\n1. No?</think>What is X?\nHow do I Y?", two);
        check(r#"{"questions": ["What is X?", "How do I Y?", "When does"#, two);
        check(
            r#"```json
{"questions": [{"question": "What is X?", "type": "factual"}, {"question": "How do I Y?", "ty"#,
            two,
        );
        check("1. 0.5 is a half?\n2.5 is no number?", &["0.5 is a half?", "2.5 is no number?"]);
        check(r#"["What does \"x\" say?"]"#, &["What does \"x\" say?"]);
        check("", &[]);
        check("I cannot help with that.", &[]);
        check("{}", &[]);
        check(r#"{"answer": "yes"}"#, &[]);
        check("null", &[]);
    }

    #[test]
    fn kinds() {
        let check = |reply: &str, expected: &[Option<&str>]| {
            let kinds: Vec<_> = parse_list(reply).into_iter().map(|item| item.kind).collect();
            assert_eq!(kinds.iter().map(Option::as_deref).collect::<Vec<_>>(), expected, "{reply}");
        };
        check(r#"[{"question": "What is X?", "type": "factual"}, "Y?"]"#, &[Some("factual"), None]);
        check(r#"{"Factual": ["What is X?"], "questions": ["Y?"]}"#, &[Some("factual"), None]);
    }

    proptest! {
        #[test]
        fn any_text_gives_a_list(
            any: String,
            broken in "[\\[\\]{}\",:\\\\` a-zé1?\n]{0,120}",
            deep in (0_usize..300).prop_map(|depth| "[".repeat(depth) + "\"a\"" + &"]".repeat(depth)),
        ) {
            for text in [&any, &broken, &deep] {
                for item in parse_list(text) {
                    prop_assert!(!item.text.is_empty());
                }
            }
        }

        #[test]
        fn what_was_written_is_read(questions in prop::collection::vec("[A-Z][a-z ]{2,20}[a-z]\\?", 1..8)) {
            let json = serde_json::json!({"questions": questions}).to_string();
            let lines: String = questions.iter().enumerate().map(|(at, q)| format!("{}. {q}\n", at + 1)).collect();
            for text in [json, lines] {
                let read: Vec<_> = parse_list(&text).into_iter().map(|item| item.text).collect();
                prop_assert_eq!(&read, &questions);
            }
        }

        #[test]
        fn cut_json_keeps_its_whole_strings(length in 0_usize..64) {
            let json = r#"{"questions": ["What is X?", "How do I Y?", "Why is Z so?"]}"#;
            let cut = &json[..length.min(json.len())];
            let read: Vec<_> = parse_list(cut).into_iter().map(|item| item.text).collect();
            let whole = ["What is X?", "How do I Y?", "Why is Z so?"];
            prop_assert!(read.iter().all(|text| whole.contains(&text.as_str())), "{:?}", read);
        }
    }
}
