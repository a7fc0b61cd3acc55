//! The URLs of a string, with line and column.
//!
//! `cargo run --example line_numbers -- FILE`

use std::error::Error;
use std::io::{self, Write};

use urlgrep::Finder;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: line_numbers FILE")?;
    Ok(print(&std::fs::read_to_string(path)?, &mut io::stdout().lock())?)
}

/// Prints the URLs of `text` as `line:column: url`, both counted from 1.
pub fn print(text: &str, out: &mut impl Write) -> io::Result<()> {
    // Lines are counted only on request, because that takes a pass over the text.
    let finder = Finder::builder().line_numbers(true).build().expect("line numbers are always valid");
    for m in finder.find_iter(text) {
        let position = m.position().expect("lines are counted");
        writeln!(out, "{}:{}: {}", position.line, position.column, m.as_str())?;
    }
    Ok(())
}
