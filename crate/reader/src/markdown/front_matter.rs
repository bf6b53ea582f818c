//! Front matter: the YAML or TOML that stands before a Markdown document's body.

use serde::Deserialize;
use std::{collections::BTreeMap, ops::Range};

/// A front matter's place and language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    language: Language,
    content: Range<usize>,
    /// Where the body begins.
    pub(crate) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Yaml,
    Toml,
}

/// What the reader takes from front matter.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) slug: Option<String>,
    pub(crate) draft: bool,
    /// `search.boost`, as in Material for MkDocs: how much the document counts.
    pub(crate) boost: Option<f32>,
    /// `search.exclude`.
    pub(crate) excluded: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) metadata: BTreeMap<String, String>,
}

type Fields = BTreeMap<String, Option<Value>>;

/// A value of either language.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Value {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Option<Value>>),
    Map(Fields),
}

/// Finds the front matter: between a first line of `---` (YAML) or `+++` (TOML) and the next such line.
pub(crate) fn find(source: &str) -> Option<Block> {
    let mut at = 0;
    let mut open: Option<(Language, usize)> = None;
    for line in source.split_inclusive('\n') {
        let next = at + line.len();
        match (open, line.trim_end()) {
            (None, "---") => open = Some((Language::Yaml, next)),
            (None, "+++") => open = Some((Language::Toml, next)),
            (None, _) => return None,
            (Some((language @ Language::Yaml, start)), "---" | "...")
            | (Some((language @ Language::Toml, start)), "+++") => {
                return Some(Block { language, content: start..at, end: next });
            }
            _ => {}
        }
        at = next;
    }
    None
}

/// Where `value` stands in the front matter as it is, without quotes or line ends of its own.
pub(crate) fn place(source: &str, block: &Block, value: &str) -> Option<Range<usize>> {
    let at = source[block.content.clone()].find(value.trim())? + block.content.start;
    Some(at..at + value.trim().len())
}

