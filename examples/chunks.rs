//! The URLs of text that arrives in chunks, with their offsets: `cargo run --example chunks <text.txt`
//!
//! The chunks have seven bytes here, so that nearly every URL is split. The matches are the same as in the whole text.

use std::io::{self, Read, Write};

use urlgrep::{Finder, Match};

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the URLs that `reader` yields, as `start..end<TAB>url`.
pub fn print(mut reader: impl Read, out: &mut impl Write) -> io::Result<()> {
    let mut scanner = Finder::new().scanner();
    let mut chunk = [0; 7];
    // Collect the lines of a chunk and write them after it, because a callback cannot return an error.
    let mut lines = String::new();
    loop {
        let len = match reader.read(&mut chunk) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        if len == 0 {
            break;
        }
        scanner.push(&chunk[..len], |m| lines.push_str(&line(&m)));
        out.write_all(lines.as_bytes())?;
        lines.clear();
    }
    // Yield the last URL, which could have continued in another chunk.
    scanner.finish(|m| lines.push_str(&line(&m)));
    out.write_all(lines.as_bytes())
}

/// Formats a match. Offsets count from the start of the text. A URL that was broken across lines has several ranges.
fn line(m: &Match<'_>) -> String {
    let ranges: Vec<String> = m.pieces().map(|range| format!("{}..{}", range.start, range.end)).collect();
    format!("{}\t{m}\n", ranges.join(" "))
}
