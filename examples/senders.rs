//! The links of a mailbox by the sender of their message: what a reader can follow, without pictures and style sheets.
//!
//! `cargo run --example senders --features archive -- list.mbox.gz`

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use urlgrep::Finder;
use urlgrep::archive::Role;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: senders FILE")?;
    Ok(print(Path::new(&path), &mut io::stdout().lock())?)
}

/// Prints each sender, and the links of the messages from there.
pub fn print(path: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut links: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for m in Finder::new().archive(path)? {
        let m = m?;
        if matches!(m.role(), Role::Text | Role::Link) {
            let from = m.context().and_then(|context| context.envelope()?.from());
            links.entry(from.unwrap_or_default()).or_default().push(m.to_string());
        }
    }
    for (from, urls) in links {
        writeln!(out, "{from}")?;
        urls.iter().try_for_each(|url| writeln!(out, "  {url}"))?;
    }
    Ok(())
}
