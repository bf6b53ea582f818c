//! A query's embedding without the model: a table of rows, one per word piece.
//!
//! Documents are embedded by the full model when the index is built. The query's side of it is replaced by a table: the
//! text is split into the model's word pieces, the pieces' rows are added up, and the sum is brought to length 1.
//! [`fit`] makes the rows at build time such that the sum lands near the model's embedding of the same text. A query
//! needs a handful of rows and microseconds, where the model needs 20 MB and tens of milliseconds.
//!
//! ```text
//! write side   pieces alone, or a base trained on other text -> Rows
//!              Rows, sentences and the model's embeddings of them -> fit -> Rows
//!              Rows, questions and the chunks that answer them -> refine -> Rows -> Table -> files
//! read side    text -> word pieces (vocabulary) -> rows, asked for file by file -> vector (reader)
//! ```
//!
//! What is lost is word order and what words mean beside one another: the table is between words and the model, and
//! docs/decisions/0015 has the numbers.
//!
//! The split equals that of the model's tokenizer for texts in Latin, Greek and Cyrillic letters and in ideographs
//! (`crate/model/tests/word_pieces.rs` compares them).

mod fit;
mod normalise;
mod reader;
mod refine;
mod rows;
mod sentences;
mod table;
mod vocabulary;

pub use fit::{Example, FitSettings, fit};
pub use reader::{Encoded, EncoderHead, EncoderRows};
pub use refine::{Pair, RefineSettings, refine};
pub use rows::{BaseError, BaseRecipe, BaseSource, Rows};
pub use sentences::{Sampled, sample, sample_evenly, training_texts};
pub use table::Table;
pub use vocabulary::{PieceId, Vocabulary};
