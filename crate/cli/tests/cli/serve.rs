//! `serve`: headers, and what cannot be reached.

use crate::site::Site;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(site: &Site, folder: &str) -> Self {
        let mut child = site
            .command(&["serve", folder, "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("is piped")).read_line(&mut line).expect("a line");
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self { child, address }
    }

    /// The response to a request for `target` as it is, with nothing normalised.
    fn get(&self, target: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("connects");
        write!(stream, "GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            .expect("is sent");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("is received");
        String::from_utf8_lossy(&response).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn headers_and_limits() {
    let site = Site::docs();
    site.write("site/index.html", "<p>hello");
    site.write("site/manifest.json", "{}");
    site.write("site/a-0123456789abcdef.wasm", "x");
    site.write("secret.txt", "secret");
    let server = Server::start(&site, "site");
    assert!(server.address.starts_with("127.0.0.1:"));
    for (target, parts) in [
        ("/", ["200 OK", "text/html", "no-cache", "hello"]),
        ("/manifest.json", ["200 OK", "application/json", "no-cache", "{}"]),
        ("/a-0123456789abcdef.wasm", ["200 OK", "application/wasm", "immutable", "x"]),
        ("/missing-0123456789abcdef.wasm", ["404 Not Found", "no-cache", "", ""]),
    ] {
        let response = server.get(target);
        assert!(parts.iter().all(|part| response.contains(part)), "{target}: {response}");
    }
    for target in
        ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/x/../../secret.txt", "//../secret.txt"]
    {
        let response = server.get(target);
        assert!(!response.contains("200 OK") && !response.ends_with("secret"), "{target}: {response}");
    }
}

#[test]
fn a_taken_port_and_a_missing_folder() {
    let site = Site::docs();
    let server = Server::start(&site, "docs");
    let port = server.address.rsplit(':').next().expect("a port").to_owned();
    site.run(&["serve", "docs", "--port", &port]).check(1, &["--port"]);
    site.run(&["serve", "nowhere"]).check(2, &["nowhere"]);
}
