//! What a section says about the things that it names: for chunks of which all other rules together find too few
//! questions, such as tables of figures and prose that leans on what stands before it.
//!
//! Such a question says little more than the heading and the term do. It is never searched; it tells a reader who has
//! found the chunk by other means which of its terms are dealt with.

use super::{Context, add, generic::is_generic, heading::without_number};
use crate::question::{
    Question,
    QuestionType::{Factual, Process, Relationship},
    grammar::may_end,
    passage::{Block, BlockKind, Word, range_of},
    subject::subject,
    terms::{Term, terms},
};
use std::ops::Range;

/// Most words of a label: a cell or an item that names something.
const LABEL_WORDS: usize = 4;
/// Words of a chunk, code aside, below which it says nothing about anything.
const MIN_WORDS: usize = 10;
/// Short blocks from which a chunk is taken for a table, whose cells of one plain word are names too.
const TABLE_CELLS: usize = 6;
/// Longest heading that is quoted, in bytes.
const MAX_HEADING: usize = 80;

pub(in crate::question) fn rule(context: &Context, candidates: &mut Vec<Question>) {
    let mut headings = headings(context);
    let Some(heading) = headings.next() else { return };
    // A document that is code or data has nothing else, so what it looks like in code is no question.
    let is_text = !context.document.content_type.is_structured();
    if let Some((block, _)) = context.code().next().filter(|_| is_text) {
        add(candidates, Process, 0.34, block, format!("What does “{heading}” look like in code?"));
    }
    let words = context.blocks.iter().map(|block| block.words.len()).sum::<usize>();
    if words < MIN_WORDS {
        return;
    }
    let below = heading.to_lowercase();
    let mut say = |text: &str, range: Range<usize>, confidence| {
        if !below.contains(&text.to_lowercase()) {
            let question = format!("What does “{heading}” say about {text}?");
            add(candidates, Factual, confidence, range, question);
        }
    };
    let terms: Vec<Term> = context.sentences().flat_map(|sentence| terms(context, sentence)).collect();
    let (single, several): (Vec<_>, Vec<_>) = terms.into_iter().partition(Term::is_single);
    several.into_iter().for_each(|term| say(&term.text, term.range, 0.33));
    labels(context).into_iter().for_each(|(text, range)| say(&text, range, 0.32));
    single.into_iter().for_each(|term| say(&term.text, term.range, 0.31));
    let Some(first) = context.blocks.first() else { return };
    if let Some(above) = headings.find(|above| *above != heading) {
        let question = format!("How does “{heading}” relate to “{above}”?");
        add(candidates, Relationship, 0.305, first.range.clone(), question);
    }
    let question = format!("What does the section “{heading}” cover?");
    add(candidates, Factual, 0.3, first.range.clone(), question);
}

/// The headings that can be quoted, the nearest first, at last the document's title.
fn headings<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a str> {
    let own = std::iter::once(context.section.heading.as_str());
    let headings = own.chain(context.parents()).map(|heading| without_number(heading).trim());
    let is_quotable = |heading: &&str| {
        (2..=MAX_HEADING).contains(&heading.len())
            && heading.contains(char::is_alphabetic)
            && !heading.contains(['“', '”', '"', '?', '\n'])
            && !is_generic(heading)
            && !context.document.path.ends_with(heading)
    };
    headings.filter(is_quotable).collect::<Vec<_>>().into_iter()
}

/// Cells and items that are names.
fn labels(context: &Context) -> Vec<(String, Range<usize>)> {
    let prose = || context.blocks.iter().filter(|block| block.kind == BlockKind::Prose);
    let short = prose().filter(|block| (1..=LABEL_WORDS).contains(&block.words.len())).count();
    let of = |plain| {
        prose().filter_map(move |block| Some((label(context, block, plain)?, range_of(&block.words))))
    };
    // What is a name anywhere goes before what is one in a table.
    of(false).chain((short >= TABLE_CELLS).then(|| of(true)).into_iter().flatten()).collect()
}

/// The block's words where they are a name and nothing else: letters, no punctuation between them, no sentence.
fn label(context: &Context, block: &Block, in_table: bool) -> Option<String> {
    let (last, inner) = block.words.split_last()?;
    if inner.is_empty() {
        return single(last, in_table);
    }
    let is_plain = |word: &Word| {
        word.before.is_empty() && (word.is_code || word.text.chars().all(|c| c.is_alphabetic() || c == '-'))
    };
    let is_name = block.words.len() <= LABEL_WORDS
        && block.words.iter().all(is_plain)
        && block.words.iter().all(|word| word.after.is_empty())
        && !last.lower().ends_with("ed")
        && may_end(&last.lower());
    is_name.then(|| subject(context, &block.words, true))?.map(|subject| subject.text)
}

/// A cell of one word is a name where it is code or no word of the language: `slug`, SciFact. In tables the heads of
/// columns and rows are names, too.
fn single(word: &Word, in_table: bool) -> Option<String> {
    let is_bare = word.before.is_empty() && word.after.is_empty();
    let inner = word.text.get(1..)?;
    let is_name = word.text.len() > 2
        && word.text.starts_with(char::is_alphabetic)
        && (word.is_code || inner.contains(char::is_uppercase) || in_table && is_plain_noun(word));
    (is_bare && is_name && word.text.len() <= 40).then(|| word.text.clone())
}

/// Whether a head of a column may be asked about as it is: lower case, letters and hyphens, no verb's form.
fn is_plain_noun(word: &Word) -> bool {
    let is_lower = |c: char| c.is_lowercase() || c == '-';
    word.text.len() > 3
        && word.text.chars().all(is_lower)
        && !word.text.ends_with("ed")
        && may_end(&word.text)
}
