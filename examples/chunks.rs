//! The URLs of text that arrives in chunks, with their offsets: `cargo run --example chunks <text.txt`
//!
//! The chunks are of seven bytes here, so that nearly every URL is cut. The matches are those of the whole text.

use std::io::{self, Read, Write};

use urlgrep::{Finder, Match};

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the URLs that `reader` yields, as `start..end<TAB>url`.
pub fn print(mut reader: impl Read, out: &mut impl Write) -> io::Result<()> {
    let mut scanner = Finder::new().scanner();
    let mut chunk = [0; 7];
    // A callback cannot return an error. The lines of one chunk are written after it.
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
    // At its end, the text may have a URL that could have gone on.
    scanner.finish(|m| lines.push_str(&line(&m)));
    out.write_all(lines.as_bytes())
}

/// The offsets count from the start of the text. A URL that lines break has several ranges.
fn line(m: &Match<'_>) -> String {
    let ranges: Vec<String> = m.pieces().map(|range| format!("{}..{}", range.start, range.end)).collect();
    format!("{}\t{m}\n", ranges.join(" "))
}
