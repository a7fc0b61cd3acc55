//! The first URL of each of many short strings: `cargo run --release --example many_strings <lines.txt`
//!
//! Each line is a separate string. The finder is built once, all lines share one buffer, and the search of a string
//! stops after its first URL.

use std::io::{self, BufRead, BufWriter, Write};

use urlgrep::Finder;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), BufWriter::new(io::stdout().lock()))
}

/// Prints the number of each line of `list` that contains a URL, counted from 1, and the first URL.
pub fn print(mut list: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let finder = Finder::new();
    let mut string = Vec::new();
    let mut number = 0;
    while list.read_until(b'\n', &mut string)? > 0 {
        number += 1;
        // The bytes need not be UTF-8. If you need only the number, use `Finder::is_match`.
        if let Some(m) = finder.find(string.strip_suffix(b"\n").unwrap_or(&string)) {
            write!(out, "{number}\t")?;
            out.write_all(m.as_bytes())?;
            out.write_all(b"\n")?;
        }
        string.clear();
    }
    out.flush()
}
