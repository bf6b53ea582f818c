//! Fitted rows before they are weighted, and the file of a base: rows that were fitted to a broad text once, for the
//! fits of many sites to start from.
//!
//! ```text
//! file   magic "QTBASE"; u16 version; u32 length of the recipe, the recipe as JSON;
//!        the vocabulary; u32 dimensions d; per piece u32: in how many texts it stands;
//!        per piece f32 scale, d signed bytes: the row is the bytes times the scale; SHA-256 of all before
//! ```

use super::{
    table::{Table, write_row},
    vocabulary::Vocabulary,
};
use crate::{embedding::ModelIdentity, segment::ByteReader};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const MAGIC: &[u8] = b"QTBASE";
const VERSION: u16 = 1;
const CHECKSUM: usize = 32;
/// Most numbers of a row; more is damage.
const MAX_DIMENSIONS: u32 = 1 << 16;

/// A row per word piece, before weights, and what they were fitted to so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The word pieces.
    pub vocabulary: Vocabulary,
    /// Numbers of a row.
    pub dimensions: usize,
    /// `vocabulary.len() * dimensions` numbers.
    pub rows: Vec<f32>,
    /// In how many of the texts each piece stands.
    pub frequencies: Vec<u32>,
    /// How many texts the rows were fitted to.
    pub texts: u32,
}

/// What a base was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaseRecipe {
    /// The model whose embeddings the rows were fitted to.
    pub model: ModelIdentity,
    /// Where the texts are from.
    pub sources: Vec<BaseSource>,
    /// Texts that the rows were fitted to.
    pub texts: u32,
    /// [`FitSettings::half_frequency`](super::FitSettings::half_frequency) of the fit.
    pub half_frequency: f32,
    /// [`FitSettings::ridge`](super::FitSettings::ridge) of the fit.
    pub ridge: f32,
}

/// One collection of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BaseSource {
    /// Its name.
    pub name: String,
    /// Documents of it that were read.
    pub documents: u32,
}

/// Why a file is no base.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BaseError {
    /// It begins as something else.
    #[error(
        "expected a base of the query encoder, found another file; make one with `querent encoder train`"
    )]
    Kind,
    /// Another version of the format.
    #[error(
        "expected version {expected} of the format, found {got}; make it again with `querent encoder train`"
    )]
    Version {
        /// The version that this code reads.
        expected: u16,
        /// The version of the file.
        got: u16,
    },
    /// The bytes are not those that were written.
    #[error("it is damaged: {reason}; make it again with `querent encoder train`")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
}

impl Rows {
    /// Rows that were fitted to nothing yet: the model's embeddings of the pieces, in the order of `vocabulary`.
    ///
    /// # Panics
    /// When `rows` are not as many as pieces.
    pub fn alone(vocabulary: Vocabulary, rows: Vec<f32>) -> Self {
        let dimensions = rows.len() / vocabulary.len().max(1);
        assert_eq!(rows.len(), vocabulary.len() * dimensions, "there is a row per piece");
        Self { dimensions, rows, frequencies: vec![0; vocabulary.len()], texts: 0, vocabulary }
    }

    /// What each piece counts in a text: `half / (half + its part of the texts)`, 0 to 1.
    pub fn weights(&self, half: f32) -> Vec<f32> {
        let all = self.texts.max(1) as f32;
        self.frequencies.iter().map(|&count| half / (half + (count as f32).max(0.5) / all)).collect()
    }

    /// The table of an index, its rows weighted.
    pub fn table(self, half: f32) -> Table {
        let weights = self.weights(half);
        let Self { vocabulary, dimensions, mut rows, frequencies, .. } = self;
        for (row, weight) in rows.chunks_exact_mut(dimensions.max(1)).zip(weights) {
            row.iter_mut().for_each(|number| *number *= weight);
        }
        Table { vocabulary, frequencies, dimensions, rows }
    }

