//! Units put together again out of an index: they are a part of the source, and they can be parsed.

use crate::{ReadSettings, Source, read};
use proptest::prelude::*;
use querent_core::{
    assembly::{Assembled, AssemblySettings, DocumentChunks, assemble},
    chunk::ChunkSettings,
    document::ContentType,
    embedding::WordEstimate,
    indexer::{IndexSettings, Indexer},
    segment::{FileKind, TextShard, unseal},
};
use tree_sitter::{Language, Parser};

const RUST: &str = "//! Birds.\n\nuse std::fmt;\n\n/// One bird.\n///\n/// - with feathers\npub struct Bird;\n\nimpl Bird {\n    \
                    /// Grows new feathers.\n    pub fn moult(&self) -> u32 {\n        let primaries = 10;\n        \
                    primaries\n    }\n\n    /* Sings. */\n    pub fn sing(&self) {}\n}\n\nmod nest {\n    pub fn build() \
                    {\n        let twigs = [1, 2, 3];\n    }\n}\n";
const PYTHON: &str = "import os\n\n@decorated\nclass Bird(Base):\n    \"\"\"One bird.\n\n    With feathers.\n    \"\"\"\n    \
                      limit = 3\n\n    @property\n    def moult(self, user):\n        '''Grows new feathers.'''\n        \
                      return user.primaries\n\n    async def sing(self):\n        pass\n\ndef main():\n    twigs = 1\n";
const TYPESCRIPT: &str = "import { a } from 'b';\n\n/** One bird. */\nexport interface Hit { url: string }\n\nexport default class \
                          Bird {\n  private limit = 3;\n  /** Grows. */\n  async moult(user: string): Promise<void> {\n    \
                          primaries(user);\n  }\n}\n\nexport const sing = async (x: number) => {\n  return twigs;\n};\n";
const JAVASCRIPT: &str = "/** One bird. */\nclass Bird {\n  moult() {\n    return primaries;\n  }\n  sing() { return `a${1}`; }\n}\n\nconst \
                          sing = () => {\n  return twigs;\n};\n";
const GO: &str = "package a\n\nimport \"fmt\"\n\n// Bird sings.\ntype Bird struct {\n\tname string\n}\n\n// Moult grows feathers.\nfunc (e \
                  *Bird) Moult() int {\n\tprimaries := 1\n\treturn primaries\n}\n";
const JAVA: &str = "package a;\n\nimport java.util.List;\n\n/** One bird. */\n@Service\npublic class Bird {\n    private int \
                    limit;\n\n    /** Grows. */\n    boolean moult(String user) {\n        return primaries(user);\n    }\n\n    int \
                    sing() { return 1; }\n}\n";
const C: &str = "#include <stdio.h>\n\n/* One bird. */\nstruct bird {\n    int x;\n};\n\n/* Grows.\n * Slowly. */\nstatic int \
                 *moult(struct bird *p) {\n    return primaries(p);\n}\n";
const JSON: &str = r#"{
  "zoo": {
    "name": "Aviary \"{west}\" é",
    "wings {a}": { "height": 12, "nets": ["fine {", "coarse"] },
    "keepers": [ {"name": "Ada"}, {"name": "Grace", "shift": {"starts": "nightfall", "days": [1, 2]}} ],
    "open": true
  },
  "version": 3
}
"#;
const YAML: &str = "# Zoo.\nzoo:\n  aviary:\n    # Metres.\n    height: twelve\n    nets: [fine, coarse]\n  keepers:\n    - name: \
                    Ada\n      shift:\n        starts: dawn\n    - name: Grace\n      shift:\n        starts: nightfall\nversion: 3\n";
const TOML: &str = "version = 3\n\n# Metres.\n[aviary]\nheight = 'twelve'\nnets = [\n  'fine',\n]\n\n[[keepers]]\nname = 'Ada'\n\n[[keepers]]\nname = \
                    'Grace'\n[keepers.shift]\nstarts = 'nightfall'\n";
const CSV: &str = "species,colour\nwren,speckled\nrobin,\"turquoise, pale\"\n";

const SAMPLES: [(&str, &str); 11] = [
    ("a.rs", RUST),
    ("a.py", PYTHON),
    ("a.ts", TYPESCRIPT),
    ("a.js", JAVASCRIPT),
    ("a.go", GO),
    ("a.java", JAVA),
    ("a.c", C),
    ("a.json", JSON),
    ("a.yaml", YAML),
    ("a.toml", TOML),
    ("a.csv", CSV),
];

