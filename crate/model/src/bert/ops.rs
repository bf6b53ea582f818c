//! Row-wise arithmetic on tensors, in place.
//!
//! candle's own operations each read and write the whole tensor, and its exponential and error function are
//! scalar; on this model they take longer than the matrix products. Here a closure gets each row while it is
//! in the cache, and the arithmetic of `kernel` compiles to SIMD instructions.

use super::kernel;
use crate::ModelError;
use crate::config::BertConfig;
use crate::weights::WeightFile;
use candle_core::{CpuStorage, InplaceOp1, InplaceOp2, Layout, Result, Tensor, bail};

/// Calls `apply` on every row (last dimension) of `tensor`, which must be contiguous.
pub(super) fn in_rows(tensor: &Tensor, apply: impl Fn(&mut [f32])) -> std::result::Result<(), ModelError> {
    let columns = tensor.dim(candle_core::D::Minus1)?;
    Ok(tensor.inplace_op1(&Rows { columns, apply })?)
}

/// Calls `apply` on every row of `tensor` and the row of `other` in the same place.
pub(super) fn in_rows_with(
    tensor: &Tensor,
    other: &Tensor,
    apply: impl Fn(&mut [f32], &[f32]),
) -> std::result::Result<(), ModelError> {
    let columns = tensor.dim(candle_core::D::Minus1)?;
    Ok(tensor.inplace_op2(other, &RowsWith { columns, apply })?)
}

struct Rows<F> {
    columns: usize,
    apply: F,
}

impl<F: Fn(&mut [f32])> InplaceOp1 for Rows<F> {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let rows = contiguous_mut(storage, layout)?.chunks_exact_mut(self.columns.max(1));
        rows.for_each(&self.apply);
        Ok(())
    }
}

struct RowsWith<F> {
    columns: usize,
    apply: F,
}

impl<F: Fn(&mut [f32], &[f32])> InplaceOp2 for RowsWith<F> {
    fn name(&self) -> &'static str {
        "rows with"
    }

    fn cpu_fwd(
        &self,
        storage: &mut CpuStorage,
        layout: &Layout,
        other: &CpuStorage,
        other_layout: &Layout,
    ) -> Result<()> {
        let Some((start, end)) = other_layout.contiguous_offsets() else {
            bail!("expected a contiguous tensor, got strides {:?}", other_layout.stride());
        };
        let others = other.as_slice::<f32>()?[start..end].chunks_exact(self.columns.max(1));
        let rows = contiguous_mut(storage, layout)?.chunks_exact_mut(self.columns.max(1));
        rows.zip(others).for_each(|(row, other)| (self.apply)(row, other));
        Ok(())
    }
}

fn contiguous_mut<'a>(storage: &'a mut CpuStorage, layout: &Layout) -> Result<&'a mut [f32]> {
    let Some((start, end)) = layout.contiguous_offsets() else {
        bail!("expected a contiguous tensor, got strides {:?}", layout.stride());
    };
    match storage {
        CpuStorage::F32(numbers) => Ok(&mut numbers[start..end]),
        _ => bail!("expected f32 numbers, got another type"),
    }
}

/// Layer normalisation (Ba et al., "Layer Normalization", 2016) with its learned factor and offset.
pub(super) struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    /// The tensors `name.weight` and `name.bias`.
    pub(super) fn load(
        file: &WeightFile<'_>,
        name: &str,
        config: &BertConfig,
    ) -> std::result::Result<Self, ModelError> {
        let vector = |part: &str| file.numbers(&format!("{name}.{part}"), &[config.hidden_size]);
        Ok(Self { weight: vector("weight")?, bias: vector("bias")?, epsilon: config.layer_norm_eps })
    }

    /// Normalises one row in place.
    #[inline(always)]
    pub(super) fn apply(&self, row: &mut [f32]) {
        kernel::normalise(row, &self.weight, &self.bias, self.epsilon);
    }
}
