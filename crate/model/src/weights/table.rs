//! The word embeddings: a table of which a text touches a few rows.

use super::{Values, WeightFile, floats};
use crate::ModelError;

/// Rows that are read one at a time. A pack's table stays in bytes, so that the browser's memory holds a quarter
/// of what the full table takes: it is half of the model's weights.
pub(crate) struct Table {
    columns: usize,
    rows: Rows,
}

enum Rows {
    Full(Vec<f32>),
    Int8 { group: usize, numbers: Vec<u8>, scales: Vec<f32> },
}

impl Table {
    /// The tensor called `name` with `rows` rows of `columns` numbers.
    pub(crate) fn new(
        file: &WeightFile<'_>,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Self, ModelError> {
        let rows = match file.get(name, &[rows, columns])?.values {
            Values::Int8 { group, numbers, scales } => {
                Rows::Int8 { group, numbers: numbers.to_vec(), scales: floats(scales).collect() }
            }
            _ => Rows::Full(file.numbers(name, &[rows, columns])?),
        };
        Ok(Self { columns, rows })
    }

    /// Adds row `index` to `sum`. A row beyond the table adds nothing: ids come from a tokenizer whose
    /// vocabulary was checked against the table when the model was loaded.
    pub(crate) fn add_row(&self, index: usize, sum: &mut [f32]) {
        let range = index * self.columns..(index + 1) * self.columns;
        match &self.rows {
            Rows::Full(all) => {
                let row = all.get(range).unwrap_or_default();
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            Rows::Int8 { group, numbers, scales } => {
                let group = (*group).max(1);
                let row = numbers.get(range.clone()).unwrap_or_default();
                let scales = scales.get(range.start / group..).unwrap_or_default();
                for ((sum, bytes), scale) in sum.chunks_mut(group).zip(row.chunks(group)).zip(scales) {
                    sum.iter_mut().zip(bytes).for_each(|(sum, &byte)| *sum += f32::from(byte as i8) * scale);
                }
            }
        }
    }
}
