//! What BERT's uncased models do to a text before they look for pieces: drop, fold, split at punctuation.
//!
//! The reference implementation asks Unicode's tables, some 60 kB of them. Here stand the parts that texts in Latin,
//! Greek and Cyrillic letters, in ideographs and the symbols among them meet: decomposition is a list of letters, the
//! categories are lists of ranges; Hangul and kana follow rules. What is in no list keeps marks that the reference drops
//! (`≰`, some scripts of India and Southeast Asia): there the pieces may differ from the model's, and a word that has none
//! counts nothing.

/// Letters that are another one with marks, and that one.
const DECOMPOSED: &[(&str, char)] = &[
    ("àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", 'a'),
    ("ḃḅḇ", 'b'),
    ("çćĉċčḉ", 'c'),
    ("ďḋḍḏḑḓ", 'd'),
    ("èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", 'e'),
    ("ḟ", 'f'),
    ("ĝğġģǧǵḡ", 'g'),
    ("ĥȟḣḥḧḩḫẖ", 'h'),
    ("ìíîïĩīĭįǐȉȋḭḯỉị", 'i'),
    ("ĵǰ", 'j'),
    ("ķǩḱḳḵ", 'k'),
    ("ĺļľḷḹḻḽ", 'l'),
    ("ḿṁṃ", 'm'),
    ("ñńņňǹṅṇṉṋ", 'n'),
    ("òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", 'o'),
    ("ṕṗ", 'p'),
    ("ŕŗřȑȓṙṛṝṟ", 'r'),
    ("śŝşšșṡṣṥṧṩ", 's'),
    ("ţťțṫṭṯṱẗ", 't'),
    ("ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", 'u'),
    ("ṽṿ", 'v'),
    ("ŵẁẃẅẇẉẘ", 'w'),
    ("ẋẍ", 'x'),
    ("ýÿŷȳẏỳỵỷỹẙ", 'y'),
    ("źżžẑẓẕ", 'z'),
    ("ǣǽ", 'æ'),
    ("ǿ", 'ø'),
    ("ά", 'α'),
    ("έ", 'ε'),
    ("ή", 'η'),
    ("ίϊΐ", 'ι'),
    ("ό", 'ο'),
    ("ύϋΰ", 'υ'),
    ("ώ", 'ω'),
    ("ѐё", 'е'),
    ("ѓ", 'г'),
    ("ѝй", 'и'),
    ("ї", 'і'),
    ("ќ", 'к'),
    ("ў", 'у'),
    ("ǯ", 'ʒ'),
];

/// Punctuation beyond ASCII: first and last.
const PUNCTUATION: &[(u16, u16)] = &[
    (0xa1, 0xa1),
    (0xa7, 0xa7),
    (0xab, 0xab),
    (0xb6, 0xb7),
    (0xbb, 0xbb),
    (0xbf, 0xbf),
    (0x37e, 0x37e),
    (0x387, 0x387),
    (0x55a, 0x55f),
    (0x589, 0x58a),
    (0x5be, 0x5be),
    (0x60c, 0x60d),
    (0x61b, 0x61b),
    (0x61e, 0x61f),
    (0x66a, 0x66d),
    (0x6d4, 0x6d4),
    (0x964, 0x965),
    (0x970, 0x970),
    (0x2010, 0x2027),
    (0x2030, 0x2043),
    (0x2045, 0x2051),
    (0x2053, 0x205e),
    (0x207d, 0x207e),
    (0x208d, 0x208e),
    (0x2308, 0x230b),
    (0x2329, 0x232a),
    (0x2768, 0x2775),
    (0x27c5, 0x27c6),
    (0x27e6, 0x27ef),
    (0x2983, 0x2998),
    (0x29d8, 0x29db),
    (0x29fc, 0x29fd),
    (0x2e00, 0x2e2e),
    (0x2e30, 0x2e42),
    (0x3001, 0x3003),
    (0x3008, 0x3011),
    (0x3014, 0x301f),
    (0x3030, 0x3030),
    (0x303d, 0x303d),
    (0x30a0, 0x30a0),
    (0x30fb, 0x30fb),
    (0xfe10, 0xfe19),
    (0xfe30, 0xfe52),
    (0xfe54, 0xfe61),
    (0xff01, 0xff03),
    (0xff05, 0xff0a),
    (0xff0c, 0xff0f),
    (0xff1a, 0xff1b),
    (0xff1f, 0xff20),
    (0xff3b, 0xff3d),
    (0xff3f, 0xff3f),
    (0xff5b, 0xff5b),
    (0xff5d, 0xff5d),
    (0xff5f, 0xff65),
];

