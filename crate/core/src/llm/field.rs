//! One text out of what a model said.

use super::list::{json_candidates, string_length, without_thoughts};
use serde_json::Value;

/// The text that `reply` gives under one of `names`: of a JSON object, also in a code fence, or one that ends too early;
/// else the words themselves, where the reply is no JSON. `None` where nothing is said.
pub fn parse_field(reply: &str, names: &[&str]) -> Option<String> {
    let reply = without_thoughts(reply).trim();
    let whole = |candidate: &str| {
        let value: Value = serde_json::from_str(candidate).ok()?;
        match &value {
            Value::String(text) => Some(text.clone()),
            value => names.iter().find_map(|name| Some(value.get(name)?.as_str()?.to_owned())),
        }
    };
    let found = json_candidates(reply).into_iter().find_map(whole).or_else(|| cut(reply, names));
    let is_plain = !reply.contains(['{', '[']) && !reply.starts_with("```");
    let found = found.or_else(|| is_plain.then(|| reply.trim_matches('"').to_owned()));
    found.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The whole string behind a name in JSON that ends too early. Half a string is half a sentence, and of no use.
fn cut(reply: &str, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| {
        let quoted = format!("\"{name}\"");
        let rest = reply[reply.find(&quoted)? + quoted.len()..].trim_start().strip_prefix(':')?.trim_start();
        let rest = Some(rest).filter(|rest| rest.starts_with('"'))?;
        serde_json::from_str(&rest[..string_length(rest)?]).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms() {
        for (reply, expected) in [
            (r#"{"context": "A guide."}"#, Some("A guide.")),
            ("Sure!\n```json\n{\"context\": \" A guide. \"}\n```", Some("A guide.")),
            (r#"Here: {"text": "A guide."} Done."#, Some("A guide.")),
            (r#"{"context": "A \"guide\".", "more": "#, Some("A \"guide\".")),
            ("<think>{}</think>A guide.", Some("A guide.")),
            ("\"A guide.\"", Some("A guide.")),
            (r#"{"context": "A gui"#, None),
            (r#"{"answer": 42}"#, None),
            (r#"{"context": ["A"]}"#, None),
            ("", None),
        ] {
            assert_eq!(parse_field(reply, &["context", "text"]).as_deref(), expected, "{reply}");
        }
    }

    proptest! {
        #[test]
        fn any_reply(reply in "(\\PC|[{}\":,\\[\\]]|context){0,30}") {
            let _ = parse_field(&reply, &["context"]);
        }
    }
}
