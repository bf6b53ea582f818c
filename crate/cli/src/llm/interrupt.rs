//! Ctrl-C while a model is asked: what was answered is kept, and said to be.

use super::ask::hold;
use super::cache::ReplyCache;
use crate::progress;
use std::{
    process,
    sync::{Arc, Mutex},
    thread,
};

/// The status of a process that Ctrl-C ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C says where the replies are and ends the process, never in the middle of a line of `cache`.
pub(super) fn keep_on_interrupt(cache: &Arc<Mutex<ReplyCache>>) {
    let cache = Arc::clone(cache);
    // Without a thread or a handler the signal ends the process by itself; the cache stands that too.
    let _ = thread::Builder::new().name("interrupt".into()).spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            let cache = hold(&cache);
            progress::error(&format!(
                "interrupted; every reply that came is kept in {}, and the same command goes on from there",
                cache.path().display()
            ));
            process::exit(INTERRUPTED);
        }
    });
}
