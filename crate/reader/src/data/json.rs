//! JSON, also with comments and trailing commas, also one value a line.
//!
//! A scanner with a stack of its own: brackets nested a hundred thousand deep cost a byte each.

use super::{
    Damage,
    outline::{Kind, Outline},
};
use std::ops::Range;

const COMMENTS: &str = "has comments or commas before a closing bracket, which JSON does not allow; it was read all the same, \
                        rename it to .jsonc to silence this";

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of an array that has none.
    FirstValue,
    Key,
    /// A key, or the end of an object that has none.
    FirstKey,
    /// A comma, or the end of the innermost bracket; at the top the end of the source, or another value.
    Separator,
}

/// Tells `outline` what `text` holds; gives a warning where it is not strictly JSON.
pub(super) fn parse<'a>(text: &'a str, outline: &mut Outline<'a>) -> Result<Option<&'static str>, Damage> {
    let mut scanner = Scanner::new(text);
    while scanner.step(outline)? {
        if scanner.is_at_second_value() {
            return parse_lines(text, outline);
        }
    }
    Ok(scanner.is_lenient.then_some(COMMENTS))
}

/// One value after the other, each usually on a line of its own: together an array without brackets.
fn parse_lines<'a>(text: &'a str, outline: &mut Outline<'a>) -> Result<Option<&'static str>, Damage> {
    *outline = Outline::new(text);
    outline.enter(Kind::Array, None, 0);
    let mut scanner = Scanner::new(text);
    while scanner.step(outline)? {}
    outline.leave(text.len());
    Ok(scanner.is_lenient.then_some(COMMENTS))
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    next: Next,
    open: Vec<Kind>,
    /// The key that the next value belongs to, and where it begins.
    key: Option<(String, usize)>,
    is_lenient: bool,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        let (bytes, open) = (text.as_bytes(), Vec::new());
        Self { text, bytes, at: 0, next: Next::Value, open, key: None, is_lenient: false }
    }

    /// Whether a value has ended and another begins, outside every bracket.
    fn is_at_second_value(&self) -> bool {
        self.at > 0 && self.open.is_empty() && self.next == Next::Value
    }

    /// Reads one token; false at the end of the source.
    fn step(&mut self, outline: &mut Outline<'_>) -> Result<bool, Damage> {
        self.skip_space()?;
        let Some(&byte) = self.bytes.get(self.at) else {
            return match (self.open.last(), self.next) {
                (None, Next::Separator) => Ok(false),
                _ => Err(self.expected("the end of the file")),
            };
        };
        match (self.next, byte) {
            (Next::Separator, b',') if !self.open.is_empty() => self.comma(),
            (Next::Separator | Next::FirstKey | Next::Key, b'}')
                if self.open.last() == Some(&Kind::Object) =>
            {
                self.close(outline);
            }
            (Next::Separator | Next::FirstValue | Next::Value, b']')
                if self.open.last() == Some(&Kind::Array) =>
            {
                self.close(outline);
            }
            (Next::Separator, _) if self.open.is_empty() => self.next = Next::Value,
            (Next::FirstKey | Next::Key, b'"') => self.key()?,
            (Next::FirstValue | Next::Value, b'{' | b'[') => self.open(byte, outline),
            (Next::FirstValue | Next::Value, _) => self.value(byte, outline)?,
            _ => return Err(self.expected(&self.found())),
        }
        Ok(true)
    }

    fn comma(&mut self) {
        self.at += 1;
        self.next = if self.open.last() == Some(&Kind::Object) { Next::Key } else { Next::Value };
    }

    fn open(&mut self, byte: u8, outline: &mut Outline<'_>) {
        let kind = if byte == b'{' { Kind::Object } else { Kind::Array };
        let (key, start) = self.key.take().map_or((None, self.at), |(key, start)| (Some(key), start));
        outline.enter(kind, key.as_deref(), start);
        self.open.push(kind);
        self.at += 1;
        self.next = if kind == Kind::Object { Next::FirstKey } else { Next::FirstValue };
    }

    fn close(&mut self, outline: &mut Outline<'_>) {
        self.is_lenient |= matches!(self.next, Next::Key | Next::Value);
        self.at += 1;
        self.open.pop();
        outline.leave(self.at);
        self.next = Next::Separator;
    }

    fn key(&mut self) -> Result<(), Damage> {
        let start = self.at;
        let inner = self.string()?;
        self.skip_space()?;
        if self.bytes.get(self.at) != Some(&b':') {
            let found =
                if self.at < self.bytes.len() { self.found() } else { "the end of the file".to_owned() };
            return Err(Damage::new(self.at, format!("expected a colon after the key, got {found}")));
        }
        self.at += 1;
        self.key = Some((self.text[inner].replace("\\\"", "\""), start));
        self.next = Next::Value;
        Ok(())
    }

    fn value(&mut self, byte: u8, outline: &mut Outline<'_>) -> Result<(), Damage> {
        let range = if byte == b'"' { self.string()? } else { self.word()? };
        self.key = None;
        outline.value(range);
        self.next = Next::Separator;
        Ok(())
    }

    /// A string; the range is that of its content.
    fn string(&mut self) -> Result<Range<usize>, Damage> {
        let start = self.at;
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += self.escape(at)?,
                Some(b'\n' | b'\r') | None => {
                    return Err(Damage::new(
                        start,
                        "expected a quote at the end of this string, got none on its line",
                    ));
                }
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        Ok(start + 1..at)
    }

    /// Bytes of the escape at `at`.
    fn escape(&self, at: usize) -> Result<usize, Damage> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
            Some(b'u')
                if self.bytes.get(at + 2..at + 6).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit)) =>
            {
                Ok(6)
            }
            _ => Err(Damage::new(at, "expected an escape such as \\n or \\u00e9, got another")),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Range<usize>, Damage> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        let len = self.bytes[self.at..].iter().take_while(|byte| is_word(byte)).count();
        let range = self.at..self.at + len;
        let word = &self.text[range.clone()];
        if !(matches!(word, "true" | "false" | "null") || is_number(word)) {
            return Err(self.expected(&self.found()));
        }
        self.at = range.end;
        Ok(range)
    }

    /// White space and comments.
    fn skip_space(&mut self) -> Result<(), Damage> {
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
            let rest = &self.text[self.at..];
            let len = match rest.as_bytes() {
                [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
                [b'/', b'*', ..] => match rest.find("*/") {
                    Some(end) => end + 2,
                    None => return Err(Damage::new(self.at, "expected the end of this comment, got none")),
                },
                _ => return Ok(()),
            };
            self.is_lenient = true;
            self.at += len;
        }
    }

    fn expected(&self, found: &str) -> Damage {
        let expected = match (self.next, self.open.last()) {
            (Next::Value, _) => "a value",
            (Next::FirstValue, _) => "a value or ]",
            (Next::Key, _) => "a key in quotes",
            (Next::FirstKey, _) => "a key in quotes or }",
            (Next::Separator, Some(Kind::Object)) => "a comma or }",
            (Next::Separator, _) => "a comma or ]",
        };
        Damage::new(self.at, format!("expected {expected}, got {found}"))
    }

    fn found(&self) -> String {
        let rest = &self.text[self.at..];
        let len = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()).min(20);
        let shown = &rest[..rest.floor_char_boundary(len)];
        let first = rest.chars().next().unwrap_or_default();
        if shown.is_empty() { format!("{first:?}") } else { format!("{shown:?}") }
    }
}

/// A number as JSON has it.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let word = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) =
        word.split_once(['e', 'E']).map_or((word, None), |(it, exponent)| (it, Some(exponent)));
    let (whole, fraction) =
        mantissa.split_once('.').map_or((mantissa, None), |(it, fraction)| (it, Some(fraction)));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|it| digits(it.strip_prefix(['+', '-']).unwrap_or(it)))
}
