//! `answer` and `queryAfter`: a question to a language model's server, and its answer as it arrives.
//!
//! Everything but the network is the core's: the prompt, the dialect, when to ask again, what the bytes say and which
//! citations stay. The network is [`transport`]'s.

mod transport;

use crate::{
    dto::{AskAnswer, AskRequest, AskServer, AskTurn},
    error::{Code, Failure},
    json::to_js,
};
use gloo_timers::future::TimeoutFuture;
use js_sys::Function;
use querent_core::{
    answer::{
        Answer, AnswerReader, HISTORY_TOKENS, Source, Template, Turn, answer_prompt, has_words, query_after,
    },
    llm::{
        Attempts, ChatRequest, Completion, Dialect, Failure as Kind, FinishReason, Next, ReplyFormat,
        RetryPolicy,
    },
};
use serde::de::DeserializeOwned;
use std::time::Duration;
use transport::{Failed, Transport};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

/// A reader waits: fewer attempts than a build has, and no wait of minutes because a server asks for it.
const ATTEMPTS: u32 = 3;
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How often a wait looks whether anybody waits with it.
const STEP_MS: u32 = 100;

const TEMPERATURE: f64 = 0.3;
const MAX_TOKENS: u32 = 400;
const TIMEOUT_MS: u32 = 60_000;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Headers of a request to the language model's server: made anew for each request, so that a token may be fresh. */
export type AskHeaders = () => Record<string, string> | Promise<Record<string, string>>;
";

/// What to search for, to answer `question` after `history`: the question, with words of the one before it where it leans
/// on that. Throws `request`.
#[wasm_bindgen(js_name = queryAfter)]
pub fn query_after_turns(
    #[wasm_bindgen(unchecked_param_type = "AskTurn[]")] history: JsValue,
    question: &str,
) -> Result<String, Failure> {
    let history: Vec<AskTurn> = read(history, "history")?;
    Ok(query_after(&turns(history), question))
}

/// Asks for an answer. `onText` takes its words as they come; they are text and no markup, whatever they look like.
/// `headers` is called before each request. Without sources nobody is asked: there is nothing to answer from.
///
/// Throws `request`, `aborted`, `network` (the server cannot be reached), `timeout`, `endpoint` (it refuses, or replies with
/// something else than a chat), `busy` (it has no time now), `cut` (the answer breaks off, some of which was shown) and
/// `no-answer` (the model said nothing).
#[wasm_bindgen(unchecked_return_type = "AskAnswer")]
pub async fn answer(
    #[wasm_bindgen(unchecked_param_type = "AskRequest")] request: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "AskHeaders")] headers: Option<Function>,
    #[wasm_bindgen(js_name = onText, unchecked_optional_param_type = "(words: string) => void")]
    on_text: Option<Function>,
    #[wasm_bindgen(unchecked_optional_param_type = "AbortSignal")] signal: Option<AbortSignal>,
) -> Result<JsValue, Failure> {
    let request: AskRequest = read(request, "the request")?;
    let show = |words: &str| {
        if let Some(on_text) = on_text.as_ref().filter(|_| !words.is_empty()) {
            // A callback that throws has its own problem; the answer goes on.
            let _ = on_text.call1(&JsValue::UNDEFINED, &words.into());
        }
    };
    if request.sources.is_empty() {
        let answer = Answer::silent();
        show(&answer.text);
        return Ok(to_js(&dto(answer, false)));
    }
    let transport = Transport {
        url: chat_url(&request.server.url)?,
        headers,
        timeout_ms: request.server.timeout.unwrap_or(TIMEOUT_MS).max(1),
        signal,
    };
    let sources = request.sources.len();
    let chat = chat(request)?;
    let (completion, reader) = converse(&transport, &chat, sources, &show).await?;
    let (rest, answer) = reader.finish();
    show(&rest);
    if !has_words(&answer.text) {
        return Err(Failure::new(
            Code::NoAnswer,
            "the language model said nothing; ask again, or ask another one",
        ));
    }
    Ok(to_js(&dto(answer, completion.finish == FinishReason::Length)))
}

