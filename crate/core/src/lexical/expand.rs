//! From a query's term to the terms of the index that may stand for it.

use super::{
    fold::{fold, unmarked},
    form::is_form,
    language::{Language, SegmentLanguage},
    script::is_character,
    terms::TermDictionary,
};
use crate::{order::sort_by, segment::TermId};

/// Terms of one segment that stand for a query's term in one way. A document is scored by its best way only, so
/// that a word and its look-alikes are not counted twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The way.
    pub kind: AlternativeKind,
    /// The documents in which they do: those of the language of this number, or all.
    pub language: Option<u8>,
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
    /// Two words that it is made of.
    Compound,
    /// What the site's own list of synonyms has for it.
    Synonym,
    /// The words of a quoted phrase, one after the other.
    Phrase,
}

impl AlternativeKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Same, Self::Folded, Self::Prefix, Self::Typo, Self::Compound, Self::Synonym, Self::Phrase];

    /// Name for explanations.
    pub fn name(self) -> &'static str {
        ["same word", "without accents", "prefix", "typo", "its two parts", "synonym", "phrase"]
            [self as usize]
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

/// The stretches of the dictionary, as prefixes, that hold all terms that begin with `term` and all forms of its stem
/// in English and in `languages`; none lies in another.
pub fn dictionary_prefixes(term: &str, languages: &[SegmentLanguage]) -> Vec<String> {
    let languages = if cfg!(feature = "languages") { languages } else { &[] };
    let mut prefixes = vec![english_prefix(term).to_owned()];
    for SegmentLanguage { language, .. } in languages {
        let stem = language.stem(term);
        let prefix = Language::stretch(&stem);
        if !prefix.is_empty() && !prefixes.iter().any(|known| prefix.starts_with(known.as_str())) {
            prefixes.retain(|known| !known.starts_with(prefix));
            prefixes.push(prefix.to_owned());
        }
    }
    prefixes
}

/// The stretch of the forms of the English stem, which is also that of the terms that begin with `term`; see
/// [`Language::stretch`].
pub fn english_prefix(term: &str) -> &str {
    let stem = Language::English.stem(term);
    let shared = term.bytes().zip(stem.bytes()).take_while(|(a, b)| a == b).count();
    let len = shared.min(stem.len().saturating_sub(1));
    // The cut of a very short stem would be half the alphabet.
    if len >= 2 && term.is_char_boundary(len) { &term[..len] } else { term }
}

/// What `term` stands for, given the dictionary's shards that [`dictionary_prefixes`] names, each with the id of
/// its first term. Forms of its English stem stand for it in all documents, forms of its stem in one of `languages`
/// in documents of that language: an English `master` is no form of `mast` because German has such an ending.
pub fn alternatives(
    term: &str,
    prefix: bool,
    shards: &[(TermId, &TermDictionary)],
    languages: &[SegmentLanguage],
    limits: &ExpansionLimits,
) -> Vec<Alternative> {
    let languages = if cfg!(feature = "languages") { languages } else { &[] };
    let wanted = Language::English.stem(term);
    let is_form_wanted = is_form(term);
    let mut same = Vec::new();
    let mut longer = Vec::new();
    let is_character = is_character(term);
    let mut others: Vec<_> =
        languages.iter().map(|of| (of, of.language.stem(term), Vec::<(TermId, f32)>::new())).collect();
    let prefixes = dictionary_prefixes(term, languages);
    for (first, shard) in shards {
        let mut each = |form: &str, position: u32, doc_freq: u32| {
            let id = TermId(first.0 + position);
            if form == term || is_character && form.starts_with(term) {
                return same.push((id, 1.0));
            } else if Language::English.stem(form) == wanted {
                return same.push((id, limits.stem_weight));
            }
            for (of, wanted, forms) in &mut others {
                if form == *wanted || of.language.stem(form) == *wanted {
                    forms.push((id, limits.stem_weight));
                }
            }
            if prefix && form.starts_with(term) && is_form(form) == is_form_wanted {
                longer.push((doc_freq, id, 1.0));
            }
        };
        shard.with_prefixes(&prefixes, &mut each);
    }
    let longer = most_frequent(longer, limits.max_prefix_forms);
    let others = others.into_iter().map(|(of, _, forms)| (AlternativeKind::Same, Some(of.number), forms));
    [(AlternativeKind::Same, None, same)]
        .into_iter()
        .chain(others)
        .chain([(AlternativeKind::Prefix, None, longer)])
        .filter(|(.., forms)| !forms.is_empty())
        .map(|(kind, language, forms)| Alternative { kind, language, forms })
        .collect()
}

