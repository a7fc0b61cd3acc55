//! The matches of one block of an input, printed into memory.

use super::item::Item;
use super::printer::Memo;
use super::report::Link;
use super::sheet::{Preceding, Sheet};
use super::stats::Facts;
use super::unique::Key;

/// Matches of one input, in order, as they are printed.
#[derive(Debug, Default)]
pub struct Batch {
    /// The printed matches, one after the other.
    pub sheet: Sheet,
    /// What is printed above the first match of the file.
    pub heading: Vec<u8>,
    /// The number of matches.
    pub count: u64,
    /// The matches, if the output has to tell them apart.
    pub entries: Vec<Entry>,
    /// What is printed with each match of the current message.
    pub memo: Box<Memo>,
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
    /// An empty batch of a chunk. `known` says whether it is known how many lines and messages
    /// precede it.
    pub fn new(known: bool) -> Batch {
        Batch { sheet: Sheet::new(known), ..Batch::default() }
    }

    /// Adds a match of which only the URL is printed, verbatim.
    pub fn push_url(&mut self, url: &[u8]) {
        self.sheet.text.extend_from_slice(url);
        self.sheet.text.push(b'\n');
        self.count += 1;
    }

    /// Adds an entry for a match whose text is complete.
    pub fn push(&mut self, entry: Entry) {
        self.heap += entry.key.as_ref().map_or(0, |key| key.len());
        self.heap += entry.link.as_ref().map_or(0, |link| link.len());
        self.heap += entry.item.as_ref().map_or(0, |item| item.len());
        self.entries.push(entry);
    }

    /// The approximate size of its memory in bytes.
    pub fn size(&self) -> usize {
        self.sheet.size() + self.entries.capacity() * size_of::<Entry>() + self.heap
    }

    /// All matches, which are removed. The memo stays.
    pub fn take(&mut self) -> Batch {
        let (sheet, memo) = (self.sheet.next(), std::mem::take(&mut self.memo));
        std::mem::replace(self, Batch { sheet, memo, ..Batch::default() })
    }

    /// Adds what precedes the chunk of the matches to the numbers that count from its start.
    pub fn complete(&mut self, preceding: Preceding) {
        for entry in &mut self.entries {
            entry.link.iter_mut().for_each(|link| link.add_lines(preceding.lines));
            entry.item.iter_mut().for_each(|item| item.add_lines(preceding.lines));
        }
        self.sheet.complete(preceding, self.entries.iter_mut().map(|entry| &mut entry.end));
    }

    /// Removes all matches.
    pub fn clear(&mut self) {
        self.sheet.clear();
        self.heading.clear();
        self.count = 0;
        self.entries.clear();
        self.heap = 0;
    }
}
