//! From a query's term to the terms of the index that may stand for it.

use super::{
    fold::{fold, unmarked},
    form::is_form,
    stem::stem,
    terms::TermDictionary,
};
use crate::{order::sort_by, segment::TermId};

/// Terms of one segment that stand for a query's term in one way. A document is scored by its best way only, so
/// that a word and its look-alikes are not counted twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The way.
    pub kind: AlternativeKind,
    /// The terms, and how much an occurrence of each counts: 0 to 1.
    pub forms: Vec<(TermId, f32)>,
}

/// How a term of the index stands for a query's term, best way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AlternativeKind {
    /// The term itself and other forms of its stem.
    Same,
    /// The term and those that differ from it by accents, and other forms of their stem.
    Folded,
    /// Longer terms that begin with it.
    Prefix,
    /// Terms that a slip of the finger turns into it.
    Typo,
    /// The words of a quoted phrase, one after the other.
    Phrase,
}

impl AlternativeKind {
    /// Name for explanations.
    pub fn name(self) -> &'static str {
        ["same word", "without accents", "prefix", "typo", "phrase"][self as usize]
    }
}

/// What [`alternatives`] looks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpansionLimits {
    /// How much another form of the same stem counts: 0 (surface forms only) to 1 (as the form itself).
    pub stem_weight: f32,
    /// Most terms that a prefix stands for. More find more, and fetch more postings.
    pub max_prefix_forms: usize,
    /// Most terms that a misspelt word stands for.
    pub max_typo_forms: usize,
}

impl Default for ExpansionLimits {
    fn default() -> Self {
        Self { stem_weight: 0.9, max_prefix_forms: 16, max_typo_forms: 4 }
    }
}

/// The stretch of the dictionary, as a prefix, that holds all forms of `term`'s stem and all terms that begin
/// with `term`.
///
/// Snowball changes at most the last letter that forms of a stem share (`happi`: happy, happiness; `hope`:
/// hoping), so the stem without it begins them all.
pub fn dictionary_prefix(term: &str) -> &str {
    let stem = stem(term);
    let shared = term.bytes().zip(stem.bytes()).take_while(|(a, b)| a == b).count();
    let len = shared.min(stem.len().saturating_sub(1));
    // The cut of a very short stem would be half the alphabet.
    if len >= 2 && term.is_char_boundary(len) { &term[..len] } else { term }
}

/// What `term` stands for, given the dictionary's shards that [`dictionary_prefix`] names, each with the id of
/// its first term.
pub fn alternatives(
    term: &str,
    prefix: bool,
    shards: &[(TermId, &TermDictionary)],
    limits: &ExpansionLimits,
) -> Vec<Alternative> {
    let wanted = stem(term);
    let is_form_wanted = is_form(term);
    let mut same = Vec::new();
    let mut longer = Vec::new();
    for (first, shard) in shards {
        shard.with_prefix(dictionary_prefix(term), &mut |form, position, doc_freq| {
            let id = TermId(first.0 + position);
            if form == term {
                same.push((id, 1.0));
            } else if stem(form) == wanted {
                same.push((id, limits.stem_weight));
            } else if prefix && form.starts_with(term) && is_form(form) == is_form_wanted {
                longer.push((doc_freq, id, 1.0));
            }
        });
    }
    let longer = most_frequent(longer, limits.max_prefix_forms);
    [(AlternativeKind::Same, same), (AlternativeKind::Prefix, longer)]
        .into_iter()
        .filter(|(_, forms)| !forms.is_empty())
        .map(|(kind, forms)| Alternative { kind, forms })
        .collect()
}

/// The terms that are `term` without regard to accents, given the shards that [`dictionary_prefix`] names for the term
/// without accents; `None` where there is no other than `term` itself.
pub fn folded_alternative(
    term: &str,
    shards: &[(TermId, &TermDictionary)],
    limits: &ExpansionLimits,
) -> Option<Alternative> {
    let plain = fold(term);
    let wanted = stem(&plain);
    let mut is_other = false;
    let mut forms = Vec::new();
    for (first, shard) in shards {
        shard.with_prefix(dictionary_prefix(&plain), &mut |form, position, _| {
            let letters = unmarked(form).unwrap_or(form);
            let weight = match letters == plain {
                true => 1.0,
                false if stem(letters) == wanted => limits.stem_weight,
                false => return,
            };
            is_other |= letters.len() < form.len() || plain != term;
            forms.push((TermId(first.0 + position), weight));
        });
    }
    is_other.then_some(Alternative { kind: AlternativeKind::Folded, forms })
}

