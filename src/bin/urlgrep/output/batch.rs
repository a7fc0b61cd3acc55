//! The matches of one block of an input, printed into memory.

use super::item::Item;
use super::report::Link;
use super::stats::Facts;
use super::unique::Key;

/// Matches of one input, in order, as they are printed.
#[derive(Debug, Default)]
pub struct Batch {
    /// The printed matches, one after the other.
    pub text: Vec<u8>,
    /// What is printed above the first match of the file.
    pub heading: Vec<u8>,
    /// The number of matches.
    pub count: u64,
    /// The matches, if the output has to tell them apart.
    pub entries: Vec<Entry>,
    /// The bytes that the entries hold on the heap.
    heap: usize,
}

/// A match in a batch.
#[derive(Debug)]
pub struct Entry {
    /// The end of the match in the text of the batch.
    pub end: usize,
    /// The URL, with `--unique`.
    pub key: Option<Key>,
    /// The number of messages of the input that start before the match.
    pub messages: u64,
    /// What is counted, with `--stats`.
    pub facts: Option<Box<Facts>>,
    /// The entry of the report, with `--report`.
    pub link: Option<Box<Link>>,
    /// The item of the menu, with `--menu`.
    pub item: Option<Box<Item>>,
}

impl Batch {
    /// Adds a match of which only the URL is printed, verbatim.
    pub fn push_url(&mut self, url: &[u8]) {
        self.text.extend_from_slice(url);
        self.text.push(b'\n');
        self.count += 1;
    }

    /// Adds an entry for a match whose text is complete.
    pub fn push(&mut self, entry: Entry) {
        self.heap += entry.key.as_ref().map_or(0, |key| key.len());
        self.heap += entry.link.as_ref().map_or(0, |link| link.len());
        self.heap += entry.item.as_ref().map_or(0, |item| item.len());
        self.entries.push(entry);
    }

    /// The approximate size in bytes.
    pub fn size(&self) -> usize {
        self.text.len() + size_of_val(&self.entries[..]) + self.heap
    }

    /// Removes all matches.
    pub fn clear(&mut self) {
        self.text.clear();
        self.heading.clear();
        self.count = 0;
        self.entries.clear();
        self.heap = 0;
    }
}
