//! The base that a build starts from: which file, and whether it fits.

use crate::{build::hexadecimal, places, progress};
use anyhow::{Context, Result, bail};
use querent_core::{
    embedding::ModelIdentity,
    query_encoder::{BaseRecipe, Rows},
};
use sha2::{Digest, Sha256};
use std::{fs, path::Path, str::FromStr};

/// The file's name beside the models.
const FILE: &str = "query-encoder.base";

/// What `--encoder-base` says.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(from = "String")]
pub(crate) enum BaseChoice {
    /// The base beside the models, where there is one.
    #[default]
    Found,
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
            Self::Found | Self::None => None,
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
    /// The base that `choice` names, for rows of `model`.
    ///
    /// # Errors
    /// When a file that was asked for cannot be read, or is of another model. One that was only found is passed over
    /// with a warning.
    pub(crate) fn load(choice: &BaseChoice, model: &ModelIdentity) -> Result<Option<Self>> {
        match choice {
            BaseChoice::None => Ok(None),
            BaseChoice::File(file) => Self::read(file, model).map(Some),
            BaseChoice::Found => {
                let file = places::model(None, FILE)?;
                if !file.exists() {
                    progress::detail(
                        "query encoder: no base beside the models; ./build.sh encoder trains one",
                    );
                    return Ok(None);
                }
                let base = Self::read(&file, model);
                Ok(base
                    .map_err(|error| progress::warn(&format!("query encoder, without a base: {error:#}")))
                    .ok())
            }
        }
    }

    fn read(file: &Path, model: &ModelIdentity) -> Result<Self> {
        let bytes = fs::read(file).with_context(|| format!("{}: cannot be read", file.display()))?;
        let (rows, recipe) = Rows::from_bytes(&bytes).with_context(|| file.display().to_string())?;
        if recipe.model != *model {
            bail!(
                "{}: expected a base for the model {model}, found one for {}; train one with `querent encoder train`",
                file.display(),
                recipe.model
            );
        }
        Ok(Self { rows, recipe, sha256: hexadecimal(&Sha256::digest(&bytes)) })
    }
}
