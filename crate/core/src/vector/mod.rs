//! Vectors: quantised embeddings and the nearest of them.
//!
//! Takes unit vectors, gives shards of 8-bit rows and finds the rows nearest to a query: by an exact scan, or by
//! an instant-distance graph above the size where that is faster. Both stand behind [`VectorIndex`].
//!
//! ```text
//! vectors -> quantise -> shards (and a graph)         [`VectorWriter`]
//! shards -> rows (and a graph) -> neighbours           [`VectorIndex`]
//! ```
//!
//! For queries that the table of the index has embedded the same vectors are coded in fewer bits, see [`Codes`].
//!
//! Promises:
//! - similarities are exact cosines of the quantised vectors, whichever way a row was found, on every target;
//! - the same vectors and settings give the same shards on every target: all sums are integers, what is left of
//!   floating point is single IEEE operations, and the graph is built one point after the other in an order that
//!   the seed decides;
//! - bytes from outside give a [`VectorError`], never a panic.
//!
//! ```
//! use querent_core::vector::{VectorIndex, VectorSettings, VectorWriter};
//!
//! let mut writer = VectorWriter::new(VectorSettings::new(3));
//! for vector in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0]] {
//!     writer.push(&vector);
//! }
//! let shards = writer.finish();
//! let shards: Vec<&[u8]> = shards.iter().map(Vec::as_slice).collect();
//! let index = VectorIndex::from_shards(&shards)?;
//! let found = index.search(&[0.0, 2.0, 0.0], 2);
//! assert_eq!(found.iter().map(|neighbour| neighbour.row).collect::<Vec<_>>(), [1, 2]);
//! # Ok::<(), querent_core::vector::VectorError>(())
//! ```

pub mod arch;
mod codes;
mod error;
mod exact;
mod float;
mod graph;
mod index;
mod quantise;
mod settings;
mod shard;
#[cfg(test)]
mod tests;

pub use codes::Codes;
pub use error::VectorError;
pub use float::inner_product;
pub(crate) use float::{add_scaled, to_unit};
pub use index::{Neighbour, VectorIndex, VectorParameters};
pub use settings::{GraphSettings, VectorSettings};
pub use shard::VectorWriter;
