//! Standard output: the one place that writes to it.

use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Prints `text` and a line break.
///
/// # Errors
/// When stdout cannot be written; see [`is_broken_pipe`].
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}")?;
    stdout.flush()?;
    Ok(())
}

/// Prints `text` as it is, without a line break, at once.
///
/// # Errors
/// When stdout cannot be written; see [`is_broken_pipe`].
pub(crate) fn part(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Prints `value` as indented JSON and a line break.
///
/// # Errors
/// When stdout cannot be written; see [`is_broken_pipe`].
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string_pretty(value)?)
}

/// Whether the reader of stdout went away (`querent ... | head`): the end of the work, and no failure.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether text may be emphasised: on a terminal, unless `NO_COLOR` is set.
pub(crate) fn is_styled() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// `text` on one line without control characters: an index may come from anywhere, and an escape sequence in a
/// title must not reach the terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// `bytes` for people: `1.5 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["bytes", "kB", "MB"] {
        if value < 1000.0 {
            return if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") };
        }
        value /= 1000.0;
    }
    format!("{value:.1} GB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_control_characters() {
        for (input, expected) in
            [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (24_000_000, "24.0 MB")]
        {
            assert_eq!(bytes(input), expected);
        }
        assert_eq!(bytes(5_000_000_000), "5.0 GB");
        assert_eq!(plain("a\u{1b}[31mb\nc"), "a [31mb c");
    }
}
