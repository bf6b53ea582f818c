//! From documents to postings: which terms stand in which fields of which chunks.

use super::{ids::ChunkId, writer::PreparedDocument};
use crate::{
    document::SpanKind,
    lexical::{FIELD_COUNT, FIELDS, Field, FieldLen, Language, Posting, TermFreqs, indexed_words},
};
use std::collections::BTreeMap;

/// All postings of a segment, by term.
#[derive(Debug, Default)]
pub(super) struct Inverted {
    pub(super) terms: BTreeMap<String, Vec<Posting>>,
    pub(super) field_lens: [Vec<FieldLen>; FIELD_COUNT],
}

/// The fields of one chunk while they are read.
#[derive(Default)]
struct ChunkFields {
    freqs: BTreeMap<String, TermFreqs>,
    lens: TermFreqs,
}

impl Inverted {
    /// Adds the chunks of `prepared`, in order.
    pub(super) fn add(&mut self, prepared: &PreparedDocument) {
        for position in 0..prepared.chunks.len() {
            let fields = read_chunk(prepared, position);
            let chunk = ChunkId(self.field_lens[0].len() as u32);
            for (term, term_freqs) in fields.freqs {
                self.terms.entry(term).or_default().push(Posting { chunk, term_freqs });
            }
            for (lens, len) in self.field_lens.iter_mut().zip(fields.lens) {
                lens.push(FieldLen::encode(len));
            }
        }
    }
}

fn read_chunk(prepared: &PreparedDocument, position: usize) -> ChunkFields {
    let PreparedDocument { document, chunks, questions } = prepared;
    let mut fields = ChunkFields::default();
    if position == 0 {
        fields.add(Field::Title, &document.title, 1.0);
    }
    for (range, span) in document.spans_in(chunks[position].range.clone()) {
        let field = match span.kind {
            SpanKind::Heading => Field::Heading,
            SpanKind::Prose | SpanKind::InlineCode => Field::Body,
            SpanKind::Code => Field::Code,
            SpanKind::Break => continue,
        };
        fields.add(field, &document.text[range], span.weight);
    }
    for question in questions[position].iter().filter(|question| question.is_searched()) {
        fields.add(Field::Question, &question.question_text, 1.0);
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
        let stems =
            self.freqs.iter().filter_map(|(term, freqs)| Some((language.distant_stem(term)?, *freqs)));
        for (stem, freqs) in stems.collect::<Vec<_>>() {
            let total = self.freqs.entry(stem).or_default();
            for field in FIELDS.into_iter().filter(|&field| field != Field::Code) {
                total[field as usize] += freqs[field as usize];
            }
        }
        self.freqs.retain(|_, freqs| freqs.iter().any(|&freq| freq > 0));
    }

    /// Counts the words of `text`; `weight` is how often each counts, rounded, at least once unless it is 0.
    fn add(&mut self, field: Field, text: &str, weight: f32) {
        if weight <= 0.0 {
            return;
        }
        let times = weight.round().clamp(1.0, 10.0) as u32;
        for word in indexed_words(text) {
            self.lens[field as usize] += 1;
            for term in word.terms {
                self.freqs.entry(term).or_default()[field as usize] += times;
            }
        }
    }
}
