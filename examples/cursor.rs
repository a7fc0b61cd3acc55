//! The URL at an offset of a file, or the reason why no URL is there: `cargo run --example cursor -- FILE OFFSET`
//!
//! The offset is in bytes, from 0. An editor does this when its user opens the link under the cursor.

use std::error::Error;
use std::io::{self, Write};

use urlgrep::Finder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let (Some(path), Some(offset)) = (args.next(), args.next()) else {
        return Err("usage: cursor FILE OFFSET".into());
    };
    let offset = offset.to_str().and_then(|offset| offset.parse().ok()).ok_or("OFFSET is not a number")?;
    Ok(print(&std::fs::read(path)?, offset, &mut io::stdout().lock())?)
}

/// Prints the URL that covers the byte at `offset` of `text`, and its range, or the reason why no URL does.
pub fn print(text: &[u8], offset: usize, out: &mut impl Write) -> io::Result<()> {
    // This runs about ten searches around the offset. `Finder::find_covering` runs one, but gives no reason.
    let explanation = Finder::new().explain_at(text, offset);
    match explanation.matched() {
        Some(m) => {
            let range = m.range();
            // The range includes the delimiters, so a click on one of them also opens the URL.
            writeln!(out, "{m} ({} to {})", range.start, range.end)
        }
        None => writeln!(out, "no URL: {explanation}"),
    }
}
