//! The shard of a graph: its writer and its reader.
//!
//! After the header of every shard (see `shard`; kind 1, `first` is the number of rows, `rows` is 0) come, all
//! little-endian:
//!
//! | offset | size | content |
//! |---|---|---|
//! | 24 | 4 | `ef_construction` |
//! | 28 | 4 | `ef_search` |
//! | 32 | 4 | `links` |
//! | 36 | 8 | `seed` |
//! | 44 | 4 | twins `t` |
//! | 48 | 4 | layers above layer zero `l`, at most 32 |
//! | 52 | 4 | bytes of links `b` |
//! | 56 | `8 t` | twins: representative, row; ascending |
//! | | `4 l` | points of each layer above layer zero, from the lowest; descending |
//! | | `b` | links, see `bits`: of each point in layer zero, then of each point in each layer above |
//!
//! Points are the representatives (rows with a direction that are no twins) in the order that `order` gives for
//! the seed. A link is the position of the other point among the representatives in layer zero: chunks of one
//! document are near each other in both senses, which makes gaps small.

use super::{
    Graph, Point,
    bits::{self, BitReader, BitWriter},
    build::{Links, M, NO_LINK},
    distinct::Distinct,
    order,
};
use crate::vector::{
    GraphSettings, VectorError,
    quantise::Rows,
    shard::{HEADER_BYTES, Header, ShardKind},
};
use instant_distance::Hnsw;

/// More layers than any graph of 32-bit numbers has.
const MAX_LAYERS: usize = 32;
const HEAD_BYTES: usize = HEADER_BYTES + 32;

/// Writes the shard.
pub(super) fn write(rows: &Rows, distinct: &Distinct, links: &Links, settings: &GraphSettings) -> Vec<u8> {
    let order = order::shuffled(distinct.representatives.len(), settings.seed);
    let bits = write_links(links, &order);
    let mut shard = Header {
        kind: ShardKind::Graph,
        dimensions: rows.dimensions() as u32,
        total: rows.len() as u32,
        first: rows.len() as u32,
        rows: 0,
    }
    .to_bytes();
    let mut put = |number: usize| shard.extend((number as u32).to_le_bytes());
    put(settings.ef_construction);
    put(settings.ef_search);
    put(settings.links);
    put(settings.seed as u32 as usize);
    put((settings.seed >> 32) as usize);
    put(distinct.twins.len());
    put(links.layers.len());
    put(bits.len());
    distinct.twins.iter().flat_map(|&(first, row)| [first, row]).for_each(|row| put(row as usize));
    links.layers.iter().for_each(|layer| put(layer.len()));
    shard.extend(bits);
    shard
}

fn write_links(links: &Links, order: &[u32]) -> Vec<u8> {
    let mut writer = BitWriter::default();
    for layer in std::iter::once(&links.zero).chain(&links.layers) {
        for node in layer {
            let mut positions: Vec<u32> = node.iter().map(|&point| order[point as usize]).collect();
            positions.sort_unstable();
            writer.list(&positions);
        }
    }
    writer.finish()
}

/// Reads the shard of the graph over `rows`.
pub(super) fn read(shard: &[u8], rows: &Rows) -> Result<Graph, VectorError> {
    let mut fields = Fields { rest: shard.get(HEADER_BYTES..).unwrap_or_default() };
    let truncated = |expected: u64| VectorError::Truncated { expected, got: shard.len() as u64 };
    let mut head = [0; 8];
    for field in &mut head {
        *field = fields.next().ok_or_else(|| truncated(HEAD_BYTES as u64))?;
    }
    let [ef_construction, ef_search, links, seed_low, seed_high, twins, layers, link_bytes] = head;
    let settings = GraphSettings {
        ef_construction: ef_construction as usize,
        ef_search: ef_search as usize,
        links: links as usize,
        seed: u64::from(seed_low) | u64::from(seed_high) << 32,
    };
    if let Some(defect) = settings.defect() {
        return Err(VectorError::corrupt(defect));
    }
    let expected = HEAD_BYTES as u64 + 8 * u64::from(twins) + 4 * u64::from(layers) + u64::from(link_bytes);
    if expected != shard.len() as u64 {
        return Err(truncated(expected));
    }
    let twins = (0..twins).filter_map(|_| Some((fields.next()?, fields.next()?))).collect();
    let distinct = read_twins(rows, twins)?;
    let layers: Vec<u32> = (0..layers).filter_map(|_| fields.next()).collect();
    let hnsw = read_links(fields.rest, &distinct, &layers, &settings)?;
    Ok(Graph { settings, distinct, hnsw })
}

