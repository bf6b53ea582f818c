//! What comes back, piece by piece: server-sent events, one `data:` line a delta, `[DONE]` at the end.
//!
//! A pure machine over bytes. Pieces may end anywhere, also inside a character; what they amount to does not depend
//! on where (a property of the tests). Format: the event stream of the HTML standard, section "Server-sent events".

use super::{
    Usage,
    reply::{Completion, FinishReason, ReplyError, content, finish, quoted, server_error, usage},
};
use serde_json::Value;

/// Reads a streamed reply.
#[derive(Debug)]
pub struct StreamReader {
    limit: usize,
    line: Vec<u8>,
    /// Whether the last byte was a carriage return, whose line feed may follow in the next piece.
    after_return: bool,
    /// The data lines of the event that is being read.
    data: Vec<u8>,
    text: String,
    finish: Option<FinishReason>,
    usage: Option<Usage>,
    is_done: bool,
}

impl StreamReader {
    /// A reader that takes replies, and single lines, of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            after_return: false,
            data: Vec::new(),
            text: String::new(),
            finish: None,
            usage: None,
            is_done: false,
        }
    }

    /// Takes the next bytes and gives the words that they add to the reply.
    ///
    /// # Errors
    /// When the server sends an error or something that is no delta, or more than the limit. The reader is of no
    /// further use then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<String, ReplyError> {
        let before = self.text.len();
        for &byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    self.end_line()?;
                }
                _ => {
                    self.after_return = false;
                    self.line.push(byte);
                    // The names around a delta are longer than the delta.
                    if self.line.len() + self.data.len() > self.limit + 4096 {
                        return Err(ReplyError::TooLong { limit: self.limit });
                    }
                }
            }
        }
        Ok(self.text[before..].to_owned())
    }

    /// Whether the server has said that this is all.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The reply, after the last byte.
    ///
    /// # Errors
    /// When the stream ended before the reply did.
    pub fn finish(mut self) -> Result<Completion, ReplyError> {
        self.end_line()?;
        self.end_event()?;
        if !self.is_done && self.finish.is_none() {
            return Err(ReplyError::Cut);
        }
        let finish = self.finish.unwrap_or(FinishReason::Other);
        Ok(Completion { text: self.text, finish, usage: self.usage })
    }

    fn end_line(&mut self) -> Result<(), ReplyError> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.end_event();
        }
        // Comments, names and numbers of events say nothing about the reply.
        if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
        Ok(())
    }

    fn end_event(&mut self) -> Result<(), ReplyError> {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() || self.is_done {
            return Ok(());
        }
        if data == b"[DONE]" {
            self.is_done = true;
            return Ok(());
        }
        let value: Value = serde_json::from_slice(&data)
            .map_err(|_| ReplyError::NotAReply { got: quoted(&String::from_utf8_lossy(&data)) })?;
        if let Some(error) = server_error(&value) {
            return Err(error);
        }
        self.usage = usage(&value).or(self.usage);
        let Some(choice) = value.get("choices").and_then(|choices| choices.get(0)) else { return Ok(()) };
        self.text.push_str(&content(&choice["delta"]["content"]));
        self.finish = finish(&choice["finish_reason"]).or(self.finish);
        if self.text.len() > self.limit {
            return Err(ReplyError::TooLong { limit: self.limit });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Result<Completion, ReplyError> {
        let mut reader = StreamReader::new(1000);
        for piece in pieces {
            reader.push(piece)?;
        }
        reader.finish()
    }

    const HELLO: &str = ": ping\n\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n\
        data: {\"choices\":[{\"delta\":{\"content\":\"Grü\"}}]}\r\n\r\n\
        event: x\ndata:{\"choices\":[{\"delta\":\ndata:{\"content\":\"ße\"}}]}\n\n\
        data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
        data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n\
        data: [DONE]\n\n";

    #[test]
    fn streams() {
        let hello = Completion {
            text: "Grüße".into(),
            finish: FinishReason::Stop,
            usage: Some(Usage { prompt_tokens: 3, completion_tokens: 2 }),
        };
        assert_eq!(read(&[HELLO.as_bytes()]), Ok(hello));
        let delta = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
        for (text, expected) in [
            (delta.to_owned(), Err("cut off")),
            (format!("{delta}data: [DONE]"), Ok("a")),
            (format!("{delta}data: [DONE]\n\ndata: no JSON\n\n"), Ok("a")),
            (String::new(), Err("cut off")),
            ("data: {\"error\":{\"message\":\"out of memory\"}}\n\n".into(), Err("out of memory")),
            ("data: {\"choices\n\n".into(), Err("expected a chat completion")),
            (delta.repeat(1001), Err("more than 1000 bytes")),
            (format!("data: {}", "x".repeat(9000)), Err("more than 1000 bytes")),
        ] {
            match (read(&[text.as_bytes()]), expected) {
                (Ok(read), Ok(expected)) => assert_eq!(read.text, expected),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
                (read, expected) => panic!("expected {expected:?}, got {read:?}"),
            }
        }
    }

    #[test]
    fn deltas_come_as_they_arrive() {
        let mut reader = StreamReader::new(1000);
        let deltas: Vec<_> =
            HELLO.lines().map(|line| reader.push(format!("{line}\n").as_bytes()).expect("is read")).collect();
        let said: Vec<_> = deltas.iter().filter(|delta| !delta.is_empty()).collect();
        assert_eq!(said, ["Grü", "ße"]);
        assert!(reader.is_done());
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_pieces_end(cuts: Vec<prop::sample::Index>) {
            let bytes = HELLO.as_bytes();
            let mut at: Vec<_> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<_> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces), read(&[bytes]));
        }

        #[test]
        fn any_bytes_end_in_a_result(pieces: Vec<Vec<u8>>, lines in "(data: ?[\\[\\]{}\":a-z,\\\\]{0,40}\r?\n\n?){0,8}") {
            let pieces: Vec<_> = pieces.iter().map(Vec::as_slice).chain([lines.as_bytes()]).collect();
            let _ = read(&pieces);
        }
    }
}
