//! HTML inside Markdown: told apart into tags and text, without leaving the source.
//!
//! Markdown passes HTML on as it stands, in pieces that may begin or end inside a tag. This is not an HTML
//! parser: it builds no tree and repairs nothing. It only says which bytes of the source a reader would read.

use std::ops::Range;

/// What a piece of HTML consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// Bytes of the source to be read.
    Text(Range<usize>),
    /// Bytes of the source that spell an entity.
    Entity(Range<usize>),
    /// A tag.
    Tag(Tag),
}

/// A tag and what of it matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The name in lower case.
    pub(crate) name: String,
    /// `</name>`.
    pub(crate) closing: bool,
    /// Bytes of the source.
    pub(crate) range: Range<usize>,
    /// The value of `id`, where there is one.
    pub(crate) id: Option<String>,
    /// Bytes of the value of `alt`.
    pub(crate) alt: Option<Range<usize>>,
}

/// Tokenizes pieces of HTML in the order of the source; what a piece leaves open, the next goes on with.
#[derive(Debug, Default)]
pub(crate) struct Tokenizer {
    state: State,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Text,
    /// Inside a tag that began at `start`, inside a value in `quote` where that is not 0.
    Tag {
        start: usize,
        quote: u8,
    },
    Comment,
}

impl Tokenizer {
    /// Forgets what is open: at the end of a block.
    pub(crate) fn reset(&mut self) {
        self.state = State::Text;
    }

    /// The tokens of `source[range]`.
    pub(crate) fn feed(&mut self, source: &str, range: Range<usize>) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let rest = &source[at..range.end];
            at = match self.state {
                State::Text => self.text(rest, at, &mut tokens),
                State::Tag { start, quote } => self.tag(source, rest, at, (start, quote), &mut tokens),
                State::Comment => match rest.find("-->") {
                    Some(end) => {
                        self.state = State::Text;
                        at + end + "-->".len()
                    }
                    None => range.end,
                },
            };
        }
        tokens
    }

    fn text(&mut self, rest: &str, at: usize, tokens: &mut Vec<Token>) -> usize {
        let end = rest.find(['<', '&']).unwrap_or(rest.len());
        if end > 0 {
            tokens.push(Token::Text(at..at + end));
            return at + end;
        }
        if rest.starts_with('&') {
            let len = entity_len(rest);
            tokens.push(if len > 1 { Token::Entity(at..at + len) } else { Token::Text(at..at + 1) });
            return at + len;
        }
        if rest.starts_with("<!--") {
            self.state = State::Comment;
            return at + "<!--".len();
        }
        if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            self.state = State::Tag { start: at, quote: 0 };
        } else {
            tokens.push(Token::Text(at..at + 1));
        }
        at + 1
    }

    fn tag(
        &mut self,
        source: &str,
        rest: &str,
        at: usize,
        (start, quote): (usize, u8),
        tokens: &mut Vec<Token>,
    ) -> usize {
        let found = rest.bytes().position(|byte| match quote {
            0 => matches!(byte, b'>' | b'"' | b'\''),
            quote => byte == quote,
        });
        let Some(found) = found else { return at + rest.len() };
        let next = at + found + 1;
        match (rest.as_bytes()[found], quote) {
            (b'>', 0) => {
                tokens.extend(parse_tag(source, start..next).map(Token::Tag));
                self.state = State::Text;
            }
            (byte, 0) => self.state = State::Tag { start, quote: byte },
            _ => self.state = State::Tag { start, quote: 0 },
        }
        next
    }
}

/// Length of the entity that `text` begins with, 1 for a mere `&`.
fn entity_len(text: &str) -> usize {
    let name = text[1..].bytes().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#');
    let len = name.count();
    if len > 0 && text.as_bytes().get(1 + len) == Some(&b';') { len + 2 } else { 1 }
}

fn parse_tag(source: &str, range: Range<usize>) -> Option<Tag> {
    let inner = source.get(range.start + 1..range.end - 1)?;
    let (name, closing) = inner.strip_prefix('/').map_or((inner, false), |name| (name, true));
    let name_end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
    if name_end == 0 {
        return None;
    }
    let attribute =
        |name| attribute(inner, name).map(|found| found.start + range.start + 1..found.end + range.start + 1);
    Some(Tag {
        name: name[..name_end].to_ascii_lowercase(),
        closing,
        id: attribute("id").map(|id| source[id].to_owned()),
        alt: attribute("alt"),
        range,
    })
}

/// Where the value of the attribute `name` stands in the tag `inner`.
fn attribute(inner: &str, name: &str) -> Option<Range<usize>> {
    let bytes = inner.as_bytes();
    let mut at = inner.find(|c: char| c.is_ascii_whitespace())?;
    while at < bytes.len() {
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/').count();
        let start = at;
        at += bytes[at..].iter().take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'=').count();
        let found = inner[start..at].eq_ignore_ascii_case(name);
        let equals = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if bytes.get(equals) != Some(&b'=') {
            at = equals.max(at + 1);
            continue;
        }
        let value = equals + 1;
        let value = value + bytes[value..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let range = match bytes.get(value) {
            Some(&quote @ (b'"' | b'\'')) => {
                let len = bytes[value + 1..].iter().position(|&byte| byte == quote);
                value + 1..value + 1 + len.unwrap_or(bytes.len() - value - 1)
            }
            _ => {
                let len = bytes[value..].iter().position(u8::is_ascii_whitespace);
                value..value + len.unwrap_or(bytes.len() - value)
            }
        };
        if found {
            return Some(range);
        }
        at = range.end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, pieces: &[Range<usize>]) -> String {
        let mut tokenizer = Tokenizer::default();
        let tokens = pieces.iter().flat_map(|piece| tokenizer.feed(source, piece.clone()));
        let show = |token| match token {
            Token::Text(range) => source[range].to_owned(),
            Token::Entity(range) => format!("{{{}}}", &source[range]),
            Token::Tag(tag) => {
                let alt = tag.alt.map(|alt| &source[alt]);
                let slash = if tag.closing { "/" } else { "" };
                format!(
                    "[{slash}{}{}{}]",
                    tag.name,
                    tag.id.map_or(String::new(), |id| format!("#{id}")),
                    alt.map_or(String::new(), |alt| format!("={alt}"))
                )
            }
        };
        tokens.map(show).collect()
    }

    #[test]
    fn tokens() {
        let rows = [
            ("a<b>c</b>d", "a[b]c[/b]d"),
            ("<P ID=x class='a>b'>t", "[p#x]t"),
            ("<img src=a alt=\"two words\"/>", "[img=two words]"),
            ("<img alt='' hidden id = \"i\" >", "[img#i=]"),
            ("1 < 2 && 3", "1 < 2 && 3"),
            ("a&amp;b &lt c", "a{&amp;}b &lt c"),
            ("a<!-- x > y -->b", "ab"),
            ("<!doctype html><?x?>a", "a"),
            ("<a href=\"x", ""),
            ("<", "<"),
            ("é<é>&é;", "é<é>&é;"),
        ];
        for (source, expected) in rows {
            assert_eq!(shown(source, std::slice::from_ref(&(0..source.len()))), expected, "{source}");
        }
        // A tag and a comment that go over two lines of a quotation.
        let source = "> <p\n> id=x>a<!-- b\n> c -->d";
        assert_eq!(shown(source, &[2..5, 7..21, 23..source.len()]), "[p#x]ad");
    }
}
