//! `--unique`: each URL once, with the number of its matches.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;

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
    ///
    /// # Errors
    ///
    /// If the system has no memory for one more.
    pub fn add(&mut self, url: Key) -> io::Result<bool> {
        let too_many = |len: usize| {
            let why = format!("there is no memory for more than the {len} URLs of --unique");
            io::Error::new(io::ErrorKind::OutOfMemory, why)
        };
        match self {
            Unique::Seen(seen, keys) => {
                seen.try_reserve(1).map_err(|_| too_many(seen.len()))?;
                let [high, low] = keys.each_ref().map(|key| u128::from(key.hash_one(&url)));
                Ok(seen.insert(high << 64 | low))
            }
            Unique::Counted(counts) => {
                counts.try_reserve(1).map_err(|_| too_many(counts.len()))?;
                let count = counts.entry(url).or_insert(0);
                *count += 1;
                Ok(*count == 1)
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
