//! Which URLs were found, and how often each.

use indexmap::IndexMap;
use urlgrep::Found;

use crate::args::Args;
use crate::spelling::Spelling;

/// The URLs of a run, in the order in which they were first seen.
#[derive(Debug)]
pub struct Unique {
    spelling: Spelling,
    times: IndexMap<Box<[u8]>, u64>,
}

impl Unique {
    /// None so far; nothing if each find counts.
    pub fn new(args: &Args) -> Option<Unique> {
        args.unique.then(|| Unique { spelling: Spelling::new(args), times: IndexMap::new() })
    }

    /// Counts a find, and says whether its URL is new.
    pub fn add(&mut self, found: &Found<'_>) -> bool {
        let url = self.spelling.compared(found.as_bytes());
        // A look first, so that what is repeated is not copied.
        if let Some(times) = self.times.get_mut(&*url) {
            *times += 1;
            return false;
        }
        self.times.insert(url.into(), 1);
        true
    }

    /// Each URL, and how often it was found.
    pub fn tallies(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.times.iter().map(|(url, &times)| (&**url, times))
    }
}