/// The terms that are `term` without regard to accents, given the shards that [`english_prefix`] names for the term
/// without accents; `None` where there is no other than `term` itself.
pub fn folded_alternative(
    term: &str,
    shards: &[(TermId, &TermDictionary)],
    limits: &ExpansionLimits,
) -> Option<Alternative> {
    let plain = fold(term);
    let wanted = Language::English.stem(&plain);
    let mut is_other = false;
    let mut forms = Vec::new();
    for (first, shard) in shards {
        shard.with_prefix(english_prefix(&plain), &mut |form, position, _| {
            let letters = unmarked(form).unwrap_or(form);
            let weight = match letters == plain {
                true => 1.0,
                false if Language::English.stem(letters) == wanted => limits.stem_weight,
                false => return,
            };
            is_other |= letters.len() < form.len() || plain != term;
            forms.push((TermId(first.0 + position), weight));
        });
    }
    is_other.then_some(Alternative { kind: AlternativeKind::Folded, language: None, forms })
}

/// The terms that differ from `term` by a slip: one edit from four letters, two from eight, an exchange of
/// neighbours counting as one; those of the dictionary's `shards` that begin with one of `stretches`.
pub fn typo_alternative(
    term: &str,
    stretches: &[String],
    shards: &[(TermId, &TermDictionary)],
    limits: &ExpansionLimits,
) -> Option<Alternative> {
    let max_edits = typo_edits(term);
    let mut near = Vec::new();
    for (first, shard) in shards {
        shard.near(term, max_edits, &mut |form, position, doc_freq, edits| {
            if stretches.iter().any(|stretch| form.starts_with(stretch.as_str())) {
                // A nearer term comes before a more frequent one.
                let order = doc_freq + u32::from(max_edits - edits) * (1 << 24);
                near.push((order, TermId(first.0 + position), 1.0 / (1.0 + f32::from(edits))));
            }
        });
    }
    let forms = most_frequent(near, limits.max_typo_forms);
    (!forms.is_empty()).then_some(Alternative { kind: AlternativeKind::Typo, language: None, forms })
}

/// The stretches of the dictionary, as prefixes, in which [`typo_alternative`] looks for `term`; none when it is too
/// short or no word.
///
/// Readers seldom mistype the first letter, so terms that share it are looked at first. Where there is none, and
/// `is_first_wrong` is set, come those in which the slip is at the beginning: the first two letters exchanged, or a letter too
/// many. A whole dictionary is the stretch of the empty prefix.
pub fn typo_stretches(term: &str, is_first_wrong: bool) -> Vec<String> {
    let letters: Vec<char> = term.chars().collect();
    if typo_edits(term) == 0 || !letters[0].is_alphabetic() {
        return Vec::new();
    }
    match is_first_wrong {
        false => vec![letters[0].to_string()],
        true => vec![[letters[1], letters[0]].iter().collect(), letters[1..3].iter().collect()],
    }
}

fn typo_edits(term: &str) -> u8 {
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
            let found =
                alternatives(term, true, &[(TermId(0), &dictionary)], &[], &ExpansionLimits::default());
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
            let stretches = [false, true].map(|is_first_wrong| typo_stretches(term, is_first_wrong)).concat();
            let shards = [(TermId(0), &dictionary)];
            let found = typo_alternative(term, &stretches, &shards, &ExpansionLimits::default());
            assert_eq!(forms(found.as_slice(), AlternativeKind::Typo), expected, "{term}");
        };
        check("lifteime", &[0, 1]);
        check("tarit", &[4]);
        check("trai", &[3, 4]);
        check("typ", &[]);
        check("rtait", &[4]);
        check("ltrait", &[4]);
        check("1trait", &[]);
    }
}
