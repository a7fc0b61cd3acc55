//! The links of a mailbox, grouped by sender: `cargo run --example links_by_sender --features archive -- list.mbox`
//!
//! A link that occurs in both the text and the HTML of a message is listed once.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use urlgrep::Finder;
use urlgrep::archive::Role;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: links_by_sender FILE")?;
    Ok(print(Path::new(&path), &mut io::stdout().lock())?)
}

/// Prints each sender of the mailbox at `path`, and the links in the sender's messages.
pub fn print(path: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut senders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for m in Finder::new().archive(path)? {
        // An error concerns one place of the file. Other matches may follow.
        let m = match m {
            Ok(m) => m,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        // Skip the URLs of images, scripts and namespaces, because a reader does not follow them.
        if !matches!(m.role(), Role::Text | Role::Link | Role::Header) {
            continue;
        }
        // If the match is in a message inside another one, this is the inner envelope.
        let from = m.context().and_then(|context| context.envelope()).and_then(|envelope| envelope.from());
        let from = from.unwrap_or_else(|| "(no sender)".to_owned());
        senders.entry(from).or_default().insert(m.to_string());
    }
    for (from, links) in senders {
        writeln!(out, "{}", printable(&from))?;
        for link in links {
            writeln!(out, "  {}", printable(&link))?;
        }
    }
    Ok(())
}

/// Returns `text` with each control character replaced, because a terminal would obey it.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
