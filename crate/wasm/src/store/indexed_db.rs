use super::{Backing, Entry, Refusal};
use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use rexie::{ObjectStore, Rexie, Transaction, TransactionMode, TransactionResult};
use std::{error::Error, future::poll_fn, pin::pin, task::Poll};
use wasm_bindgen::prelude::*;

/// The version of the database's layout. A new layout takes a new number and an upgrade of what is there:
/// readers' documents are in it.
const VERSION: u32 = 1;
/// The files' bytes by key.
const FILES: &str = "files";
/// `[kind, bytes, used]` of each file by the same key, so that looking for room reads no file.
const ENTRIES: &str = "entries";

/// Files in the browser's database.
#[derive(Debug)]
pub(crate) struct IndexedDb {
    database: Rexie,
}

impl IndexedDb {
    /// Opens the database, or makes it.
    ///
    /// # Errors
    /// Where the browser has none, forbids it, or does not answer within `timeout_ms`: a database that another
    /// tab is about to delete answers when that tab is closed, which may be never.
    pub(crate) async fn open(name: &str, timeout_ms: u32) -> Result<Self, Refusal> {
        let mut opening = pin!(
            Rexie::builder(name)
                .version(VERSION)
                .add_object_store(ObjectStore::new(FILES))
                .add_object_store(ObjectStore::new(ENTRIES))
                .build()
        );
        let mut timeout = pin!(TimeoutFuture::new(timeout_ms));
        poll_fn(|context| {
            if let Poll::Ready(opened) = opening.as_mut().poll(context) {
                return Poll::Ready(opened.map(|database| Self { database }).map_err(refusal));
            }
            let late = || Err(Refusal::Lost(format!("no answer within {timeout_ms} ms")));
            timeout.as_mut().poll(context).map(|()| late())
        })
        .await
    }

    fn transaction(&self, mode: TransactionMode) -> Result<Transaction, Refusal> {
        self.database.transaction(&[FILES, ENTRIES], mode).map_err(refusal)
    }
}

impl Backing for IndexedDb {
    async fn get(&self, key: &str) -> Result<Option<(Entry, Uint8Array)>, Refusal> {
        let transaction = self.transaction(TransactionMode::ReadOnly)?;
        let get = async |store| transaction.store(store)?.get(key.into()).await;
        let entry = get(ENTRIES).await.map_err(refusal)?;
        let bytes = get(FILES).await.map_err(refusal)?;
        let bytes = bytes.and_then(|bytes| bytes.dyn_into::<Uint8Array>().ok());
        Ok(entry.zip(bytes).map(|(entry, bytes)| (decode(key.to_owned(), &entry), bytes)))
    }

    async fn put(&self, entry: &Entry, bytes: &Uint8Array) -> Result<(), Refusal> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        let key = JsValue::from(&entry.key);
        let put = async |store, value: &JsValue| transaction.store(store)?.put(value, Some(&key)).await;
        put(FILES, &whole(bytes)).await.map_err(refusal)?;
        put(ENTRIES, &encode(entry)).await.map_err(refusal)?;
        committed(transaction).await
    }

    async fn touch(&self, entry: &Entry) -> Result<(), Refusal> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        let store = transaction.store(ENTRIES).map_err(refusal)?;
        // Another tab may have deleted the file since it was read.
        if store.key_exists(JsValue::from(&entry.key)).await.map_err(refusal)? {
            store.put(&encode(entry), Some(&JsValue::from(&entry.key))).await.map_err(refusal)?;
        }
        committed(transaction).await
    }

    async fn delete(&self, key: &str) -> Result<(), Refusal> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        for store in [FILES, ENTRIES] {
            let delete = async || transaction.store(store)?.delete(key.into()).await;
            delete().await.map_err(refusal)?;
        }
        committed(transaction).await
    }

    async fn entries(&self) -> Result<Vec<Entry>, Refusal> {
        let transaction = self.transaction(TransactionMode::ReadOnly)?;
        let store = transaction.store(ENTRIES).map_err(refusal)?;
        let keys = store.get_all_keys(None, None).await.map_err(refusal)?;
        let values = store.get_all(None, None).await.map_err(refusal)?;
        let keys = keys.into_iter().map(|key| key.as_string().unwrap_or_default());
        Ok(keys.zip(values).map(|(key, value)| decode(key, &value)).collect())
    }

    async fn clear(&self) -> Result<(), Refusal> {
        let transaction = self.transaction(TransactionMode::ReadWrite)?;
        for store in [FILES, ENTRIES] {
            let clear = async || transaction.store(store)?.clear().await;
            clear().await.map_err(refusal)?;
        }
        committed(transaction).await
    }

    async fn reopen(&self) -> Option<Self> {
        Self::open(&self.database.name(), super::keeper::OPEN_TIMEOUT_MS).await.ok()
    }
}

/// A write counts when its transaction has been committed, not when its request succeeded.
async fn committed(transaction: Transaction) -> Result<(), Refusal> {
    match transaction.done().await {
        Ok(TransactionResult::Committed) => Ok(()),
        // No request of ours failed and nobody called `abort`: what is left is a lack of room.
        Ok(TransactionResult::Aborted) => Err(Refusal::Full),
        Err(error) => Err(refusal(error)),
    }
}

/// The crates in between do not hand the exception out, only its text, which starts with its name.
fn refusal(error: rexie::Error) -> Refusal {
    let text = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    if text.contains("QuotaExceeded") { Refusal::Full } else { Refusal::Lost(text) }
}

/// The database copies the whole buffer behind an array; an array that shows a part of one is cut out first.
fn whole(bytes: &Uint8Array) -> Uint8Array {
    let part = bytes.buffer().unchecked_into::<js_sys::ArrayBuffer>().byte_length() != bytes.byte_length();
    if part { bytes.slice(0, bytes.length()) } else { bytes.clone() }
}

fn encode(entry: &Entry) -> JsValue {
    Array::of3(&JsValue::from(&entry.kind), &entry.bytes.into(), &entry.used.into()).into()
}

/// Whoever wrote something else into the database gets an empty kind: a cached file, which may be evicted.
fn decode(key: String, value: &JsValue) -> Entry {
    let value = value.dyn_ref::<Array>().cloned().unwrap_or_default();
    Entry {
        key,
        kind: value.get(0).as_string().unwrap_or_default(),
        bytes: value.get(1).as_f64().unwrap_or_default(),
        used: value.get(2).as_f64().unwrap_or_default(),
    }
}