/// 32-bit numbers from the front of bytes.
struct Fields<'a> {
    rest: &'a [u8],
}

impl Fields<'_> {
    fn next(&mut self) -> Option<u32> {
        let (field, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*field))
    }
}

fn read_twins(rows: &Rows, twins: Vec<(u32, u32)>) -> Result<Distinct, VectorError> {
    let equal = |&(first, row): &(u32, u32)| {
        first < row
            && (row as usize) < rows.len()
            && rows.scale(row) > 0.0
            && rows.row(first) == rows.row(row)
    };
    if !twins.is_sorted() || !twins.iter().all(equal) {
        return Err(VectorError::corrupt("the graph names rows as equal that are not"));
    }
    Ok(Distinct::from_twins(rows, twins))
}

/// The library's graph from the bits of its links.
///
/// It can be made by serde only, so this writes what postcard would have written for it.
fn read_links(
    bits: &[u8],
    distinct: &Distinct,
    layers: &[u32],
    settings: &GraphSettings,
) -> Result<Hnsw<Point>, VectorError> {
    let order = order::shuffled(distinct.representatives.len(), settings.seed);
    let places = places(&order);
    let points = order.len() as u32;
    let shrinking = std::iter::once(&points).chain(layers).is_sorted_by(|below, above| below >= above);
    if points == 0 || layers.len() > MAX_LAYERS || layers.contains(&0) || !shrinking {
        return Err(VectorError::corrupt("the layers of the graph do not stand on each other"));
    }
    let mut reader = BitReader::new(bits);
    let mut stored = Vec::new();
    varint(&mut stored, settings.ef_search as u32);
    varint(&mut stored, points);
    for &position in &order {
        varint(&mut stored, distinct.representatives[position as usize]);
    }
    read_layer(&mut reader, &mut stored, points, 2 * M, &places)?;
    varint(&mut stored, layers.len() as u32);
    for &layer in layers {
        read_layer(&mut reader, &mut stored, layer, M, &places)?;
    }
    if !reader.is_at_end() {
        return Err(VectorError::corrupt("there are bytes after the last link of the graph"));
    }
    postcard::from_bytes(&stored).map_err(|error| VectorError::corrupt(error.to_string()))
}

/// The place in the order of each position.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &position) in order.iter().enumerate() {
        places[position as usize] = place as u32;
    }
    places
}

/// Copies the links of a layer of `points` points with room for `room` links each.
fn read_layer(
    reader: &mut BitReader<'_>,
    stored: &mut Vec<u8>,
    points: u32,
    room: usize,
    places: &[u32],
) -> Result<(), VectorError> {
    let mut positions = Vec::with_capacity(bits::MAX_LEN);
    varint(stored, points);
    for _ in 0..points {
        reader
            .list(places.len() as u32, &mut positions)
            .ok_or_else(|| VectorError::corrupt("the links of the graph end early or lead nowhere"))?;
        let links = positions.iter().map(|&position| places[position as usize]);
        if positions.len() > room || links.clone().any(|link| link >= points) {
            return Err(VectorError::corrupt("a link of the graph leads out of its layer"));
        }
        let filled = links.chain(std::iter::repeat(NO_LINK)).take(room);
        filled.for_each(|link| varint(stored, link));
    }
    Ok(())
}

/// Appends `number` as postcard writes it: seven bits a byte, the lowest first.
fn varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
