//! The URLs of your own schemes, as JSON: `cargo run --example own_schemes --features serde -- spotify doi <text.txt`
//!
//! The arguments are names of schemes. An added scheme does not need `//`. Each match is an object on its own line.

use std::error::Error;
use std::io::{self, Read, Write};

use urlgrep::Finder;
use urlgrep::grammar::Schemes;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    print(&names, io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the URLs of the schemes `names` in the data that `reader` yields, one line of JSON for each.
///
/// # Errors
///
/// Returns an error if a name is not a valid scheme, or if reading or writing fails.
pub fn print(names: &[String], reader: impl Read, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // Known schemes match. The filter then leaves out the default schemes.
    let schemes = names.iter().fold(Schemes::default(), |schemes, name| schemes.with(name));
    let finder = Finder::builder().known_schemes(schemes).schemes(names).build()?;
    for m in finder.stream(reader) {
        serde_json::to_writer(&mut *out, &m?)?;
        writeln!(out)?;
    }
    Ok(())
}
