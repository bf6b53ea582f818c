//! The envelope around every file of a segment.
//!
//! ```text
//! 4 bytes   "QRNT"
//! u8        kind          FileKind, from 1
//! u8        version       Manifest::VERSION
//! u8        compression   0 none, 1 raw DEFLATE
//! u8        0
//! u32       length        of the content, little-endian
//! bytes     content
//! ```

use super::{
    bytes::{ByteReader, DecodeError},
    manifest::{FileKind, Manifest},
};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read, Write};

const MAGIC: &[u8; 4] = b"QRNT";
const HEADER_BYTES: usize = 12;
/// No file is larger than this; a larger length is damage.
const MAX_CONTENT_BYTES: u32 = 1 << 30;

/// Wraps `content`. Vectors are not compressed: their bytes are close to noise.
pub fn seal(kind: FileKind, content: &[u8]) -> Vec<u8> {
    let compressed = kind != FileKind::Vectors;
    let mut bytes = Vec::with_capacity(HEADER_BYTES + content.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[kind as u8 + 1, Manifest::VERSION as u8, u8::from(compressed), 0]);
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    if !compressed {
        bytes.extend_from_slice(content);
        return bytes;
    }
    let mut encoder = DeflateEncoder::new(bytes, Compression::best());
    encoder.write_all(content).expect("memory does not fail to be written");
    encoder.finish().expect("memory does not fail to be written")
}

/// Unwraps what [`seal`] gave.
///
/// # Errors
/// When the bytes are no envelope of that kind, or not a whole one.
pub fn unseal(kind: FileKind, bytes: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut reader = ByteReader::new(bytes);
    if reader.take(4)? != MAGIC {
        return Err(DecodeError("it is no file of an index"));
    }
    let (found_kind, version, compression) = (reader.u8()?, reader.u8()?, reader.u8()?);
    reader.u8()?;
    if found_kind != kind as u8 + 1 {
        return Err(DecodeError("it holds something else than its name says"));
    }
    if u32::from(version) != Manifest::VERSION {
        return Err(DecodeError("it has another format version than the manifest"));
    }
    let len = reader.u32()?;
    if len > MAX_CONTENT_BYTES {
        return Err(DecodeError("it claims to be larger than any file of an index"));
    }
    let content = match compression {
        0 => bytes[HEADER_BYTES..].to_vec(),
        1 => inflate(&bytes[HEADER_BYTES..], len)?,
        _ => return Err(DecodeError("it is compressed in an unknown way")),
    };
    if content.len() != len as usize {
        return Err(DecodeError("it ends too early"));
    }
    Ok(content)
}

fn inflate(bytes: &[u8], len: u32) -> Result<Vec<u8>, DecodeError> {
    let mut content = Vec::new();
    // One byte more than promised is enough to see that the promise is broken.
    DeflateDecoder::new(bytes)
        .take(u64::from(len) + 1)
        .read_to_end(&mut content)
        .map_err(|_| DecodeError("it cannot be decompressed"))?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn round_trip(content: Vec<u8>, kind in 0..FileKind::ALL.len()) {
            let kind = FileKind::ALL[kind];
            prop_assert_eq!(unseal(kind, &seal(kind, &content)), Ok(content));
        }

        #[test]
        fn truncation_is_an_error(content: Vec<u8>, kind in 0..FileKind::ALL.len(), cut in 1_usize..20) {
            let bytes = seal(FileKind::ALL[kind], &content);
            prop_assert!(unseal(FileKind::ALL[kind], &bytes[..bytes.len().saturating_sub(cut)]).is_err());
        }

        #[test]
        fn noise_never_panics(bytes: Vec<u8>, kind in 0..FileKind::ALL.len()) {
            let _ = unseal(FileKind::ALL[kind], &bytes);
        }
    }
}
