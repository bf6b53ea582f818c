//! What makes a classifier of the encoder: the pooler and one linear layer.

use super::kernel;
use super::layer::Linear;
use super::ops::in_rows;
use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::WeightFile;
use candle_core::{Device, Tensor};
use std::ops::Range;

/// `classifier(tanh(pooler(row of [CLS])))`, one number.
pub(crate) struct Head {
    pooler: Linear,
    classifier: Vec<f32>,
    bias: f32,
}

impl Head {
    /// Loads the tensors of a head with one label.
    pub(crate) fn load(file: &WeightFile<'_>, config: &BertConfig) -> Result<Self, ModelError> {
        let hidden = config.hidden_size;
        let pooler = Linear::load(file, &["pooler.dense".to_owned()], hidden, hidden)?;
        let classifier = file.numbers("classifier.weight", &[1, hidden])?;
        let bias = file.numbers("classifier.bias", &[1])?.iter().sum();
        Ok(Self { pooler, classifier, bias })
    }

    /// One number per text, from its first row.
    pub(super) fn forward(&self, hidden: &Tensor, bounds: &[Range<usize>]) -> Result<Vec<f32>, ModelError> {
        let firsts: Vec<u32> = bounds.iter().map(|rows| rows.start as u32).collect();
        let firsts = Tensor::new(firsts, &Device::Cpu)?;
        let pooled = hidden.index_select(&firsts, 0)?.matmul(&self.pooler.weight)?;
        in_rows(&pooled, |row| kernel::tanh(row, &self.pooler.bias))?;
        let rows = pooled.to_vec2::<f32>()?;
        rows.iter().map(|row| self.logit(row)).collect()
    }

    fn logit(&self, row: &[f32]) -> Result<f32, ModelError> {
        let logit =
            row.iter().zip(&self.classifier).map(|(number, weight)| number * weight).sum::<f32>() + self.bias;
        if logit.is_finite() {
            return Ok(logit);
        }
        Err(ModelError::Compute { reason: format!("expected a finite score, got {logit}") })
    }
}
