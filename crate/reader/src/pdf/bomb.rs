//! Streams that unpack to more than any document holds.
//!
//! The interpreter unpacks a stream as a whole. So streams that could become too large are unpacked here before,
//! piece by piece, and only counted.

use flate2::{Decompress, FlushDecompress, Status};

/// Most bytes of one unpacked stream.
const MOST_BYTES: u64 = 256 << 20;
/// No packed byte becomes more than so many.
const MOST_RATIO: u64 = 1032;

/// Whether a stream of the file is one.
pub(super) fn is_in(bytes: &[u8]) -> bool {
    let (mut from, mut end) = (0, 0);
    while let Some(at) = find(&bytes[from..], b"stream").map(|at| from + at) {
        // The word may stand in a string or comment, too: so the search goes on behind it, not behind the stream's end.
        from = at + b"stream".len();
        let spaces = bytes[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let content = from + spaces;
        if end < content {
            end = find(&bytes[content..], b"endstream").map_or(bytes.len(), |len| content + len);
        }
        let is_end = bytes[..at].ends_with(b"end");
        let dictionary = &bytes[at.saturating_sub(400)..at];
        if !is_end && (is_packed_twice(dictionary) || unpacks_to_too_much(&bytes[content..end])) {
            return true;
        }
    }
    false
}

/// Nobody packs what is packed, except to make a file that looks small.
fn is_packed_twice(dictionary: &[u8]) -> bool {
    let from = dictionary.windows(3).rposition(|it| it == b"obj").unwrap_or(0);
    let dictionary = &dictionary[from..];
    let count = dictionary.windows(11).filter(|it| it == b"FlateDecode").count();
    count > 1 && find(dictionary, b"/Filter").is_some_and(|at| dictionary[at..].contains(&b'['))
}

fn unpacks_to_too_much(packed: &[u8]) -> bool {
    if packed.len() as u64 * MOST_RATIO <= MOST_BYTES || packed.first().is_none_or(|first| first & 0x0f != 8)
    {
        return false;
    }
    let mut decompress = Decompress::new(true);
    let mut room = vec![0; 1 << 16];
    loop {
        let (read, written) = (decompress.total_in(), decompress.total_out());
        let input = &packed[read as usize..];
        match decompress.decompress(input, &mut room, FlushDecompress::None) {
            Ok(Status::Ok) if decompress.total_out() > MOST_BYTES => return true,
            Ok(Status::Ok) if decompress.total_in() > read || decompress.total_out() > written => {}
            _ => return false,
        }
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = needle[0];
    let mut from = 0;
    while let Some(at) = haystack[from..].iter().position(|&byte| byte == first) {
        if haystack[from + at..].starts_with(needle) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}
