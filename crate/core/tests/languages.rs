//! Documents in many languages: a query in one form of a word finds the others, and nothing else.
#![cfg(feature = "languages")]

mod support;

use querent_core::{
    document::Document,
    engine::Engine,
    indexer::{BuiltSegment, IndexSettings},
    query::{SearchMode, SearchRequest},
    segment::Manifest,
};
use support::{build, document, search};

/// An index of documents given as (path, language, text).
struct Index(Engine, BuiltSegment);

impl Index {
    fn new(documents: &[(&str, Option<&str>, &str)]) -> Self {
        let read = |&(path, language, text): &(&str, Option<&str>, &str)| Document {
            language: language.map(str::to_owned),
            ..document(path, text)
        };
        let (manifest, segment) = build(documents.iter().map(read).collect(), IndexSettings::default());
        let mut engine = Engine::new();
        engine.mount("test", &manifest).expect("mounts");
        Self(engine, segment)
    }

    /// The paths that the finished words of `query` find, sorted.
    fn found(&mut self, query: &str) -> Vec<String> {
        let request = SearchRequest { mode: SearchMode::Lexical, prefix: false, ..SearchRequest::new(query) };
        let (response, ..) = search(&mut self.0, &self.1, &request, None);
        let mut paths: Vec<_> = response.hits.into_iter().map(|hit| hit.path).collect();
        paths.sort();
        paths
    }

    /// The excerpt of the first hit, matches in brackets.
    fn marked(&mut self, query: &str) -> String {
        let request = SearchRequest { mode: SearchMode::Lexical, prefix: false, ..SearchRequest::new(query) };
        let (response, ..) = search(&mut self.0, &self.1, &request, None);
        let hit = response.hits.first().expect("a hit");
        let mut text = hit.excerpt.clone();
        for range in hit.highlights.iter().rev() {
            text.replace_range(range.clone(), &format!("[{}]", &hit.excerpt[range.clone()]));
        }
        text
    }
}

/// By language: a text that holds a form, a text that holds a word that only looks like it, and queries in other forms.
const ROWS: &[(&str, &str, &str, &[&str])] = &[
    ("de", "Die Häuser am See.", "Der Hausierer kam.", &["Haus", "Hauses", "Häusern"]),
    ("de", "Die Größe des Puffers.", "Der Grossist zahlt.", &["Größen", "größe"]),
    ("fr", "Les chevaux courent.", "La chevalerie ancienne.", &["cheval"]),
    ("fr", "Il continuait à lire.", "Le contenu manque.", &["continuer", "continuent"]),
    ("fr", "Rien ne vaut l’avion.", "Lavis gris.", &["avions", "d'avion"]),
    ("es", "Las canciones del pueblo.", "El cancionero viejo.", &["canción"]),
    ("pt", "As informações do sistema.", "Uma firma nova.", &["informação"]),
    ("it", "I programmi moderni.", "La prova finale.", &["programma"]),
    ("nl", "De boeken liggen klaar.", "De boekhouder rekent.", &["boek"]),
    ("sv", "Husen vid sjön.", "En hustru talar.", &["hus", "huset"]),
    ("da", "Husene ved havet.", "En hustru taler.", &["hus", "huset"]),
    ("nb", "Bilene kjører fort.", "Bilder henger der.", &["bil", "bilen"]),
    ("fi", "Taloissa asutaan.", "Talonpoika kyntää.", &["talo", "taloihin"]),
    ("ru", "Новые книги лежат.", "Старый книжник читает.", &["книга", "книгами"]),
    ("uk", "Нові книги лежать.", "Старий книжник читає.", &["книга"]),
    ("pl", "Nowe programy działają.", "Ta próba trwa.", &["program", "programów"]),
    ("cs", "Nové programy fungují.", "Ta próba trvá.", &["program", "programu"]),
    ("hu", "A házakban laknak.", "A hazugság rossz.", &["házak"]),
    ("ro", "Programele noi merg.", "Proba finală.", &["programelor"]),
    ("tr", "Kitaplar masada.", "Kitle büyüyor.", &["kitap"]),
    ("el", "Τα βιβλία είναι εδώ.", "Ο βίος είναι μακρύς.", &["βιβλίο"]),
    ("ar", "قرأت الكتاب أمس", "كتب الولد رسالة", &["كتاب"]),
    ("hi", "लड़कों की किताबें", "लकड़ी की मेज", &["किताब"]),
    ("id", "Pembacaan buku itu.", "Batas waktu habis.", &["bacaan"]),
];

