//! Which URLs were found, and how often each.

use indexmap::IndexMap;
use urlgrep::Match;

use crate::spelling::Spelling;

/// A URL as it is compared with others.
pub type Key = Box<[u8]>;

/// What a find is compared by.
pub fn key(spelling: Spelling, found: &Match<'_>) -> Key {
    spelling.compared(found.as_bytes()).into()
}

/// The URLs of a run, in the order in which they were first seen.
#[derive(Debug, Default)]
pub struct Unique {
    times: IndexMap<Key, u64>,
}

impl Unique {
    /// Counts a URL, and says whether it is new.
    pub fn add(&mut self, url: Key) -> bool {
        let times = self.times.entry(url).or_insert(0);
        *times += 1;
        *times == 1
    }

    /// Each URL, and how often it was found.
    pub fn tallies(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.times.iter().map(|(url, &times)| (&**url, times))
    }
}
