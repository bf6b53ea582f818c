//! A pack to tensors, tokenizer and configuration. Nothing in the bytes is trusted.

use super::{CHECKED_FROM, CHECKSUM_AT, Header, Kind, MAGIC, PackKind, VERSION};
use crate::ModelError;
use crate::config::BertConfig;
use crate::hash::{hexadecimal, sha256};
use crate::tokenizer::TokenizerSpec;
use crate::weights::{StoredTensor, Values, WeightFile};
use querent_core::embedding::ModelIdentity;

/// What a pack holds. The tensors are views into its bytes.
pub(crate) struct Pack<'a> {
    pub identity: ModelIdentity,
    pub config: BertConfig,
    pub tokenizer: TokenizerSpec,
    pub weights: WeightFile<'a>,
}

/// Reads a pack of `kind` after checking its checksum.
pub(crate) fn read(bytes: &[u8], kind: PackKind) -> Result<Pack<'_>, ModelError> {
    check_frame(bytes)?;
    let mut rest = &bytes[CHECKED_FROM..];
    let header_bytes = u32::from_le_bytes(take_array(&mut rest, "the header's length")?) as usize;
    let header: Header = serde_json::from_slice(take(&mut rest, header_bytes, "the header")?)
        .map_err(|error| damaged("a readable header", error.to_string()))?;
    if header.kind != kind {
        return Err(ModelError::PackKind { expected: kind.name(), got: header.kind.name() });
    }
    header.config.check()?;
    let mut tokenizer = header.tokenizer;
    tokenizer.pieces = vocabulary(take(&mut rest, header.vocabulary_bytes, "the vocabulary")?)?;

    let mut weights = WeightFile::default();
    for entry in header.tensors {
        let values = tensor(&mut rest, &entry.name, &entry.shape, entry.kind)?;
        weights.tensors.insert(entry.name, StoredTensor { shape: entry.shape, values });
    }
    if !rest.is_empty() {
        return Err(damaged("nothing behind the last tensor", format!("{} bytes", rest.len())));
    }
    check_identity(&header.identity, &header.config, kind)?;
    Ok(Pack { identity: header.identity, config: header.config, tokenizer, weights })
}

/// Magic, version and checksum.
fn check_frame(bytes: &[u8]) -> Result<(), ModelError> {
    if !bytes.starts_with(&MAGIC) {
        let got = String::from_utf8_lossy(&bytes[..bytes.len().min(MAGIC.len())]).into_owned();
        return Err(ModelError::NotAPack { expected: String::from_utf8_lossy(&MAGIC).into_owned(), got });
    }
    let mut rest = &bytes[MAGIC.len()..];
    let version = u32::from_le_bytes(take_array(&mut rest, "the version")?);
    if version != VERSION {
        return Err(ModelError::PackVersion { expected: VERSION, got: version });
    }
    if bytes.len() < CHECKED_FROM {
        return Err(damaged(format!("at least {CHECKED_FROM} bytes"), format!("{} bytes", bytes.len())));
    }
    let (stored, computed) = (&bytes[CHECKSUM_AT..CHECKED_FROM], sha256(&bytes[CHECKED_FROM..]));
    if stored != computed {
        return Err(damaged(
            format!("SHA-256 {}", hexadecimal(stored)),
            format!("{} over {} bytes", hexadecimal(&computed), bytes.len()),
        ));
    }
    Ok(())
}

/// An index trusts the identity, so it has to agree with what the configuration gives.
fn check_identity(identity: &ModelIdentity, config: &BertConfig, kind: PackKind) -> Result<(), ModelError> {
    let expected = (config.hidden_size, kind.positions(config));
    let got = (identity.dimensions as usize, identity.max_tokens as usize);
    if expected == got {
        return Ok(());
    }
    Err(damaged(
        format!("{} dimensions and {} tokens in the identity", expected.0, expected.1),
        format!("{} and {}", got.0, got.1),
    ))
}

fn vocabulary(bytes: &[u8]) -> Result<Vec<String>, ModelError> {
    let text =
        std::str::from_utf8(bytes).map_err(|error| damaged("a vocabulary in UTF-8", error.to_string()))?;
    Ok(text.split_terminator('\n').map(str::to_owned).collect())
}

/// Cuts the numbers of one tensor off `rest`.
fn tensor<'a>(
    rest: &mut &'a [u8],
    name: &str,
    shape: &[usize],
    kind: Kind,
) -> Result<Values<'a>, ModelError> {
    let product = |sizes: &[usize]| {
        let product = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
        product.ok_or_else(|| damaged("a shape that fits into memory", format!("{shape:?} for `{name}`")))
    };
    match kind {
        Kind::F32 => Ok(Values::Full(take(rest, product(&[shape, &[4]].concat())?, name)?)),
        Kind::Int8 { group } => {
            let [rows, columns] = *shape else {
                return Err(damaged(format!("two dimensions for `{name}`"), format!("{shape:?}")));
            };
            if group == 0 || !columns.is_multiple_of(group) {
                return Err(damaged(
                    format!("a divisor of {columns} as the group of `{name}`"),
                    group.to_string(),
                ));
            }
            let numbers = take(rest, product(&[rows, columns])?, name)?;
            Ok(Values::Int8 {
                group,
                numbers,
                scales: take(rest, product(&[rows, columns / group, 4])?, name)?,
            })
        }
    }
}

/// Cuts `count` bytes off `rest`.
fn take<'a>(rest: &mut &'a [u8], count: usize, what: &str) -> Result<&'a [u8], ModelError> {
    match rest.split_at_checked(count) {
        Some((taken, behind)) => {
            *rest = behind;
            Ok(taken)
        }
        None => Err(damaged(format!("{count} bytes for {what}"), format!("{} bytes", rest.len()))),
    }
}

fn take_array<const N: usize>(rest: &mut &[u8], what: &str) -> Result<[u8; N], ModelError> {
    let taken = take(rest, N, what)?;
    taken.try_into().map_err(|_| damaged(format!("{N} bytes for {what}"), format!("{} bytes", taken.len())))
}

fn damaged(expected: impl Into<String>, got: impl Into<String>) -> ModelError {
    ModelError::PackDamaged { expected: expected.into(), got: got.into() }
}