#[test]
fn one_form_finds_the_others_and_no_other_word() {
    for &(language, text, other, queries) in ROWS {
        let mut index = Index::new(&[("hit.md", Some(language), text), ("other.md", Some(language), other)]);
        for query in queries {
            assert_eq!(index.found(query), ["hit.md"], "{language} {query:?}");
        }
    }
}

#[test]
fn a_document_without_a_language_is_found_by_its_words_as_they_are() {
    let mut index = Index::new(&[("a.md", None, "Die Häuser am See."), ("b.md", Some("xx"), "Die Häuser.")]);
    assert_eq!(index.found("häuser"), ["a.md", "b.md"]);
    assert_eq!(index.found("haus "), [""; 0]);
}

#[test]
fn english_is_stemmed_in_documents_of_every_language() {
    let mut index = Index::new(&[("de.md", Some("de"), "Borrow-Checker prüfen jeden borrow zweimal.")]);
    assert_eq!(index.found("borrowing"), ["de.md"]);
    assert_eq!(index.found("prüfe"), ["de.md"]);
}

#[test]
fn a_stemmer_speaks_for_documents_of_its_language_only() {
    let documents =
        [("en.md", Some("en"), "The master of the ship."), ("de.md", Some("de"), "Der Master der Schiffe.")];
    let mut index = Index::new(&documents);
    // German has the ending -er; in English mast and master are two words.
    assert_eq!(index.found("mast"), ["de.md"]);
    assert_eq!(index.found("master"), ["de.md", "en.md"]);
}

#[test]
fn matches_are_marked_as_they_are_found() {
    let mut index = Index::new(&[("de.md", Some("de"), "Viele Häuser und ein Haus.")]);
    assert_eq!(index.marked("Hauses"), "Viele [Häuser] und ein [Haus].");
}

#[test]
fn the_manifest_names_the_languages_that_need_more_than_english() {
    let check = |languages: &[Option<&str>], expected: &[&str]| {
        let names: Vec<_> = (0..languages.len()).map(|number| format!("{number}.md")).collect();
        let documents: Vec<_> =
            names.iter().zip(languages).map(|(name, language)| (name.as_str(), *language, "text")).collect();
        let Index(_, segment) = Index::new(&documents);
        let manifest = Manifest::new(None, vec![segment.entry]).to_bytes();
        let manifest = Manifest::from_bytes(&manifest).expect("reads");
        assert_eq!(manifest.segments[0].languages, expected, "{languages:?}");
    };
    check(&[Some("en"), None, Some("en-GB")], &[]);
    check(&[Some("ru"), Some("de-AT"), Some("de")], &["de", "ru"]);
    check(&[Some("ja"), Some("xx")], &[]);
}

#[test]
fn words_without_spaces_are_found_and_marked() {
    let documents = [
        ("ja.md", Some("ja"), "所有権は値の持ち主を決める規則である。"),
        ("owner.md", Some("ja"), "権利の所有者は証明書を提示する。"),
        ("zh.md", Some("zh"), "上海的自来水来自长江。"),
        ("sea.md", Some("zh"), "海上的风很大。"),
        ("ko.md", Some("ko"), "학교에서 배운 내용을 복습했다."),
        ("class.md", Some("ko"), "교실에는 학생이 있다."),
        ("th.md", Some("th"), "ภาษาไทยเขียนโดยไม่เว้นวรรค"),
    ];
    let mut index = Index::new(&documents);
    let mut check = |query: &str, first: &str, marked: &str| {
        assert_eq!(index.found(query).first().map(String::as_str), Some(first), "{query}");
        assert!(index.marked(query).contains(marked), "{query}: {}", index.marked(query));
    };
    check("所有権", "ja.md", "[所有権]は値");
    check("値", "ja.md", "は[値]の");
    check("上海", "zh.md", "[上海]的");
    check("风", "sea.md", "的[风]很");
    check("학교는", "ko.md", "[학교]에서");
    check("학교", "ko.md", "[학교]에서");
    check("ไม่เว้น", "th.md", "โดย[ไม่เว้น]วรรค");
}
