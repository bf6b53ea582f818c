//! Bytes in, documents out.
