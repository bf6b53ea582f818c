//! The body of a reply, whichever form it has: events, or one JSON object where the server does not stream.
//!
//! What every transport does with the bytes of a reply, so that it is done once: the forms are told apart, what nobody
//! asked for is refused, and the key is cut out of words and errors.

use super::{
    Redactor, StreamReader,
    reply::{Completion, ReplyError},
};

/// Most bytes of a reply's words. Questions take a few hundred, answers a few thousand.
const MOST_WORDS: usize = 64 << 10;
/// Most bytes that are read: JSON around each delta is longer than the delta.
const MOST_BYTES: usize = 16 << 20;

/// Reads the body of a reply.
#[derive(Debug)]
pub struct ReplyReader {
    redactor: Redactor,
    form: Form,
    bytes: usize,
}

#[derive(Debug)]
enum Form {
    /// Nothing but white space came: some servers send empty lines while they think.
    Unknown,
    Events(StreamReader),
    Whole(Vec<u8>),
}

impl ReplyReader {
    /// A reader that cuts out what `redactor` does.
    pub fn new(redactor: Redactor) -> Self {
        Self { redactor, form: Form::Unknown, bytes: 0 }
    }

    /// Takes the next bytes and gives the words that they add to the reply.
    ///
    /// # Errors
    /// When the server sends an error or something that is no reply, or more than anybody asked for. The reader is of no
    /// further use then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<String, ReplyError> {
        self.bytes += bytes.len();
        if self.bytes > MOST_BYTES {
            return Err(ReplyError::TooLong { limit: MOST_BYTES });
        }
        if let Form::Unknown = self.form
            && let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace())
        {
            // `data:`, `event:`, `id:`, `retry:`, a comment.
            let is_event = b"deir:".contains(first);
            self.form =
                if is_event { Form::Events(StreamReader::new(MOST_WORDS)) } else { Form::Whole(Vec::new()) };
        }
        match &mut self.form {
            Form::Unknown => Ok(String::new()),
            Form::Whole(whole) => {
                whole.extend_from_slice(bytes);
                Ok(String::new())
            }
            Form::Events(stream) => {
                let pushed = stream.push(bytes);
                let words = pushed.map_err(|error| redacted(error, &self.redactor))?;
                Ok(self.redactor.push(&words))
            }
        }
    }

    /// Whether the server has said that this is all.
    pub fn is_done(&self) -> bool {
        matches!(&self.form, Form::Events(stream) if stream.is_done())
    }

    /// The reply, after the last byte, and those of its words that [`Self::push`] has not given.
    ///
    /// # Errors
    /// When the reply is not whole, or none.
    pub fn finish(mut self) -> Result<(Completion, String), ReplyError> {
        let redactor = Redactor::clone(&self.redactor);
        let (read, rest) = match self.form {
            Form::Unknown => (Err(ReplyError::Cut), String::new()),
            Form::Events(stream) => (stream.finish(), self.redactor.finish()),
            Form::Whole(whole) => {
                let read = Completion::from_json(&whole).and_then(|reply| match reply.text.len() {
                    0..=MOST_WORDS => Ok(reply),
                    _ => Err(ReplyError::TooLong { limit: MOST_WORDS }),
                });
                let rest = read.as_ref().map(|reply| redactor.cut(&reply.text)).unwrap_or_default();
                (read, rest)
            }
        };
        let mut completion = read.map_err(|error| redacted(error, &redactor))?;
        completion.text = redactor.cut(&completion.text);
        Ok((completion, rest))
    }
}

/// `error` without the key. What errors quote is cut to a line, which may end within the key: the beginning of a key at
/// its end goes, too.
fn redacted(error: ReplyError, redactor: &Redactor) -> ReplyError {
    let cut = |text: String| redactor.fresh().push(&text);
    match error {
        ReplyError::Server { message } => ReplyError::Server { message: cut(message) },
        ReplyError::NotAReply { got } => ReplyError::NotAReply { got: cut(got) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEY: &str = "sk-0123456789";

    fn read(pieces: &[&str]) -> Result<(String, String), ReplyError> {
        let mut reader = ReplyReader::new(Redactor::new(KEY));
        let mut heard = String::new();
        for piece in pieces {
            heard += &reader.push(piece.as_bytes())?;
        }
        let (completion, rest) = reader.finish()?;
        Ok((completion.text, heard + &rest))
    }

    fn whole(words: &str) -> String {
        json!({"choices": [{"message": {"content": words}, "finish_reason": "stop"}]}).to_string()
    }

    fn events(words: &[&str]) -> String {
        let delta =
            |words: &&str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": words}}]}));
        words.iter().map(delta).collect::<String>() + "data: [DONE]\n\n"
    }

    #[test]
    fn both_forms_are_heard_without_the_key() {
        let said = || Ok(("Hi, [key]!".to_owned(), "Hi, [key]!".to_owned()));
        assert_eq!(read(&[&whole("Hi, sk-0123456789!")]), said());
        assert_eq!(read(&["\n\n", " ", &events(&["Hi, sk-01", "23456789!"])]), said());
        assert_eq!(read(&[": thinking\n\n", &events(&["Hi, ", "sk-0123456789!"])]), said());
        assert_eq!(read(&[&events(&["sk-0"])]), Ok(("sk-0".into(), "sk-0".into())));
        assert_eq!(read(&["\n"]), Err(ReplyError::Cut));
    }

    #[test]
    fn errors_do_not_quote_the_key() {
        for text in [
            format!("{}{KEY}", "x ".repeat(75)),
            format!("<{}{KEY}", "x ".repeat(75)),
            json!({"error": {"message": format!("{}{KEY}", "y".repeat(152))}}).to_string(),
            format!("data: {{{}{KEY}\n\n", "x ".repeat(75)),
        ] {
            let error = read(&[&text]).expect_err("no reply").to_string();
            assert!(!error.contains("sk-0"), "{error}");
        }
    }

    #[test]
    fn nobody_asked_for_that_much() {
        for text in [whole(&"x".repeat(70_000)), events(&[&"x".repeat(70_000)]), " ".repeat(17 << 20)] {
            assert!(matches!(read(&[&text]), Err(ReplyError::TooLong { .. })));
        }
    }
}
