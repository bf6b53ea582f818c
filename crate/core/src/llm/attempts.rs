//! One request through its refusals and failures: what to send next, and when. The loop around it is the transport's.

use super::{Dialect, Failure, RetryPolicy, retry::Decision};
use std::time::Duration;

/// What to do after a request that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Send again at once, in the dialect that [`Attempts::dialect`] gives now.
    Again,
    /// Send again after that time.
    Wait(Duration),
    /// Do not send again.
    GiveUp,
}

/// How asking one question goes: the dialect so far, and how often it was tried.
///
/// ```
/// use querent_core::llm::{Attempts, Dialect, Failure, Next, RetryPolicy};
///
/// let mut attempts = Attempts::new(RetryPolicy::default(), Dialect::default(), 7);
/// let refused = Failure::Status { code: 400, retry_after: None };
/// assert_eq!(attempts.after(refused, "stream_options is not supported"), Next::Again);
/// assert!(!attempts.dialect().stream_usage);
/// assert!(matches!(attempts.after(Failure::Timeout, ""), Next::Wait(_)));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Attempts {
    policy: RetryPolicy,
    dialect: Dialect,
    attempt: u32,
    seed: u64,
}

impl Attempts {
    /// Before the first request, which goes in `dialect`. Waits are spread by `seed`.
    pub fn new(policy: RetryPolicy, dialect: Dialect, seed: u64) -> Self {
        Self { policy, dialect, attempt: 1, seed }
    }

    /// What the next request is written in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What to do after `failure`, of which the server said `reason`. A refusal of a part of the dialect is no attempt:
    /// there are few of them, and none comes twice.
    pub fn after(&mut self, failure: Failure, reason: &str) -> Next {
        if let Failure::Status { code, .. } = failure
            && let Some(weaker) = self.dialect.after_refusal(code, reason)
        {
            self.dialect = weaker;
            return Next::Again;
        }
        let decision = self.policy.after(failure, self.attempt, self.seed);
        self.attempt += 1;
        match decision {
            Decision::Wait(wait) => Next::Wait(wait),
            Decision::GiveUp => Next::GiveUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_no_attempts_and_everything_ends() {
        let mut attempts = Attempts::new(RetryPolicy::default(), Dialect::default(), 1);
        let refused = Failure::Status { code: 400, retry_after: None };
        let busy = Failure::Status { code: 503, retry_after: None };
        let (mut again, mut waits) = (0, 0);
        loop {
            // A refusal and a failure in turn.
            let failure = if again > waits { busy } else { refused };
            match attempts.after(failure, "") {
                Next::Again => again += 1,
                Next::Wait(_) => waits += 1,
                Next::GiveUp => break,
            }
        }
        assert_eq!((again, waits), (4, 3));
        assert!(!attempts.dialect().stream);
    }
}
