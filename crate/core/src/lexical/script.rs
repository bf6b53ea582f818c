//! Scripts that do not put spaces between words, and characters that belong to the one before them.
//!
//! Where nothing separates words, a word of the index is a pair of neighbouring characters: 日本語 is 日本 and 本語, in
//! a text as in a query. Nearly all words of these languages have two characters or are made of such, so pairs find
//! what a dictionary would find, in any language and without one. Only the last character of a run stands alone; with
//! it every character begins some term, so that a query of one character is a prefix of all that it stands in.

use super::tokenize::{Word, terms_of, words};

/// Scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Myanmar. Korean has spaces, but what stands
/// between two of them is a noun with its particles, which a query has not: pairs find the noun.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x2e80..=0x9fff | 0xac00..=0xd7af
        | 0xf900..=0xfaff | 0xff66..=0xff9f | 0x2_0000..=0x3_ffff)
}

/// Whether `c` goes on with the word before it, though it is no letter: accents, vowel signs, what joins letters.
pub(super) fn is_mark(c: char) -> bool {
    is_ignored(c)
        || matches!(u32::from(c),
            0x0483..=0x0487 | 0x0591..=0x05bd | 0x05bf | 0x05c1..=0x05c2 | 0x05c4..=0x05c5 | 0x05c7
            | 0x0610..=0x061a | 0x064b..=0x065f | 0x0670 | 0x06d6..=0x06dc | 0x06df..=0x06e4 | 0x06e7..=0x06e8
            | 0x06ea..=0x06ed | 0x0900..=0x0903 | 0x093a..=0x093c | 0x093e..=0x094f | 0x0951..=0x0957
            | 0x0962..=0x0963 | 0x0e31 | 0x0e34..=0x0e3a | 0x0e47..=0x0e4e | 0x0eb1 | 0x0eb4..=0x0ebc
            | 0x0ec8..=0x0ece | 0x102b..=0x103e | 0x1056..=0x1059 | 0x105e..=0x1060 | 0x1062..=0x1064
            | 0x1067..=0x106d | 0x1071..=0x1074 | 0x1082..=0x108d | 0x108f | 0x109a..=0x109d
            | 0x17b4..=0x17d3 | 0x17dd | 0x3099..=0x309a)
        // The signs of the other scripts of India, whose blocks are laid out alike.
        || matches!(u32::from(c), 0x0980..=0x0dff)
            && matches!(u32::from(c) & 0x7f, 0x01..=0x03 | 0x3c | 0x3e..=0x4d | 0x55..=0x57 | 0x62..=0x63)
}

/// Whether `c` is left out of terms: accents that stand behind their letter, soft hyphens, invisible joiners.
pub(super) fn is_ignored(c: char) -> bool {
    matches!(u32::from(c),
        0x00ad | 0x0300..=0x036f | 0x200c..=0x200d | 0x2060 | 0xfe00..=0xfe0f | 0xe_0100..=0xe_01ef)
}

/// Where the character that begins at `start` ends, with its marks. Khmer and Myanmar write a consonant below another
/// one: it belongs to that.
pub(super) fn character_end(text: &str, start: usize) -> usize {
    let mut is_stacked = true;
    for (at, c) in text[start..].char_indices() {
        if !is_stacked && !is_mark(c) {
            return start + at;
        }
        is_stacked = matches!(u32::from(c), 0x17d2 | 0x1039);
    }
    text.len()
}

/// A word of a text, and the terms that it is indexed by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedWord<'a> {
    /// The word; of a pair of characters the first.
    pub word: Word<'a>,
    /// Where the terms end in the text: for a pair behind its second character.
    pub end: usize,
    /// The terms, as [`terms_of`] gives them, or the pair.
    pub terms: Vec<String>,
}

/// The words of `text` in order, each with its terms.
pub fn indexed_words(text: &str) -> impl Iterator<Item = IndexedWord<'_>> {
    let mut all = words(text).peekable();
    std::iter::from_fn(move || {
        let word = all.next()?;
        let end = word.range().end;
        Some(match all.peek().filter(|next| is_pair(text, &word, next)) {
            Some(next) => {
                let pair = format!("{}{}", word.text, next.text);
                IndexedWord { end: next.range().end, terms: terms_of(&pair), word }
            }
            None => IndexedWord { terms: terms_of(word.text), word, end },
        })
    })
}

/// [`indexed_words`] for a query: without the last characters of longer runs, which their pairs cover.
pub fn query_words(text: &str) -> impl Iterator<Item = IndexedWord<'_>> {
    let mut covered = 0;
    indexed_words(text).filter(move |word| {
        let is_covered = word.end <= covered;
        covered = covered.max(word.end);
        !is_covered
    })
}

/// Whether the characters belong together: a line may break between any two.
fn is_pair(text: &str, word: &Word<'_>, next: &Word<'_>) -> bool {
    let between = &text[word.range().end..next.start];
    is_character(word.text) && is_character(next.text) && matches!(between, "" | "\n" | "\r\n")
}

/// Whether `term` is a single character of a script without spaces. Terms that begin with it hold it.
pub fn is_character(term: &str) -> bool {
    term.starts_with(is_unspaced) && character_end(term, 0) == term.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let check = |text: &str, indexed: &[&str], queried: &[&str]| {
            let terms: Vec<_> = indexed_words(text).flat_map(|word| word.terms).collect();
            assert_eq!(terms, indexed, "{text:?}");
            let terms: Vec<_> = query_words(text).flat_map(|word| word.terms).collect();
            assert_eq!(terms, queried, "{text:?}");
        };
        check("日本語", &["日本", "本語", "語"], &["日本", "本語"]);
        check("語", &["語"], &["語"]);
        check(
            "Rustの所有権。値",
            &["rust", "の所", "所有", "有権", "権", "値"],
            &["rust", "の所", "所有", "有権", "値"],
        );
        check("借\n用", &["借用", "用"], &["借用"]);
        check("借 用", &["借", "用"], &["借", "用"]);
        check(
            "학교에서 배운",
            &["학교", "교에", "에서", "서", "배운", "운"],
            &["학교", "교에", "에서", "배운"],
        );
        check("น้ำ", &["น้ำ", "ำ"], &["น้ำ"]);
        check("ភ្នំ", &["ភ្នំ"], &["ភ្នំ"]);
        check("हिन्दी में", &["हिन्दी", "में"], &["हिन्दी", "में"]);
        check("re\u{301}sume\u{301}", &["resume"], &["resume"]);
        check("soft\u{ad}ware", &["software"], &["software"]);
        check("can't push", &["cant", "push"], &["cant", "push"]);
    }
}
