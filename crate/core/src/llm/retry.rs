//! Whether and when to ask again.

use crate::random::split_mix;
use std::time::Duration;

/// How a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The server answered with another status than 200.
    Status {
        /// The status.
        code: u16,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// Nothing came in time.
    Timeout,
    /// No connection, or a broken one.
    Connection,
    /// The reply was cut off, or was none.
    Reply,
    /// The reply was whole and of no use: silly, or not in the form that was asked for.
    Unusable,
}

/// What to do after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Ask again after that time.
    Wait(Duration),
    /// Do not ask again.
    GiveUp,
}

/// How often and how patiently to ask. See the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Requests in all, the first included: 1 and up, default 4.
    pub attempts: u32,
    /// Requests in all where replies come and are of no use: 1 and up, default 3. Each costs as much as the first.
    pub attempts_if_unusable: u32,
    /// Wait before the second request, doubled before each further one: default half a second.
    pub base: Duration,
    /// Longest wait of our own: default 30 s.
    pub most: Duration,
    /// Longest wait that a server may ask for; what asks for more is given up: default 5 minutes.
    pub most_asked: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            attempts_if_unusable: 3,
            base: Duration::from_millis(500),
            most: Duration::from_secs(30),
            most_asked: Duration::from_secs(300),
        }
    }
}

impl RetryPolicy {
    /// What to do after `failure` of request number `attempt`, the first being 1.
    ///
    /// Waits grow by the factor 2 and lie, by `seed`, between a half and the whole of that: requests that failed
    /// together do not come back together. A server that names a time is left alone at least so long.
    pub fn after(&self, failure: Failure, attempt: u32, seed: u64) -> Decision {
        let attempts = if failure == Failure::Unusable { self.attempts_if_unusable } else { self.attempts };
        if attempt >= attempts || !is_temporary(failure) {
            return Decision::GiveUp;
        }
        match failure {
            Failure::Unusable => Decision::Wait(Duration::ZERO),
            Failure::Status { retry_after: Some(asked), .. } if asked > self.most_asked => Decision::GiveUp,
            Failure::Status { retry_after: Some(asked), .. } => {
                Decision::Wait(asked.max(self.backoff(attempt, seed)))
            }
            _ => Decision::Wait(self.backoff(attempt, seed)),
        }
    }

    fn backoff(&self, attempt: u32, seed: u64) -> Duration {
        let factor = 1_u32.checked_shl(attempt.saturating_sub(1)).unwrap_or(u32::MAX);
        let whole = self.base.saturating_mul(factor).min(self.most);
        let mut state = seed.wrapping_add(u64::from(attempt));
        let share = (split_mix(&mut state) >> 11) as f64 / (1_u64 << 53) as f64;
        whole.mul_f64(0.5 + 0.5 * share)
    }
}

/// Whether the same request may go well another time.
fn is_temporary(failure: Failure) -> bool {
    match failure {
        Failure::Status { code, .. } => matches!(code, 408 | 409 | 425 | 429 | 500 | 502..=504 | 520..=529),
        Failure::Timeout | Failure::Connection | Failure::Reply | Failure::Unusable => true,
    }
}

/// The time that a header `Retry-After` names: seconds, or a date, from which `now` (seconds since 1970) is taken.
pub fn retry_after(value: &str, now: u64) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    Some(Duration::from_secs(seconds_of_date(value)?.saturating_sub(now)))
}

/// Seconds since 1970 of a date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn seconds_of_date(value: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let (_, date) = value.split_once(", ")?;
    let mut parts = date.split(' ');
    let day: u64 = parts.next()?.parse().ok()?;
    let month = parts.next().filter(|name| name.len() == 3).and_then(|name| MONTHS.find(name))? as u64 / 3;
    let year: u64 = parts.next()?.parse().ok()?;
    let clock: Vec<u64> = parts.next()?.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = clock[..] else { return None };
    let is_date = (1..=31).contains(&day) && (1970..=9999).contains(&year) && hour < 24;
    if !is_date || minute > 59 || second > 60 || parts.next() != Some("GMT") {
        return None;
    }
    Some(((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// Days from 1 January 1970; `month` from 0. Years begin in March, so that leap days come last.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let year = if month < 2 { year - 1 } else { year };
    let month = (month + 10) % 12;
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_asked_again() {
        let policy = RetryPolicy::default();
        let status = |code, seconds: Option<u64>| Failure::Status {
            code,
            retry_after: seconds.map(Duration::from_secs),
        };
        for (failure, attempt, waits) in [
            (status(429, None), 1, true),
            (status(500, None), 3, true),
            (status(500, None), 4, false),
            (status(503, Some(20)), 1, true),
            (status(503, Some(301)), 1, false),
            (status(400, None), 1, false),
            (status(401, None), 1, false),
            (status(404, None), 1, false),
            (status(501, None), 1, false),
            (Failure::Timeout, 1, true),
            (Failure::Connection, 3, true),
            (Failure::Reply, 4, false),
            (Failure::Unusable, 2, true),
            (Failure::Unusable, 3, false),
        ] {
            let decision = policy.after(failure, attempt, 7);
            assert_eq!(matches!(decision, Decision::Wait(_)), waits, "{failure:?} {attempt}");
        }
        let asked = policy.after(status(429, Some(20)), 1, 7);
        assert_eq!(asked, Decision::Wait(Duration::from_secs(20)));
    }

    #[test]
    fn times() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        for (value, now, expected) in [
            ("3", 0, Some(3)),
            (" 120 ", 0, Some(120)),
            (date, 784_111_770, Some(7)),
            (date, 784_111_777, Some(0)),
            (date, 900_000_000, Some(0)),
            ("Thu, 01 Jan 1970 00:00:09 GMT", 0, Some(9)),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_399, Some(1)),
            ("-1", 0, None),
            ("NaN", 0, None),
            ("soon", 0, None),
            ("Sun, 06 Xyz 1994 08:49:37 GMT", 0, None),
        ] {
            assert_eq!(retry_after(value, now), expected.map(Duration::from_secs), "{value}");
        }
    }

    proptest! {
        #[test]
        fn waits_grow_within_their_bounds(attempt in 1_u32..200, seed: u64) {
            let policy = RetryPolicy { attempts: u32::MAX, ..RetryPolicy::default() };
            let Decision::Wait(wait) = policy.after(Failure::Timeout, attempt, seed) else { panic!("waits") };
            let whole = policy.base.saturating_mul(1 << (attempt - 1).min(20)).min(policy.most);
            prop_assert!(wait >= whole / 2 && wait <= whole, "{wait:?} of {whole:?}");
        }

        #[test]
        fn any_header_is_read(value: String, number in "[0-9]{1,30}(\\.[0-9]{1,9})?", date in "[A-Z]{3}, [0-9]{1,4} (Feb|Dec|FebM) [0-9]{1,20} [0-9:]{0,12} GMT") {
            for value in [value, number, date] {
                let _ = retry_after(&value, 1_000_000_000);
            }
        }
    }
}
