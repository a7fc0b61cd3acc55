//! Which of many short strings have a URL, and which one is first: `cargo run --release --example many_strings <lines.txt`
//!
//! Each line is a string of its own. The finder is made once, the line has one buffer, and the search of a string ends
//! after its first URL.

use std::io::{self, BufRead, BufWriter, Write};

use urlgrep::Finder;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), BufWriter::new(io::stdout().lock()))
}

/// Prints the number of each line of `list` that has a URL, counted from 1, and the first URL.
pub fn print(mut list: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let finder = Finder::new();
    let mut string = Vec::new();
    let mut number = 0;
    while list.read_until(b'\n', &mut string)? > 0 {
        number += 1;
        // Bytes need not be UTF-8. If only the number is needed, `Finder::is_match` is enough.
        if let Some(m) = finder.find(string.strip_suffix(b"\n").unwrap_or(&string)) {
            write!(out, "{number}\t")?;
            out.write_all(m.as_bytes())?;
            out.write_all(b"\n")?;
        }
        string.clear();
    }
    out.flush()
}
