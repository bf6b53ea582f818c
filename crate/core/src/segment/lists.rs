//! One list per term, of postings or of positions, as a file holds them.

use super::bytes::{ByteReader, DecodeError, write_varint};

/// Lists by term: postings or positions.
///
/// ```text
/// varint      count
/// varint ...  length of each list in bytes
/// bytes       lists
/// ```
#[derive(Debug)]
pub(super) struct Lists {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Lists {
    pub(super) fn open(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        let mut reader = ByteReader::new(&bytes);
        let count = reader.varint_u32()?;
        let mut ends = Vec::new();
        let mut end = 0_u32;
        for _ in 0..count {
            end = end.checked_add(reader.varint_u32()?).ok_or(DecodeError("its lists are too long"))?;
            ends.push(end);
        }
        let lists = reader.take(end as usize)?.to_vec();
        Ok(Self { bytes: lists, ends })
    }

    pub(super) fn list(&self, position: usize) -> Option<&[u8]> {
        let end = *self.ends.get(position)? as usize;
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.bytes.get(start..end)
    }
}

/// The content of a file of postings or positions, see [`Lists`].
pub(super) fn write_lists(lists: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_varint(&mut bytes, lists.len() as u64);
    lists.iter().for_each(|list| write_varint(&mut bytes, list.len() as u64));
    lists.iter().for_each(|list| bytes.extend_from_slice(list));
    bytes
}
