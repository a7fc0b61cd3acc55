//! The URLs of own schemes, as JSON: `cargo run --example own_schemes --features serde -- spotify doi <text.txt`
//!
//! The arguments name the schemes. One that is known by name needs no `//`. Each match is an object on a line of its own.

use std::error::Error;
use std::io::{self, Read, Write};

use urlgrep::{Finder, Schemes};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    print(&names, io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the URLs of the schemes `names` that `reader` yields, a line of JSON for each.
///
/// # Errors
///
/// Returns an error if a name cannot be that of a scheme, or if reading or writing fails.
pub fn print(names: &[String], reader: impl Read, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // That they are known makes them match; the filter leaves out the schemes that are known anyway.
    let schemes = names.iter().fold(Schemes::default(), |schemes, name| schemes.with(name));
    let finder = Finder::builder().known_schemes(schemes).schemes(names).build()?;
    for m in finder.stream(reader) {
        serde_json::to_writer(&mut *out, &m?)?;
        writeln!(out)?;
    }
    Ok(())
}