/// The terms that differ from `term` by a slip: one edit from four letters, two from eight, an exchange of
/// neighbours counting as one. The first letter is taken to be right, so that a stretch of the dictionary is
/// enough.
pub fn typo_alternative(
    term: &str,
    shards: &[(TermId, &TermDictionary)],
    limits: &ExpansionLimits,
) -> Option<Alternative> {
    let letters: Vec<char> = term.chars().collect();
    let max_edits = typo_edits(term);
    let first_letter = typo_prefix(term)?;
    let mut near = Vec::new();
    for (first, shard) in shards {
        shard.with_prefix(first_letter, &mut |form, position, doc_freq| {
            let other: Vec<char> = form.chars().collect();
            if let Some(edits) = edit_distance(&letters, &other, max_edits) {
                // A nearer term comes before a more frequent one.
                let order = doc_freq + ((max_edits - edits) as u32) * (1 << 24);
                near.push((order, TermId(first.0 + position), 1.0 / (1.0 + edits as f32)));
            }
        });
    }
    let forms = most_frequent(near, limits.max_typo_forms);
    (!forms.is_empty()).then_some(Alternative { kind: AlternativeKind::Typo, forms })
}

/// The stretch of the dictionary in which [`typo_alternative`] looks; `None` when `term` is too short or no word.
pub fn typo_prefix(term: &str) -> Option<&str> {
    let first = term.chars().next().filter(|c| c.is_alphabetic())?;
    (typo_edits(term) > 0).then(|| &term[..first.len_utf8()])
}

fn typo_edits(term: &str) -> usize {
    match term.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

fn most_frequent(mut terms: Vec<(u32, TermId, f32)>, limit: usize) -> Vec<(TermId, f32)> {
    sort_by(&mut terms, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    terms.truncate(limit);
    sort_by(&mut terms, |a, b| a.1.cmp(&b.1));
    terms.into_iter().map(|(_, id, weight)| (id, weight)).collect()
}

/// Edits that turn `a` into `b` — insertion, deletion, substitution, exchange of neighbours — or `None` above
/// `limit` (optimal string alignment distance).
fn edit_distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().all(|&edits| edits > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&edits| edits <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::TermDictionaryWriter;

    fn dictionary(terms: &[&str]) -> TermDictionary {
        let mut writer = TermDictionaryWriter::default();
        terms.iter().for_each(|term| writer.push(term, 1));
        TermDictionary::open(&writer.finish()).expect("opens")
    }

    fn forms(alternatives: &[Alternative], kind: AlternativeKind) -> Vec<u32> {
        alternatives
            .iter()
            .filter(|found| found.kind == kind)
            .flat_map(|found| &found.forms)
            .map(|(id, _)| id.0)
            .collect()
    }

    #[test]
    fn forms_of_a_stem_and_longer_words() {
        let dictionary = dictionary(&[
            "borrow",
            "borrowck",
            "borrowed",
            "borrowing",
            "happiness",
            "happy",
            "hope",
            "hoping",
            "hops",
        ]);
        let check = |term: &str, same: &[u32], prefix: &[u32]| {
            let found = alternatives(term, true, &[(TermId(0), &dictionary)], &ExpansionLimits::default());
            assert_eq!(forms(&found, AlternativeKind::Same), same, "{term}");
            assert_eq!(forms(&found, AlternativeKind::Prefix), prefix, "{term}");
        };
        check("borrow", &[0, 2, 3], &[1]);
        check("borrows", &[0, 2, 3], &[]);
        check("happy", &[4, 5], &[]);
        check("hoping", &[6, 7], &[]);
        check("bor", &[], &[0, 1, 2, 3]);
        check("x", &[], &[]);
    }

    #[test]
    fn slips() {
        let dictionary = dictionary(&["lifetime", "lifetimes", "literal", "train", "trait", "typo"]);
        let check = |term: &str, expected: &[u32]| {
            let found = typo_alternative(term, &[(TermId(0), &dictionary)], &ExpansionLimits::default());
            assert_eq!(forms(found.as_slice(), AlternativeKind::Typo), expected, "{term}");
        };
        check("lifteime", &[0, 1]);
        check("tarit", &[4]);
        check("trai", &[3, 4]);
        check("typ", &[]);
    }
}
