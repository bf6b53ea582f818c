//! The forward pass of BERT's encoder: token ids in, one vector of length 1 per text out.
//!
//! Texts of a batch are laid end to end as the rows of one matrix `[tokens, hidden]`. Linear layers do not care
//! whose row is whose, so they run over all rows at once; attention runs per text, over the rows between its
//! bounds. Nothing is padded, so nothing has to be masked, and no arithmetic is spent on padding.
//!
//! Tensor names are upstream's (`encoder.layer.0.attention.self.query.weight`). Symbols of Vaswani et al.,
//! "Attention Is All You Need" (2017), section 3.2: Q `query`, K `key`, V `value`, d_k `head_size`.

mod embeddings;
mod kernel;
mod layer;
mod ops;

use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::WeightFile;
use candle_core::Tensor;
use embeddings::Embeddings;
use layer::Layer;
use std::ops::Range;

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

    /// One vector of length 1 per text. A text is its ids, special tokens included; none may be empty.
    pub(crate) fn forward(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, ModelError> {
        let bounds = bounds(texts);
        let mut hidden = self.embeddings.forward(texts)?;
        for layer in &self.layers {
            hidden = layer.forward(hidden, &bounds)?;
        }
        self.pool(&hidden, &bounds)
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
fn bounds(texts: &[&[u32]]) -> Vec<Range<usize>> {
    let mut start = 0;
    let next = |ids: &&[u32]| {
        let rows = start..start + ids.len();
        start = rows.end;
        rows
    };
    texts.iter().map(next).collect()
}
