//! The URL at a byte of a file, or why there is none: what an editor asks when someone clicks.
//!
//! `cargo run --example cursor -- notes.txt 120`

use std::error::Error;
use std::io::{self, Write};

use urlgrep::Finder;

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: cursor FILE OFFSET";
    let mut args = std::env::args().skip(1);
    let text = std::fs::read(args.next().ok_or(usage)?)?;
    let offset = args.next().ok_or(usage)?.parse()?;
    Ok(print(&text, offset, &mut io::stdout().lock())?)
}

/// Prints the URL that covers the byte at `offset`.
pub fn print(text: &[u8], offset: usize, out: &mut impl Write) -> io::Result<()> {
    let finder = Finder::new();
    match finder.covering(text, offset) {
        Some(m) => writeln!(out, "{m} at {}..{}", m.start(), m.end()),
        None => writeln!(out, "{}", finder.explain_at(text, offset)),
    }
}
