//! The hosts of a text of any length, each with the number of its URLs, the most frequent first.
//!
//! `cargo run --example host_counts <posts.txt`

use std::collections::HashMap;
use std::io::{self, Read, Write};

use urlgrep::Finder;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints `number<TAB>host`. Memory depends on the number of hosts, not on the length of the text.
pub fn print(text: impl Read, out: &mut impl Write) -> io::Result<()> {
    let mut counts: HashMap<String, u64> = HashMap::new();
    for m in Finder::new().stream(text) {
        if let Some(host) = m?.host() {
            *counts.entry(host.into_owned()).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
    counts.iter().try_for_each(|(host, count)| writeln!(out, "{count}\t{host}"))
}
