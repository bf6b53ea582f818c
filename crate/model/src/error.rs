//! What can be wrong with a model's bytes.

/// A model could not be loaded, packed or run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The weights are not a readable safetensors file.
    #[error("the weights are not a safetensors file: {reason}; fetch them again with `./build.sh setup`")]
    Weights {
        /// What the parser said.
        reason: String,
    },
    /// A tensor that the architecture needs is absent.
    #[error("the weights lack the tensor `{name}`; use weights of a BERT encoder with upstream's names")]
    MissingTensor {
        /// Upstream's name of the tensor.
        name: String,
    },
    /// A tensor has another shape than the configuration says.
    #[error(
        "tensor `{name}`: expected shape {expected:?}, got {got:?}; weights and config.json must be of one model"
    )]
    WrongShape {
        /// Upstream's name of the tensor.
        name: String,
        /// Rows and columns by the configuration.
        expected: Vec<usize>,
        /// Rows and columns in the file.
        got: Vec<usize>,
    },
    /// A tensor's numbers are of a type that is not read.
    #[error("tensor `{name}`: expected numbers of type F32, got {got}; convert the weights to F32")]
    WrongType {
        /// Upstream's name of the tensor.
        name: String,
        /// The type in the file.
        got: String,
    },
    /// The configuration cannot be read, or describes a model that this crate does not run.
    #[error("config.json: {reason}; use the configuration of a BERT encoder such as all-MiniLM-L6-v2")]
    Config {
        /// Which field, what was expected, what was found.
        reason: String,
    },
    /// The tokenizer cannot be read, or is not BERT's WordPiece.
    #[error("tokenizer.json: {reason}; use the tokenizer of a BERT encoder such as all-MiniLM-L6-v2")]
    Tokenizer {
        /// Which part, what was expected, what was found.
        reason: String,
    },
    /// The bytes do not begin as a pack does.
    #[error(
        "not a model pack: expected the magic `{expected}`, got `{got}`; make one with `querent model pack`"
    )]
    NotAPack {
        /// The first bytes of every pack.
        expected: String,
        /// The first bytes that were found.
        got: String,
    },
    /// The pack is of another format version.
    #[error("model pack of version {got}, expected {expected}; make it again with `querent model pack`")]
    PackVersion {
        /// The version that this program reads.
        expected: u32,
        /// The version in the bytes.
        got: u32,
    },
    /// The pack's model does something else.
    #[error("a model pack of {got}, expected one of {expected}; name the other pack")]
    PackKind {
        /// What was to be loaded.
        expected: &'static str,
        /// What the pack holds.
        got: &'static str,
    },
    /// The pack's bytes are not those that were written.
    #[error("damaged model pack: expected {expected}, got {got}; fetch it again")]
    PackDamaged {
        /// The stored checksum, or what a field must hold.
        expected: String,
        /// The computed checksum, or what the field holds.
        got: String,
    },
    /// The arithmetic failed.
    #[error("the model failed: {reason}; check the weights with `querent model verify`")]
    Compute {
        /// What the library said.
        reason: String,
    },
}

impl From<candle_core::Error> for ModelError {
    fn from(error: candle_core::Error) -> Self {
        Self::Compute { reason: error.to_string() }
    }
}

impl From<ModelError> for querent_core::embedding::EmbeddingError {
    fn from(error: ModelError) -> Self {
        Self { reason: error.to_string() }
    }
}
