//! Prints what the reader makes of files: for people who wonder, and for tests/documents, which compares it.
//!
//! ```text
//! cargo run --release -p querent-reader --example extract -- [--sections] FILE...
//! ```
//!
//! For each file a line `== FILE`, then its plain text, or `error: ` and why there is none. With `--sections` each
//! section begins with a line `-- HEADING > HEADING #ANCHOR`.

use querent_reader::{ReadSettings, Source, read};
use std::{
    env, fs,
    io::{self, BufWriter, Write},
    time::Instant,
};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (options, files): (Vec<_>, Vec<_>) =
        env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let by_sections = options.iter().any(|option| option == "--sections");
    for file in files {
        let bytes = fs::read(&file)?;
        let started = Instant::now();
        let reading = read(&Source { path: &file, bytes: &bytes }, &ReadSettings::default());
        writeln!(out, "== {file} ({} bytes in {:.1?})", bytes.len(), started.elapsed())?;
        match reading {
            Err(error) => writeln!(out, "error: {error}")?,
            Ok(reading) => {
                reading.warnings.iter().try_for_each(|warning| writeln!(out, "warning: {warning}"))?;
                let document = reading.document;
                writeln!(out, "title: {}", document.title)?;
                if !by_sections {
                    writeln!(out, "{}", document.plain(0..document.text.len()))?;
                    continue;
                }
                for id in document.sections.ids() {
                    let anchor = document.sections[id].anchor.as_deref().unwrap_or_default();
                    writeln!(out, "-- {} #{anchor}", document.heading_path(id)[1..].join(" > "))?;
                    writeln!(out, "{}", document.plain(document.sections[id].range.clone()))?;
                }
            }
        }
    }
    Ok(())
}
