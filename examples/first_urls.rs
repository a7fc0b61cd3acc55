//! The first URL of each of many short strings, one a line: `-` if a line has none.
//!
//! `cargo run --release --example first_urls <titles.txt`
//!
//! A finder is made once. It has no buffers, so that threads can share it.

use std::io::{self, BufRead, Write};

use urlgrep::Finder;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the first URL of each line of `list`.
pub fn print(list: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let finder = Finder::new();
    for line in list.lines() {
        let line = line?;
        match finder.find(&line) {
            Some(m) => writeln!(out, "{m}")?,
            None => writeln!(out, "-")?,
        }
    }
    Ok(())
}
