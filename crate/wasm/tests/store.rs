//! The store against a browser's own IndexedDB. What it does when a disk is full stands beside `Keeper`, where a
//! full disk can be had.
#![cfg(all(target_arch = "wasm32", feature = "store"))]

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function, Uint8Array};
use querent_wasm::FileStore;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn bytes(values: &[u8]) -> Uint8Array {
    Uint8Array::from(values)
}

fn read(value: JsValue) -> Option<Vec<u8>> {
    value.dyn_into::<Uint8Array>().ok().map(|bytes| bytes.to_vec())
}

async fn keys(store: &FileStore) -> Vec<String> {
    Array::from(&store.keys().await).iter().filter_map(|key| key.as_string()).collect()
}

/// Runs JavaScript that returns a value or a promise.
async fn javascript(code: &str) -> JsValue {
    let value = Function::new_no_args(code).call0(&JsValue::UNDEFINED).expect("the code runs");
    JsFuture::from(js_sys::Promise::resolve(&value)).await.expect("the promise resolves")
}

async fn open(name: &str) -> FileStore {
    let store = FileStore::open(name.into()).await;
    assert_eq!(store.backing(), "indexeddb");
    store
}

#[wasm_bindgen_test]
async fn keeps_files_between_visits() {
    let name = "querent-test-visits";
    let store = open(name).await;
    store.clear().await;
    assert_eq!(store.put("bb".into(), bytes(&[1, 2]), "document".into()).await, JsValue::from("indexeddb"));
    store.put("aa".into(), bytes(&[3, 4, 5]), "texts".into()).await;
    store.put("aa".into(), bytes(&[6]), "texts".into()).await;
    store.write_record("manifest".into(), bytes(b"{}")).await;
    drop(store);

    let store = open(name).await;
    assert_eq!(keys(&store).await, ["aa", "bb"]);
    assert_eq!(store.usage().await, JsValue::from(5));
    assert_eq!(read(store.get("aa".into()).await), Some(vec![6]));
    assert_eq!(read(store.get("bb".into()).await), Some(vec![1, 2]));
    assert_eq!(read(store.read_record("manifest".into()).await), Some(b"{}".to_vec()));
    assert!(store.get("cc".into()).await.is_undefined());
    store.delete("aa".into()).await;
    store.delete_record("manifest".into()).await;
    assert_eq!(keys(&store).await, ["bb"]);
    assert!(store.read_record("manifest".into()).await.is_undefined());
    store.clear().await;
    assert_eq!(keys(&store).await, [""; 0]);
}

#[wasm_bindgen_test]
async fn keeps_a_part_of_a_buffer_without_the_rest() {
    let store = open("querent-test-part").await;
    let whole = bytes(&[0; 1000]);
    store.put("aa".into(), whole.subarray(10, 20), "texts".into()).await;
    let kept: Uint8Array = store.get("aa".into()).await.dyn_into().expect("bytes");
    assert_eq!(kept.length(), 10);
    assert_eq!(kept.buffer().unchecked_into::<js_sys::ArrayBuffer>().byte_length(), 10);
    store.clear().await;
}

#[wasm_bindgen_test]
async fn keeps_many_files_at_once() {
    let store = open("querent-test-many").await;
    store.clear().await;
    let puts: Vec<_> = (0..50_u8)
        .map(|number| store.put(format!("{number:02}"), bytes(&[number; 100]), "postings".into()))
        .collect();
    for put in puts {
        assert_eq!(put.await, JsValue::from("indexeddb"));
    }
    assert_eq!(keys(&store).await.len(), 50);
    assert_eq!(store.usage().await, JsValue::from(5000));
    store.clear().await;
}

/// Opens a store in a browser whose `indexedDB` is `stand_in`, and gives the browser its own back.
async fn open_with(stand_in: &str) -> FileStore {
    javascript(&format!(
        "globalThis.own = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB');
        Object.defineProperty(globalThis, 'indexedDB', {{ value: {stand_in}, configurable: true }})"
    ))
    .await;
    let store = FileStore::open("querent-test-stand-in".into()).await;
    javascript(
        "delete globalThis.indexedDB;
        if (globalThis.own) Object.defineProperty(globalThis, 'indexedDB', globalThis.own)",
    )
    .await;
    store
}

#[wasm_bindgen_test]
async fn memory_stands_in_where_indexed_db_is_missing_or_forbidden() {
    let forbidden = "Object.setPrototypeOf(
        { open() { throw new DOMException('no', 'SecurityError'); } }, IDBFactory.prototype)";
    for stand_in in ["undefined", forbidden] {
        let store = open_with(stand_in).await;
        assert_eq!(store.backing(), "memory", "{stand_in}");
        let place = store.put("aa".into(), bytes(&[7]), "document".into()).await;
        assert_eq!(place, JsValue::from("memory"));
        assert_eq!(read(store.get("aa".into()).await), Some(vec![7]));
    }
}

#[wasm_bindgen_test]
async fn memory_stands_in_where_another_tab_blocks() {
    // A connection that does not give way keeps the deletion waiting, and the deletion keeps everyone else waiting.
    javascript(
        "return new Promise((resolve) => {
            const open = indexedDB.open('querent-test-blocked', 1);
            open.onsuccess = () => {
                globalThis.blocker = open.result;
                indexedDB.deleteDatabase('querent-test-blocked').onblocked = resolve;
            };
        })",
    )
    .await;
    let store = FileStore::open("querent-test-blocked".into()).await;
    assert_eq!(store.backing(), "memory");
    javascript("globalThis.blocker.close()").await;
}

#[wasm_bindgen_test]
async fn survives_a_database_that_was_taken_away() {
    let name = "querent-test-evicted";
    let store = open(name).await;
    store.put("aa".into(), bytes(&[1]), "texts".into()).await;
    javascript(&format!(
        "return new Promise((resolve) => {{
            const request = indexedDB.deleteDatabase('{name}');
            request.onsuccess = resolve;
            request.onblocked = resolve;
        }})"
    ))
    .await;
    TimeoutFuture::new(50).await;
    // Whether the connection was closed by the deletion or outlives it, the store answers and goes on.
    let _ = store.get("aa".into()).await;
    store.put("bb".into(), bytes(&[2]), "texts".into()).await;
    assert_eq!(read(store.get("bb".into()).await), Some(vec![2]));
    store.clear().await;
}
