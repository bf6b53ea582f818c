//! Diagnostics and progress: everything that goes to stderr.
//!
//! On a terminal a long stage shows a bar; elsewhere (a log of continuous integration) it prints a line every few
//! seconds. `--quiet` leaves errors only, `--verbose` adds what was skipped and why.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal, Write},
    sync::atomic::{AtomicI8, Ordering},
    time::{Duration, Instant},
};

/// -1 quiet, 0 usual, 1 verbose. Set once, before any work.
static VERBOSITY: AtomicI8 = AtomicI8::new(0);

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Remembers `--quiet` and `--verbose`.
pub(crate) fn set_verbosity(quiet: bool, verbose: bool) {
    VERBOSITY.store(if quiet { -1 } else { i8::from(verbose) }, Ordering::Relaxed);
}

fn print(least: i8, text: &str) {
    if VERBOSITY.load(Ordering::Relaxed) >= least {
        // Nobody is left to be told when stderr is closed.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Says what failed.
pub(crate) fn error(text: &str) {
    print(-1, &format!("querent: error: {text}"));
}

/// Says what may be wrong.
pub(crate) fn warn(text: &str) {
    print(0, &format!("querent: warning: {text}"));
}

/// Says what happens.
pub(crate) fn note(text: &str) {
    print(0, text);
}

/// Asks for a line, on the line that it is typed on.
pub(crate) fn prompt(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}

/// Says what only `--verbose` wants to know.
pub(crate) fn detail(text: &str) {
    print(1, text);
}

/// Progress of one stage.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    stage: &'static str,
    total: u64,
    done: u64,
    started: Instant,
    last_line: Instant,
    lines: bool,
}

impl Progress {
    /// A stage of `total` steps, named as in "embedding".
    pub(crate) fn new(stage: &'static str, total: usize) -> Self {
        let quiet = VERBOSITY.load(Ordering::Relaxed) < 0;
        let terminal = io::stderr().is_terminal();
        let bar = if terminal && !quiet {
            let style =
                ProgressStyle::with_template("{prefix:>10} {bar:30} {pos}/{len} {elapsed} left {eta}")
                    .expect("the template is correct");
            ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
                .with_style(style)
                .with_prefix(stage)
        } else {
            ProgressBar::hidden()
        };
        let now = Instant::now();
        let lines = !terminal && !quiet;
        Self { bar, stage, total: total as u64, done: 0, started: now, last_line: now, lines }
    }

    /// `steps` more are done.
    pub(crate) fn advance(&mut self, steps: usize) {
        self.done += steps as u64;
        self.bar.set_position(self.done);
        if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            let left = seconds / self.done.max(1) as f64 * self.total.saturating_sub(self.done) as f64;
            note(&format!("{} {}/{}, {left:.0} s left", self.stage, self.done, self.total));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
