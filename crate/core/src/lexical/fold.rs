//! Letters without their marks: `café` and `cafe` are one word to somebody whose keyboard has no accents.
//!
//! A term with marks is indexed twice: as it is, and as an *alias*, its letters without marks followed by an
//! apostrophe, which no other term has. The alias stands beside the unmarked term in the dictionary, so either spelling
//! finds the other in one short stretch, and the spelling that was typed ranks first.
//!
//! The table holds the Latin letters with marks that modern languages write (French to Vietnamese), and a few Greek and
//! Cyrillic ones: 0.5 kB. Unicode's own decomposition knows all scripts and would cost every reader ten times as much.

use std::borrow::Cow;

/// Letters, and what stands for each of them.
const FOLDED: &[(&str, &str)] = &[
    ("àáâãäåāăąǎạảấầẩẫậắằẳẵặ", "a"),
    ("çćĉċč", "c"),
    ("ďđð", "d"),
    ("èéêëēĕėęěẹẻẽếềểễệ", "e"),
    ("ĝğġģ", "g"),
    ("ĥħ", "h"),
    ("ìíîïĩīĭįıǐỉị", "i"),
    ("ĵ", "j"),
    ("ķ", "k"),
    ("ĺļľŀł", "l"),
    ("ñńņňŉ", "n"),
    ("òóôõöøōŏőǒơọỏốồổỗộớờởỡợ", "o"),
    ("ŕŗř", "r"),
    ("śŝşšș", "s"),
    ("ţťŧț", "t"),
    ("ùúûüũūŭůűųǔưụủứừửữự", "u"),
    ("ŵ", "w"),
    ("ýÿŷỳỵỷỹ", "y"),
    ("źżž", "z"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("ß", "ss"),
    ("þ", "th"),
    ("ά", "α"),
    ("έ", "ε"),
    ("ή", "η"),
    ("ίϊΐ", "ι"),
    ("ό", "ο"),
    ("ύϋΰ", "υ"),
    ("ώ", "ω"),
    ("ё", "е"),
];

/// Ends an alias; words lose their apostrophes before they become terms.
const MARK: char = '\'';

/// Whether `c` is a mark that stands behind the letter that carries it.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// A term in lower case without marks.
pub fn fold(term: &str) -> Cow<'_, str> {
    if term.is_ascii() {
        return Cow::Borrowed(term);
    }
    let mut folded = String::with_capacity(term.len());
    for c in term.chars().filter(|&c| !is_mark(c)) {
        match FOLDED.iter().find(|(letters, _)| letters.contains(c)) {
            Some((_, plain)) => folded.push_str(plain),
            None => folded.push(c),
        }
    }
    Cow::Owned(folded)
}

/// The alias under which a term with marks is indexed besides; `None` for a term without.
pub fn alias_of(term: &str) -> Option<String> {
    let folded = fold(term);
    (folded != term).then(|| format!("{folded}{MARK}"))
}

/// The letters of an alias; `None` for other terms.
pub fn unmarked(term: &str) -> Option<&str> {
    term.strip_suffix(MARK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::{terms_of, words};
    use proptest::prelude::*;

    #[test]
    fn rows() {
        let check = |term: &str, expected: &str| assert_eq!(fold(term), expected, "{term:?}");
        check("café", "cafe");
        check("cafe\u{301}", "cafe");
        check("naïve", "naive");
        check("müller", "muller");
        check("straße", "strasse");
        check("łódź", "lodz");
        check("phở", "pho");
        check("ёлка", "елка");
        check("日本", "日本");
        check("plain", "plain");
        assert_eq!(alias_of("café").as_deref(), Some("cafe'"));
        assert_eq!(alias_of("cafe"), None);
        assert_eq!(unmarked("cafe'"), Some("cafe"));
    }

    #[test]
    fn letters_are_in_one_row() {
        let letters: Vec<char> = FOLDED.iter().flat_map(|(letters, _)| letters.chars()).collect();
        assert!((1..letters.len()).all(|at| !letters[..at].contains(&letters[at])));
    }

    proptest! {
        #[test]
        fn no_word_is_an_alias(text in "\\PC{0,40}") {
            for word in words(&text) {
                prop_assert!(terms_of(word.text).iter().all(|term| unmarked(term).is_none()), "{}", word.text);
            }
        }

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once.clone());
        }
    }
}
