//! Embeddings of texts seen before, on disk.
//!
//! One file per model, to which records of equal length are appended:
//!
//! | bytes | what |
//! |---|---|
//! | 32 | SHA-256 of the model's identity and the text |
//! | 4 x dimensions | the vector, f32 little-endian, exactly as the model gave it |
//! | 4 | the first bytes of the SHA-256 of the two above |
//!
//! Whatever ends a process in the middle of a record costs that record only: the next writer pads the file to
//! the next boundary, and what does not match its checksum is as if it were not there. Writers take turns by a
//! lock on the file, so two builds may share it.

use anyhow::{Context, Result};
use querent_core::embedding::ModelIdentity;
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

const KEY: usize = 32;
const CHECKSUM: usize = 4;

/// Names a text and the model that embeds it.
pub(crate) type Key = [u8; KEY];

/// Embeddings by model and text.
#[derive(Debug)]
pub(crate) struct EmbedCache {
    path: PathBuf,
    identity: Vec<u8>,
    dimensions: usize,
    vectors: HashMap<Key, Vec<f32>>,
}

impl EmbedCache {
    /// Reads what is kept for `identity` in `folder`, which is made when it is missing.
    ///
    /// Cost: the file is read whole; 1.6 kB a text in memory for 384 dimensions.
    ///
    /// # Errors
    /// When the folder or the file cannot be used.
    pub(crate) fn open(folder: &Path, identity: &ModelIdentity) -> Result<Self> {
        let identity_json = serde_json::to_vec(identity)?;
        let name: String = hexadecimal(&Sha256::digest(&identity_json)[..8]);
        let path = folder.join(format!("{name}.f32"));
        fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let dimensions = identity.dimensions as usize;
        let mut cache = Self { path, identity: identity_json, dimensions, vectors: HashMap::new() };
        cache.read().with_context(|| format!("{}: cannot be read", cache.path.display()))?;
        Ok(cache)
    }

    fn record_len(&self) -> usize {
        KEY + 4 * self.dimensions + CHECKSUM
    }

    fn read(&mut self) -> std::io::Result<()> {
        let Ok(file) = File::open(&self.path) else { return Ok(()) };
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut record = vec![0; self.record_len()];
        while read_whole(&mut reader, &mut record)? {
            let (body, checksum) = record.split_at(record.len() - CHECKSUM);
            if Sha256::digest(body)[..CHECKSUM] != *checksum {
                continue;
            }
            let (key, numbers) = body.split_at(KEY);
            let key = Key::try_from(key).expect("the key is cut to its length");
            self.vectors.insert(key, numbers.chunks_exact(4).map(number).collect());
        }
        Ok(())
    }

    /// The key of `text`.
    pub(crate) fn key(&self, text: &str) -> Key {
        Sha256::new().chain_update(&self.identity).chain_update([0]).chain_update(text).finalize().into()
    }

    /// The vector of `key`, where it is known.
    pub(crate) fn get(&self, key: &Key) -> Option<&[f32]> {
        self.vectors.get(key).map(Vec::as_slice)
    }

    /// Keeps `entries`, in memory and on disk. They are on disk when this returns.
    ///
    /// # Errors
    /// When the file cannot be written.
    ///
    /// # Panics
    /// When a vector is not of the model's dimensions.
    pub(crate) fn add(&mut self, entries: Vec<(Key, Vec<f32>)>) -> Result<()> {
        let mut bytes = Vec::with_capacity(entries.len() * self.record_len());
        for (key, vector) in &entries {
            assert_eq!(vector.len(), self.dimensions, "a model's vectors have its dimensions");
            let start = bytes.len();
            bytes.extend_from_slice(key);
            bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
            let checksum = Sha256::digest(&bytes[start..]);
            bytes.extend_from_slice(&checksum[..CHECKSUM]);
        }
        self.append(&bytes).with_context(|| {
            format!("{}: cannot be written; set QUERENT_CACHE to another folder", self.path.display())
        })?;
        self.vectors.extend(entries);
        Ok(())
    }

    fn append(&self, bytes: &[u8]) -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        // Released when the file is closed, also by the end of the process.
        file.lock()?;
        let torn = file.seek(SeekFrom::End(0))? as usize % self.record_len();
        if torn > 0 {
            file.write_all(&vec![0; self.record_len() - torn])?;
        }
        file.write_all(bytes)
    }
}

/// Fills `buffer`; false at the end of the file, where less than a record may be left.
fn read_whole(reader: &mut impl Read, buffer: &mut [u8]) -> std::io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn number(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(bytes.try_into().expect("chunks of four bytes"))
}

/// `bytes` as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use querent_core::embedding::{Embedder, HashEmbedder};

    fn open(folder: &Path) -> EmbedCache {
        EmbedCache::open(folder, HashEmbedder::new(4).identity()).expect("opens")
    }

    fn add(cache: &mut EmbedCache, text: &str, first: f32) {
        let key = cache.key(text);
        cache.add(vec![(key, vec![first, 0.25, -0.5, f32::MIN_POSITIVE])]).expect("is written");
    }

    fn first(cache: &EmbedCache, text: &str) -> Option<f32> {
        cache.get(&cache.key(text)).map(|vector| vector[0])
    }

    #[test]
    fn what_was_added_is_there_in_the_next_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cache = open(folder.path());
        add(&mut cache, "a", 1.0);
        add(&mut cache, "b", 2.0);
        let again = open(folder.path());
        assert_eq!(
            (first(&again, "a"), first(&again, "b"), first(&again, "c")),
            (Some(1.0), Some(2.0), None)
        );
    }

    #[test]
    fn a_torn_record_costs_itself_only() {
        for torn in 1..(KEY + 16 + CHECKSUM) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut cache = open(folder.path());
            add(&mut cache, "a", 1.0);
            add(&mut cache, "b", 2.0);
            let bytes = fs::read(&cache.path).expect("is there");
            fs::write(&cache.path, &bytes[..bytes.len() - torn]).expect("is written");
            let mut cache = open(folder.path());
            assert_eq!((first(&cache, "a"), first(&cache, "b")), (Some(1.0), None));
            add(&mut cache, "c", 3.0);
            let cache = open(folder.path());
            assert_eq!(
                (first(&cache, "a"), first(&cache, "b"), first(&cache, "c")),
                (Some(1.0), None, Some(3.0))
            );
        }
    }

    #[test]
    fn a_changed_byte_costs_its_record_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cache = open(folder.path());
        add(&mut cache, "a", 1.0);
        add(&mut cache, "b", 2.0);
        let mut bytes = fs::read(&cache.path).expect("is there");
        bytes[40] ^= 1;
        fs::write(&cache.path, bytes).expect("is written");
        let cache = open(folder.path());
        assert_eq!((first(&cache, "a"), first(&cache, "b")), (None, Some(2.0)));
    }
}
