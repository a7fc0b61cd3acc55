//! `--unique`: each URL once, with the number of its matches.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use indexmap::IndexMap;
use urlgrep::Match;

use super::spelling::Spelling;

/// A URL as it is compared with others.
pub type Key = Box<[u8]>;

/// The key of a match.
pub fn key(spelling: Spelling, matched: &Match<'_>) -> Key {
    spelling.compared(matched.as_bytes()).into()
}

/// The URLs of a search.
#[derive(Debug)]
pub enum Unique {
    /// Which URLs were seen, by hashes of 128 bits: a URL takes the same memory whatever its
    /// length. The keys of the hashes are random, so nobody can write two URLs that have one
    /// hash, and among a billion URLs the chance of two is 1 in 10^20.
    Seen(HashSet<u128>, [RandomState; 2]),
    /// The number of matches of each, in the order of their first match.
    Counted(IndexMap<Key, u64>),
}

impl Unique {
    /// No URLs yet. `counted` says whether their matches are counted.
    pub fn new(counted: bool) -> Unique {
        match counted {
            true => Unique::Counted(IndexMap::new()),
            false => Unique::Seen(HashSet::new(), [RandomState::new(), RandomState::new()]),
        }
    }

    /// Adds a URL. Returns whether it is new.
    pub fn add(&mut self, url: Key) -> bool {
        match self {
            Unique::Seen(seen, keys) => {
                let [high, low] = keys.each_ref().map(|key| u128::from(key.hash_one(&url)));
                seen.insert(high << 64 | low)
            }
            Unique::Counted(counts) => {
                let count = counts.entry(url).or_insert(0);
                *count += 1;
                *count == 1
            }
        }
    }

    /// Each URL and the number of its matches, if they are counted.
    pub fn counts(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let counts = match self {
            Unique::Seen(..) => None,
            Unique::Counted(counts) => Some(counts),
        };
        counts.into_iter().flatten().map(|(url, &count)| (&**url, count))
    }
}
