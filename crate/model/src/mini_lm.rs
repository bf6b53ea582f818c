//! The model's public face.

use crate::ModelError;
use crate::batch;
use crate::bert::{Bert, Tokens};
use crate::config::BertConfig;
use crate::identity;
use crate::pack::{self, PackKind};
use crate::tokenizer::{BertTokenizer, TokenizerSpec};
use crate::weights::WeightFile;
use querent_core::embedding::{Embedder, EmbeddingError, ModelIdentity, TokenCounter};

/// A sentence encoder: texts in, vectors of length 1 out.
///
/// About 90 MB of memory with the full weights, 55 MB from a pack. Loading takes a few hundred milliseconds,
/// most of it for the hash of the weights.
pub struct MiniLm {
    bert: Bert,
    tokenizer: BertTokenizer,
    identity: ModelIdentity,
}

impl MiniLm {
    /// A model from the files that sentence-transformers publishes: `model.safetensors` with f32 numbers,
    /// `tokenizer.json` and `config.json`. The bytes are not needed afterwards.
    ///
    /// # Errors
    /// When a file cannot be read, a tensor is absent or of another shape, or the files describe a model or a
    /// tokenizer of another architecture.
    pub fn from_bytes(weights: &[u8], tokenizer_json: &[u8], config_json: &[u8]) -> Result<Self, ModelError> {
        let config = BertConfig::from_json(config_json)?;
        let spec = TokenizerSpec::from_json(tokenizer_json)?;
        let identity = identity::of(weights, tokenizer_json, &config, config.max_tokens());
        Self::assemble(&WeightFile::from_safetensors(weights)?, &spec, &config, identity)
    }

    /// A model from the bytes that [`pack::pack`] made. The bytes are not needed afterwards.
    ///
    /// # Errors
    /// When the bytes are no pack, a pack of another version, or not the bytes that were written.
    pub fn from_pack(bytes: &[u8]) -> Result<Self, ModelError> {
        let pack = pack::read(bytes, PackKind::Embedder)?;
        Self::assemble(&pack.weights, &pack.tokenizer, &pack.config, pack.identity)
    }

    fn assemble(
        weights: &WeightFile<'_>,
        spec: &TokenizerSpec,
        config: &BertConfig,
        identity: ModelIdentity,
    ) -> Result<Self, ModelError> {
        let tokenizer = BertTokenizer::for_model(spec, config)?;
        Ok(Self { bert: Bert::load(weights, config)?, tokenizer, identity })
    }

    /// The name under which its vectors are stored, the model itself given up.
    pub(crate) fn into_identity(self) -> ModelIdentity {
        self.identity
    }

    /// The ids that the model sees: `[CLS]`, the text's pieces, `[SEP]`, at most `max_tokens` in all.
    ///
    /// # Errors
    /// When the tokenizer fails; no text is known that makes it.
    pub fn tokenize(&self, text: &str) -> Result<Vec<u32>, ModelError> {
        self.tokenizer.encode(text, self.identity.max_tokens as usize)
    }

    /// One vector of length 1 per text, in the order of the texts. The empty text has one, too.
    ///
    /// Texts are grouped by length into batches of about a thousand tokens. On native targets rayon's threads
    /// share the batches; `RAYON_NUM_THREADS` limits them.
    ///
    /// # Errors
    /// When the arithmetic fails, which weights that are not a model's can cause and texts cannot.
    pub fn embed_batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_ids(&texts.iter().map(|text| self.tokenize(text)).collect::<Result<Vec<_>, _>>()?)
    }

    /// The word pieces in the order of their ids.
    pub fn vocabulary(&self) -> Vec<String> {
        self.tokenizer.vocabulary()
    }

    /// One vector of length 1 for each of the pieces with these ids, as if it were a text of its own: what a
    /// [table](querent_core::query_encoder) starts from.
    ///
    /// # Errors
    /// As [`Self::embed_batch`].
    pub fn embed_pieces(&self, ids: std::ops::Range<u32>) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_ids(&ids.map(|id| self.tokenizer.frame(id).to_vec()).collect::<Vec<_>>())
    }

    fn embed_ids(&self, ids: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, ModelError> {
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let batches = batch::plan(&lengths);
        let done = batch::run(&batches, |batch| {
            let tokens = |&index: &usize| Tokens { ids: &ids[index], first: ids[index].len() };
            self.bert.forward(&batch.iter().map(tokens).collect::<Vec<_>>())
        })?;
        let mut vectors = vec![Vec::new(); ids.len()];
        for (index, vector) in batches.into_iter().flatten().zip(done.into_iter().flatten()) {
            vectors[index] = vector;
        }
        Ok(vectors)
    }
}

impl Embedder for MiniLm {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        Ok(self.embed_batch(texts)?)
    }
}

impl TokenCounter for MiniLm {
    fn count(&self, text: &str) -> usize {
        // A text that the tokenizer cannot encode is counted as its bytes, which no text of pieces exceeds.
        self.tokenizer.count(text).unwrap_or(text.len())
    }
}

impl std::fmt::Debug for MiniLm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MiniLm").field("identity", &self.identity).finish_non_exhaustive()
    }
}
