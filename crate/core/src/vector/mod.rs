//! Vectors: quantised embeddings and the nearest of them.
//!
//! Takes unit vectors, gives shards of 8-bit rows and finds the rows nearest to a query: by an exact scan, or by
//! an instant-distance graph above the size where that is faster. Both stand behind [`VectorIndex`].
