//! `--unique`: each URL once, with the number of its matches.

use indexmap::IndexMap;
use urlgrep::Match;

use super::spelling::Spelling;

/// A URL as it is compared with others.
pub type Key = Box<[u8]>;

/// The key of a match.
pub fn key(spelling: Spelling, matched: &Match<'_>) -> Key {
    spelling.compared(matched.as_bytes()).into()
}

/// The URLs of a search, in the order of their first match.
#[derive(Debug, Default)]
pub struct Unique {
    counts: IndexMap<Key, u64>,
}

impl Unique {
    /// Counts a URL. Returns whether it is new.
    pub fn add(&mut self, url: Key) -> bool {
        let count = self.counts.entry(url).or_insert(0);
        *count += 1;
        *count == 1
    }

    /// Each URL and the number of its matches.
    pub fn counts(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.counts.iter().map(|(url, &count)| (&**url, count))
    }
}
