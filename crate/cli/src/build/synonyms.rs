//! A site's own synonyms: a text file, one list a line.
//!
//! ```text
//! # Names of the same thing: each finds the others.
//! ternary, conditional operator, if expression
//! # One way: what is on the left also finds what is on the right.
//! switch case => match
//! ```

use crate::Usage;
use anyhow::Result;
use querent_core::query::synonym_key;
use std::{fs, path::Path};

/// Most names of all lists together. They are in the manifest, which every reader fetches first.
const MAX_NAMES: usize = 5000;

/// Reads `path` into the lists of an index: a name, then what stands for it.
///
/// # Errors
/// When the file cannot be read or a line is none of the two kinds; the message names the file and the line.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(path).map_err(|error| {
        Usage(format!("{}: cannot be read: {error}; expected a list of synonyms", path.display()))
    })?;
    parse(&text).map_err(|error| Usage(format!("{}:{error}", path.display())).into())
}

/// The lists of `text`; an error begins with the number of its line.
fn parse(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut lists = Vec::new();
    let mut count = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let found = parse_line(line).map_err(|error| format!("{number}: {error}"))?;
        count += found.iter().map(Vec::len).sum::<usize>();
        if count > MAX_NAMES {
            return Err(format!(
                "{number}: expected at most {MAX_NAMES} names in all lists, found more; shorten the file"
            ));
        }
        lists.extend(found);
    }
    Ok(lists)
}

fn parse_line(line: &str) -> Result<Vec<Vec<String>>, String> {
    if let Some((left, right)) = line.split_once("=>") {
        let (left, right) = (names(left)?, names(right)?);
        return Ok(left.into_iter().map(|name| [vec![name], right.clone()].concat()).collect());
    }
    let group = names(line)?;
    if group.len() < 2 {
        return Err(format!("expected names separated by commas, or NAME => NAMES; found `{line}`"));
    }
    let others = |name: &String| group.iter().filter(|other| *other != name).cloned().collect::<Vec<_>>();
    Ok(group.iter().map(|name| [vec![name.clone()], others(name)].concat()).collect())
}

/// Names as the index has them.
fn names(list: &str) -> Result<Vec<String>, String> {
    let name = |part: &str| match synonym_key(part) {
        key if key.is_empty() => Err(format!("expected a name between commas, found `{}`", part.trim())),
        key => Ok(key),
    };
    list.split(',').map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = parse(text).expect("reads").iter().map(|list| list.join(",")).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[]);
        check("# nothing\n\n", &[]);
        check("yank, Unpublish\n", &["yank,unpublish", "unpublish,yank"]);
        check("Switch Case, case => match, if let", &["switch case,match,if let", "case,match,if let"]);
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text: &str, parts: &[&str]| {
            let error = parse(text).expect_err("is refused");
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        };
        check("a, b\nalone", &["2: ", "`alone`", "=>"]);
        check("a, , b", &["1: ", "between commas"]);
        check("a =>", &["1: ", "found ``"]);
        check(&"a, b\n".repeat(2000), &["at most 5000"]);
    }
}