/// Reads the front matter.
///
/// # Errors
/// What is wrong with it, in a sentence that names the line as its language's parser counts it.
pub(crate) fn parse(source: &str, block: &Block) -> Result<FrontMatter, String> {
    let content = &source[block.content.clone()];
    if content.trim().is_empty() {
        return Ok(FrontMatter::default());
    }
    let fields = match block.language {
        // YAML 1.2: a tag named `y` or `no` is a word.
        Language::Yaml => from_yaml(content, serde_saphyr::options! { strict_booleans: true })
            .map(Option::unwrap_or_default)
            .map_err(|error| format!("its YAML cannot be read ({})", first_line(&error.to_string()))),
        Language::Toml => toml::from_str::<toml::Table>(content)
            .map(|table| table.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
            .map_err(|error| format!("its TOML cannot be read ({})", first_line(&error.to_string()))),
    };
    fields.map(take).map_err(|reason| {
        format!("the front matter was left out: {reason}; lines are counted from the one after the fence")
    })
}

fn from_yaml(content: &str, options: serde_saphyr::Options) -> Result<Option<Fields>, serde_saphyr::Error> {
    serde_saphyr::from_str_with_options(content, options)
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or(text)
}

fn from_toml(value: toml::Value) -> Option<Value> {
    Some(match value {
        toml::Value::String(text) => Value::Text(text),
        toml::Value::Integer(number) => Value::Integer(number),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(moment) => Value::Text(moment.to_string()),
        toml::Value::Array(list) => Value::List(list.into_iter().map(from_toml).collect()),
        toml::Value::Table(map) => {
            Value::Map(map.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
        }
    })
}

fn take(fields: Fields) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    for (key, value) in fields {
        let Some(value) = value else { continue };
        match key.as_str() {
            "title" => front_matter.title = scalar(&value),
            "lang" | "language" => front_matter.language = scalar(&value),
            "url" | "permalink" => front_matter.url = scalar(&value),
            "slug" => front_matter.slug = scalar(&value),
            "search" => {
                if let Value::Map(search) = &value {
                    front_matter.boost = search.get("boost").and_then(Option::as_ref).and_then(number);
                    front_matter.excluded = matches!(search.get("exclude"), Some(Some(Value::Bool(true))));
                }
            }
            "draft" => front_matter.draft = matches!(value, Value::Bool(true)),
            "tag" | "tags" | "category" | "categories" | "keywords" => {
                add_tags(&mut front_matter.tags, &value);
            }
            // Hugo's newer taxonomies, Zola's and Docusaurus' nested tables hold tags under the same names.
            "taxonomies" => {
                if let Value::Map(map) = &value {
                    map.values().flatten().for_each(|value| add_tags(&mut front_matter.tags, value));
                }
            }
            _ => {
                if let Some(text) = scalar(&value) {
                    front_matter.metadata.insert(key, text);
                }
            }
        }
    }
    front_matter
}

fn scalar(value: &Value) -> Option<String> {
    let text = match value {
        Value::Text(text) => text.trim().to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::List(_) | Value::Map(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn number(value: &Value) -> Option<f32> {
    match value {
        Value::Integer(number) => Some(*number as f32),
        Value::Float(number) => Some(*number as f32),
        _ => None,
    }
}

/// A list of tags, or one text with commas between them.
fn add_tags(tags: &mut Vec<String>, value: &Value) {
    let found: Vec<String> = match value {
        Value::List(list) => list.iter().flatten().filter_map(scalar).collect(),
        Value::Text(text) => text.split(',').map(|tag| tag.trim().to_owned()).collect(),
        value => scalar(value).into_iter().collect(),
    };
    for tag in found {
        if !tag.is_empty() && !tags.contains(&tag) {
            tags.push(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(source: &str) -> FrontMatter {
        parse(source, &find(source).expect("front matter")).expect("readable")
    }

    #[test]
    fn places() {
        let rows = [
            ("---\na: 1\n---\nbody", Some("body")),
            ("---\r\na: 1\r\n---\r\nbody", Some("body")),
            ("+++\na = 1\n+++", Some("")),
            ("---\na: 1\n...\nbody", Some("body")),
            ("---\nunclosed", None),
            ("\n---\na: 1\n---\n", None),
            ("----\n---\n", None),
            ("text", None),
            ("", None),
        ];
        for (source, expected) in rows {
            assert_eq!(find(source).map(|block| &source[block.end..]), expected, "{source:?}");
        }
    }

    #[test]
    fn both_languages_say_the_same() {
        let yaml = "---\ntitle: A \"b\"\nlang: de\ndate: 2024-01-02\ndraft: true\ntags: [x, y, x, 3]\n\
            keywords: y, z\nweight: 3\nnothing: ~\nsearch: {boost: 2, exclude: true}\nparams:\n  deep: [1, {a: b}]\ndescription: D\nslug: s\nurl: /u/\n---\n";
        let toml = "+++\ntitle = 'A \"b\"'\nlang = 'de'\ndate = 2024-01-02\ndraft = true\ntags = ['x', 'y', 'x', 3]\n\
            keywords = 'y, z'\nweight = 3\ndescription = 'D'\nslug = 's'\nurl = '/u/'\nsearch = {boost = 2.0, exclude = true}\n[params]\ndeep = [1, {a = 'b'}]\n+++\n";
        let metadata = [("date", "2024-01-02"), ("description", "D"), ("weight", "3")];
        for source in [yaml, toml] {
            let front_matter = parsed(source);
            assert_eq!(front_matter.title.as_deref(), Some("A \"b\""));
            assert_eq!(front_matter.language.as_deref(), Some("de"));
            assert_eq!(front_matter.url.as_deref(), Some("/u/"));
            assert_eq!(front_matter.slug.as_deref(), Some("s"));
            assert!(front_matter.draft && front_matter.excluded);
            assert_eq!(front_matter.boost, Some(2.0));
            let mut tags = front_matter.tags.clone();
            tags.sort();
            assert_eq!(tags, ["3", "x", "y", "z"]);
            let got: Vec<_> = front_matter.metadata.iter().map(|(key, value)| (&**key, &**value)).collect();
            assert_eq!(got, metadata);
        }
    }

    #[test]
    fn damage_is_told() {
        for source in ["---\na: [1\n---\n", "---\n- a\n---\n", "+++\na = \n+++\n", "---\na: *x\n---\n"] {
            let warning = parse(source, &find(source).expect("front matter")).expect_err(source);
            assert!(warning.contains("front matter was left out"), "{warning}");
            assert!(!warning.contains('\n'), "{warning}");
        }
        assert_eq!(parsed("---\n---\n"), FrontMatter::default());
        assert_eq!(parsed("---\n# only a comment\n---\n"), FrontMatter::default());
    }
}
