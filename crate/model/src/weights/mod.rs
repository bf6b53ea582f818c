//! Named tensors in the bytes of a weights file, not yet copied.
//!
//! A safetensors file and a pack both become a [`WeightFile`]; the forward pass asks it for tensors by upstream's
//! names and the shapes that the configuration demands, and neither knows nor cares which file they came from.

mod quantised;
mod table;

pub(crate) use quantised::{group_of, quantise};
pub(crate) use table::Table;

use crate::ModelError;
use candle_core::{Device, Tensor};
use safetensors::{Dtype, SafeTensors};
use std::collections::BTreeMap;

/// How a tensor's numbers lie in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Values<'a> {
    /// Little-endian f32.
    Full(&'a [u8]),
    /// One signed byte per number and one f32 factor per `group` numbers.
    Int8 { group: usize, numbers: &'a [u8], scales: &'a [u8] },
    /// Present, but of a type that is not read; the name says which.
    Other(&'static str),
}

/// A tensor of a file. The length of its values agrees with its shape.
#[derive(Debug, Clone)]
pub(crate) struct StoredTensor<'a> {
    pub shape: Vec<usize>,
    pub values: Values<'a>,
}

/// The tensors of a file by upstream's names.
#[derive(Debug, Default)]
pub(crate) struct WeightFile<'a> {
    pub tensors: BTreeMap<String, StoredTensor<'a>>,
}

impl<'a> WeightFile<'a> {
    /// Reads the directory of a safetensors file. Models with a head name their encoder's tensors `bert.` and so on;
    /// the same tensors have the same names here with and without one.
    pub(crate) fn from_safetensors(bytes: &'a [u8]) -> Result<Self, ModelError> {
        let file = SafeTensors::deserialize(bytes)
            .map_err(|error| ModelError::Weights { reason: error.to_string() })?;
        let mut tensors = BTreeMap::new();
        for (name, view) in file.iter() {
            let values = match view.dtype() {
                Dtype::F32 => Values::Full(view.data()),
                Dtype::F16 => Values::Other("F16"),
                Dtype::BF16 => Values::Other("BF16"),
                Dtype::F64 => Values::Other("F64"),
                _ => Values::Other("integer"),
            };
            let name = name.strip_prefix("bert.").unwrap_or(name);
            tensors.insert(name.to_owned(), StoredTensor { shape: view.shape().to_vec(), values });
        }
        Ok(Self { tensors })
    }

    /// The tensor called `name`, which must have `shape`.
    pub(crate) fn get(&self, name: &str, shape: &[usize]) -> Result<&StoredTensor<'a>, ModelError> {
        let tensor =
            self.tensors.get(name).ok_or_else(|| ModelError::MissingTensor { name: name.to_owned() })?;
        if tensor.shape != shape {
            return Err(ModelError::WrongShape {
                name: name.to_owned(),
                expected: shape.to_vec(),
                got: tensor.shape.clone(),
            });
        }
        if let Values::Other(got) = tensor.values {
            return Err(ModelError::WrongType { name: name.to_owned(), got: got.to_owned() });
        }
        Ok(tensor)
    }

    /// All numbers of a tensor as f32, row after row.
    pub(crate) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        let tensor = self.get(name, shape)?;
        Ok(match tensor.values {
            Values::Full(bytes) => floats(bytes).collect(),
            Values::Int8 { group, numbers, scales } => {
                let groups = numbers.chunks(group.max(1)).zip(floats(scales));
                let number = |byte: &u8, scale| f32::from(*byte as i8) * scale;
                groups.flat_map(|(some, scale)| some.iter().map(move |byte| number(byte, scale))).collect()
            }
            Values::Other(_) => Vec::new(),
        })
    }

    /// One or more matrices `[outputs, inputs]` of a linear layer, stacked by outputs and turned to
    /// `[inputs, outputs]`: the product with a row of activations then reads them in the order they lie in.
    pub(crate) fn linear(
        &self,
        names: &[String],
        outputs: usize,
        inputs: usize,
    ) -> Result<Tensor, ModelError> {
        let all = names.len() * outputs;
        let mut turned = vec![0.0; inputs * all];
        for (nth, name) in names.iter().enumerate() {
            let matrix = self.numbers(name, &[outputs, inputs])?;
            for (output, row) in matrix.chunks_exact(inputs).enumerate() {
                for (input, number) in row.iter().enumerate() {
                    turned[input * all + nth * outputs + output] = *number;
                }
            }
        }
        Ok(Tensor::from_vec(turned, (inputs, all), &Device::Cpu)?)
    }
}

/// Little-endian f32 numbers.
pub(crate) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}
