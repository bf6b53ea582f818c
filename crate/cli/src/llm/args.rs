//! Flags, variables and the table `[llm]` of `querent.toml`, and the settings that come of them.

use super::{EndpointSettings, LlmSettings, secret::Secret};
use crate::{Usage, progress};
use anyhow::Result;
use clap::Args;
use serde::Deserialize;
use std::{env, net::IpAddr, path::PathBuf, time::Duration};

/// The variable that holds the key, where no other is named.
const KEY: &str = "QUERENT_LLM_KEY";

/// Which server is asked for which model, and how.
#[derive(Debug, Args)]
pub(crate) struct EndpointArgs {
    /// Address of a server with OpenAI's chat API, up to /chat/completions
    #[arg(long, env = "QUERENT_LLM_URL", value_name = "URL")]
    llm_url: Option<String>,
    /// The server's name of the model
    #[arg(long, env = "QUERENT_LLM_MODEL", value_name = "NAME")]
    llm_model: Option<String>,
    /// Environment variable that holds the key [default: QUERENT_LLM_KEY]
    #[arg(long, env = "QUERENT_LLM_KEY_ENV", value_name = "NAME")]
    llm_key_env: Option<String>,
    /// Seconds to wait for a whole reply [default: 120]
    #[arg(long, env = "QUERENT_LLM_TIMEOUT", value_name = "S")]
    llm_timeout: Option<f64>,
    /// 0 (the likeliest reply) to 2 [default: 0.3]
    #[arg(long, env = "QUERENT_LLM_TEMPERATURE", value_name = "T")]
    llm_temperature: Option<f64>,
    /// Most tokens of one reply; models that think aloud need thousands [default: 400]
    #[arg(long, env = "QUERENT_LLM_REPLY_TOKENS", value_name = "N")]
    llm_reply_tokens: Option<u32>,
}

/// Which model is asked about many chunks, and how much.
#[derive(Debug, Args)]
pub(crate) struct LlmArgs {
    #[command(flatten)]
    endpoint: EndpointArgs,
    /// Requests under way at a time: 1 to 64 [default: 2]
    #[arg(long, env = "QUERENT_LLM_CONCURRENCY", value_name = "N")]
    llm_concurrency: Option<usize>,
    /// Most requests, retries included; chunks beyond that get what rules make of them [default: no limit]
    #[arg(long, visible_alias = "max-requests", env = "QUERENT_LLM_MAX_REQUESTS", value_name = "N")]
    llm_max_requests: Option<u64>,
    /// Most tokens, sent and received; chunks beyond that get what rules make of them [default: no limit]
    #[arg(long, env = "QUERENT_LLM_MAX_TOKENS", value_name = "N")]
    llm_max_tokens: Option<u64>,
    /// Folder in which replies are kept, for instance one that is committed [default: llm in the cache folder]
    #[arg(long, env = "QUERENT_LLM_CACHE", value_name = "DIR")]
    llm_cache: Option<PathBuf>,
}

/// The same for `build`, which can also say what it would ask.
#[derive(Debug, Args)]
pub(crate) struct LlmBuildArgs {
    #[command(flatten)]
    llm: LlmArgs,
    /// With --questions llm and the like: say how many requests and tokens it takes, ask nothing and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// `[llm]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LlmConfig {
    url: Option<String>,
    model: Option<String>,
    key_env: Option<String>,
    concurrency: Option<usize>,
    timeout: Option<f64>,
    max_requests: Option<u64>,
    max_tokens: Option<u64>,
    temperature: Option<f64>,
    reply_tokens: Option<u32>,
    pub(crate) cache: Option<PathBuf>,
}

impl LlmBuildArgs {
    /// The settings, where a model is to be asked: `asked` is the flag that says so.
    pub(crate) fn resolve(self, asked: Option<&str>, config: &LlmConfig) -> Result<Option<LlmSettings>> {
        if self.dry_run && asked.is_none() {
            return usage(
                "--dry-run: expected --questions llm, --context llm or --content-analysis llm beside it, for nothing \
                 else asks a model",
            );
        }
        let settings = self.llm.resolve(asked, config)?;
        Ok(settings.map(|settings| LlmSettings { dry_run: self.dry_run, ..settings }))
    }
}

impl LlmArgs {
    /// The settings, where a model is to be asked: `asked` is the flag that says so. What is missing is taken from
    /// `querent.toml`, then from the defaults.
    pub(crate) fn resolve(self, asked: Option<&str>, config: &LlmConfig) -> Result<Option<LlmSettings>> {
        let Some(asked) = asked else { return Ok(None) };
        match self.configured(config)? {
            None => usage(&format!(
                "{asked}: expected --llm-url, the address of a server with OpenAI's chat API such as \
                 http://127.0.0.1:8080/v1; found none"
            )),
            settings => Ok(settings),
        }
    }

