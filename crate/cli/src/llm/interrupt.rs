//! Ctrl-C while a model is asked: what was answered is kept, and said to be.

use super::ask::hold;
use super::cache::ReplyCache;
use crate::progress;
use std::{
    process,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// The status of a process that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// Longest wait for a line that is being written. Whoever reads all replies has the cache for minutes, and a torn line
/// is a reply that did not come.
const PATIENCE: Duration = Duration::from_millis(300);
const STEP: Duration = Duration::from_millis(10);

/// From now on Ctrl-C says where the replies are and ends the process at once, if it can be not in the middle of a line
/// of `cache`.
pub(super) fn keep_on_interrupt(cache: &Arc<Mutex<ReplyCache>>) {
    let path = hold(cache).path().to_owned();
    let cache = Arc::clone(cache);
    // Without a thread or a handler the signal ends the process by itself; the cache stands that too.
    let _ = thread::Builder::new().name("interrupt".into()).spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            let _writing = (0..PATIENCE.as_millis() / STEP.as_millis()).find_map(|_| {
                let lock = cache.try_lock().ok();
                if lock.is_none() {
                    thread::sleep(STEP);
                }
                lock
            });
            progress::error(&format!(
                "interrupted; every reply that came is kept in {}, and the same command goes on from there",
                path.display()
            ));
            process::exit(INTERRUPTED);
        }
    });
}