/// The texts of an index of one document in chunks of at most `max_tokens`; nothing where it cannot be read.
fn stored(path: &str, text: &str, max_tokens: u32) -> Option<(ContentType, TextShard)> {
    let document = read(&Source { path, bytes: text.as_bytes() }, &ReadSettings::default()).ok()?.document;
    let content_type = document.content_type;
    let chunk = ChunkSettings { max_tokens, ..ChunkSettings::default() };
    let mut indexer = Indexer::new(IndexSettings { chunk, ..IndexSettings::default() });
    indexer.add(document, &WordEstimate, None).expect("adds");
    let segment = indexer.finish(None).expect("finishes");
    let mut all = TextShard::default();
    for (name, bytes) in &segment.files {
        if name.starts_with("texts-") {
            let content = unseal(FileKind::Texts, bytes).expect("sealed");
            all.chunks.extend(TextShard::open(&content).expect("opens").chunks);
        }
    }
    all.chunks.sort_by_key(|chunk| chunk.offset);
    Some((content_type, all))
}

/// What belongs to the chunk that holds byte `at` of the text.
fn around(path: &str, text: &str, at: usize, settings: &AssemblySettings) -> Assembled {
    let (content_type, shard) = stored(path, text, 32).expect(path);
    let place = shard.chunks.iter().position(|it| (it.offset..it.offset + it.length).contains(&(at as u32)));
    let chunks: Vec<_> = shard.chunks.iter().enumerate().collect();
    let document = DocumentChunks { content_type: Some(content_type), total: chunks.len(), chunks };
    assemble(&document, &[place.expect("a chunk holds it")], settings)
}

fn language(path: &str) -> Option<Language> {
    Some(match path.rsplit('.').next()? {
        "rs" => tree_sitter_rust::LANGUAGE.into(),
        "py" => tree_sitter_python::LANGUAGE.into(),
        "ts" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        "js" => tree_sitter_javascript::LANGUAGE.into(),
        "go" => tree_sitter_go::LANGUAGE.into(),
        "java" => tree_sitter_java::LANGUAGE.into(),
        "c" => tree_sitter_c::LANGUAGE.into(),
        _ => return None,
    })
}

/// Parses as what the path says, without an error.
fn parses(path: &str, text: &str) -> bool {
    if let Some(language) = language(path) {
        let mut parser = Parser::new();
        parser.set_language(&language).expect("a grammar of this version");
        return !parser.parse(text, None).expect("no limit").root_node().has_error();
    }
    match path.rsplit('.').next() {
        Some("json") => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        Some("yaml") => granit_parser::Parser::new_from_str(text).all(|event| event.is_ok()),
        Some("toml") => text.parse::<toml::Table>().is_ok(),
        _ => true,
    }
}

