//! Lexical search: terms, postings and BM25F.
//!
//! Takes text by field and gives, for every term, the chunks that hold it. A text becomes words
//! (`tokenize`), a word one or more terms: the word itself in lower case and, for identifiers, its parts. Only
//! surface forms are indexed. What else a query's word may match — other forms of its stem, longer words that
//! it begins — is found in the term dictionary when the query is known (`expand`), because surface forms that
//! share a stem stand next to each other there: one mechanism, no second set of postings.
//!
//! Postings are by chunk; documents are scored on the sums over their chunks (`score`).

mod bm25;
mod expand;
mod field;
mod fold;
mod form;
mod language;
mod positions;
mod postings;
mod score;
mod script;
mod stop_words;
mod terms;
mod tokenize;
mod typo;

pub use bm25::{Bm25fSettings, FieldSettings, idf};
pub use expand::{
    Alternative, AlternativeKind, ExpansionLimits, alternatives, dictionary_prefixes, english_prefix,
    folded_alternative, typo_alternative, typo_stretches,
};
pub use field::{FIELD_COUNT, FIELDS, Field, FieldLen, TermFreqs};
pub use fold::{alias_of, fold, unmarked};
pub use form::{forms_in, is_form, whole_form};
pub use language::{Language, SegmentLanguage};
pub use positions::{PositionsReader, PositionsWriter};
pub use postings::{Posting, PostingsReader, PostingsWriter};
pub(crate) use score::merge_postings;
pub use score::{ChunkFreqs, LexicalScorer, TermMatches};
pub use script::{IndexedWord, indexed_words, is_character, query_words};
pub use stop_words::is_stop_word;
pub use terms::{TermDictionary, TermDictionaryWriter};
pub use tokenize::{Word, atoms_in, atoms_of, terms_of, words};
