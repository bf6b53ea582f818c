use super::{Backing, Entry, Memory, Refusal, backing::DOCUMENT};
use js_sys::Uint8Array;
use std::{cell::RefCell, rc::Rc};

/// How long a database may take to open: ten times what a slow one takes, and short enough for a reader who
/// waits for a first result.
pub(crate) const OPEN_TIMEOUT_MS: u32 = 3_000;
/// A file that is read again within an hour counts as used when it was used then: a write per read would cost
/// more than the order is worth.
pub(crate) const TOUCH_AFTER_MS: f64 = 3_600_000.0;

/// Where a file was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the reader's device, until the reader or the browser deletes it.
    Disk,
    /// In memory, until the page is closed.
    Memory,
}

/// Keeps files on disk where it can and in memory where it cannot.
#[derive(Debug)]
pub(crate) struct Keeper<B> {
    /// `None` where there is no disk, or none any more.
    disk: RefCell<Option<Rc<B>>>,
    memory: Memory,
    clock: fn() -> f64,
}

impl<B: Backing> Keeper<B> {
    pub(crate) fn new(disk: Option<B>, clock: fn() -> f64) -> Self {
        Self { disk: RefCell::new(disk.map(Rc::new)), memory: Memory::default(), clock }
    }

    /// Where the next file goes if there is room.
    pub(crate) fn place(&self) -> Place {
        if self.disk().is_some() { Place::Disk } else { Place::Memory }
    }

    pub(crate) async fn get(&self, key: &str) -> Option<Uint8Array> {
        if let Ok(Some((_, bytes))) = self.memory.get(key).await {
            return Some(bytes);
        }
        let (mut entry, bytes) = self.on_disk(async |disk| disk.get(key).await).await??;
        if (self.clock)() - entry.used > TOUCH_AFTER_MS {
            entry.used = (self.clock)();
            self.on_disk(async |disk| disk.touch(&entry).await).await;
        }
        Some(bytes)
    }

    /// Keeps a file, making room for it when the disk is full.
    pub(crate) async fn put(&self, key: &str, kind: &str, bytes: &Uint8Array) -> Place {
        let kind = if self.is_document(key).await { DOCUMENT } else { kind };
        let entry = Entry {
            key: key.to_owned(),
            kind: kind.to_owned(),
            bytes: f64::from(bytes.length()),
            used: (self.clock)(),
        };
        if self.put_on_disk(&entry, bytes).await {
            // An older copy in memory would hide the one on disk.
            let _ = self.memory.delete(key).await;
            return Place::Disk;
        }
        // This memory has no limit of its own; where the tab's ends, the browser ends the tab.
        let _ = self.memory.put(&entry, bytes).await;
        Place::Memory
    }

    pub(crate) async fn delete(&self, key: &str) {
        let _ = self.memory.delete(key).await;
        self.on_disk(async |disk| disk.delete(key).await).await;
    }

    /// Everything that is kept, in the order of the keys; what is in memory hides what is on disk.
    pub(crate) async fn entries(&self) -> Vec<Entry> {
        let mut entries = self.memory.entries().await.unwrap_or_default();
        entries.extend(self.on_disk(async |disk| disk.entries().await).await.unwrap_or_default());
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        entries.dedup_by(|later, first| later.key == first.key);
        entries
    }

    pub(crate) async fn clear(&self) {
        let _ = self.memory.clear().await;
        self.on_disk(async |disk| disk.clear().await).await;
    }

    /// A reader's file stays one, also when an index on the network has the same file.
    async fn is_document(&self, key: &str) -> bool {
        self.entries().await.iter().any(|entry| entry.key == key && entry.kind == DOCUMENT)
    }

    async fn put_on_disk(&self, entry: &Entry, bytes: &Uint8Array) -> bool {
        let put = async |disk: &B| match disk.put(entry, bytes).await {
            Err(Refusal::Full) => {
                make_room(disk, entry.bytes).await?;
                disk.put(entry, bytes).await
            }
            done => done,
        };
        self.on_disk(put).await.is_some()
    }

    /// Does `work` on disk. A disk that was lost is opened again once; one that cannot be is given up. `None` when
    /// the work was not done.
    async fn on_disk<T>(&self, work: impl AsyncFn(&B) -> Result<T, Refusal>) -> Option<T> {
        let disk = self.disk()?;
        match work(&disk).await {
            Ok(done) => return Some(done),
            Err(Refusal::Full) => return None,
            Err(Refusal::Lost(_)) => {}
        }
        let again = disk.reopen().await.map(Rc::new);
        *self.disk.borrow_mut() = again.clone();
        let done = work(&*again?).await;
        if matches!(done, Err(Refusal::Lost(_))) {
            *self.disk.borrow_mut() = None;
        }
        done.ok()
    }

    fn disk(&self) -> Option<Rc<B>> {
        self.disk.borrow().clone()
    }
}

/// Deletes cached files, least recently used first, until `bytes` have been freed or none is left.
async fn make_room(disk: &impl Backing, bytes: f64) -> Result<(), Refusal> {
    let mut cached: Vec<_> = disk.entries().await?.into_iter().filter(Entry::is_cached).collect();
    cached.sort_by(|a, b| a.used.total_cmp(&b.used).then_with(|| a.key.cmp(&b.key)));
    let mut freed = 0.0;
    for entry in cached {
        if freed >= bytes {
            break;
        }
        disk.delete(&entry.key).await?;
        freed += entry.bytes;
    }
    Ok(())
}

#[cfg(all(test, target_arch = "wasm32"))]
#[path = "keeper_tests.rs"]
mod tests;
