//! One layer of the encoder: attention, then the feed-forward part, each added to its input and normalised.

use super::kernel;
use super::ops::{Norm, in_rows, in_rows_with};
use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::WeightFile;
use candle_core::Tensor;
use std::ops::Range;

/// A linear layer, `x W + b` with `W` as `[inputs, outputs]`. The bias is added by whoever touches the product
/// next, so that it costs no pass of its own.
pub(super) struct Linear {
    pub weight: Tensor,
    pub bias: Vec<f32>,
}

impl Linear {
    /// Stacks the layers called `names`, each of `inputs` to `outputs` numbers, into one.
    pub(super) fn load(
        file: &WeightFile<'_>,
        names: &[String],
        outputs: usize,
        inputs: usize,
    ) -> Result<Self, ModelError> {
        let weights: Vec<_> = names.iter().map(|name| format!("{name}.weight")).collect();
        let mut bias = Vec::with_capacity(names.len() * outputs);
        for name in names {
            bias.extend(file.numbers(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Self { weight: file.linear(&weights, outputs, inputs)?, bias })
    }
}

/// The tensors of one layer.
pub(super) struct Layer {
    /// Query, key and value in one product.
    query_key_value: Linear,
    attended: Linear,
    attended_norm: Norm,
    intermediate: Linear,
    output: Linear,
    output_norm: Norm,
    heads: usize,
}

impl Layer {
    pub(super) fn load(file: &WeightFile<'_>, config: &BertConfig, nth: usize) -> Result<Self, ModelError> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{nth}.{part}");
        let parts = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Self {
            query_key_value: Linear::load(file, &parts, hidden, hidden)?,
            attended: Linear::load(file, &[name("attention.output.dense")], hidden, hidden)?,
            attended_norm: Norm::load(file, &name("attention.output.LayerNorm"), config)?,
            intermediate: Linear::load(file, &[name("intermediate.dense")], inner, hidden)?,
            output: Linear::load(file, &[name("output.dense")], hidden, inner)?,
            output_norm: Norm::load(file, &name("output.LayerNorm"), config)?,
            heads: config.num_attention_heads,
        })
    }

    /// `[tokens, hidden]` to the same shape. `bounds` are the rows of each text.
    pub(super) fn forward(&self, hidden: Tensor, bounds: &[Range<usize>]) -> Result<Tensor, ModelError> {
        let attended = self.attention(&hidden, bounds)?.matmul(&self.attended.weight)?;
        in_rows_with(&attended, &hidden, |row, before| {
            kernel::add_both(row, &self.attended.bias, before);
            self.attended_norm.apply(row);
        })?;

        let inner = attended.matmul(&self.intermediate.weight)?;
        in_rows(&inner, |row| kernel::gelu(row, &self.intermediate.bias))?;
        let output = inner.matmul(&self.output.weight)?;
        in_rows_with(&output, &attended, |row, before| {
            kernel::add_both(row, &self.output.bias, before);
            self.output_norm.apply(row);
        })?;
        Ok(output)
    }

    /// `softmax(Q K^T / sqrt(d_k)) V` per text and head, heads side by side: `[tokens, hidden]`.
    fn attention(&self, hidden: &Tensor, bounds: &[Range<usize>]) -> Result<Tensor, ModelError> {
        let (tokens, size) = hidden.dims2()?;
        let head_size = size / self.heads;
        let factor = 1.0 / (head_size as f32).sqrt();
        let projected = hidden.matmul(&self.query_key_value.weight)?;
        in_rows(&projected, |row| kernel::add(row, &self.query_key_value.bias))?;
        let projected = projected.reshape((tokens, 3, self.heads, head_size))?;

        let mut contexts = Vec::with_capacity(bounds.len());
        for rows in bounds {
            // [heads, tokens of the text, d_k], as views into the rows above.
            let part = |nth: usize| {
                projected.narrow(0, rows.start, rows.len())?.narrow(1, nth, 1)?.squeeze(1)?.transpose(0, 1)
            };
            let (query, key, value) = (part(0)?, part(1)?, part(2)?);
            let scores = query.matmul(&key.transpose(1, 2)?)?;
            in_rows(&scores, |row| kernel::softmax(row, factor))?;
            contexts.push(scores.matmul(&value)?.transpose(0, 1)?.reshape((rows.len(), size))?);
        }
        match contexts.len() {
            1 => Ok(contexts.remove(0)),
            _ => Ok(Tensor::cat(&contexts, 0)?),
        }
    }
}
