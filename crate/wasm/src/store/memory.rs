use super::{Backing, Entry, Refusal};
use js_sys::Uint8Array;
use std::{cell::RefCell, collections::BTreeMap};

/// Files in memory, for as long as the page lives.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    files: RefCell<BTreeMap<String, (Entry, Uint8Array)>>,
    /// Bytes that may be kept; tests of a full backing set it.
    limit: Option<f64>,
}

impl Memory {
    #[cfg(all(test, target_arch = "wasm32"))]
    pub(crate) fn with_limit(limit: f64) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }
}

impl Backing for Memory {
    async fn get(&self, key: &str) -> Result<Option<(Entry, Uint8Array)>, Refusal> {
        Ok(self.files.borrow().get(key).map(|(entry, bytes)| (entry.clone(), copy(bytes))))
    }

    async fn put(&self, entry: &Entry, bytes: &Uint8Array) -> Result<(), Refusal> {
        let mut files = self.files.borrow_mut();
        let others = files.values().filter(|(other, _)| other.key != entry.key);
        let kept: f64 = others.map(|(other, _)| other.bytes).sum();
        if self.limit.is_some_and(|limit| kept + entry.bytes > limit) {
            return Err(Refusal::Full);
        }
        files.insert(entry.key.clone(), (entry.clone(), copy(bytes)));
        Ok(())
    }

    async fn touch(&self, entry: &Entry) -> Result<(), Refusal> {
        if let Some((kept, _)) = self.files.borrow_mut().get_mut(&entry.key) {
            *kept = entry.clone();
        }
        Ok(())
    }

    async fn delete(&self, key: &str) -> Result<(), Refusal> {
        self.files.borrow_mut().remove(key);
        Ok(())
    }

    async fn entries(&self) -> Result<Vec<Entry>, Refusal> {
        Ok(self.files.borrow().values().map(|(entry, _)| entry.clone()).collect())
    }

    async fn clear(&self) -> Result<(), Refusal> {
        self.files.borrow_mut().clear();
        Ok(())
    }

    async fn reopen(&self) -> Option<Self> {
        None
    }
}

/// A caller may transfer an array to another thread, which empties it; the store keeps and gives copies.
fn copy(bytes: &Uint8Array) -> Uint8Array {
    bytes.slice(0, bytes.length())
}
