//! Shards of rows: their writer and their reader.
//!
//! A shard is a header of 24 bytes and its rows; all numbers are little-endian:
//!
//! | offset | size | content |
//! |---|---|---|
//! | 0 | 4 | magic `QVEC` |
//! | 4 | 2 | format version |
//! | 6 | 2 | kind: 0 rows, 1 graph |
//! | 8 | 4 | dimensions `d`: numbers in a row, 1 to 65,536 |
//! | 12 | 4 | rows in all shards of the index |
//! | 16 | 4 | number of the first row; each shard continues the one before |
//! | 20 | 4 | rows in this shard `n` |
//! | 24 | `n * d` | the rows, signed bytes -127 to 127 |
//!
//! An index without rows is one shard without rows. The scale of a row follows from the row, see `quantise`.

use super::{
    VectorError, VectorSettings,
    graph::Graph,
    quantise::{QuantisedVector, Rows},
};

const MAGIC: [u8; 4] = *b"QVEC";
const VERSION: u16 = 1;
pub(super) const HEADER_BYTES: usize = 24;

/// What a shard holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShardKind {
    /// Rows.
    Rows = 0,
    /// The graph over the rows of the shards before, see `graph`.
    Graph = 1,
}

/// The first bytes of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: ShardKind,
    pub(super) dimensions: u32,
    pub(super) total: u32,
    pub(super) first: u32,
    pub(super) rows: u32,
}

/// Quantises vectors and writes their shards.
#[derive(Debug)]
pub struct VectorWriter {
    settings: VectorSettings,
    rows: Rows,
}

impl VectorWriter {
    /// A writer without vectors.
    ///
    /// # Panics
    /// When a setting is out of its range.
    pub fn new(settings: VectorSettings) -> Self {
        assert!(
            (1..=VectorSettings::MAX_DIMENSIONS).contains(&settings.dimensions),
            "a vector has 1 to {} numbers, not {}",
            VectorSettings::MAX_DIMENSIONS,
            settings.dimensions
        );
        assert_eq!(settings.graph.defect(), None, "settings are in their ranges");
        let rows = Rows::new(settings.dimensions);
        Self { settings, rows }
    }

    /// Adds the next row. The vector may have any length but 0, only its direction is kept; a vector of zeros, or with a number that is not finite, has
    /// no direction and is never found.
    ///
    /// # Panics
    /// When the vector has not as many numbers as the settings say, or is one too many for 32-bit row numbers.
    pub fn push(&mut self, vector: &[f32]) {
        assert_eq!(vector.len(), self.settings.dimensions, "all vectors of an index have equal lengths");
        assert!(self.rows.len() < u32::MAX as usize, "row numbers have 32 bits");
        self.rows.extend(QuantisedVector::new(vector).values.into_iter());
    }

    /// The shards in order; the last one is the graph, where there is one. The same vectors and settings give the same bytes on every target.
    pub fn finish(self) -> Vec<Vec<u8>> {
        let mut shards = write_rows(&self.rows, self.settings.shard_rows);
        shards.extend(Graph::write(self.rows, self.settings.graph_above, &self.settings.graph));
        shards
    }
}

/// The rows cut into shards of `shard_rows`; one empty shard where there are no rows.
fn write_rows(rows: &Rows, shard_rows: usize) -> Vec<Vec<u8>> {
    let total = rows.len();
    let starts = (0..total.max(1)).step_by(shard_rows.max(1));
    starts
        .map(|start| {
            let end = total.min(start.saturating_add(shard_rows.max(1)));
            let header = Header {
                kind: ShardKind::Rows,
                dimensions: rows.dimensions() as u32,
                total: total as u32,
                first: start as u32,
                rows: (end - start) as u32,
            };
            let mut shard = header.to_bytes();
            for row in start..end {
                shard.extend(rows.row(row as u32).iter().map(|&value| value as u8));
            }
            shard
        })
        .collect()
}

/// The rows of all shards, and the shard of the graph where there is one.
///
/// # Errors
/// When a shard is damaged, or when the shards are not all shards of one index in order.
pub(super) fn read_shards<'a>(shards: &[&'a [u8]]) -> Result<(Rows, Option<&'a [u8]>), VectorError> {
    let Some(first) = shards.first() else { return Err(VectorError::Empty) };
    let head = Header::from_bytes(first)?;
    let mut rows = Rows::new(head.dimensions as usize);
    let mut graph = None;
    for shard in shards {
        let header = Header::from_bytes(shard)?;
        header.continues(&head, rows.len())?;
        match header.kind {
            _ if graph.is_some() => return Err(VectorError::corrupt("there is a shard after the graph")),
            ShardKind::Rows => read_rows(shard, &header, &mut rows)?,
            ShardKind::Graph => graph = Some(*shard),
        }
    }
    if rows.len() != head.total as usize {
        return Err(VectorError::Order {
            expected: format!("{} rows in all", head.total),
            got: format!("{} rows", rows.len()),
        });
    }
    Ok((rows, graph))
}

/// Appends the rows of one shard.
fn read_rows(shard: &[u8], header: &Header, rows: &mut Rows) -> Result<(), VectorError> {
    let values = &shard[HEADER_BYTES..];
    let expected = u64::from(header.rows) * u64::from(header.dimensions);
    if values.len() as u64 != expected {
        let (expected, got) = (HEADER_BYTES as u64 + expected, shard.len() as u64);
        return Err(VectorError::Truncated { expected, got });
    }
    // -128 as a byte: the one value that no row has.
    if values.contains(&0x80) {
        return Err(VectorError::corrupt("a row holds -128, rows are -127 to 127"));
    }
    rows.extend(values.iter().map(|&byte| byte as i8));
    Ok(())
}

impl Header {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.kind as u16).to_le_bytes());
        for field in [self.dimensions, self.total, self.first, self.rows] {
            bytes.extend(field.to_le_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(shard: &[u8]) -> Result<Self, VectorError> {
        let Some(header) = shard.first_chunk::<HEADER_BYTES>() else {
            return Err(VectorError::Truncated { expected: HEADER_BYTES as u64, got: shard.len() as u64 });
        };
        if header[..4] != MAGIC {
            return Err(VectorError::Magic);
        }
        let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[at + byte]));
        if short(4) != VERSION {
            return Err(VectorError::Version { expected: VERSION, got: short(4) });
        }
        let kind = match short(6) {
            0 => ShardKind::Rows,
            1 => ShardKind::Graph,
            other => return Err(VectorError::corrupt(format!("no shard is of kind {other}"))),
        };
        let dimensions = long(8);
        if !(1..=VectorSettings::MAX_DIMENSIONS as u32).contains(&dimensions) {
            return Err(VectorError::corrupt(format!("a row cannot have {dimensions} numbers")));
        }
        Ok(Self { kind, dimensions, total: long(12), first: long(16), rows: long(20) })
    }

    /// Whether the shard comes after `rows` rows in the index whose first shard has the header `head`.
    fn continues(&self, head: &Header, rows: usize) -> Result<(), VectorError> {
        let describe = |header: &Header, first: u64| {
            format!("{} rows of {} numbers from row {first}", header.total, header.dimensions)
        };
        let (expected, got) = (describe(head, rows as u64), describe(self, u64::from(self.first)));
        if expected == got { Ok(()) } else { Err(VectorError::Order { expected, got }) }
    }
}