#[test]
fn complete_units() {
    let rows = [
        ("a.rs", "primaries", "impl Bird {", "sing(&self) {}\n}"),
        ("a.rs", "twigs", "mod nest {", "3];\n    }\n}"),
        ("a.rs", "feathers", "/// One bird.\n///\n/// - with", "pub struct Bird;"),
        ("a.rs", "Birds", "//! Birds.", "//! Birds.\n\n"),
        ("a.py", "primaries", "@decorated\nclass Bird", "pass"),
        ("a.py", "twigs", "def main", "twigs = 1"),
        ("a.ts", "primaries", "export default class Bird", "}\n}"),
        ("a.js", "primaries", "/** One bird. */\nclass", "`a${1}`; }\n}"),
        ("a.go", "primaries", "// Moult grows", "return primaries\n}"),
        ("a.java", "primaries", "/** One bird. */\n@Service", "return 1; }\n}"),
        ("a.c", "primaries", "/* Grows.\n * Slowly. */", "primaries(p);\n}"),
        ("a.json", "nightfall", r#"{"starts""#, "[1, 2]}"),
        ("a.json", "coarse", r#"{ "height": 12"#, "] }"),
        ("a.json", "Aviary", "{\n    \"name\"", "true\n  }"),
        ("a.json", "version", "{\n  \"zoo\"", "3\n}\n"),
        ("a.yaml", "nightfall", "      shift:", "starts: nightfall"),
        ("a.yaml", "twelve", "  aviary:\n    # Metres.", "coarse]"),
        ("a.toml", "twelve", "# Metres.\n[aviary]", "'fine',\n]"),
        ("a.toml", "nightfall", "[keepers.shift]", "starts = 'nightfall'"),
        ("a.csv", "turquoise", "wren,speckled", "\"turquoise, pale\""),
    ];
    for (path, word, start, end) in rows {
        let (_, text) = SAMPLES.into_iter().find(|(of, _)| *of == path).expect("a sample");
        let at = text.find(word).expect("it is there");
        let assembled = around(path, text, at, &AssemblySettings::default());
        let shown = &assembled.text;
        assert_eq!(
            (assembled.strategy.as_str(), assembled.complete),
            ("hierarchical", true),
            "{path} {word}"
        );
        assert!(
            shown.starts_with(start) && shown.trim_end().ends_with(end.trim_end()),
            "{path} {word}: {shown:?}"
        );
        assert!(text.contains(shown) && parses(path, shown), "{path} {word}: {shown:?}");
    }
}

#[test]
fn within_the_limit() {
    let rows = [
        // The class does not fit, the method does.
        ("a.rs", "primaries", 150, "/// Grows new feathers.", "a unit inside the whole one is shown"),
        ("a.py", "primaries", 120, "@property\n    def moult", "a unit inside the whole one is shown"),
        // Nothing does: a part, however little.
        ("a.rs", "primaries", 30, "    pub fn moult", "a part of the unit is shown"),
        ("a.json", "nightfall", 20, "\"shift\": {\"starts\": ", "a part of the unit is shown"),
    ];
    for (path, word, max_characters, start, reason) in rows {
        let (_, text) = SAMPLES.into_iter().find(|(of, _)| *of == path).expect("a sample");
        let at = text.find(word).expect("it is there");
        let settings = AssemblySettings { max_characters, ..AssemblySettings::default() };
        let assembled = around(path, text, at, &settings);
        let expected = format!("limit of {max_characters} characters reached: {reason}");
        assert_eq!((assembled.complete, assembled.reason), (false, Some(expected)), "{path} {word}");
        assert!(assembled.text.starts_with(start), "{path} {word}: {:?}", assembled.text);
        assert!(assembled.text.chars().count() <= max_characters && text.contains(&assembled.text), "{path}");
    }
}

/// Real code: around every chunk of this crate's own sources stands a complete unit that parses.
#[test]
fn own_sources() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut units = 0;
    for folder in ["code", "data", "markdown"] {
        for file in std::fs::read_dir(root.join(folder)).expect("a folder of this crate") {
            let path = file.expect("an entry").path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let (content_type, shard) = stored("a.rs", &text, 128).expect("Rust");
            let chunks: Vec<_> = shard.chunks.iter().enumerate().collect();
            let document = DocumentChunks { content_type: Some(content_type), total: chunks.len(), chunks };
            for place in 0..document.total {
                let assembled = assemble(&document, &[place], &AssemblySettings::default());
                assert!(assembled.complete && text.contains(&assembled.text), "{assembled:?}");
                assert!(parses("a.rs", &assembled.text), "{}", assembled.text);
                units += 1;
            }
        }
    }
    assert!(units > 200, "{units}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    /// Whatever stands in a structured document: the stored chunks are its source, and what is assembled around any of
    /// them is a part of it, holds the chunk's words, and parses where the source does.
    #[test]
    fn assembled_is_source(
        which in 0..SAMPLES.len(), cut in 0..300_usize, len in 0..600_usize, noise in "[{}()\"'/*#\\n é]{0,4}",
        is_whole in any::<bool>(), max_tokens in 16..80_u32, max_characters in 10..2_000_usize,
    ) {
        let (path, sample) = SAMPLES[which];
        let at = |at: usize| sample.floor_char_boundary(at.min(sample.len()));
        let damaged = format!("{}{noise}{}", &sample[at(cut)..at(cut + len)], &sample[..at(cut)]);
        let text = if is_whole { sample.to_owned() } else { damaged };
        let Some((content_type, shard)) = stored(path, &text, max_tokens) else { return Ok(()) };
        let restored: Option<String> = shard.chunks.iter().map(|it| it.source.restore(&it.text)).collect();
        // Space before the first symbol is no section with content.
        prop_assert_eq!(restored.as_deref().map(str::trim_start), Some(text.trim_start()));
        let total = shard.chunks.len();
        let document = DocumentChunks {
            content_type: Some(content_type), total, chunks: shard.chunks.iter().enumerate().collect(),
        };
        let settings = AssemblySettings { max_characters, ..AssemblySettings::default() };
        for place in 0..total {
            let assembled = assemble(&document, &[place], &settings);
            prop_assert!(text.contains(&assembled.text), "{}: {:?}", path, assembled);
            prop_assert_eq!(assembled.strategy, "hierarchical");
            prop_assert!(!assembled.text.is_empty() && assembled.text.chars().count() <= max_characters);
            prop_assert!(assembled.chunks.contains(&place));
            prop_assert!(!is_whole || !assembled.complete || parses(path, &assembled.text), "{}: {}", path, assembled.text);
        }
    }
}
