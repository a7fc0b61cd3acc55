//! The URLs that arrive through a socket, each as soon as it is complete.
//!
//! `cargo run --example socket -- HOST:PORT`
//!
//! Chunks may end anywhere, including in the middle of a URL.

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::TcpStream;

use urlgrep::{Finder, Match};

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: socket HOST:PORT")?;
    Ok(print(TcpStream::connect(address)?, &mut io::stdout().lock())?)
}

/// Prints the URLs that `socket` sends, with the offset of each.
///
/// A program that has a [`Read`] can use [`Finder::stream`] instead. A scanner is for a program that
/// receives its chunks from elsewhere.
pub fn print(mut socket: impl Read, out: &mut impl Write) -> io::Result<()> {
    let finder = Finder::new();
    let mut scanner = finder.scanner();
    let mut urls = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let len = socket.read(&mut chunk)?;
        match len {
            // Yield the last URL, which could have continued in another chunk.
            0 => scanner.finish(|m| urls.push(line(&m))),
            _ => scanner.push(&chunk[..len], |m| urls.push(line(&m))),
        }
        for url in urls.drain(..) {
            writeln!(out, "{url}")?;
        }
        if len == 0 {
            return Ok(());
        }
    }
}

/// Formats a match. Offsets count from the first byte that the socket sent.
fn line(m: &Match<'_>) -> String {
    format!("{}: {}", m.span().start, m.as_bytes().escape_ascii())
}
