//! Where the tests find models, and the arithmetic to compare vectors.
#![allow(dead_code, reason = "each test binary uses its own part")]

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::path::PathBuf;

/// The three files of a model.
pub(crate) struct Files {
    pub(crate) weights: Vec<u8>,
    pub(crate) tokenizer: Vec<u8>,
    pub(crate) config: Vec<u8>,
}

fn read(directory: PathBuf) -> Option<Files> {
    let file = |name| std::fs::read(directory.join(name)).ok();
    Some(Files {
        weights: file("model.safetensors")?,
        tokenizer: file("tokenizer.json")?,
        config: file("config.json")?,
    })
}

/// all-MiniLM-L6-v2 from `$QUERENT_MODELS` or the default cache.
///
/// # Panics
/// When it was not fetched: a test that needs the weights must not pass without them.
pub(crate) fn mini_lm() -> Files {
    fetched("all-MiniLM-L6-v2")
}

/// ms-marco-MiniLM-L-12-v2 from the same place.
///
/// # Panics
/// When it was not fetched.
pub(crate) fn reranker() -> Files {
    fetched("ms-marco-MiniLM-L-12-v2")
}

fn fetched(name: &str) -> Files {
    let models = std::env::var_os("QUERENT_MODELS").map(PathBuf::from).unwrap_or_else(|| {
        let home = std::env::var_os("HOME").expect("HOME is set");
        PathBuf::from(home).join(".cache/querent/models")
    });
    let directory = models.join(name);
    read(directory.clone()).unwrap_or_else(|| {
        panic!("no weights in {}: run `./build.sh setup`, or set QUERENT_MODELS", directory.display())
    })
}

/// The committed model with random weights.
pub(crate) fn tiny() -> Files {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/tiny");
    read(directory).expect("models/tiny is committed")
}

/// The same model under a head of made-up numbers, its tensors named as upstream names a classifier's.
pub(crate) fn tiny_reranker() -> Files {
    let mut files = tiny();
    let encoder = SafeTensors::deserialize(&files.weights).expect("is committed");
    let numbers = |count: usize| -> Vec<u8> {
        let number = |at: usize| (at * 37 % 101) as f32 / 50.0 - 1.0;
        (0..count).flat_map(|at| number(at).to_le_bytes()).collect()
    };
    let head = [
        ("bert.pooler.dense.weight", vec![32, 32]),
        ("bert.pooler.dense.bias", vec![32]),
        ("classifier.weight", vec![1, 32]),
        ("classifier.bias", vec![1]),
    ];
    let head = head.map(|(name, shape)| {
        let bytes = numbers(shape.iter().product());
        (name.to_owned(), Dtype::F32, shape, bytes)
    });
    let tensors = encoder.tensors().into_iter();
    let tensors = tensors.map(|(name, view)| {
        (format!("bert.{name}"), view.dtype(), view.shape().to_vec(), view.data().to_vec())
    });
    let all: Vec<_> = tensors.chain(head).collect();
    let views = all.iter().map(|(name, kind, shape, bytes)| {
        (name, TensorView::new(*kind, shape.clone(), bytes).expect("fits its shape"))
    });
    files.weights = safetensors::serialize(views, None).expect("can be written");
    files
}

/// The cosine of two vectors of length 1.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum()
}

/// The greatest difference of two numbers in the same place.
pub(crate) fn difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max)
}
