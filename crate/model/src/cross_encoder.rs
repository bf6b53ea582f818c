//! The reranker: a query and a passage in one row, one number out.

use crate::ModelError;
use crate::batch;
use crate::bert::{Bert, Head, Tokens};
use crate::config::BertConfig;
use crate::identity;
use crate::pack::{self, PackKind};
use crate::tokenizer::{BertTokenizer, TokenizerSpec};
use crate::weights::WeightFile;
use querent_core::embedding::ModelIdentity;
use querent_core::rerank::{RerankError, Reranker};

/// Tokens of a pair where nothing else is asked for. Twice as many take twice as long, and chunks seldom have more.
const DEFAULT_TOKENS: usize = 256;
/// Fewest tokens of a pair: three special ones and some of each text.
const FEWEST_TOKENS: usize = 16;

/// What a logit is divided by before it becomes a relevance. The model was trained with 1, which makes most passages
/// either 0 or 1 to three digits; then the fused score decides among all that it finds good (docs/decisions/0006).
const TEMPERATURE: f32 = 2.0;

/// A cross-encoder for passages: how well does this passage answer this query?
///
/// About 130 MB of memory with the full weights, 100 MB from a pack. A pair of 256 tokens takes some 11 thousand
/// million multiplications, so tens of milliseconds natively and more than a hundred in a browser: score few, and
/// those that matter first.
pub struct CrossEncoder {
    bert: Bert,
    head: Head,
    tokenizer: BertTokenizer,
    identity: ModelIdentity,
    max_tokens: usize,
}

impl CrossEncoder {
    /// A model from the files that its authors publish: `model.safetensors` with f32 numbers, `tokenizer.json` and
    /// `config.json`. The bytes are not needed afterwards.
    ///
    /// # Errors
    /// When a file cannot be read, a tensor is absent or of another shape (the head has one label), or the files
    /// describe a model or a tokenizer of another architecture.
    pub fn from_bytes(weights: &[u8], tokenizer_json: &[u8], config_json: &[u8]) -> Result<Self, ModelError> {
        let config = BertConfig::from_json(config_json)?;
        let spec = TokenizerSpec::from_json(tokenizer_json)?;
        let identity = identity::of(weights, tokenizer_json, &config, config.max_position_embeddings);
        Self::assemble(&WeightFile::from_safetensors(weights)?, &spec, &config, identity)
    }

    /// A model from the bytes that [`pack::pack_reranker`] made. The bytes are not needed afterwards.
    ///
    /// # Errors
    /// When the bytes are no pack, a pack of another version or of an embedder, or not the bytes that were written.
    pub fn from_pack(bytes: &[u8]) -> Result<Self, ModelError> {
        let pack = pack::read(bytes, PackKind::Reranker)?;
        Self::assemble(&pack.weights, &pack.tokenizer, &pack.config, pack.identity)
    }

    fn assemble(
        weights: &WeightFile<'_>,
        spec: &TokenizerSpec,
        config: &BertConfig,
        identity: ModelIdentity,
    ) -> Result<Self, ModelError> {
        if config.type_vocab_size < 2 || config.max_position_embeddings < FEWEST_TOKENS {
            let (types, positions) = (config.type_vocab_size, config.max_position_embeddings);
            let reason = format!(
                "a reranker: expected 2 token types and {FEWEST_TOKENS} positions, got {types} and {positions}"
            );
            return Err(ModelError::Config { reason });
        }
        let tokenizer = BertTokenizer::for_model(spec, config)?;
        let (bert, head) = (Bert::load(weights, config)?, Head::load(weights, config)?);
        let max_tokens = DEFAULT_TOKENS.min(config.max_position_embeddings);
        Ok(Self { bert, head, tokenizer, identity, max_tokens })
    }

    /// The same model for pairs of at most `max_tokens` tokens, special tokens included: 16 to what the model was
    /// trained to see, default 256. Less is faster and reads less of long passages.
    #[must_use]
    pub fn with_max_tokens(mut self, max_tokens: usize) -> Self {
        self.max_tokens = max_tokens.clamp(FEWEST_TOKENS, self.identity.max_tokens as usize);
        self
    }

    /// Which model this is.
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The model's number for each passage, in the order of the passages: about 10 for a passage that answers the
    /// query, about -11 for one that has nothing to do with it.
    ///
    /// The passage is cut where a pair is too long; a query is cut at half of a pair. Pairs are grouped by length
    /// into batches, as [`MiniLm::embed_batch`](crate::MiniLm::embed_batch) does it, without padding.
    ///
    /// # Errors
    /// When the arithmetic fails, which weights that are not a model's can cause and texts cannot.
    pub fn logits(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let query = self.tokenizer.encode(query, self.max_tokens / 2)?;
        let pair = |passage: &&str| self.tokenizer.pair(&query, passage, self.max_tokens);
        let pairs = passages.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        let lengths: Vec<usize> = pairs.iter().map(|pair| pair.ids.len()).collect();
        let batches = batch::plan(&lengths);
        let done = batch::run(&batches, |batch| {
            let tokens = |&index: &usize| Tokens { ids: &pairs[index].ids, first: pairs[index].first };
            self.bert.classify(&batch.iter().map(tokens).collect::<Vec<_>>(), &self.head)
        })?;
        let mut logits = vec![0.0; passages.len()];
        for (index, logit) in batches.into_iter().flatten().zip(done.into_iter().flatten()) {
            logits[index] = logit;
        }
        Ok(logits)
    }

    /// The ids that the model sees of a pair, and how many of them belong to the query.
    ///
    /// # Errors
    /// When the tokenizer fails; no text is known that makes it.
    pub fn tokenize(&self, query: &str, passage: &str) -> Result<(Vec<u32>, usize), ModelError> {
        let query = self.tokenizer.encode(query, self.max_tokens / 2)?;
        let pair = self.tokenizer.pair(&query, passage, self.max_tokens)?;
        Ok((pair.ids, pair.first))
    }
}

impl Reranker for CrossEncoder {
    /// The logistic function of half of [`CrossEncoder::logits`].
    fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let logits = self.logits(query, passages).map_err(|error| RerankError::Model(error.to_string()))?;
        Ok(logits.into_iter().map(|logit| 1.0 / (1.0 + (-logit / TEMPERATURE).exp())).collect())
    }
}

impl std::fmt::Debug for CrossEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CrossEncoder").field("identity", &self.identity).finish_non_exhaustive()
    }
}
