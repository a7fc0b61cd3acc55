//! URLs of schemes of one's own, as JSON.
//!
//! `cargo run --example own_schemes --features serde -- spotify,obsidian <notes.txt`
//!
//! A scheme that is known by name needs no `//`: `spotify:track:4`.

use std::error::Error;
use std::io::{self, Read, Write};

use urlgrep::{Finder, Schemes};

fn main() -> Result<(), Box<dyn Error>> {
    let names = std::env::args().nth(1).ok_or("usage: own_schemes NAMES")?;
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    print(&names, &text, &mut io::stdout().lock())
}

/// Prints the URLs of `text` that have one of these schemes, of which `names` has the names with commas between them.
pub fn print(names: &str, text: &[u8], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let known = names.split(',').fold(Schemes::default(), Schemes::with);
    let finder = Finder::builder().schemes(known).scheme_filter(names.split(',')).build()?;
    for m in finder.find_iter(text) {
        writeln!(out, "{}", serde_json::to_string(&m)?)?;
    }
    Ok(())
}
