use super::StageTimings;

/// Milliseconds from any fixed point, for timings: `Instant` natively, `performance.now()` in a browser.
pub trait Clock {
    /// The time now.
    fn now_ms(&self) -> f64;
}

/// Notes how long each stage takes.
pub(super) struct Timer<'a> {
    clock: &'a dyn Clock,
    timings: StageTimings,
}

impl<'a> Timer<'a> {
    pub(super) fn new(clock: &'a dyn Clock) -> Self {
        Self { clock, timings: StageTimings::default() }
    }

    pub(super) fn stage<T>(&mut self, name: &str, run: impl FnOnce() -> T) -> T {
        let start = self.clock.now_ms();
        let value = run();
        self.timings.0.push((name.to_owned(), self.clock.now_ms() - start));
        value
    }

    pub(super) fn finish(self) -> StageTimings {
        self.timings
    }
}