    /// The file of a base; a row loses what a signed byte cannot hold.
    pub fn to_bytes(&self, recipe: &BaseRecipe) -> Vec<u8> {
        let recipe = serde_json::to_vec(recipe).expect("strings and numbers are always JSON");
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(recipe.len() as u32).to_le_bytes());
        out.extend_from_slice(&recipe);
        self.vocabulary.write(&mut out);
        out.extend_from_slice(&(self.dimensions as u32).to_le_bytes());
        out.extend(self.frequencies.iter().flat_map(|count| count.to_le_bytes()));
        self.rows.chunks_exact(self.dimensions.max(1)).for_each(|row| write_row(&mut out, row));
        let checksum = Sha256::digest(&out);
        out.extend_from_slice(&checksum);
        out
    }

    /// Reads what [`Self::to_bytes`] gave.
    ///
    /// # Errors
    /// What keeps `bytes` from being a base.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, BaseRecipe), BaseError> {
        let damaged = |reason: &str| BaseError::Damaged { reason: reason.to_owned() };
        let version =
            bytes.strip_prefix(MAGIC).and_then(|rest| rest.first_chunk::<2>()).ok_or(BaseError::Kind)?;
        let got = u16::from_le_bytes(*version);
        if got != VERSION {
            return Err(BaseError::Version { expected: VERSION, got });
        }
        let (content, checksum) =
            bytes.split_last_chunk::<CHECKSUM>().ok_or_else(|| damaged("it ends too early"))?;
        if Sha256::digest(content)[..] != checksum[..] {
            return Err(damaged("its checksum is another"));
        }
        let content = content.get(MAGIC.len() + 2..).ok_or_else(|| damaged("it ends too early"))?;
        let (mut rows, recipe) = read(content).map_err(|reason| BaseError::Damaged { reason })?;
        rows.texts = recipe.texts;
        Ok((rows, recipe))
    }
}

fn read(content: &[u8]) -> Result<(Rows, BaseRecipe), String> {
    let mut reader = ByteReader::new(content);
    let text = |error: crate::segment::DecodeError| error.to_string();
    let length = reader.u32().map_err(text)?;
    let recipe = reader.take(length as usize).map_err(text)?;
    let recipe: BaseRecipe =
        serde_json::from_slice(recipe).map_err(|error| format!("its recipe: {error}"))?;
    let vocabulary = Vocabulary::read(&mut reader).map_err(text)?;
    let dimensions = reader.u32().map_err(text)?;
    if !(1..=MAX_DIMENSIONS).contains(&dimensions) || dimensions != recipe.model.dimensions {
        return Err("its rows have another length than the model's vectors".into());
    }
    let dimensions = dimensions as usize;
    let frequencies = (0..vocabulary.len()).map(|_| reader.u32()).collect::<Result<_, _>>().map_err(text)?;
    let mut rows = Vec::with_capacity(vocabulary.len() * dimensions);
    for _ in 0..vocabulary.len() {
        let scale = f32::from_bits(reader.u32().map_err(text)?);
        rows.extend(reader.take(dimensions).map_err(text)?.iter().map(|&byte| scale * f32::from(byte as i8)));
    }
    if !reader.is_empty() {
        return Err("something stands behind its end".into());
    }
    Ok((Rows { vocabulary, dimensions, rows, frequencies, texts: 0 }, recipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> (Rows, BaseRecipe) {
        let vocabulary = Vocabulary::new(["a", "##b", "c"]);
        let mut rows = Rows::alone(vocabulary, vec![1.27, 0.01, -1.27, 0.5, 0.0, 0.0]);
        (rows.frequencies, rows.texts) = (vec![3, 0, 9], 90);
        let model = ModelIdentity {
            id: "m".into(),
            weights_sha256: "w".into(),
            tokenizer_sha256: "t".into(),
            dimensions: 2,
            max_tokens: 8,
        };
        let sources = vec![BaseSource { name: "a manual".into(), documents: 3 }];
        (rows, BaseRecipe { model, sources, texts: 90, half_frequency: 0.01, ridge: 0.3 })
    }

    #[test]
    fn bytes() {
        let (rows, recipe) = base();
        let bytes = rows.to_bytes(&recipe);
        let (read, read_recipe) = Rows::from_bytes(&bytes).expect("reads");
        assert_eq!(read_recipe, recipe);
        assert!(read.rows.iter().zip(&rows.rows).all(|(a, b)| (a - b).abs() < 0.006), "{:?}", read.rows);
        assert_eq!(Rows { rows: rows.rows.clone(), ..read }, rows);
        // Any change is seen, and nothing is read that is not whole.
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(Rows::from_bytes(&changed).is_err(), "{at}");
            assert!(Rows::from_bytes(&bytes[..at]).is_err(), "{at}");
        }
    }

    #[test]
    fn errors() {
        let (rows, recipe) = base();
        let mut later = rows.to_bytes(&recipe);
        later[MAGIC.len()] = 9;
        assert_eq!(Rows::from_bytes(&later), Err(BaseError::Version { expected: VERSION, got: 9 }));
        assert_eq!(Rows::from_bytes(b"<!doctype html>"), Err(BaseError::Kind));
        assert_eq!(Rows::from_bytes(b""), Err(BaseError::Kind));
    }

    #[test]
    fn frequent_pieces_count_less() {
        let (rows, _) = base();
        let weights = rows.weights(0.1);
        assert!((weights[2] - 0.5).abs() < 1e-6 && weights[1] > 0.9, "{weights:?}");
        let table = rows.clone().table(0.1);
        assert_eq!(table.rows[4], rows.rows[4] * weights[2]);
    }
}
