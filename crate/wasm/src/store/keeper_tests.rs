use super::*;
use wasm_bindgen_test::wasm_bindgen_test;

thread_local! {
    static NOW: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

/// Each reading is a minute after the one before, so that no two files were used at the same time.
fn clock() -> f64 {
    NOW.set(NOW.get() + 60_000.0);
    NOW.get()
}

fn keeper(limit: f64) -> Keeper<Memory> {
    Keeper::new(Some(Memory::with_limit(limit)), clock)
}

fn bytes(length: u32) -> Uint8Array {
    Uint8Array::new_with_length(length)
}

async fn keys(keeper: &Keeper<Memory>) -> String {
    keeper.entries().await.into_iter().map(|entry| entry.key).collect::<Vec<_>>().join(" ")
}

async fn keys_on_disk(keeper: &Keeper<Memory>) -> String {
    let entries = keeper.disk().expect("a disk").entries().await.expect("entries");
    entries.into_iter().map(|entry| entry.key).collect::<Vec<_>>().join(" ")
}

#[wasm_bindgen_test]
async fn least_recently_used_makes_room() {
    let keeper = keeper(100.0);
    for key in ["a", "b", "c"] {
        assert_eq!(keeper.put(key, "postings", &bytes(30)).await, Place::Disk);
    }
    // More than an hour later `a` is read, so `b` is the oldest.
    NOW.set(NOW.get() + 2.0 * TOUCH_AFTER_MS);
    assert!(keeper.get("a").await.is_some());
    assert_eq!(keeper.put("d", "postings", &bytes(20)).await, Place::Disk);
    assert_eq!(keys(&keeper).await, "a c d");
}

#[wasm_bindgen_test]
async fn what_a_reader_stored_stays() {
    let keeper = keeper(100.0);
    keeper.put("mine", DOCUMENT, &bytes(50)).await;
    keeper.put("record:r", super::super::backing::RECORD, &bytes(10)).await;
    keeper.put("cached", "texts", &bytes(40)).await;
    assert_eq!(keeper.put("large", "model", &bytes(80)).await, Place::Memory);
    assert_eq!(keys(&keeper).await, "large mine record:r");
    assert_eq!(keys_on_disk(&keeper).await, "mine record:r");
    assert_eq!(keeper.get("large").await.map(|bytes| bytes.length()), Some(80));
    // The same file from the network does not turn a reader's into a cached one.
    keeper.put("mine", "texts", &bytes(50)).await;
    assert_eq!(keeper.put("huge", "model", &bytes(90)).await, Place::Memory);
    assert!(keys_on_disk(&keeper).await.starts_with("mine"));
}

#[wasm_bindgen_test]
async fn a_file_moves_to_disk_when_there_is_room_again() {
    let keeper = keeper(100.0);
    keeper.put("mine", DOCUMENT, &bytes(90)).await;
    assert_eq!(keeper.put("new", DOCUMENT, &bytes(20)).await, Place::Memory);
    keeper.delete("mine").await;
    assert_eq!(keeper.put("new", DOCUMENT, &bytes(20)).await, Place::Disk);
    assert_eq!(keys_on_disk(&keeper).await, "new");
    assert_eq!(keeper.entries().await.len(), 1);
}

#[wasm_bindgen_test]
async fn no_disk_at_all() {
    let keeper = Keeper::<Memory>::new(None, clock);
    assert_eq!(keeper.place(), Place::Memory);
    assert_eq!(keeper.put("a", "texts", &Uint8Array::from([1, 2, 3].as_slice())).await, Place::Memory);
    assert_eq!(keeper.get("a").await.map(|bytes| bytes.to_vec()), Some(vec![1, 2, 3]));
    keeper.clear().await;
    assert!(keeper.get("a").await.is_none());
}

/// A disk that fails: always, or until it is opened again.
#[derive(Debug)]
struct Broken {
    comes_back: bool,
    whole: Option<Memory>,
}

impl Broken {
    fn lost(&self) -> Result<&Memory, Refusal> {
        self.whole.as_ref().ok_or_else(|| Refusal::Lost("InvalidStateError".into()))
    }
}

impl Backing for Broken {
    async fn get(&self, key: &str) -> Result<Option<(Entry, Uint8Array)>, Refusal> {
        self.lost()?.get(key).await
    }
    async fn put(&self, entry: &Entry, bytes: &Uint8Array) -> Result<(), Refusal> {
        self.lost()?.put(entry, bytes).await
    }
    async fn touch(&self, entry: &Entry) -> Result<(), Refusal> {
        self.lost()?.touch(entry).await
    }
    async fn delete(&self, key: &str) -> Result<(), Refusal> {
        self.lost()?.delete(key).await
    }
    async fn entries(&self) -> Result<Vec<Entry>, Refusal> {
        self.lost()?.entries().await
    }
    async fn clear(&self) -> Result<(), Refusal> {
        self.lost()?.clear().await
    }
    async fn reopen(&self) -> Option<Self> {
        Some(Self { comes_back: true, whole: self.comes_back.then(Memory::default) })
    }
}

#[wasm_bindgen_test]
async fn a_lost_disk_is_opened_again() {
    let keeper = Keeper::new(Some(Broken { comes_back: true, whole: None }), clock);
    assert_eq!(keeper.put("a", "texts", &bytes(3)).await, Place::Disk);
    assert!(keeper.get("a").await.is_some());
}

#[wasm_bindgen_test]
async fn a_disk_that_stays_lost_is_given_up() {
    let keeper = Keeper::new(Some(Broken { comes_back: false, whole: None }), clock);
    assert_eq!(keeper.put("a", "texts", &bytes(3)).await, Place::Memory);
    assert_eq!(keeper.place(), Place::Memory);
    assert!(keeper.get("a").await.is_some());
}
