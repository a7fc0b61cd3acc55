//! The matches of one block of an input, printed into memory.

use std::sync::Arc;

use urlgrep_print::memo::Memo;
use urlgrep_print::sheet::{Known, Preceding, Sheet};

use super::item::Item;
use super::page::Page;
use super::report::ReportRow;
use super::stats::Facts;

/// Matches of one input, in order, as they are printed.
#[derive(Debug, Default)]
pub struct Batch {
    /// The printed matches, one after the other.
    pub sheet: Sheet,
    /// The line above the first match of the file.
    pub heading: Vec<u8>,
    /// The number of matches.
    pub count: u64,
    /// The offset at which the last match ends in the text.
    pub end: usize,
    /// The facts about each match, if the output has to distinguish matches.
    pub kept: Vec<Kept>,
    /// The bytes that these hold on the heap.
    heap: usize,
    /// The cache that is kept from match to match.
    pub memo: Option<Box<Memo>>,
    /// The page of the current text, once an item needs it.
    pub page: Option<Arc<Page>>,
}

/// The facts about a match besides its text.
#[derive(Debug)]
pub struct Kept {
    /// The end of the match in the text of the batch.
    pub end: usize,
    /// The URL, with `--unique`.
    pub key: Option<Box<[u8]>>,
    /// The number of messages of the input that start before the match.
    pub messages: u64,
    /// The message that contains the match, with `--newest`.
    pub dated: Option<Dated>,
    /// The facts to count, with `--stats`.
    pub facts: Option<Box<Facts>>,
    /// The row of the report, with `--report`.
    pub row: Option<Box<ReportRow>>,
    /// The item of the menu, with `--menu`.
    pub item: Option<Box<Item>>,
}

impl Kept {
    /// Returns the bytes that it holds on the heap, after an item that may share its page.
    pub fn heap(&self, last: Option<&Item>) -> usize {
        let key = self.key.as_ref().map_or(0, |key| key.len());
        let row = self.row.as_ref().map_or(0, |row| row.len());
        key + row + self.item.as_ref().map_or(0, |item| item.len_after(last))
    }
}

/// A message and its date.
#[derive(Clone, Copy, Debug)]
pub struct Dated {
    /// The number of the message in its file.
    pub message: u64,
    /// The start of its record in the file; 0 for a message.
    pub record: u64,
    /// In seconds from 1970.
    pub date: i64,
}

impl Batch {
    /// Returns an empty batch of a part, with the cache of an earlier one. `known` states which numbers before the part
    /// are known.
    pub fn new(known: Known, mut memo: Option<Box<Memo>>) -> Batch {
        memo.iter_mut().for_each(|memo| memo.head.clear());
        Batch { sheet: Sheet::new(known), memo, ..Batch::default() }
    }

    /// Adds a match of which only the URL is printed, verbatim.
    pub fn push_url(&mut self, url: &[u8]) {
        self.sheet.text.extend_from_slice(url);
        self.sheet.text.push(b'\n');
        self.end = self.sheet.text.len();
        self.count += 1;
    }

    /// Keeps something of the match whose text was printed last.
    pub fn push(&mut self, kept: Kept) {
        self.heap += kept.heap(self.kept.last().and_then(|kept| kept.item.as_deref()));
        self.kept.push(kept);
    }

    /// Returns the approximate size of its memory in bytes.
    pub fn size(&self) -> usize {
        self.sheet.size() + self.kept.capacity() * size_of::<Kept>() + self.heap
    }

    /// Removes and returns all matches. The memo and the page stay.
    pub fn take(&mut self) -> Batch {
        let (sheet, memo, page) = (Sheet::new(self.sheet.known), self.memo.take(), self.page.clone());
        std::mem::replace(self, Batch { sheet, memo, page, ..Batch::default() })
    }

    /// Adds what precedes the part of the matches to the numbers that count from its start.
    pub fn complete(&mut self, preceding: Preceding) {
        for kept in &mut self.kept {
            kept.row.iter_mut().for_each(|row| row.add_lines(preceding.lines));
            kept.item.iter_mut().for_each(|item| item.add_lines(preceding.lines));
            if let Some(dated) = &mut kept.dated {
                dated.message += preceding.messages;
                // All records of a part have the same distance from the records of the other parts.
                dated.record += preceding.bytes;
            }
        }
        self.sheet.complete(preceding, self.kept.iter_mut().map(|kept| &mut kept.end));
    }

    /// Removes all matches.
    pub fn clear(&mut self) {
        self.sheet.clear();
        self.heading.clear();
        self.count = 0;
        self.end = 0;
        self.kept.clear();
        self.heap = 0;
    }
}
