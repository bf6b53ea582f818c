//! A few threads that ask at the same time.

use super::ask::{Answer, hold};
use crate::progress::Progress;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

/// Jobs in a row that ended without any reply, after which the server is taken to be gone.
const GONE_AFTER: usize = 3;

/// How the jobs ended.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    /// Replies of use.
    pub(super) usable: usize,
    /// Replies of no use.
    pub(super) unusable: usize,
    /// Jobs without a reply, and the reason of the last.
    pub(super) failed: usize,
    pub(super) reason: Option<String>,
    /// Jobs for which the budget did not reach.
    pub(super) over_budget: usize,
    /// Jobs that nobody began because the server is gone.
    pub(super) left: usize,
    /// Why the server wants nothing of us.
    pub(super) refused: Option<String>,
    /// Jobs for which there was not even a connection.
    unreached: usize,
    /// A server that says what it does not like about a request is there.
    failed_in_a_row: usize,
}

impl Outcomes {
    /// Whether the server has replied at all.
    pub(super) fn has_replied(&self) -> bool {
        self.usable + self.unusable > 0
    }

    /// Whether nobody seems to be there: no connection for any job, or no reply to several in a row.
    pub(super) fn is_dead(&self) -> bool {
        let is_unreachable = self.failed > 0 && self.unreached == self.failed;
        !self.has_replied() && (is_unreachable || self.failed_in_a_row >= GONE_AFTER)
    }

    /// Notes `answer`; false when no further job is to begin.
    fn note(&mut self, answer: &Answer) -> bool {
        match answer {
            Answer::Usable(_) => self.usable += 1,
            Answer::Unusable(_) => self.unusable += 1,
            Answer::OverBudget => self.over_budget += 1,
            Answer::Failed { reason, is_reached, .. } => {
                self.failed += 1;
                self.unreached += usize::from(!is_reached);
                self.reason = Some(reason.clone());
            }
            Answer::Refused(reason) => self.refused = Some(reason.clone()),
        }
        self.failed_in_a_row = match answer {
            Answer::Failed { is_alive: false, .. } => self.failed_in_a_row + 1,
            _ => 0,
        };
        self.refused.is_none() && self.failed_in_a_row < GONE_AFTER
    }
}

/// Runs `ask` for each of `jobs` on `threads` threads, and `keep` for what it gave, one at a time.
///
/// # Errors
/// Those of `keep`; no further job is begun then.
pub(super) fn run<J: Sync>(
    jobs: &[J],
    threads: usize,
    ask: &(dyn Fn(&J) -> Answer + Sync),
    keep: &(dyn Fn(&J, &Answer) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<Outcomes> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let error = Mutex::new(None);
    let shared = Mutex::new((Outcomes::default(), Progress::new("asking", jobs.len())));
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let answer = ask(job);
            let mut shared = hold(&shared);
            if let Err(failure) = keep(job, &answer) {
                *hold(&error) = Some(failure);
                stop.store(true, Ordering::Relaxed);
            }
            shared.1.advance(1);
            if !shared.0.note(&answer) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            scope.spawn(work);
        }
    });
    if let Some(error) = hold(&error).take() {
        return Err(error);
    }
    let (mut outcomes, _) = shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    outcomes.left = jobs.len().saturating_sub(next.into_inner());
    Ok(outcomes)
}
