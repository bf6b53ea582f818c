//! Where weights and caches are kept.

use anyhow::{Context, Result};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The folder of a model below the folder of models.
pub(crate) const MINILM: &str = "all-MiniLM-L6-v2";

/// The folder of the cross-encoder below the folder of models.
pub(crate) const RERANKER: &str = "ms-marco-MiniLM-L-12-v2";

/// The folder for what can be made or fetched again: `QUERENT_CACHE`, else `querent` in `XDG_CACHE_HOME`, else
/// `~/.cache/querent`.
///
/// # Errors
/// When none of the variables is set.
pub(crate) fn cache() -> Result<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("QUERENT_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|base| base.join("querent")))
        .or_else(|| named("HOME").or_else(|| named("USERPROFILE")).map(|home| home.join(".cache/querent")))
        .context("no folder for caches; expected QUERENT_CACHE, XDG_CACHE_HOME or HOME to be set")
}

/// The folder of MiniLM's weights: `given` (`--model`), else below `QUERENT_MODELS`, else below the cache.
///
/// `QUERENT_MODELS` may also name the model's own folder.
///
/// # Errors
/// As [`cache`].
pub(crate) fn minilm(given: Option<&Path>) -> Result<PathBuf> {
    let folder = model(given, MINILM)?;
    let models = folder.parent().filter(|_| given.is_none() && !folder.is_dir());
    Ok(models
        .filter(|models| models.join("model.safetensors").is_file())
        .map(Path::to_owned)
        .unwrap_or(folder))
}

/// The place of the model called `name`: `given`, else below `QUERENT_MODELS`, else below the cache.
///
/// # Errors
/// As [`cache`].
pub(crate) fn model(given: Option<&Path>, name: &str) -> Result<PathBuf> {
    if let Some(folder) = given {
        return Ok(folder.to_owned());
    }
    let named = env::var_os("QUERENT_MODELS").filter(|value| !value.is_empty()).map(PathBuf::from);
    let models = named.map_or_else(|| cache().map(|cache| cache.join("models")), Ok)?;
    Ok(models.join(name))
}
