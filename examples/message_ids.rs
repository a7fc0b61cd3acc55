//! The URLs of a mail archive, each with the Message-ID of its message.
//!
//! `cargo run --example message_ids --features archive -- list.mbox.gz`
//!
//! The format and the compression are recognised by the first bytes. Parts are decoded, so a URL in
//! base64 is found as well.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use urlgrep::Finder;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: message_ids FILE")?;
    Ok(print(Path::new(&path), &mut io::stdout().lock())?)
}

/// Prints the URLs of the archive at `path` as `message-id<TAB>url`.
pub fn print(path: &Path, out: &mut impl Write) -> io::Result<()> {
    let finder = Finder::new();
    for m in finder.archive(path)? {
        let m = m?;
        let id = m.context().and_then(|context| context.envelope()?.id());
        let id = id.as_deref().unwrap_or("-");
        writeln!(out, "{id}\t{}", m.as_bytes().escape_ascii())?;
    }
    Ok(())
}
