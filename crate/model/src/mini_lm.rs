//! The model's public face.

use crate::batch;
use crate::bert::Bert;
use crate::config::BertConfig;
use crate::hash::{hexadecimal, sha256};
use crate::tokenizer::{BertTokenizer, TokenizerSpec};
use crate::weights::WeightFile;
use crate::{ModelError, pack};
use querent_core::embedding::{Embedder, EmbeddingError, ModelIdentity, TokenCounter};

/// Weights that have a name. Others are named by their hash.
const KNOWN_WEIGHTS: [(&str, &str); 1] = [(
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "sentence-transformers/all-MiniLM-L6-v2",
)];

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
        let identity = identity(weights, tokenizer_json, &config);
        Self::assemble(&WeightFile::from_safetensors(weights)?, &spec, &config, identity)
    }

    /// A model from the bytes that [`pack::pack`] made. The bytes are not needed afterwards.
    ///
    /// # Errors
    /// When the bytes are no pack, a pack of another version, or not the bytes that were written.
    pub fn from_pack(bytes: &[u8]) -> Result<Self, ModelError> {
        let pack = pack::read(bytes)?;
        Self::assemble(&pack.weights, &pack.tokenizer, &pack.config, pack.identity)
    }

    fn assemble(
        weights: &WeightFile<'_>,
        spec: &TokenizerSpec,
        config: &BertConfig,
        identity: ModelIdentity,
    ) -> Result<Self, ModelError> {
        // Some models round the table's rows up; an id without a row would have no embedding.
        if spec.pieces.len() > config.vocab_size {
            let (pieces, rows) = (spec.pieces.len(), config.vocab_size);
            let reason = format!("vocabulary: expected at most {rows} pieces by config.json, got {pieces}");
            return Err(ModelError::Tokenizer { reason });
        }
        let tokenizer = BertTokenizer::new(spec)?;
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
        let ids = texts.iter().map(|text| self.tokenize(text)).collect::<Result<Vec<_>, _>>()?;
        let lengths: Vec<usize> = ids.iter().map(Vec::len).collect();
        let batches = batch::plan(&lengths);
        let done = batch::run(&batches, |batch| {
            self.bert.forward(&batch.iter().map(|&index| ids[index].as_slice()).collect::<Vec<_>>())
        })?;
        let mut vectors = vec![Vec::new(); texts.len()];
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

/// Names the model by its files.
fn identity(weights: &[u8], tokenizer_json: &[u8], config: &BertConfig) -> ModelIdentity {
    let weights_sha256 = hexadecimal(&sha256(weights));
    let known = KNOWN_WEIGHTS.iter().find(|(hash, _)| *hash == weights_sha256);
    let id = known.map_or_else(|| format!("local/{}", &weights_sha256[..12]), |(_, id)| (*id).to_owned());
    ModelIdentity {
        id,
        weights_sha256,
        tokenizer_sha256: hexadecimal(&sha256(tokenizer_json)),
        dimensions: config.hidden_size as u32,
        max_tokens: config.max_tokens() as u32,
    }
}
