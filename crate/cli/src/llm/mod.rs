//! Language models from the command line: the transport for what [`querent_core::llm`] prepares and reads.
//!
//! ```text
//! chunks -> prompts -> reply cache -> (missing ones) pool of threads -> endpoint -> reply cache -> questions, contexts
//! ```
//!
//! What a user may rely on: nothing is sent unless an address was configured; a reply is on disk before the next one
//! is waited for, so an interrupted build goes on where it was, and a second build asks nothing; a model that says
//! nothing of use costs its chunk the model's questions and never the build; the key is in the request's header and
//! nowhere else.

mod args;
mod ask;
mod batch;
mod cache;
mod endpoint;
mod interrupt;
mod kinds;
mod pool;
mod queries;
mod secret;

pub(crate) use args::{EndpointArgs, LlmArgs, LlmBuildArgs, LlmConfig};
pub(crate) use ask::{Answer, Asker};
pub(crate) use endpoint::Endpoint;
pub(crate) use kinds::{ByModel, ask, forecast};
pub(crate) use queries::{QuerySettings, variations};

use crate::Usage;
use anyhow::Result;
use secret::Secret;
use std::{path::PathBuf, time::Duration};

/// Which server is asked for which model, and how.
#[derive(Debug, Clone)]
pub(crate) struct EndpointSettings {
    /// Address up to `/chat/completions`, that included.
    pub(crate) url: String,
    /// The server's name of the model.
    pub(crate) model: String,
    /// What the header `Authorization` carries.
    pub(crate) key: Option<Secret>,
    /// The variable that was to hold the key, where it does not.
    pub(crate) missing_key: Option<String>,
    /// Longest wait for a whole reply.
    pub(crate) timeout: Duration,
    /// 0 to 2.
    pub(crate) temperature: f64,
    /// Most tokens of one reply.
    pub(crate) reply_tokens: u32,
}

impl EndpointSettings {
    /// Looks for the key only when something is about to be sent: replies that are kept need none.
    ///
    /// # Errors
    /// When a variable was named for the key and holds none.
    pub(crate) fn check_key(&self) -> Result<()> {
        let Some(name) = &self.missing_key else { return Ok(()) };
        let text = format!("llm-key-env: expected a key in the environment variable {name}, found none");
        Err(Usage(text).into())
    }
}

/// Everything that asking about many chunks needs to know.
#[derive(Debug, Clone)]
pub(crate) struct LlmSettings {
    /// Who is asked.
    pub(crate) endpoint: EndpointSettings,
    /// Requests under way at a time.
    pub(crate) concurrency: usize,
    /// Most requests of a run, retries included.
    pub(crate) max_requests: Option<u64>,
    /// Most tokens of a run, sent and received.
    pub(crate) max_tokens: Option<u64>,
    /// Folder of the replies; `None` for the one in the cache.
    pub(crate) cache: Option<PathBuf>,
    /// Only say what it would take.
    pub(crate) dry_run: bool,
}
