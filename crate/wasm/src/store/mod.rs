//! Files by content hash, kept between visits.
//!
//! The store is a cache that also holds what a reader added themselves. It promises
//! - that nothing a reader stored is thrown away to make room;
//! - that it works without IndexedDB: where the database is missing (private windows), blocked (another tab is in
//!   its way), full or taken away by the browser, memory stands in, and `put` says so;
//! - that files from the network make room for each other, least recently used first.
//!
//! [`Backing`] is one place to keep files: [`IndexedDb`] or [`Memory`]. [`Keeper`] decides which of the two holds
//! what. [`FileStore`] is what JavaScript sees.

mod backing;
mod file_store;
mod indexed_db;
mod keeper;
mod memory;

pub use file_store::FileStore;

use backing::{Backing, Entry, Refusal};
use indexed_db::IndexedDb;
use keeper::{Keeper, Place};
use memory::Memory;
