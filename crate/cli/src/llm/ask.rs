//! One question after the other to a server that may be slow, busy or silly: when to ask again, and when not.

use super::endpoint::{Endpoint, Failed};
use querent_core::llm::{
    Attempts, Budget, ChatRequest, Completion, Dialect, Failure, FinishReason, Next, RetryPolicy, Usage,
};
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// What becomes warmer with each reply of no use: the same request would bring the same reply.
const WARMER: f64 = 0.3;

/// Takes the words of a reply as they come, and `None` where a reply begins anew.
pub(crate) type Listener<'a> = &'a mut dyn FnMut(Option<&str>);

/// How asking ended.
#[derive(Debug)]
pub(crate) enum Answer {
    /// With a reply of use.
    Usable(Completion),
    /// With replies of no use; the last one.
    Unusable(Completion),
    /// Without a reply.
    Failed {
        /// Why.
        reason: String,
        /// Whether the server said so, and about this request rather than about itself.
        is_alive: bool,
        /// Whether there was a connection at all.
        is_reached: bool,
    },
    /// Not asked: the budget is spent.
    OverBudget,
    /// Not asked, nor is anything else to be: the server refuses us.
    Refused(String),
}

/// What the threads share that ask one server.
pub(crate) struct Asker {
    endpoint: Endpoint,
    policy: RetryPolicy,
    dialect: Mutex<Dialect>,
    budget: Mutex<Budget>,
    /// Until when the server wants to be left alone.
    quiet_until: Mutex<Option<Instant>>,
}

impl Asker {
    /// An asker that first tries `dialect`.
    pub(crate) fn new(endpoint: Endpoint, dialect: Dialect, budget: Budget) -> Self {
        Self {
            endpoint,
            policy: RetryPolicy::default(),
            dialect: Mutex::new(dialect),
            budget: Mutex::new(budget),
            quiet_until: Mutex::default(),
        }
    }

    /// The same, as patient as `policy`.
    pub(crate) fn with_policy(self, policy: RetryPolicy) -> Self {
        Self { policy, ..self }
    }

    /// Requests and tokens so far.
    pub(super) fn spent(&self) -> (u64, Usage) {
        let budget = hold(&self.budget);
        (budget.requests(), budget.used())
    }

    /// Asks until a reply `is_usable`, or until it is time to give up. Waits are spread by `seed`.
    pub(super) fn ask(&self, request: &ChatRequest, seed: u64, is_usable: &dyn Fn(&str) -> bool) -> Answer {
        self.ask_aloud(request, seed, is_usable, None)
    }

    /// The same, with somebody who hears the words as they come. Who hears words cannot unhear them: a reply that breaks off is not asked for again then.
    pub(crate) fn ask_aloud(
        &self,
        request: &ChatRequest,
        seed: u64,
        is_usable: &dyn Fn(&str) -> bool,
        mut heard: Option<Listener<'_>>,
    ) -> Answer {
        let mut request = request.clone();
        let mut attempts = Attempts::new(self.policy, *hold(&self.dialect), seed);
        loop {
            self.wait_for_quiet();
            let mut is_begun = false;
            let mut hear = |words: Option<&str>| {
                if let Some(heard) = &mut heard {
                    is_begun |= words.is_some_and(|words| !words.is_empty());
                    heard(words);
                }
            };
            hear(None);
            let Some(sent) = self.send(&request, attempts.dialect(), &mut |words| hear(Some(words))) else {
                return Answer::OverBudget;
            };
            let (failure, reason, end) = match sent {
                Ok(completion) => {
                    *hold(&self.dialect) = attempts.dialect();
                    if is_usable(&completion.text) {
                        return Answer::Usable(completion);
                    }
                    request.temperature = (request.temperature + WARMER).min(1.5);
                    (Failure::Unusable, String::new(), Answer::Unusable(completion))
                }
                Err(failed) if is_begun => return broken_off(&failed),
                Err(failed) => (kind_of(&failed), failed.reason.clone(), end_of(&failed)),
            };
            match attempts.after(failure, &reason) {
                Next::Again => {}
                Next::Wait(wait) => self.wait(wait, failure),
                Next::GiveUp => return end,
            }
        }
    }

    /// One request; `None` where the budget does not allow it.
    fn send(
        &self,
        request: &ChatRequest,
        dialect: Dialect,
        heard: &mut dyn FnMut(&str),
    ) -> Option<Result<Completion, Failed>> {
        let prompt_tokens = request.prompt_tokens();
        let most = prompt_tokens + u64::from(request.max_tokens);
        if !hold(&self.budget).reserve(most) {
            return None;
        }
        let sent = self.endpoint.send(&request.body(dialect), heard);
        let used = match &sent {
            Ok(completion) => completion.usage.unwrap_or_else(|| Usage {
                prompt_tokens,
                completion_tokens: querent_core::llm::estimate_tokens(&completion.text),
            }),
            // A refusal costs nothing; what was cut off may have cost everything.
            Err(failed) if failed.status.is_some() || failed.failure == Failure::Connection => {
                Usage::default()
            }
            Err(_) => Usage { prompt_tokens, completion_tokens: u64::from(request.max_tokens) },
        };
        hold(&self.budget).settle(most, used);
        Some(sent)
    }

    /// A server that names a time is left alone by all threads; our own patience is each thread's.
    fn wait(&self, wait: Duration, failure: Failure) {
        if let Failure::Status { retry_after: Some(_), .. } = failure {
            let mut until = hold(&self.quiet_until);
            *until = (*until).max(Instant::now().checked_add(wait));
        } else {
            thread::sleep(wait);
        }
    }

    fn wait_for_quiet(&self) {
        let until = *hold(&self.quiet_until);
        if let Some(left) = until.and_then(|until| until.checked_duration_since(Instant::now())) {
            thread::sleep(left);
        }
    }
}

/// A reply that is too long comes from a model that does not stop: as silly as any other.
fn kind_of(failed: &Failed) -> Failure {
    if failed.is_huge { Failure::Unusable } else { failed.failure }
}

fn end_of(failed: &Failed) -> Answer {
    if failed.is_huge {
        return Answer::Unusable(Completion {
            text: String::new(),
            finish: FinishReason::Other,
            usage: None,
        });
    }
    match failed.explain() {
        (reason, true) => Answer::Refused(reason),
        (reason, false) => {
            let is_alive = failed.status.is_some_and(|status| status < 500 && status != 429);
            Answer::Failed { reason, is_alive, is_reached: failed.failure != Failure::Connection }
        }
    }
}

fn broken_off(failed: &Failed) -> Answer {
    let (reason, _) = failed.explain();
    Answer::Failed { reason: format!("the answer breaks off: {reason}"), is_alive: true, is_reached: true }
}

/// The value behind a lock, also when another thread died while it had it: each is consistent at any time.
pub(super) fn hold<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
