//! Forms: what stands in a text as it is written, punctuation included.
//!
//! Words leave out what readers of references search for: `--locked` is not `locked`, `[patch]` is not `patch`, and
//! `?` is no word at all. A form is such a piece of text as one term, in lower case and with spaces only between
//! words, so that `use<'a, T>` and `use<'a,T>` are the same. Forms stand beside the words that they hold, in documents
//! and in queries alike: a document that has the form ranks before one that has its words.

/// Longest form in bytes. Nobody types a longer one, and they would swell the dictionary.
const MAX_FORM_BYTES: usize = 40;

/// The whole of a short text as a form: inline code, a heading, a query. `None` when it is long, or a word that is a
/// term of its own.
pub fn whole_form(text: &str) -> Option<String> {
    let text = text.trim();
    let form = (text.len() <= MAX_FORM_BYTES).then(|| normalise(text));
    form.filter(|form| !form.is_empty() && is_form(form))
}

/// Calls `each` with the forms inside a longer text: options (`--locked`, `-Z`), attributes and tables
/// (`#[derive(Debug)]`, `[patch]`), generics (`Vec<T>`), names with a sign (`@scope`, `$HOME`, `c++`, `c#`).
pub fn forms_in(text: &str, each: &mut dyn FnMut(String)) {
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        if let Some((start, end)) = form_at(bytes, at).filter(|(start, end)| end - start <= MAX_FORM_BYTES) {
            each(normalise(&text[start..end]));
        }
    }
}

/// Whether a term is a form rather than a word.
pub fn is_form(term: &str) -> bool {
    let is_in_words = |c: char| c.is_alphanumeric() || "_:.-'".contains(c);
    term.starts_with(['-', ':', '.']) || !term.chars().all(is_in_words)
}

/// The form whose sign is the byte at `at`.
fn form_at(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
    let begins = !is_name(before) && before != b'-' && before < 0x80;
    let next = |len: usize| bytes.get(at + len).copied().unwrap_or(b' ');
    let name_end =
        |from: usize| from + bytes[from..].iter().take_while(|&&b| is_name(b) || b == b'-').count();
    match bytes[at] {
        b'-' if begins && next(1).is_ascii_alphabetic() => Some((at, name_end(at + 1))),
        b'-' if begins && next(1) == b'-' && next(2).is_ascii_alphabetic() => Some((at, name_end(at + 2))),
        b'@' | b'$' if begins && next(1).is_ascii_alphabetic() => Some((at, name_end(at + 1))),
        b'[' if begins && next(1).is_ascii_alphabetic() => {
            let marks = bytes[..at].iter().rev().take_while(|b| b"#!".contains(b)).count();
            Some((at - marks.min(2), group_end(bytes, at, b']')?))
        }
        b'<' if is_name(before) => {
            let name = bytes[..at].iter().rev().take_while(|&&b| is_name(b) || b == b':').count();
            Some((at - name, group_end(bytes, at, b'>')?))
        }
        b'+' if is_name(before) && next(1) == b'+' && !is_name(next(2)) => {
            Some((name_start(bytes, at), at + 2))
        }
        b'#' if is_name(before) && !is_name(next(1)) => Some((name_start(bytes, at), at + 1)),
        _ => None,
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn name_start(bytes: &[u8], end: usize) -> usize {
    end - bytes[..end].iter().rev().take_while(|&&byte| is_name(byte)).count()
}

/// Behind the bracket that closes the one at `open`, on the same line and no further than a form is long.
fn group_end(bytes: &[u8], open: usize, close: u8) -> Option<usize> {
    let mut depth = 0;
    for (at, &byte) in bytes.iter().enumerate().skip(open).take(MAX_FORM_BYTES) {
        if byte == bytes[open] {
            depth += 1;
        } else if byte == close && !b"-=".contains(&bytes[at - 1]) {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at + 1);
        }
        if byte == b'\n' || byte == b';' {
            return None;
        }
    }
    None
}

/// Lower case; white space is one space between words and nothing beside punctuation.
fn normalise(text: &str) -> String {
    let mut form = String::with_capacity(text.len());
    let mut space = false;
    for c in text.to_lowercase().chars() {
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if space && c.is_alphanumeric() && form.ends_with(char::is_alphanumeric) {
            form.push(' ');
        }
        space = false;
        form.push(c);
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_inside_texts() {
        let check = |text: &str, expected: &[&str]| {
            let mut found = Vec::new();
            forms_in(text, &mut |form| found.push(form));
            assert_eq!(found, expected, "{text:?}");
        };
        check("cargo build --locked, -p NAME", &["--locked", "-p"]);
        check("pre-release a - b a--b -- --", &[]);
        check("The [patch] section", &["[patch]"]);
        check("#[derive(Debug)] #![no_std] v[i] [0; 5]", &["#[derive(debug)]", "#![no_std]"]);
        check("Result<(), Box<dyn Error>>", &["result<(),box<dyn error>>", "box<dyn error>"]);
        check("use<'a, T> if a < b && c > d", &["use<'a,t>"]);
        check("F: Fn<(i32) -> bool>", &["fn<(i32)->bool>"]);
        check("C++, C# and $HOME of @scope/pkg é-x", &["c++", "c#", "$home", "@scope"]);
        check("", &[]);
    }

    #[test]
    fn whole_texts() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(whole_form(text).as_deref(), expected, "{text:?}");
        };
        check("const  fn", Some("const fn"));
        check("?", Some("?"));
        check(" -> ", Some("->"));
        check("use<'a, T>", Some("use<'a,t>"));
        check("locked", None);
        check("Vec::push", None);
        check("::", Some("::"));
        check("", None);
        check(&"long ".repeat(20), None);
    }

    #[test]
    fn words_are_no_forms() {
        for (term, expected) in [
            ("cargo.toml", false),
            ("vec::push", false),
            ("borrow-checker", false),
            ("naïve", false),
            ("--locked", true),
            ("const fn", true),
            ("?", true),
        ] {
            assert_eq!(is_form(term), expected, "{term}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_forms(text in "[a<>\\[\\]#!@$+ é;-]{0,40}") {
            forms_in(&text, &mut |form| assert!(!form.is_empty()));
            whole_form(&text);
        }
    }
}
