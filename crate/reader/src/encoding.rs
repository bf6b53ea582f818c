//! Bytes to text.
//!
//! In the order of the HTML standard: a byte order mark, then what the document says of itself (`<meta charset>`),
//! then the bytes: UTF-8 when they are valid UTF-8, otherwise what chardetng guesses. Line ends stay as they are,
//! so that offsets into the decoded text mean something to an editor.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use querent_core::document::ContentType;
use std::borrow::Cow;

/// Text, and a warning where bytes meant nothing in its encoding.
#[derive(Debug, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) warning: Option<String>,
}

/// Decodes all of `bytes`; the byte order mark is not part of the text.
pub(crate) fn decode(bytes: &[u8], content_type: ContentType) -> Decoded {
    let encoding = encoding_of(bytes, content_type);
    let (text, encoding, damaged) = encoding.decode(bytes);
    let warning = damaged.then(|| {
        format!(
            "some bytes are not valid {}, they are read as U+FFFD; save the file as UTF-8 to repair it",
            encoding.name()
        )
    });
    Decoded { text: text.into_owned(), warning }
}

/// The first kilobyte, for a look at it; cut characters at the end do no harm there.
pub(crate) fn decode_beginning(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = utf16(bytes).unwrap_or(UTF_8);
    encoding.decode(&bytes[..bytes.len().min(1024)]).0
}

/// UTF-16 where a byte order mark says so, or where every other byte of the beginning is zero.
pub(crate) fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding != UTF_8).then_some(encoding);
    }
    let beginning = &bytes[..bytes.len().min(512) & !1];
    let zeros = |offset| beginning.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count();
    let (first, second, pairs) = (zeros(0), zeros(1), beginning.len() / 2);
    match () {
        () if pairs < 2 => None,
        () if first == 0 && second * 10 >= pairs * 7 => Some(UTF_16LE),
        () if second == 0 && first * 10 >= pairs * 7 => Some(UTF_16BE),
        () => None,
    }
}

fn encoding_of(bytes: &[u8], content_type: ContentType) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(encoding) = utf16(bytes) {
        return encoding;
    }
    if content_type == ContentType::Html
        && let Some(encoding) = declared(bytes)
    {
        return encoding;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Allow)
}

/// The encoding that an HTML document names in its first kilobyte, as `<meta charset=x>` or in a content type.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let beginning = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    let mut rest = beginning.as_slice();
    while let Some(at) = find(rest, b"<meta") {
        rest = &rest[at + b"<meta".len()..];
        let tag = &rest[..rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len())];
        let Some(at) = find(tag, b"charset") else { continue };
        let value = tag[at + b"charset".len()..].trim_ascii_start();
        let Some(value) = value.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
        let ends = |byte: &u8| b"\"'; \t\r\n/>".contains(byte);
        let label = &value[..value.iter().position(ends).unwrap_or(value.len())];
        // A tag that could be read byte by byte is not in UTF-16, whatever it says: the standard's rule.
        return Encoding::for_label(label)
            .map(|encoding| if [UTF_16LE, UTF_16BE].contains(&encoding) { UTF_8 } else { encoding });
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let rows: [(&[u8], ContentType, &str); 11] = [
            (b"caf\xc3\xa9", ContentType::Text, "café"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", ContentType::Text, "café"),
            (b"a\r\nb", ContentType::Markdown, "a\r\nb"),
            (b"\xff\xfea\0\xe9\0", ContentType::Text, "aé"),
            (b"\xfe\xff\0a\0\xe9", ContentType::Text, "aé"),
            (b"a\0b\0c\0", ContentType::Text, "abc"),
            (b"Le caf\xe9 est tr\xe8s bon", ContentType::Markdown, "Le café est très bon"),
            (b"<meta charset=latin1>\xe9", ContentType::Html, "<meta charset=latin1>é"),
            (
                b"<meta http-equiv='c' content='text/html; charset=windows-1251'>\xe9",
                ContentType::Html,
                "<meta http-equiv='c' content='text/html; charset=windows-1251'>й",
            ),
            (b"<meta charset=\"utf-16\">\xc3\xa9", ContentType::Html, "<meta charset=\"utf-16\">é"),
            (b"", ContentType::Html, ""),
        ];
        for (bytes, content_type, expected) in rows {
            let decoded = decode(bytes, content_type);
            assert_eq!((decoded.text.as_str(), decoded.warning), (expected, None), "{bytes:?}");
        }
    }

    #[test]
    fn damage_is_told() {
        let decoded = decode(b"<meta charset=utf-8>a\xffb", ContentType::Html);
        assert!(decoded.text.ends_with("a\u{fffd}b"));
        assert!(decoded.warning.is_some_and(|warning| warning.contains("UTF-8")));
    }
}
