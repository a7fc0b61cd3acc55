//! What a search of an input found in one block of it, ready to be printed.

use crate::page::Link;
use crate::stats::Facts;
use crate::unique::Key;

/// Finds of one input, in order, as they are printed.
#[derive(Debug, Default)]
pub struct Batch {
    /// What is printed of them, one behind the other.
    pub text: Vec<u8>,
    /// How many there are.
    pub count: u64,
    /// Each of them, if the output has to tell them apart.
    pub finds: Vec<Find>,
    /// How many bytes they hold besides.
    held: usize,
}

/// A find in a batch.
#[derive(Debug)]
pub struct Find {
    /// Where what is printed of it ends.
    pub end: usize,
    /// The URL, if it is to be told whether it is new.
    pub key: Option<Key>,
    /// How many messages of its input begin before it.
    pub messages: u64,
    /// What is counted of it, if there are to be numbers.
    pub facts: Option<Box<Facts>>,
    /// What stands on the page of it, if there is to be one.
    pub link: Option<Box<Link>>,
}

impl Batch {
    /// Adds a URL that is printed as it is, and nothing else of its find.
    pub fn line(&mut self, url: &[u8]) {
        self.text.extend_from_slice(url);
        self.text.push(b'\n');
        self.count += 1;
    }

    /// Adds a find, of which all has been printed.
    pub fn push(&mut self, find: Find) {
        self.held += find.key.as_ref().map_or(0, |key| key.len());
        self.held += find.link.as_ref().map_or(0, |link| link.len());
        self.finds.push(find);
    }

    /// About how many bytes it holds.
    pub fn size(&self) -> usize {
        self.text.len() + size_of_val(&self.finds[..]) + self.held
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.text.clear();
        self.count = 0;
        self.finds.clear();
        self.held = 0;
    }
}
