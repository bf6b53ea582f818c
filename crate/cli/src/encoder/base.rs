//! The base that a build starts from: which file, and whether it fits.

use crate::{build::hexadecimal, progress};
use anyhow::{Context, Result, bail};
use querent_core::{
    embedding::ModelIdentity,
    query_encoder::{BaseError, BaseRecipe, Rows},
};
use sha2::{Digest, Sha256};
use std::{fs, path::Path, str::FromStr};

/// The base that the program brings along: `models/query-encoder.base`, made by `./build.sh encoder`.
static SHIPPED: &[u8] = include_bytes!("../../../../models/query-encoder.base");

/// What `--encoder-base` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(from = "String")]
pub(crate) enum BaseChoice {
    /// The program's own.
    #[default]
    Shipped,
    /// None: rows start from the pieces alone.
    None,
    /// This file.
    File(std::path::PathBuf),
}

impl BaseChoice {
    /// The file, where one was named.
    pub(crate) fn file_mut(&mut self) -> Option<&mut std::path::PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Shipped | Self::None => None,
        }
    }
}

impl From<String> for BaseChoice {
    fn from(text: String) -> Self {
        if text == "none" { Self::None } else { Self::File(text.into()) }
    }
}

impl FromStr for BaseChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::from(text.to_owned()))
    }
}

/// A base that was read.
#[derive(Debug)]
pub(crate) struct Base {
    /// Its rows.
    pub(crate) rows: Rows,
    /// What it was made of.
    pub(crate) recipe: BaseRecipe,
    /// SHA-256 of the file, hexadecimal.
    pub(crate) sha256: String,
}

impl Base {
    /// The base that `choice` names, for rows of `model`. The program's own is of one model; for another there is none.
    ///
    /// # Errors
    /// When a file cannot be read, or is of another model.
    pub(crate) fn load(choice: &BaseChoice, model: &ModelIdentity) -> Result<Option<Self>> {
        match choice {
            BaseChoice::None => Ok(None),
            BaseChoice::File(file) => Self::read(file, model).map(Some),
            BaseChoice::Shipped => {
                let base =
                    Self::from_bytes(SHIPPED).context("the program's own base of the query encoder")?;
                if base.recipe.model != *model {
                    let own = &base.recipe.model;
                    progress::detail(&format!(
                        "query encoder: no base for the model {model}, the program's own is for {own}"
                    ));
                    return Ok(None);
                }
                Ok(Some(base))
            }
        }
    }

    fn read(file: &Path, model: &ModelIdentity) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let base = Self::from_bytes(&bytes).with_context(|| file.display().to_string())?;
        if base.recipe.model != *model {
            bail!(
                "{}: expected a base for the model {model}, found one for {}; train one with `querent encoder train`",
                file.display(),
                base.recipe.model
            );
        }
        Ok(base)
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, BaseError> {
        let (rows, recipe) = Rows::from_bytes(bytes)?;
        Ok(Self { rows, recipe, sha256: hexadecimal(&Sha256::digest(bytes)) })
    }
}
