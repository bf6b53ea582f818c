//! Text to token ids: BERT's WordPiece.
//!
//! The library's own JSON reader could load `tokenizer.json` as it is. We read the file ourselves into
//! [`TokenizerSpec`] and build the tokenizer from that, for two reasons: the browser's pack stores the spec in a
//! third of the JSON's bytes and must give the same ids, and a tokenizer of another kind has to be refused
//! instead of quietly giving other ids.

use crate::ModelError;
use crate::config::BertConfig;
use ahash::AHashMap;
use serde::{Deserialize, Serialize};
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;
use tokenizers::{AddedToken, Tokenizer};

/// Everything that decides which ids a text gets. `pieces[id]` is the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TokenizerSpec {
    pub clean_text: bool,
    pub handle_chinese_chars: bool,
    pub strip_accents: Option<bool>,
    pub lowercase: bool,
    pub unk_token: String,
    pub continuing_subword_prefix: String,
    pub max_input_chars_per_word: usize,
    /// Tokens that are recognised in the text before anything else is done to it.
    pub special_tokens: Vec<String>,
    /// Kept out of the pack's header: the pack has a section of its own for it.
    #[serde(skip)]
    pub pieces: Vec<String>,
}

/// The parts of `tokenizer.json` that are read. Truncation and padding are ours, not the file's.
#[derive(Deserialize)]
struct File {
    normalizer: Normalizer,
    pre_tokenizer: Kind,
    model: Model,
    #[serde(default)]
    added_tokens: Vec<Added>,
}

#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

#[derive(Deserialize)]
struct Normalizer {
    r#type: String,
    clean_text: Option<bool>,
    handle_chinese_chars: Option<bool>,
    strip_accents: Option<bool>,
    lowercase: Option<bool>,
}

#[derive(Deserialize)]
struct Model {
    r#type: Option<String>,
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    vocab: std::collections::HashMap<String, u32>,
}

