//! How much may be asked: requests and tokens.

use serde::{Deserialize, Serialize};

/// Tokens of one exchange, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens that were sent.
    pub prompt_tokens: u64,
    /// Tokens that came back.
    pub completion_tokens: u64,
}

impl Usage {
    /// Both together.
    pub fn total(self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }

    /// What both used.
    pub fn plus(self, other: Self) -> Self {
        Self {
            prompt_tokens: self.prompt_tokens.saturating_add(other.prompt_tokens),
            completion_tokens: self.completion_tokens.saturating_add(other.completion_tokens),
        }
    }
}

/// What may be spent, and what was.
///
/// A request is reserved before it is sent with the most that it can use, and settled afterwards with what it did
/// use, so threads that ask at the same time do not exceed the limit together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    most_requests: Option<u64>,
    most_tokens: Option<u64>,
    requests: u64,
    reserved: u64,
    used: Usage,
}

impl Budget {
    /// A budget; `None` is no limit.
    pub fn new(most_requests: Option<u64>, most_tokens: Option<u64>) -> Self {
        Self { most_requests, most_tokens, ..Self::default() }
    }

    /// Takes one request of at most `tokens` tokens from the budget; false, and nothing taken, where it is too much.
    #[must_use]
    pub fn reserve(&mut self, tokens: u64) -> bool {
        let planned = self.used.total().saturating_add(self.reserved).saturating_add(tokens);
        let fits = |most: Option<u64>, count: u64| most.is_none_or(|most| count <= most);
        let is_within = fits(self.most_requests, self.requests + 1) && fits(self.most_tokens, planned);
        if is_within {
            self.requests += 1;
            self.reserved += tokens;
        }
        is_within
    }

    /// Says that a request, for which `reserved` tokens were taken, has ended and used `usage`.
    pub fn settle(&mut self, reserved: u64, usage: Usage) {
        self.reserved = self.reserved.saturating_sub(reserved);
        self.used = self.used.plus(usage);
    }

    /// Requests sent so far, retries included.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Tokens used so far.
    pub fn used(&self) -> Usage {
        self.used
    }
}

/// About how many tokens `text` has, whoever counts: English has four bytes to a token, other scripts fewer
/// characters. For budgets and forecasts; within a fifth of what models count for documentation.
pub fn estimate_tokens(text: &str) -> u64 {
    let (ascii, other) =
        text.chars().fold(
            (0_u64, 0_u64),
            |(ascii, other), c| {
                if c.is_ascii() { (ascii + 1, other) } else { (ascii, other + 1) }
            },
        );
    ascii.div_ceil(4) + other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_also_for_what_is_under_way() {
        let usage = |tokens| Usage { prompt_tokens: tokens, completion_tokens: 0 };
        let mut budget = Budget::new(Some(3), Some(100));
        assert!(budget.reserve(60));
        assert!(!budget.reserve(60));
        budget.settle(60, usage(10));
        assert!(budget.reserve(60));
        budget.settle(60, usage(20));
        assert!(budget.reserve(60));
        budget.settle(60, usage(1));
        assert!(!budget.reserve(1), "three requests were sent");
        assert_eq!((budget.requests(), budget.used().total()), (3, 31));
        assert!(Budget::new(None, None).reserve(u64::MAX));
        assert!(!Budget::new(Some(0), None).reserve(0));
    }

    #[test]
    fn estimates() {
        for (text, expected) in [("", 0), ("four", 1), ("What is a shard?", 4), ("所有権", 3)] {
            assert_eq!(estimate_tokens(text), expected, "{text}");
        }
    }
}
