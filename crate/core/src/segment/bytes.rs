//! Reading and writing numbers.

/// Bytes are not what their writer would have written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DecodeError(pub &'static str);

/// Appends `value` as LEB128: seven bits a byte, low bits first, the high bit set on all but the last.
pub fn write_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads numbers from the front of a slice. After an error it is empty.
#[derive(Debug, Clone, Default)]
pub struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((head, rest)) = self.0.split_at_checked(len) else {
            self.0 = &[];
            return Err(DecodeError("it ends too early"));
        };
        self.0 = rest;
        Ok(head)
    }

    /// The next byte.
    ///
    /// # Errors
    /// When none is left.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    /// The next four bytes, little-endian.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// The next number that [`write_varint`] wrote.
    ///
    /// # Errors
    /// When the bytes end inside it or it needs more than 64 bits.
    pub fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        self.0 = &[];
        Err(DecodeError("a number has too many digits"))
    }

    /// As [`Self::varint`], for numbers below 2^32.
    ///
    /// # Errors
    /// Also when the number is larger.
    pub fn varint_u32(&mut self) -> Result<u32, DecodeError> {
        u32::try_from(self.varint()?).map_err(|_| {
            self.0 = &[];
            DecodeError("a number is too large")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn varint_round_trip(value: u64) {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, value);
            let mut reader = ByteReader::new(&bytes);
            prop_assert_eq!(reader.varint(), Ok(value));
            prop_assert!(reader.is_empty());
            prop_assert!(ByteReader::new(&bytes[..bytes.len() - 1]).varint().is_err());
        }
    }
}