    /// The settings, where an address was configured.
    pub(crate) fn configured(self, config: &LlmConfig) -> Result<Option<LlmSettings>> {
        let Some(endpoint) = self.endpoint.resolve(config)? else { return Ok(None) };
        let settings = LlmSettings {
            endpoint,
            concurrency: self.llm_concurrency.or(config.concurrency).unwrap_or(2),
            max_requests: self.llm_max_requests.or(config.max_requests),
            max_tokens: self.llm_max_tokens.or(config.max_tokens),
            cache: self.llm_cache.or_else(|| config.cache.clone()),
            dry_run: false,
        };
        within("llm-concurrency", settings.concurrency as f64, 1.0, 64.0)?;
        Ok(Some(settings))
    }
}

impl EndpointArgs {
    /// The settings for asking about a few queries, where an address was configured.
    pub(crate) fn for_queries(self, config: &LlmConfig) -> Result<Option<LlmSettings>> {
        let settings = |endpoint| LlmSettings {
            endpoint,
            concurrency: 1,
            max_requests: None,
            max_tokens: None,
            cache: None,
            dry_run: false,
        };
        Ok(self.resolve(config)?.map(settings))
    }

    /// The settings, where an address was configured.
    pub(crate) fn resolve(self, config: &LlmConfig) -> Result<Option<EndpointSettings>> {
        let text = |flag: Option<String>, config: &Option<String>| {
            flag.or_else(|| config.clone()).filter(|text| !text.trim().is_empty())
        };
        let Some(url) = text(self.llm_url, &config.url) else { return Ok(None) };
        let Some(model) = text(self.llm_model, &config.model) else {
            return usage(
                "expected --llm-model beside --llm-url, the server's name of the model; found none",
            );
        };
        let timeout = self.llm_timeout.or(config.timeout).unwrap_or(120.0);
        let named = text(self.llm_key_env, &config.key_env);
        let key = env::var(named.as_deref().unwrap_or(KEY)).ok().and_then(|value| Secret::new(&value));
        let settings = EndpointSettings {
            url: chat_url(&url)?,
            model,
            missing_key: named.clone().filter(|_| key.is_none()),
            key,
            timeout: Duration::from_secs_f64(within("llm-timeout", timeout, 0.001, 86_400.0)?),
            temperature: self.llm_temperature.or(config.temperature).unwrap_or(0.3),
            reply_tokens: self.llm_reply_tokens.or(config.reply_tokens).unwrap_or(400),
        };
        if settings.key.is_some() && settings.url.starts_with("http://") && !is_local(&settings.url) {
            progress::warn("llm-url: the key is sent to another machine without encryption; use https://");
        }
        within("llm-temperature", settings.temperature, 0.0, 2.0)?;
        within("llm-reply-tokens", f64::from(settings.reply_tokens), 32.0, 100_000.0)?;
        Ok(Some(settings))
    }
}

fn usage<T>(text: &str) -> Result<T> {
    Err(Usage(text.into()).into())
}

fn within(name: &str, value: f64, least: f64, most: f64) -> Result<f64> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    usage(&format!("{name}: expected {least} to {most}, found {value}"))
}

/// The address to send to. What a key may hide in is refused: addresses are shown.
fn chat_url(url: &str) -> Result<String> {
    let url = url.trim().trim_end_matches('/');
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_one = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', ':']));
    if !is_one || url.contains(|c: char| c.is_whitespace() || c.is_control() || "?#@".contains(c)) {
        return usage(
            "llm-url: expected an address with http:// or https:// and without user, query and fragment, such as \
             http://127.0.0.1:8080/v1; a key belongs into an environment variable",
        );
    }
    let end = "/chat/completions";
    Ok(if url.ends_with(end) { url.to_owned() } else { format!("{url}{end}") })
}

/// Whether `url` is of this machine.
fn is_local(url: &str) -> bool {
    let host = url.split('/').nth(2).unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (url, expected) in [
            ("http://127.0.0.1:8080/v1", Some("http://127.0.0.1:8080/v1/chat/completions")),
            ("https://example.org/v1/", Some("https://example.org/v1/chat/completions")),
            ("https://example.org/v1/chat/completions", Some("https://example.org/v1/chat/completions")),
            ("example.org/v1", None),
            ("ftp://example.org", None),
            ("http://", None),
            ("https://me:secret@example.org/v1", None),
            ("https://example.org/v1?key=secret", None),
        ] {
            assert_eq!(chat_url(url).ok().as_deref(), expected, "{url}");
        }
    }
}
