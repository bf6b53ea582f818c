//! A server with the chat API that misbehaves as it is told.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// What the server does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Streams these words, in pieces that end inside characters.
    Say(String),
    /// The same as one JSON object.
    SayWhole(String),
    /// Sends nothing for so long, then closes.
    Hang(Duration),
    /// This status, these headers, this body.
    Status(&'static str, &'static str, &'static str),
    /// Begins to stream, and closes the connection.
    Cut,
    /// Bytes that are no JSON.
    Noise,
    /// JSON that is no chat completion.
    Foreign,
    /// Words without an end.
    Endless,
}

/// What was asked: headers in lower case, body.
pub(crate) type Asked = (String, Value);

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// A server whose answer to request number n (from 0) with its body is `act(n, body)`.
    pub(crate) fn new(act: impl Fn(usize, &Value) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, count, act) = (Arc::clone(&asked), Arc::new(AtomicUsize::new(0)), Arc::new(act));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, count, act) = (Arc::clone(&log), Arc::clone(&count), Arc::clone(&act));
                thread::spawn(move || {
                    let asked = read(&stream)?;
                    let act = act(count.fetch_add(1, Ordering::SeqCst), &asked.1);
                    log.lock().expect("a lock").push(asked);
                    answer(&stream, &act)
                });
            }
        });
        Self { url, asked }
    }

    /// A server that does the same for every request.
    pub(crate) fn always(act: Act) -> Self {
        Self::new(move |_, _| act.clone())
    }

    /// All requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("a lock").clone()
    }
}

/// Reads one request. Connections are not kept, so that each request is one.
fn read(stream: &TcpStream) -> std::io::Result<Asked> {
    let mut reader = BufReader::new(stream);
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let lower = line.to_lowercase();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        headers += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok((headers, serde_json::from_slice(&body).expect("JSON")))
}

fn answer(mut stream: &TcpStream, act: &Act) -> std::io::Result<()> {
    let stream_head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let mut whole = |status: &str, headers: &str, body: &str| {
        let length = body.len();
        let head =
            format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all((head + body).as_bytes())
    };
    match act {
        Act::Status(status, headers, body) => whole(status, headers, body),
        Act::SayWhole(words) => whole("200 OK", "", &completion(words)),
        Act::Noise => whole("200 OK", "", "{\"choices\": [{\"mess"),
        Act::Foreign => whole("200 OK", "", "{\"message\": {\"content\": \"hello\"}}"),
        Act::Hang(time) => {
            thread::sleep(*time);
            Ok(())
        }
        Act::Cut => {
            stream.write_all(stream_head.as_bytes())?;
            stream.write_all(delta("{\"questions\": [\"What is").as_bytes())
        }
        Act::Endless => {
            stream.write_all(stream_head.as_bytes())?;
            // Ends when nobody reads any more.
            loop {
                stream.write_all(delta(&"What is what? ".repeat(100)).as_bytes())?;
            }
        }
        Act::Say(words) => {
            stream.write_all(stream_head.as_bytes())?;
            let mut events: String = words.chars().map(|c| delta(&c.to_string())).collect();
            events += "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
            events += "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10}}\n\n";
            events += "data: [DONE]\n\n";
            for piece in events.as_bytes().chunks(97) {
                stream.write_all(piece)?;
            }
            Ok(())
        }
    }
}

fn completion(words: &str) -> String {
    json!({
        "choices": [{"message": {"role": "assistant", "content": words}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    })
    .to_string()
}

fn delta(words: &str) -> String {
    format!("data: {}\n\n", json!({"choices": [{"delta": {"content": words}}]}))
}

/// What a good model says.
pub(crate) fn questions(questions: &[&str]) -> String {
    json!({"questions": questions}).to_string()
}
