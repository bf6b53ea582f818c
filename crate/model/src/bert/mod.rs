//! The forward pass of BERT's encoder: token ids in, one vector of length 1 per text out, or one number per pair of
//! texts from the head of a classifier.
//!
//! Texts of a batch are laid end to end as the rows of one matrix `[tokens, hidden]`. Linear layers do not care
//! whose row is whose, so they run over all rows at once; attention runs per text, over the rows between its
//! bounds. Nothing is padded, so nothing has to be masked, and no arithmetic is spent on padding.
//!
//! Tensor names are upstream's (`encoder.layer.0.attention.self.query.weight`). Symbols of Vaswani et al.,
//! "Attention Is All You Need" (2017), section 3.2: Q `query`, K `key`, V `value`, d_k `head_size`.

mod embeddings;
mod head;
mod kernel;
mod layer;
mod ops;

use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::WeightFile;
use candle_core::Tensor;
use embeddings::Embeddings;
pub(crate) use head::Head;
use layer::Layer;
use std::ops::Range;

/// The tokens of one text, or of two texts in one row, special tokens included. There is at least one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tokens<'a> {
    pub ids: &'a [u32],
    /// How many belong to the first text: they are of token type 0, the others of type 1.
    pub first: usize,
}

/// A loaded encoder.
pub(crate) struct Bert {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    hidden_size: usize,
}

impl Bert {
    /// Loads the tensors that `config` demands from `file`.
    pub(crate) fn load(file: &WeightFile<'_>, config: &BertConfig) -> Result<Self, ModelError> {
        let embeddings = Embeddings::load(file, config)?;
        let layers = (0..config.num_hidden_layers)
            .map(|nth| Layer::load(file, config, nth))
            .collect::<Result<_, _>>()?;
        Ok(Self { embeddings, layers, hidden_size: config.hidden_size })
    }

    /// One vector of length 1 per text.
    pub(crate) fn forward(&self, texts: &[Tokens<'_>]) -> Result<Vec<Vec<f32>>, ModelError> {
        let bounds = bounds(texts);
        self.pool(&self.encode(texts, &bounds)?, &bounds)
    }

    /// What `head` says of each text.
    pub(crate) fn classify(&self, texts: &[Tokens<'_>], head: &Head) -> Result<Vec<f32>, ModelError> {
        let bounds = bounds(texts);
        head.forward(&self.encode(texts, &bounds)?, &bounds)
    }

    /// The last layer's rows: `[tokens of all texts, hidden]`.
    fn encode(&self, texts: &[Tokens<'_>], bounds: &[Range<usize>]) -> Result<Tensor, ModelError> {
        let mut hidden = self.embeddings.forward(texts)?;
        for layer in &self.layers {
            hidden = layer.forward(hidden, bounds)?;
        }
        Ok(hidden)
    }

    /// The mean over each text's tokens, brought to length 1.
    fn pool(&self, hidden: &Tensor, bounds: &[Range<usize>]) -> Result<Vec<Vec<f32>>, ModelError> {
        let numbers = hidden.flatten_all()?.to_vec1::<f32>()?;
        let size = self.hidden_size;
        let texts = bounds.iter().map(|rows| &numbers[rows.start * size..rows.end * size]);
        texts.map(|rows| kernel::unit(kernel::sum_of_rows(rows, size))).collect()
    }
}

/// The rows that each text occupies.
fn bounds(texts: &[Tokens<'_>]) -> Vec<Range<usize>> {
    let mut start = 0;
    let next = |text: &Tokens<'_>| {
        let rows = start..start + text.ids.len();
        start = rows.end;
        rows
    };
    texts.iter().map(next).collect()
}
