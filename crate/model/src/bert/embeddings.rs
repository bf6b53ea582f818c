//! The first stage: a row per token, from its word, its position and the segment.

use super::Tokens;
use super::kernel;
use super::ops::{Norm, in_rows};
use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::{Table, WeightFile};
use candle_core::{Device, Tensor};

/// Word, position and token-type embeddings with their normalisation.
pub(super) struct Embeddings {
    words: Table,
    /// Row per position, the embedding of token type 0 added to each: an embedder sees one segment only.
    positions: Vec<f32>,
    /// What token type 1 has beside type 0. Empty where the model knows one type.
    second_type: Vec<f32>,
    norm: Norm,
    hidden_size: usize,
}

impl Embeddings {
    pub(super) fn load(file: &WeightFile<'_>, config: &BertConfig) -> Result<Self, ModelError> {
        let hidden_size = config.hidden_size;
        let name = |part: &str| format!("embeddings.{part}_embeddings.weight");
        let words = Table::new(file, &name("word"), config.vocab_size, hidden_size)?;
        let mut positions =
            file.numbers(&name("position"), &[config.max_position_embeddings, hidden_size])?;
        let types = file.numbers(&name("token_type"), &[config.type_vocab_size, hidden_size])?;
        for position in positions.chunks_exact_mut(hidden_size) {
            position.iter_mut().zip(&types).for_each(|(number, of_type)| *number += of_type);
        }
        let norm = Norm::load(file, "embeddings.LayerNorm", config)?;
        let (first, others) = types.split_at(hidden_size);
        let second_type = others.iter().zip(first).map(|(second, first)| second - first).collect();
        Ok(Self { words, positions, second_type, norm, hidden_size })
    }

    /// `[tokens of all texts, hidden]`.
    pub(super) fn forward(&self, texts: &[Tokens<'_>]) -> Result<Tensor, ModelError> {
        let tokens = texts.iter().map(|text| text.ids.len()).sum::<usize>();
        let mut rows = Vec::with_capacity(tokens * self.hidden_size);
        for text in texts {
            for (nth, (position, &id)) in
                self.positions.chunks_exact(self.hidden_size).zip(text.ids).enumerate()
            {
                let start = rows.len();
                rows.extend_from_slice(position);
                self.words.add_row(id as usize, &mut rows[start..]);
                if nth >= text.first {
                    kernel::add(&mut rows[start..], &self.second_type);
                }
            }
        }
        let hidden = Tensor::from_vec(rows, (tokens, self.hidden_size), &Device::Cpu)?;
        in_rows(&hidden, |row| self.norm.apply(row))?;
        Ok(hidden)
    }
}
