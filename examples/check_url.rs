//! The grade of a URL and its first violation: `cargo run --example check_url -- 'http://h.org/~me/'`
//!
//! Prints the grade. If it is not the best one, a caret marks the first byte that the next better grade does not allow.
//! The fragment, from the first `#` on, is not checked. A good grade does not mean that a URL is safe to open.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use urlgrep::grammar::{self, ParseError};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let url = std::env::args_os().nth(1).ok_or("usage: check_url URL")?;
    let is_url = print(url.as_encoded_bytes(), &mut io::stdout().lock())?;
    Ok(if is_url { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the grade of `url`, or why it is not a URL. Returns true if it is a URL.
pub fn print(url: &[u8], out: &mut impl Write) -> io::Result<bool> {
    match grammar::assess(url) {
        Ok(assessment) => {
            writeln!(out, "{}", assessment.grade().as_str())?;
            if let Some(reason) = assessment.reason() {
                mark(url, reason, out)?;
            }
            Ok(true)
        }
        Err(error) => {
            writeln!(out, "not a URL")?;
            mark(url, &error, out)?;
            Ok(false)
        }
    }
}

/// Prints the URL, a caret under the invalid byte, and the reason. If the URL ends too early, the caret is after it.
fn mark(url: &[u8], error: &ParseError, out: &mut impl Write) -> io::Result<()> {
    let indent = " ".repeat(shown(&url[..error.offset()]).chars().count());
    writeln!(out, "{}\n{indent}^\n{error}", shown(url))
}

/// Returns the bytes as text, with each control character replaced by a visible one.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
