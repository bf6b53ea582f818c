//! From documents to postings: which terms stand in which fields of which chunks.

use super::{ids::ChunkId, writer::PreparedDocument};
use crate::{
    document::SpanKind,
    lexical::{
        FIELD_COUNT, FIELDS, Field, FieldLen, Language, PositionsWriter, Posting, TermFreqs, alias_of,
        atoms_in, atoms_of, forms_in, indexed_words, is_form, unmarked, whole_form,
    },
};
use std::{collections::BTreeMap, ops::Range};

/// All postings of a segment, by term.
#[derive(Debug, Default)]
pub(super) struct Inverted {
    pub(super) terms: BTreeMap<String, Vec<Posting>>,
    /// The same terms: where each posting's chunk holds them.
    pub(super) positions: BTreeMap<String, PositionsWriter>,
    pub(super) field_lens: [Vec<FieldLen>; FIELD_COUNT],
}

/// The fields of one chunk while they are read.
#[derive(Default)]
struct ChunkFields {
    freqs: BTreeMap<String, TermFreqs>,
    positions: BTreeMap<String, Vec<u32>>,
    /// Positions that are taken.
    taken: u32,
    lens: TermFreqs,
}

impl Inverted {
    /// Adds the chunks of `prepared`, in order.
    pub(super) fn add(&mut self, prepared: &PreparedDocument) {
        for position in 0..prepared.chunks.len() {
            let fields = read_chunk(prepared, position);
            let chunk = ChunkId(self.field_lens[0].len() as u32);
            for (term, term_freqs) in fields.freqs {
                let positions = fields.positions.get(&term).map_or(&[][..], Vec::as_slice);
                self.positions.entry(term.clone()).or_default().push(positions);
                self.terms.entry(term).or_default().push(Posting { chunk, term_freqs });
            }
            for (lens, len) in self.field_lens.iter_mut().zip(fields.lens) {
                lens.push(FieldLen::encode(len));
            }
        }
    }
}

fn read_chunk(prepared: &PreparedDocument, position: usize) -> ChunkFields {
    let PreparedDocument { document, chunks, questions, contexts } = prepared;
    let mut fields = ChunkFields::default();
    if position == 0 {
        fields.add(Field::Title, &document.title, 1.0);
        fields.end_block();
    }
    for (range, span) in document.spans_in(chunks[position].range.clone()) {
        let field = match span.kind {
            SpanKind::Heading => Field::Heading,
            SpanKind::Prose | SpanKind::InlineCode => Field::Body,
            SpanKind::Code => Field::Code,
            SpanKind::Break => {
                fields.end_block();
                continue;
            }
        };
        let is_whole = matches!(span.kind, SpanKind::InlineCode | SpanKind::Heading);
        fields.add(field, &document.text[range.clone()], span.weight);
        fields.add_forms(field, &document.text[range], is_whole, span.weight);
    }
    for question in questions[position].iter().filter(|question| question.is_searched()) {
        fields.add(Field::Question, &question.question_text, 1.0);
    }
    if let Some(context) = contexts.get(position) {
        fields.add(Field::Context, &context.text, 1.0);
    }
    if let Some(language) = document.language.as_deref().and_then(Language::of_tag) {
        fields.add_distant_stems(language);
    }
    fields
}

impl ChunkFields {
    /// Counts words besides by the stems under which a query finds them that does not come upon their forms. Code is
    /// in no language.
    fn add_distant_stems(&mut self, language: Language) {
        let words = self.freqs.iter().filter(|(term, _)| unmarked(term).is_none() && !is_form(term));
        let stems = words.filter_map(|(term, freqs)| Some((language.distant_stem(term)?, *freqs)));
        for (stem, freqs) in stems.collect::<Vec<_>>() {
            let total = self.freqs.entry(stem).or_default();
            for field in FIELDS.into_iter().filter(|&field| field != Field::Code) {
                total[field as usize] += freqs[field as usize];
            }
        }
        self.freqs.retain(|_, freqs| freqs.iter().any(|&freq| freq > 0));
    }

    /// Leaves a position out, so that no phrase goes on in the next block.
    fn end_block(&mut self) {
        self.taken += 1;
    }

    /// Counts the words of `text`; `weight` is how often each counts, rounded, at least once unless it is 0.
    fn add(&mut self, field: Field, text: &str, weight: f32) {
        if weight <= 0.0 {
            return;
        }
        let times = times(weight);
        for word in indexed_words(text) {
            self.lens[field as usize] += 1;
            let atoms = atoms_of(word.word.text);
            for term in word.terms {
                let places = atoms_in(&term, &atoms);
                let alias = alias_of(&term);
                for term in [Some(term), alias].into_iter().flatten() {
                    self.add_term(field, term, places.clone(), times);
                }
            }
            self.taken += atoms.len().max(1) as u32;
        }
    }

    /// Counts a term of the next word, which stands at `places` of it.
    fn add_term(&mut self, field: Field, term: String, places: Range<usize>, times: u32) {
        if field.is_of_document() {
            let places = places.map(|atom| self.taken + 1 + atom as u32);
            self.positions.entry(term.clone()).or_default().extend(places);
        }
        self.freqs.entry(term).or_default()[field as usize] += times;
    }

    /// Counts the forms in `text`, and all of it as one if `is_whole`. They are no words of their own, so the field gets
    /// no longer.
    fn add_forms(&mut self, field: Field, text: &str, is_whole: bool, weight: f32) {
        if weight <= 0.0 {
            return;
        }
        let mut forms = Vec::new();
        forms_in(text, &mut |form| forms.push(form));
        forms.extend(whole_form(text).filter(|whole| is_whole && !forms.contains(whole)));
        for form in forms {
            self.freqs.entry(form).or_default()[field as usize] += times(weight);
        }
    }
}

/// How often an occurrence of this weight counts.
fn times(weight: f32) -> u32 {
    weight.round().clamp(1.0, 10.0) as u32
}
