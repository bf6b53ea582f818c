//! Strings of a PDF as text, and characters that are no text.

use unicode_normalization::UnicodeNormalization;

/// What stands at 0x80 to 0x9f in the file format's own encoding; the rest is Latin-1.
const OWN: [char; 32] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ',
    'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}',
];

/// A string of the file outside its pages: UTF-16 or UTF-8 with a mark, else the format's own encoding.
pub(super) fn text(bytes: &[u8]) -> String {
    let decoded = match bytes {
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
        [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| of_own(byte)).collect(),
    };
    readable(&decoded).collect::<String>().trim().to_owned()
}

fn of_own(byte: u8) -> char {
    match byte {
        0x80..=0x9f => OWN[usize::from(byte - 0x80)],
        0xa0 => '€',
        _ => char::from(byte),
    }
}

/// The characters of `text` that can be read: ligatures as their letters, every space as a space, no private ones.
pub(super) fn readable(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(|character| -> Box<dyn Iterator<Item = char>> {
        match character {
            // Latin ligatures, and the forms that Arabic letters take beside others: nobody types them.
            '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => Box::new(std::iter::once(character).nfkc()),
            '\u{e000}'..='\u{f8ff}' | '\u{fffd}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => {
                Box::new(std::iter::empty())
            }
            _ if character.is_whitespace() => Box::new(std::iter::once(' ')),
            _ if character.is_control() => Box::new(std::iter::empty()),
            _ => Box::new(std::iter::once(character)),
        }
    })
}

/// Whether `text` has a letter.
pub(super) fn says_something(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

/// A title as its author meant it: programs write their own names and the file's into the field.
pub(super) fn title(text: &str) -> Option<String> {
    let title = text.strip_prefix("Microsoft Word - ").unwrap_or(text).trim();
    let lower = title.to_lowercase();
    let is_file = [".doc", ".docx", ".dvi", ".tex", ".pdf", ".indd", ".ppt", ".html"]
        .iter()
        .any(|it| lower.ends_with(it));
    let is_title = says_something(title) && !is_file && !lower.starts_with("untitled");
    is_title.then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let rows: [(&[u8], &str); 6] = [
            (b"plain", "plain"),
            (b"\xfe\xff\0c\0a\0f\0\xe9", "café"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
            (b"caf\xe9 \x8dx\x8e \x93", "café “x” fi"),
            (b"a\0b\tc", "ab c"),
            (b"", ""),
        ];
        for (bytes, expected) in rows {
            assert_eq!(text(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn titles() {
        let rows = [
            ("Microsoft Word - A Plan", Some("A Plan")),
            ("Microsoft Word - plan.doc", None),
            ("Untitled-1", None),
            ("123", None),
            ("Trace trees", Some("Trace trees")),
        ];
        for (text, expected) in rows {
            assert_eq!(title(text).as_deref(), expected, "{text}");
        }
    }
}