/// Marks and invisible characters, which leave no trace: first and last.
const DROPPED: &[(u16, u16)] = &[
    (0xad, 0xad),
    (0x300, 0x36f),
    (0x483, 0x487),
    (0x591, 0x5bd),
    (0x600, 0x605),
    (0x610, 0x61a),
    (0x64b, 0x65f),
    (0x900, 0x902),
    (0x93a, 0x93a),
    (0x93c, 0x93c),
    (0x941, 0x948),
    (0x94d, 0x94d),
    (0x951, 0x957),
    (0x200b, 0x200f),
    (0x202a, 0x202e),
    (0x2060, 0x2064),
    (0x2066, 0x206f),
    (0x20d0, 0x20dc),
    (0x302a, 0x302d),
    (0x3099, 0x309a),
    (0xe000, 0xf8ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0xfffd, 0xfffd),
];

/// Calls `found` with each word of `text`, normalised: runs between spaces, with punctuation and ideographs alone.
pub(super) fn words(text: &str, found: &mut dyn FnMut(&str)) {
    let mut word = String::new();
    for c in text.chars() {
        let c = if c == '≠' { '=' } else { c };
        if (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || is_in(DROPPED, c) {
            continue;
        } else if c.is_whitespace() {
            flush(&mut word, found);
        } else if c.is_ascii_punctuation() || is_in(PUNCTUATION, c) || is_ideograph(c) {
            flush(&mut word, found);
            word.push(c);
            flush(&mut word, found);
        } else {
            c.to_lowercase().filter(|&c| !is_in(DROPPED, c)).for_each(|c| push_plain(&mut word, c));
        }
    }
    flush(&mut word, found);
}

fn flush(word: &mut String, found: &mut dyn FnMut(&str)) {
    if !word.is_empty() {
        found(word);
        word.clear();
    }
}

/// Appends `c` without marks: a syllable of Hangul as its letters, a voiced kana as the voiceless one.
fn push_plain(word: &mut String, c: char) {
    match u32::from(c) {
        code @ 0xac00..=0xd7a3 => {
            // The Unicode Standard, section 3.12: 588 syllables to a lead, 28 to a vowel.
            let syllable = code - 0xac00;
            let letters = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11a7 + syllable % 28];
            let count = if syllable % 28 == 0 { 2 } else { 3 };
            word.extend(letters[..count].iter().filter_map(|&letter| char::from_u32(letter)));
        }
        code @ 0x3041..=0x30fe => word.extend(char::from_u32(voiceless(code))),
        0..0x80 => word.push(c),
        _ => word.push(DECOMPOSED.iter().find(|(letters, _)| letters.contains(c)).map_or(c, |row| row.1)),
    }
}

/// Hiragana and katakana have one layout, 96 apart: a voiced sign stands behind its voiceless one.
fn voiceless(code: u32) -> u32 {
    let hiragana = if code > 0x30a0 { code - 0x60 } else { code };
    match hiragana {
        0x304c..=0x3062 if hiragana.is_multiple_of(2) => code - 1,
        0x3065 | 0x3067 | 0x3069 => code - 1,
        0x3070..=0x307d => code - (hiragana - 0x306f) % 3,
        0x3094 => code - 0x4e,
        0x309e => code - 1,
        0x3097..=0x309a if code > 0x30a0 => [0x30ef, 0x30f0, 0x30f1, 0x30f2][(hiragana - 0x3097) as usize],
        _ => code,
    }
}

fn is_in(ranges: &[(u16, u16)], c: char) -> bool {
    let code = u32::from(c);
    code > 0x7f && ranges.iter().any(|&(first, last)| (u32::from(first)..=u32::from(last)).contains(&code))
}

/// The blocks that BERT surrounds with spaces.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x2_a6df | 0x2_a700..=0x2_b73f
        | 0x2_b740..=0x2_b81f | 0x2_b920..=0x2_ceaf | 0x2_f800..=0x2_fa1f)
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows() {
        let check = |text: &str, expected: &[&str]| {
            let mut found = Vec::new();
            super::words(text, &mut |word| found.push(word.to_owned()));
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[]);
        check("Why can't I?", &["why", "can", "'", "t", "i", "?"]);
        check("Vec::push_back", &["vec", ":", ":", "push", "_", "back"]);
        check("Café CAFE\u{301} naïve", &["cafe", "cafe", "naive"]);
        check("İstanbul «Ёлка»", &["istanbul", "«", "елка", "»"]);
        check("ガぽヴ 한글", &["カほウ", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"]);
        check("所有権abc", &["所", "有", "権", "abc"]);
        check("a\u{200b}b\u{0}c\td\u{a0}e 10°", &["abc", "d", "e", "10°"]);
    }
}