#[derive(Deserialize)]
struct Added {
    id: u32,
    content: String,
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, ModelError> {
    Err(ModelError::Tokenizer { reason: reason.into() })
}

impl TokenizerSpec {
    /// Reads `tokenizer.json`.
    pub(crate) fn from_json(json: &[u8]) -> Result<Self, ModelError> {
        let file: File = match serde_json::from_slice(json) {
            Ok(file) => file,
            Err(error) => return refuse(error.to_string()),
        };
        for (part, expected, got) in [
            ("normalizer", "BertNormalizer", file.normalizer.r#type.as_str()),
            ("pre_tokenizer", "BertPreTokenizer", file.pre_tokenizer.r#type.as_str()),
            ("model", "WordPiece", file.model.r#type.as_deref().unwrap_or("WordPiece")),
        ] {
            if expected != got {
                return refuse(format!("{part}: expected {expected}, got {got}"));
            }
        }
        let pieces = pieces_by_id(file.model.vocab)?;
        for added in &file.added_tokens {
            if pieces.get(added.id as usize) != Some(&added.content) {
                return refuse(format!("added token {:?}: expected it in the vocabulary", added.content));
            }
        }
        Ok(Self {
            clean_text: file.normalizer.clean_text.unwrap_or(true),
            handle_chinese_chars: file.normalizer.handle_chinese_chars.unwrap_or(true),
            strip_accents: file.normalizer.strip_accents,
            lowercase: file.normalizer.lowercase.unwrap_or(true),
            unk_token: file.model.unk_token,
            continuing_subword_prefix: file.model.continuing_subword_prefix,
            max_input_chars_per_word: file.model.max_input_chars_per_word,
            special_tokens: file.added_tokens.into_iter().map(|added| added.content).collect(),
            pieces,
        })
    }
}

/// The vocabulary in the order of its ids, which must be 0, 1, 2 and so on without a gap.
fn pieces_by_id(vocab: std::collections::HashMap<String, u32>) -> Result<Vec<String>, ModelError> {
    let mut pieces = vec![None; vocab.len()];
    for (piece, id) in vocab {
        if piece.contains('\n') {
            return refuse(format!("piece {id}: expected no line feed, got {piece:?}"));
        }
        match pieces.get_mut(id as usize) {
            Some(slot) => *slot = Some(piece),
            None => return refuse(format!("vocabulary: expected ids without a gap, got {id} for {piece:?}")),
        }
    }
    match pieces.into_iter().collect() {
        Some(pieces) => Ok(pieces),
        None => refuse("vocabulary: expected ids without a gap, got two pieces with one id"),
    }
}

/// A tokenizer with the ids that frame every text.
pub(crate) struct BertTokenizer {
    tokenizer: Tokenizer,
    cls: u32,
    sep: u32,
}

/// The framed ids of two texts: `[CLS] first [SEP] second [SEP]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub ids: Vec<u32>,
    /// Ids up to the first `[SEP]`, which is one of them.
    pub first: usize,
}

impl BertTokenizer {
    /// The tokenizer for a model with `config`.
    pub(crate) fn for_model(spec: &TokenizerSpec, config: &BertConfig) -> Result<Self, ModelError> {
        // Some models round the table's rows up; an id without a row would have no embedding.
        if spec.pieces.len() > config.vocab_size {
            let (pieces, rows) = (spec.pieces.len(), config.vocab_size);
            return refuse(format!(
                "vocabulary: expected at most {rows} pieces by config.json, got {pieces}"
            ));
        }
        Self::new(spec)
    }

    /// Builds the tokenizer that `spec` describes.
    pub(crate) fn new(spec: &TokenizerSpec) -> Result<Self, ModelError> {
        let id_of = |token: &str| match spec.pieces.iter().position(|piece| piece == token) {
            Some(id) => Ok(id as u32),
            None => refuse(format!("vocabulary: expected the token {token:?}, got none")),
        };
        let (cls, sep) = (id_of("[CLS]")?, id_of("[SEP]")?);
        id_of(&spec.unk_token)?;
        let vocab: AHashMap<String, u32> = spec.pieces.iter().cloned().zip(0..).collect();
        let model = WordPiece::builder()
            .vocab(vocab)
            .unk_token(spec.unk_token.clone())
            .continuing_subword_prefix(spec.continuing_subword_prefix.clone())
            .max_input_chars_per_word(spec.max_input_chars_per_word)
            .build()
            .map_err(library)?;
        let mut tokenizer = Tokenizer::new(model);
        let normalizer = BertNormalizer::new(
            spec.clean_text,
            spec.handle_chinese_chars,
            spec.strip_accents,
            spec.lowercase,
        );
        tokenizer.with_normalizer(Some(normalizer)).map_err(library)?;
        tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
        tokenizer
            .add_special_tokens(
                spec.special_tokens.iter().map(|token| AddedToken::from(token.as_str(), true)),
            )
            .map_err(library)?;
        Ok(Self { tokenizer, cls, sep })
    }

    /// `[CLS]`, at most `max_tokens - 2` ids of the text, `[SEP]`.
    pub(crate) fn encode(&self, text: &str, max_tokens: usize) -> Result<Vec<u32>, ModelError> {
        let kept = self.pieces(text, max_tokens.saturating_sub(2))?;
        let mut ids = Vec::with_capacity(kept.len() + 2);
        ids.push(self.cls);
        ids.extend_from_slice(&kept);
        ids.push(self.sep);
        Ok(ids)
    }

    /// Frames `first`, the framed ids of a text, together with the pieces of `second`, which are cut so that both
    /// have at most `max_tokens`.
    pub(crate) fn pair(&self, first: &[u32], second: &str, max_tokens: usize) -> Result<Pair, ModelError> {
        let pieces = self.pieces(second, max_tokens.saturating_sub(first.len() + 1))?;
        let mut ids = Vec::with_capacity(first.len() + pieces.len() + 1);
        ids.extend_from_slice(first);
        ids.extend(pieces);
        ids.push(self.sep);
        Ok(Pair { ids, first: first.len() })
    }

    /// At most `limit` ids of the text alone.
    fn pieces(&self, text: &str, limit: usize) -> Result<Vec<u32>, ModelError> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(library)?;
        let pieces = encoding.get_ids();
        Ok(pieces[..pieces.len().min(limit)].to_vec())
    }

    /// All pieces in the order of their ids.
    pub(crate) fn vocabulary(&self) -> Vec<String> {
        let size = self.tokenizer.get_vocab_size(true) as u32;
        (0..size).map(|id| self.tokenizer.id_to_token(id).unwrap_or_default()).collect()
    }

    /// `[CLS]`, the piece, `[SEP]`.
    pub(crate) fn frame(&self, piece: u32) -> [u32; 3] {
        [self.cls, piece, self.sep]
    }

    /// Ids of the text alone, none cut off.
    pub(crate) fn count(&self, text: &str) -> Result<usize, ModelError> {
        Ok(self.tokenizer.encode_fast(text, false).map_err(library)?.len())
    }
}

fn library(error: tokenizers::Error) -> ModelError {
    ModelError::Tokenizer { reason: error.to_string() }
}
