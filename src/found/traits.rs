//! When two matches are equal, and how one is printed.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use super::Match;
use super::form::{Form, Joined};
use crate::bytes::position::Position;

impl Match<'_> {
    /// What equal matches have in common: the URL, its offsets, and how it was matched.
    fn key(&self) -> (&[u8], Range<u64>, Form, Option<Joined>, Option<Position>) {
        (&self.url, self.span(), self.form, self.joined(), self.position())
    }
}

impl PartialEq for Match<'_> {
    fn eq(&self, other: &Match<'_>) -> bool {
        self.key() == other.key() && self.segments().eq(other.segments())
    }
}

impl Eq for Match<'_> {}

impl Hash for Match<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The URL; bytes that are not UTF-8 are replaced by U+FFFD.
impl fmt::Display for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.url))
    }
}

/// The URL as text, since a list of bytes would be hard to read, and where it is.
impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("url", &String::from_utf8_lossy(&self.url))
            .field("span", &self.span())
            .field("form", &self.form)
            .field("joined", &self.joined())
            .finish_non_exhaustive()
    }
}
