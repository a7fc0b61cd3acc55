//! The hosts of the URLs in a stream of any length, most frequent first: `cargo run --example host_counts <text.txt`
//!
//! Memory is bounded, because the search buffers only a part of the text, and at most [`MAX_HOSTS`] hosts are counted.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use urlgrep::Finder;

/// The maximum number of hosts that are counted at the same time. Beyond it, the rarer half is dropped.
const MAX_HOSTS: usize = 100_000;
/// The maximum length of a DNS name. Longer hosts are not counted.
const MAX_HOST_LEN: usize = 253;

fn main() -> io::Result<()> {
    print(io::stdin().lock(), &mut io::stdout().lock())
}

/// Prints the hosts of the URLs that `reader` yields, as `count<TAB>host`.
pub fn print(reader: impl Read, out: &mut impl Write) -> io::Result<()> {
    let mut counts: HashMap<String, u64> = HashMap::new();
    let mut is_exact = true;
    for m in Finder::new().stream(reader) {
        let m = m?;
        // Skip URLs without a host, such as `news:`.
        let Some(host) = m.host().filter(|host| host.len() <= MAX_HOST_LEN) else { continue };
        match counts.get_mut(&*host) {
            Some(count) => *count += 1,
            None => {
                counts.insert(host.into_owned(), 1);
            }
        }
        if counts.len() > MAX_HOSTS {
            is_exact = false;
            counts = sorted(counts).into_iter().take(MAX_HOSTS / 2).collect();
        }
    }
    for (host, count) in sorted(counts) {
        writeln!(out, "{count}\t{host}")?;
    }
    if !is_exact {
        eprintln!("more than {MAX_HOSTS} hosts: the counts are lower bounds");
    }
    Ok(())
}

/// Sorts the hosts by their counts, the most frequent first, and hosts with the same count by name.
fn sorted(counts: HashMap<String, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|(host, count), (other, more)| more.cmp(count).then_with(|| host.cmp(other)));
    counts
}
