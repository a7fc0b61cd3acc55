//! One URL, with a caret under the first byte that RFC 1738 does not accept.
//!
//! `cargo run --example caret -- 'http://h.org/~me/'`

use std::error::Error;
use std::io::{self, Write};

use urlgrep::grammar;

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: caret URL")?;
    Ok(print(&url, &mut io::stdout().lock())?)
}

/// Prints the grade of `url`, and why it is not better.
pub fn print(url: &str, out: &mut impl Write) -> io::Result<()> {
    let (grade, reason) = match grammar::assess(url.as_bytes()) {
        Ok(assessment) => (assessment.grade().as_str(), assessment.reason().cloned()),
        Err(error) => ("not a URL", Some(error)),
    };
    writeln!(out, "{url}")?;
    if let Some(reason) = reason {
        // The offset is one of bytes, and a caret is under a character.
        let before = String::from_utf8_lossy(&url.as_bytes()[..reason.offset()]).chars().count();
        writeln!(out, "{:before$}^ {reason}", "")?;
    }
    writeln!(out, "{grade}")
}
