//! The language of a document that does not state one.
//!
//! What its owner set comes first. Else the language is taken from the text by its script and its trigrams
//! (`whatlang`), and only where that is sure: a wrong language costs a document its questions, none costs it the
//! forms of its words.

use crate::ReadSettings;
use querent_core::document::{Document, SpanKind};
use whatlang::{Lang, Script};

/// Most bytes of text that are looked at: more change nothing.
const MOST_BYTES: usize = 4000;
/// Letters below which a text in an alphabet that many languages share is not judged.
const LEAST_LETTERS: usize = 150;
/// The same for scripts of one language or of few.
const LEAST_LETTERS_OF_A_SCRIPT: usize = 20;
/// How sure the trigrams have to be: 0 to 1.
const LEAST_CONFIDENCE: f64 = 0.9;

/// Fills in the language of a document that states none.
pub(crate) fn complete(document: &mut Document, settings: &ReadSettings) {
    if document.language.is_none() {
        let set = Some(settings.language.trim()).filter(|tag| !tag.is_empty());
        document.language = set.map_or_else(|| detect(&prose(document)), |tag| Some(tag.to_owned()));
    }
}

/// The beginning of the document's sentences and headings. Code is in no language.
fn prose(document: &Document) -> String {
    let mut text = String::new();
    let spans = document.spans.iter().filter(|span| matches!(span.kind, SpanKind::Prose | SpanKind::Heading));
    for span in spans {
        text.push_str(&document.text[span.range.clone()]);
        text.push(' ');
        if text.len() >= MOST_BYTES {
            break;
        }
    }
    text
}

/// The language of `text` as a BCP 47 tag, where it is sure.
fn detect(text: &str) -> Option<String> {
    let found = whatlang::detect(text)?;
    let least = match found.script() {
        Script::Latin | Script::Cyrillic | Script::Arabic | Script::Devanagari => LEAST_LETTERS,
        _ => LEAST_LETTERS_OF_A_SCRIPT,
    };
    let is_sure = found.confidence() >= LEAST_CONFIDENCE
        && text.chars().filter(|c| c.is_alphabetic()).nth(least - 1).is_some();
    is_sure.then(|| tag(found.lang()).to_owned())
}

/// The shortest code of a language, which is its BCP 47 subtag.
fn tag(language: Lang) -> &'static str {
    const SHORTER: &[(&str, &str)] = &[
        ("afr", "af"),
        ("aka", "ak"),
        ("amh", "am"),
        ("ara", "ar"),
        ("aze", "az"),
        ("bel", "be"),
        ("ben", "bn"),
        ("bul", "bg"),
        ("cat", "ca"),
        ("ces", "cs"),
        ("cmn", "zh"),
        ("cym", "cy"),
        ("dan", "da"),
        ("deu", "de"),
        ("ell", "el"),
        ("eng", "en"),
        ("epo", "eo"),
        ("est", "et"),
        ("fin", "fi"),
        ("fra", "fr"),
        ("guj", "gu"),
        ("heb", "he"),
        ("hin", "hi"),
        ("hrv", "hr"),
        ("hun", "hu"),
        ("hye", "hy"),
        ("ind", "id"),
        ("ita", "it"),
        ("jav", "jv"),
        ("jpn", "ja"),
        ("kan", "kn"),
        ("kat", "ka"),
        ("khm", "km"),
        ("kor", "ko"),
        ("lat", "la"),
        ("lav", "lv"),
        ("lit", "lt"),
        ("mal", "ml"),
        ("mar", "mr"),
        ("mkd", "mk"),
        ("mya", "my"),
        ("nep", "ne"),
        ("nld", "nl"),
        ("nob", "nb"),
        ("ori", "or"),
        ("pan", "pa"),
        ("pes", "fa"),
        ("pol", "pl"),
        ("por", "pt"),
        ("ron", "ro"),
        ("rus", "ru"),
        ("sin", "si"),
        ("slk", "sk"),
        ("slv", "sl"),
        ("sna", "sn"),
        ("spa", "es"),
        ("srp", "sr"),
        ("swe", "sv"),
        ("tam", "ta"),
        ("tel", "te"),
        ("tgl", "tl"),
        ("tha", "th"),
        ("tuk", "tk"),
        ("tur", "tr"),
        ("ukr", "uk"),
        ("urd", "ur"),
        ("uzb", "uz"),
        ("vie", "vi"),
        ("yid", "yi"),
        ("zul", "zu"),
    ];
    let code = language.code();
    SHORTER.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn sure_or_none() {
        let german = "Ein Verweis leiht sich einen Wert, ohne ihn zu besitzen. Solange er lebt, darf der Besitzer den Wert \
                      weder ändern noch weggeben. Der Übersetzer prüft das, bevor das Programm läuft, und nennt in seiner \
                      Meldung beide Stellen, die sich widersprechen.";
        let english = "A reference borrows a value without owning it. While it lives, the owner may neither change the value \
                       nor give it away. The compiler checks this before the program runs, and names in its message \
                       both places that contradict each other.";
        for (text, expected) in [
            (german, Some("de")),
            (english, Some("en")),
            (&german[..56], None),
            ("所有権は値の持ち主を決める規則であり、コンパイラが検査します。", Some("ja")),
            ("所有权是一组规则，编译器会在编译时检查这些规则，违反它们的程序不能编译。", Some("zh")),
            ("소유권은 값의 주인을 정하는 규칙이며 컴파일러가 검사합니다.", Some("ko")),
            ("Η ιδιοκτησία είναι ένα σύνολο κανόνων που ελέγχει ο μεταγλωττιστής.", Some("el")),
            ("", None),
            ("1 + 1 = 2", None),
        ] {
            assert_eq!(detect(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_stated_comes_first() {
        let check = |text: &str, set: &str, expected: Option<&str>| {
            let source = crate::Source { path: "a.md", bytes: text.as_bytes() };
            let settings = ReadSettings::default().language(set);
            let document = crate::read(&source, &settings).expect("a document").document;
            assert_eq!(document.language.as_deref(), expected, "{text:?} {set:?}");
        };
        let japanese = "所有権は値の持ち主を決める規則であり、コンパイラが検査します。";
        check(japanese, "", Some("ja"));
        check(japanese, " de ", Some("de"));
        check(&format!("---\nlang: fr\n---\n{japanese}"), "de", Some("fr"));
        check("    code(所有権は値の持ち主を決める規則であり)\n\nx", "", None);
    }
}
