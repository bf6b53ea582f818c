//! `FileStore`: files and records, kept between visits where the browser allows it.

use super::{IndexedDb, Keeper, Place, backing::RECORD, keeper::OPEN_TIMEOUT_MS};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Stands in front of a record's name; no SHA-256 has a colon.
const RECORD_PREFIX: &str = "record:";

#[wasm_bindgen(typescript_custom_section)]
const BACKING_NAME: &str = r#"
/** Where files are: on the reader's device, or in memory until the page is closed. */
export type BackingName = "indexeddb" | "memory";
"#;

/// Files by content hash and a few records by name, in IndexedDB or, where that fails, in memory.
///
/// Nothing here throws on account of the browser's storage: a file that cannot be read is not there, and one that
/// cannot be kept on the device is kept in memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct FileStore {
    keeper: Keeper<IndexedDb>,
}

#[wasm_bindgen]
impl FileStore {
    /// Opens the database of that name. Takes at most three seconds, then memory stands in.
    #[wasm_bindgen(unchecked_return_type = "FileStore")]
    pub async fn open(#[wasm_bindgen(js_name = databaseName)] database_name: String) -> Self {
        let disk = IndexedDb::open(&database_name, OPEN_TIMEOUT_MS).await.ok();
        Self { keeper: Keeper::new(disk, js_sys::Date::now) }
    }

    /// The file of that hash. The bytes are not checked here: `SearchEngine.load` does.
    #[wasm_bindgen(unchecked_return_type = "Uint8Array | undefined")]
    pub async fn get(&self, sha256: String) -> JsValue {
        self.keeper.get(&sha256).await.into()
    }

    /// Keeps a file and says where. Files of the kind `document`, which a reader stored, are never thrown away to
    /// make room; files of every other kind are, least recently used first.
    #[wasm_bindgen(unchecked_return_type = "BackingName")]
    pub async fn put(&self, sha256: String, bytes: Uint8Array, kind: String) -> JsValue {
        name(self.keeper.put(&sha256, &kind, &bytes).await).into()
    }

    /// Forgets a file.
    pub async fn delete(&self, sha256: String) {
        self.keeper.delete(&sha256).await;
    }

    /// Hashes of all files, ascending; records are not among them.
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub async fn keys(&self) -> JsValue {
        let entries = self.keeper.entries().await;
        let files = entries.iter().filter(|entry| !entry.key.starts_with(RECORD_PREFIX));
        files.map(|entry| JsValue::from(&entry.key)).collect::<js_sys::Array>().into()
    }

    /// Bytes of all files and records.
    #[wasm_bindgen(unchecked_return_type = "number")]
    pub async fn usage(&self) -> JsValue {
        self.keeper.entries().await.iter().map(|entry| entry.bytes).sum::<f64>().into()
    }

    /// Forgets everything, what a reader stored included.
    pub async fn clear(&self) {
        self.keeper.clear().await;
    }

    /// Where the next file will be kept.
    #[wasm_bindgen(unchecked_return_type = "BackingName")]
    pub fn backing(&self) -> String {
        name(self.keeper.place()).to_owned()
    }

    /// The record of that name.
    #[wasm_bindgen(js_name = readRecord, unchecked_return_type = "Uint8Array | undefined")]
    pub async fn read_record(&self, key: String) -> JsValue {
        self.keeper.get(&record(&key)).await.into()
    }

    /// Keeps a record in place of the one of that name, and says where. Never thrown away to make room.
    #[wasm_bindgen(js_name = writeRecord, unchecked_return_type = "BackingName")]
    pub async fn write_record(&self, key: String, bytes: Uint8Array) -> JsValue {
        name(self.keeper.put(&record(&key), RECORD, &bytes).await).into()
    }

    /// Forgets a record.
    #[wasm_bindgen(js_name = deleteRecord)]
    pub async fn delete_record(&self, key: String) {
        self.keeper.delete(&record(&key)).await;
    }
}

fn record(key: &str) -> String {
    format!("{RECORD_PREFIX}{key}")
}

fn name(place: Place) -> &'static str {
    match place {
        Place::Disk => "indexeddb",
        Place::Memory => "memory",
    }
}