/// Asks until an answer is there, or until it is time to give up. What was begun to be shown is not asked for again.
async fn converse(
    transport: &Transport,
    chat: &ChatRequest,
    sources: usize,
    show: &dyn Fn(&str),
) -> Result<(Completion, AnswerReader), Failure> {
    let policy = RetryPolicy { attempts: ATTEMPTS, most_asked: LONGEST_WAIT, ..RetryPolicy::default() };
    let dialect = Dialect { format: ReplyFormat::Text, ..Dialect::default() };
    let mut attempts = Attempts::new(policy, dialect, (js_sys::Math::random() * 1e15) as u64);
    loop {
        let mut reader = AnswerReader::new(sources);
        let mut is_begun = false;
        let mut hear = |words: &str| {
            let words = reader.push(words);
            is_begun |= !words.is_empty();
            show(&words);
        };
        let failed = match transport.send(&chat.body(attempts.dialect()), &mut hear).await {
            Ok(completion) => return Ok((completion, reader)),
            Err(Failed::Ours(failure)) => return Err(failure),
            Err(Failed::Theirs { failure, reason }) => (failure, reason),
        };
        let (failure, reason) = failed;
        if is_begun {
            return Err(Failure::new(Code::Cut, format!("the answer breaks off: {reason}; ask again")));
        }
        // Nobody waits twice for a model that is too slow, and each time costs as much as the first.
        let next = if failure == Kind::Timeout { Next::GiveUp } else { attempts.after(failure, &reason) };
        match next {
            Next::Again => {}
            Next::Wait(wait) => pause(wait, transport).await?,
            Next::GiveUp => return Err(transport::explain(failure, &transport.url, &reason)),
        }
    }
}

async fn pause(wait: Duration, transport: &Transport) -> Result<(), Failure> {
    for _ in 0..wait.as_millis().div_ceil(u128::from(STEP_MS)) {
        TimeoutFuture::new(STEP_MS).await;
        transport.check_signal()?;
    }
    Ok(())
}

fn chat(request: AskRequest) -> Result<ChatRequest, Failure> {
    let template = request.template.map_or_else(|| Ok(Template::default()), Template::new);
    let template = template.map_err(|error| Failure::new(Code::Request, error))?;
    let sources: Vec<_> = request
        .sources
        .into_iter()
        .map(|source| Source::of_passage(source.heading_path, &source.passage))
        .collect();
    let AskServer { model, temperature, max_tokens, .. } = request.server;
    let history = turns(request.history);
    Ok(ChatRequest {
        model,
        messages: answer_prompt(&template, &history, HISTORY_TOKENS, &request.question, &sources),
        temperature: temperature.unwrap_or(TEMPERATURE),
        max_tokens: max_tokens.unwrap_or(MAX_TOKENS),
        schema: None,
    })
}

fn dto(answer: Answer, is_cut: bool) -> AskAnswer {
    AskAnswer {
        answer: answer.text,
        citations: answer.citations.cited.into_iter().collect(),
        invented: answer.citations.invented.into_iter().collect(),
        says_nothing: answer.is_silent,
        is_cut,
    }
}

fn turns(history: Vec<AskTurn>) -> Vec<Turn> {
    history.into_iter().map(|AskTurn { question, answer }| Turn { question, answer }).collect()
}

/// The address to send to. What a key may hide in is refused: everybody can read a page.
fn chat_url(url: &str) -> Result<String, Failure> {
    let (url, end) = (url.trim().trim_end_matches('/'), "/chat/completions");
    if !url.starts_with("http") || url.contains(['?', '#', '@']) {
        let text =
            "server.url: expected an address with http:// or https:// and without user, query and fragment";
        return Err(Failure::new(Code::Request, text));
    }
    Ok(if url.ends_with(end) { url.to_owned() } else { format!("{url}{end}") })
}

fn read<T: DeserializeOwned>(value: JsValue, what: &str) -> Result<T, Failure> {
    serde_wasm_bindgen::from_value(value)
        .map_err(|error| Failure::new(Code::Request, format!("{what}: {error}")))
}
