//! `querent serve`: a folder on 127.0.0.1, to look at it in a browser. For trying, not for the public.

use crate::{Outcome, Usage, output, progress};
use anyhow::{Context, Result};
use axum::{
    Router,
    extract::Request,
    http::{HeaderValue, header},
    middleware::{Next, from_fn},
    response::Response,
};
use std::{
    net::Ipv4Addr,
    path::{Path, PathBuf},
};
use tokio::net::TcpListener;
use tower_http::services::ServeDir;

/// Serves `folder` until Ctrl-C. Prints the address when connections are accepted.
///
/// # Errors
/// When the folder does not exist or the port is taken.
pub(crate) fn run((folder, port): &(PathBuf, u16)) -> Result<Outcome> {
    if !folder.is_dir() {
        return Err(Usage(format!("{}: expected a folder to serve, found none", folder.display())).into());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve(folder, *port))?;
    Ok(Outcome::Done)
}

async fn serve(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.with_context(|| {
        format!("port {port} cannot be used; give another one by --port, or 0 for a free one")
    })?;
    output::line(&format!("http://{}/", listener.local_addr()?))?;
    progress::note(&format!("serving {}, until Ctrl-C", folder.display()));
    let router = Router::new().fallback_service(ServeDir::new(folder)).layer(from_fn(add_headers));
    axum::serve(listener, router).with_graceful_shutdown(interrupted()).await?;
    Ok(())
}

/// Ends with Ctrl-C. Open connections must not hold the process: a browser keeps them for minutes.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(0);
    }
    // Without a handler the signal ends the process by itself.
    std::future::pending::<()>().await;
}

async fn add_headers(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    let status = response.status();
    let caching = if status.is_success() || status.as_u16() == 304 { caching(&path) } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Names with a content hash never change their content; everything else is asked for again.
fn caching(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    if is_hashed(name) { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// Whether a part of `name` between `-`, `_` or `.` is a content hash: 16 or more hexadecimal digits, as in
/// `terms-0123456789abcdef.bin`, or the 8 characters of a JavaScript bundler, as in `worker-5UZW3OQ7.js`.
fn is_hashed(name: &str) -> bool {
    name.split(['-', '_', '.']).skip(1).any(|part| {
        let hexadecimal = part.len() >= 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let base32 = |byte: u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte);
        let bundled =
            part.len() == 8 && part.bytes().all(base32) && part.bytes().any(|byte| byte.is_ascii_digit());
        hexadecimal || bundled
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashed_names() {
        for (name, expected) in [
            ("terms-0123456789abcdef.bin", true),
            ("worker-5UZW3OQ7.js", true),
            ("all-MiniLM-L6-v2-0123456789abcdef.q8.bin", true),
            ("manifest.json", false),
            ("querent.js", false),
            ("index.html", false),
            ("ch04-01-what-is-ownership.html", false),
            ("0123456789abcdef.html", false),
        ] {
            assert_eq!(is_hashed(name), expected, "{name}");
        }
    }
}
