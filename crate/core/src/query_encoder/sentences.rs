//! What a table is fitted to: the sentences, headings and questions of a site.

use crate::{
    document::{Document, SpanKind},
    random::split_mix,
    segment::PreparedDocument,
};
use std::{collections::BTreeSet, ops::Range};
use unicode_segmentation::UnicodeSegmentation;

/// Words of a training text. Shorter ones are fragments, longer ones are nothing like a query.
const WORDS: std::ops::RangeInclusive<usize> = 3..=25;

/// Titles, headings, questions and sentences of `documents`, each text once, in the order of their bytes.
pub fn training_texts(documents: &[PreparedDocument]) -> Vec<String> {
    let mut texts = BTreeSet::new();
    for prepared in documents {
        let document = &prepared.document;
        let headings = document.sections.iter().map(|section| section.heading.as_str());
        texts
            .extend(headings.chain([document.title.as_str()]).filter(|text| !text.is_empty()).map(collapsed));
        let questions = prepared.questions.iter().flatten();
        texts.extend(questions.map(|question| collapsed(&question.question_text)));
        for chunk in &prepared.chunks {
            let paragraphs = paragraphs(document, chunk.range.clone());
            let sentences = paragraphs.lines().flat_map(str::unicode_sentences).map(collapsed);
            texts.extend(sentences.filter(|text| is_sentence(text)));
        }
    }
    texts.into_iter().collect()
}

/// The prose in `range`, a line for each paragraph: its author's line breaks say nothing about sentences.
fn paragraphs(document: &Document, range: Range<usize>) -> String {
    let mut text = String::new();
    for (range, span) in document.spans_in(range) {
        match span.kind {
            SpanKind::Prose | SpanKind::InlineCode => text += &document.text[range].replace('\n', " "),
            SpanKind::Break | SpanKind::Code => text.push('\n'),
            SpanKind::Heading => {}
        }
    }
    text
}

/// At most `count` of `texts`, chosen by a hash of each, so that a change of one text changes the choice of no other.
pub fn sample<T: Sampled>(texts: Vec<T>, count: usize) -> Vec<T> {
    if texts.len() <= count {
        return texts;
    }
    let mut hashed: Vec<(u64, T)> = texts.into_iter().map(|text| (hash(text.text()), text)).collect();
    hashed.sort_unstable();
    hashed.truncate(count);
    hashed.into_iter().map(|(_, text)| text).collect()
}

/// A text that [`sample`] may choose, alone or with what belongs to it.
pub trait Sampled: Ord {
    /// The text that decides.
    fn text(&self) -> &str;
}

impl Sampled for String {
    fn text(&self) -> &str {
        self
    }
}

/// A question and the position of its chunk.
impl Sampled for (String, usize) {
    fn text(&self) -> &str {
        &self.0
    }
}

/// At most `count` texts out of all `groups`, each text once: as many of one group as of another, except that a group
/// that has fewer leaves the rest to the others. Within a group they are chosen as in [`sample`].
pub fn sample_evenly(mut groups: Vec<Vec<String>>, count: usize) -> Vec<String> {
    groups.sort_by_key(Vec::len);
    let mut chosen = BTreeSet::new();
    for (left, group) in (1..=groups.len()).rev().zip(groups) {
        let share = count.saturating_sub(chosen.len()) / left;
        let unseen = group.into_iter().filter(|text| !chosen.contains(text)).collect();
        chosen.extend(sample(unseen, share));
    }
    chosen.into_iter().collect()
}

/// FNV-1a, mixed once more.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    split_mix(&mut text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_sentence(text: &str) -> bool {
    WORDS.contains(&text.split(' ').count())
        && text.split(' ').any(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_shares() {
        let group = |name: &str, count: usize| -> Vec<String> {
            (0..count).map(|number| format!("{name}{number}")).collect()
        };
        let check = |groups: &[(&str, usize)], count: usize, expected: &[(&str, usize)]| {
            let chosen =
                sample_evenly(groups.iter().map(|&(name, count)| group(name, count)).collect(), count);
            let of = |name: &str| chosen.iter().filter(|text| text.starts_with(name)).count();
            let found: Vec<_> = expected.iter().map(|&(name, _)| (name, of(name))).collect();
            assert_eq!(found, expected, "{count} of {groups:?}");
        };
        check(&[("a", 100), ("b", 100)], 50, &[("a", 25), ("b", 25)]);
        check(&[("a", 100), ("b", 10)], 50, &[("a", 40), ("b", 10)]);
        check(&[("a", 3), ("b", 10)], 50, &[("a", 3), ("b", 10)]);
        check(&[("a", 30), ("a", 30)], 50, &[("a", 30)]);
        check(&[], 50, &[]);
    }
}
