//! A service that reranks, by the protocol that Jina and Cohere share.
//!
//! ```text
//! POST url   {"model": "...", "query": "...", "documents": ["...", ...], "top_n": 2}
//!       ->   {"results": [{"index": 1, "relevance_score": 0.93}, {"index": 0, "relevance_score": 0.02}]}
//! ```
//!
//! The key comes from `QUERENT_RERANK_KEY` and goes into the header `Authorization` only: a flag or a file of
//! settings would keep it where others read.

use anyhow::{Result, bail};
use querent_core::rerank::{RerankError, Reranker};
use serde::{Deserialize, Serialize};
use std::{env, time::Duration};

/// The variable that holds the key.
const KEY: &str = "QUERENT_RERANK_KEY";
/// Longest reply that is read. A thousand scores take some 50 kB.
const MOST_BYTES: u64 = 4 << 20;

/// The client of one service.
pub(super) struct Endpoint {
    url: String,
    model: String,
    key: Option<String>,
    agent: ureq::Agent,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    query: &'a str,
    documents: &'a [&'a str],
    top_n: usize,
}

#[derive(Deserialize)]
struct Reply {
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    relevance_score: f32,
}

impl Endpoint {
    /// A client that waits for a reply no longer than `timeout`.
    ///
    /// # Errors
    /// When `url` is not of http or https.
    pub(super) fn new(url: &str, model: &str, timeout: Duration) -> Result<Self> {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            bail!(crate::Usage(format!(
                "--rerank-endpoint: expected an address with http:// or https://, found {url:?}"
            )));
        }
        let config =
            ureq::Agent::config_builder().timeout_global(Some(timeout)).http_status_as_error(false).build();
        let key = env::var(KEY).ok().filter(|key| !key.is_empty());
        Ok(Self { url: url.to_owned(), model: model.to_owned(), key, agent: config.into() })
    }

    fn failed(&self, reason: impl ToString) -> RerankError {
        RerankError::Endpoint { url: self.url.clone(), reason: reason.to_string() }
    }

    /// The body of a reply with status 200.
    fn ask(&self, body: &[u8]) -> Result<String, RerankError> {
        let mut request = self.agent.post(&self.url).header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut reply = request.send(body).map_err(|error| self.failed(error))?;
        let status = reply.status();
        let text = reply.body_mut().with_config().limit(MOST_BYTES).read_to_string();
        let text = text.map_err(|error| self.failed(error))?;
        if !status.is_success() {
            let said: String = text.chars().take(200).collect();
            return Err(self.failed(format!("status {status}: {said}")));
        }
        Ok(text)
    }
}

impl Reranker for Endpoint {
    fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let request = Request { model: &self.model, query, documents: passages, top_n: passages.len() };
        let body = serde_json::to_vec(&request).map_err(|error| self.failed(error))?;
        scores(&self.ask(&body)?, passages.len())
    }
}

/// The scores in the order of the passages.
fn scores(reply: &str, passages: usize) -> Result<Vec<f32>, RerankError> {
    let bad = |got: String| RerankError::Reply {
        expected: format!("{{\"results\": [{{\"index\", \"relevance_score\"}}]}} with {passages} results"),
        got,
    };
    let reply: Reply = serde_json::from_str(reply).map_err(|error| bad(error.to_string()))?;
    let mut scores = vec![None; passages];
    for Scored { index, relevance_score } in reply.results {
        match scores.get_mut(index) {
            Some(score @ None) => *score = Some(relevance_score),
            Some(_) => return Err(bad(format!("index {index} twice"))),
            None => return Err(bad(format!("index {index}"))),
        }
    }
    let found = scores.iter().flatten().count();
    scores.into_iter().collect::<Option<_>>().ok_or_else(|| bad(format!("{found} results")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies() {
        let one =
            r#"{"results": [{"index": 1, "relevance_score": 0.5}, {"index": 0, "relevance_score": 0.25}]}"#;
        assert_eq!(scores(one, 2).expect("is complete"), [0.25, 0.5]);
        for (reply, passages, part) in [
            (one, 3, "got 2 results"),
            (one, 1, "got index 1"),
            (
                r#"{"results": [{"index": 0, "relevance_score": 1}, {"index": 0, "relevance_score": 1}]}"#,
                2,
                "twice",
            ),
            (r#"{"error": "no such model"}"#, 2, "missing field `results`"),
            ("<html>", 1, "expected value"),
        ] {
            let message = scores(reply, passages).expect_err("is refused").to_string();
            assert!(message.contains(part), "expected {part:?} in {message:?}");
        }
    }

    #[test]
    fn addresses() {
        for (url, is_one) in [("http://127.0.0.1:9/v1/rerank", true), ("ftp://x", false), ("", false)] {
            assert_eq!(Endpoint::new(url, "m", Duration::from_secs(1)).is_ok(), is_one, "{url}");
        }
    }
}
