//! Searches many short texts that share a few buffers, such as the rows of a column.
//!
//! Most short texts contain no URL, and starting a search costs more than reading such a text.
//! So the index of anchors is built for many rows at once, as if they were one text, and rows
//! without an anchor are skipped. Each remaining row is then searched as a separate text.
//!
//! Indexing rows together never skips a URL. A byte is an anchor because certain bytes are near it,
//! and no byte can prevent it from being one. So indexing rows together keeps every anchor that a
//! row has by itself. It can add anchors, and each of these costs one wasted search.
//!
//! Indexing is wasted work if most rows contain an anchor or are far apart. So it must be paid
//! for in advance, byte by byte: each search that the index avoids earns credit.

use std::ops::Range;

use super::Finder;
use super::search::Search;
use crate::bytes::haystack::{AsHaystack, Haystack};
use crate::bytes::window::Window;
use crate::matches::Match;

/// The number of bytes that are indexed at a time. A row that is longer is searched at once.
const BLOCK: usize = 16 * 1024;

/// The extra bytes that may be indexed for each avoided search: starting a search costs about as
/// much as indexing this many.
const SPARED: usize = 256;

/// The extra bytes for each search that was needed, so that a column that becomes sparse is indexed
/// again.
const SEARCHED: usize = 8;

/// The number of bytes that may be indexed before the first row is skipped, and the maximum credit.
const MAX_CREDIT: usize = 2 * BLOCK;

/// A search of many short texts, each by itself, such as the rows of a column or the lines of a
/// log in memory.
///
/// Made by [`Finder::batch`]. It skips rows in which no URL can start, several at a time, and reuses the memory of
/// one search, less than 1 MB, for all others.
#[derive(Debug)]
pub struct Batch<'f, 'h> {
    finder: &'f Finder,
    /// The search of one row.
    search: Search,
    /// The search whose index covers a block.
    scout: Search,
    /// The buffer and the range of it whose anchors are known.
    buffer: &'h [u8],
    block: Range<usize>,
    anchors: Vec<usize>,
    /// The first anchor that is not before the last row.
    next: usize,
    /// The number of bytes that may be indexed.
    credit: usize,
}

impl Finder {
    /// Returns a searcher for many short texts that share a few buffers, such as the rows of a column.
    ///
    /// Strings in separate buffers cannot share an index, so search these with [`find_iter`](Finder::find_iter), one
    /// by one.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// // A column: three rows, and where they end.
    /// let (buffer, ends) = ("no linksee http://h.org/ab", [7, 25, 26]);
    /// let finder = Finder::new();
    /// let mut texts = finder.batch();
    /// let mut urls = Vec::new();
    /// let mut start = 0;
    /// for (row, end) in ends.into_iter().enumerate() {
    ///     urls.extend(texts.find_iter(buffer, start..end).map(|m| (row, m.range(), m.to_string())));
    ///     start = end;
    /// }
    /// assert_eq!(urls, [(1, 4..18, "http://h.org/a".to_owned())]);
    /// ```
    pub fn batch<'h>(&self) -> Batch<'_, 'h> {
        Batch {
            finder: self,
            search: Search::new(self),
            scout: Search::new(self),
            buffer: &[],
            block: 0..0,
            anchors: Vec::new(),
            next: 0,
            credit: MAX_CREDIT,
        }
    }
}

impl<'h> Batch<'_, 'h> {
    /// Returns the URLs in `buffer[row]`, as [`Finder::find_iter`] does for this slice, with
    /// offsets from the start of the row.
    ///
    /// Rows can have any order, and may overlap. It is fastest where each one starts at the end of
    /// the one before, or not far from it. Time is linear in the length of the rows, plus a
    /// constant for each row.
    ///
    /// # Panics
    ///
    /// Panics if `row` is not within `buffer`, or splits a character of a string.
    #[inline]
    pub fn find_iter<H: AsHaystack + ?Sized>(
        &mut self,
        buffer: &'h H,
        row: Range<usize>,
    ) -> impl Iterator<Item = Match<'h, H::Haystack>> {
        let buffer = buffer.as_haystack();
        let window = Window::whole(buffer.slice(row.clone()).bytes());
        let buffer = buffer.bytes();
        let searched = self.has_anchor(buffer, row);
        if searched {
            self.search.reset();
        }
        std::iter::from_fn(move || {
            if searched { self.search.next(self.finder, &window).map(Match::of_text) } else { None }
        })
    }

    /// Returns true if a URL may start in a row, or if the row has not been indexed.
    #[inline]
    fn has_anchor(&mut self, buffer: &'h [u8], row: Range<usize>) -> bool {
        let is_known =
            std::ptr::eq(self.buffer, buffer) && self.block.start <= row.start && row.end <= self.block.end;
        let found = if is_known || self.index(buffer, &row) { self.any_in(&row) } else { true };
        let earned = if found { SEARCHED } else { SPARED + row.len() };
        self.credit = (self.credit + earned).min(MAX_CREDIT);
        found
    }

    /// Returns true if an anchor of the block is in `row`.
    #[inline]
    fn any_in(&mut self, row: &Range<usize>) -> bool {
        let (before, after) = self.anchors.split_at(self.next);
        let is_next =
            before.last().is_none_or(|&at| at < row.start) && after.first().is_none_or(|&at| at >= row.start);
        if !is_next {
            self.next = self.anchors.partition_point(|&at| at < row.start);
        }
        self.anchors.get(self.next).is_some_and(|&at| at < row.end)
    }

    /// Indexes a block that starts with `row`. Returns false if the budget does not allow it.
    #[inline(never)]
    fn index(&mut self, buffer: &'h [u8], row: &Range<usize>) -> bool {
        let end = buffer.len().min(row.start + BLOCK);
        let Some(credit) = self.credit.checked_sub(end - row.start).filter(|_| row.end <= end) else {
            return false;
        };
        self.credit = credit;
        (self.buffer, self.block, self.next) = (buffer, row.start..end, 0);
        self.anchors.clear();
        self.scout.reset();
        let window = Window::whole(&buffer[self.block.clone()]);
        let mut from = 0;
        while let Some(at) = self.scout.next_anchor(self.finder, &window, from) {
            self.anchors.push(row.start + at);
            from = at + 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of `rows` that may contain a URL.
    fn searched<'h>(
        texts: &mut Batch<'_, 'h>,
        rows: impl Iterator<Item = (&'h [u8], Range<usize>)>,
    ) -> usize {
        rows.filter(|(buffer, row)| texts.has_anchor(buffer, row.clone())).count()
    }

    #[test]
    fn rows_without_a_colon_are_skipped() {
        let text = "two words ".repeat(10_000);
        let rows = (0..10_000).map(|n| (text.as_bytes(), 10 * n..10 * n + 10));
        assert_eq!(searched(&mut Finder::new().batch(), rows), 0);
    }

    #[test]
    fn rows_that_are_far_from_each_other_are_not_indexed() {
        let blocks = vec![b' '; 2000 * BLOCK];
        let rows = |from: usize, to: usize| (from..to).map(|n| (&*blocks, n * BLOCK..n * BLOCK + 9));
        let finder = Finder::new();
        let mut texts = finder.batch();
        assert_eq!(searched(&mut texts, rows(0, 2)), 0);
        // These have earned 265 bytes each, and each search adds 8 until there are 16 KB.
        let needed = (BLOCK - 2 * 265).div_ceil(8);
        assert_eq!(needed, 1982);
        assert_eq!(searched(&mut texts, rows(2, 2 + needed)), needed);
        assert_eq!(searched(&mut texts, rows(2 + needed, 3 + needed)), 0);
    }

    #[test]
    fn rows_that_become_sparse_are_skipped_again() {
        let text = ["http://h.org/ ".repeat(10_000), "no link here, ".repeat(10_000)].concat();
        let rows = |from: usize| (from..from + 10_000).map(|n| (text.as_bytes(), 14 * n..14 * n + 14));
        let finder = Finder::new();
        let mut texts = finder.batch();
        assert_eq!(searched(&mut texts, rows(0)), 10_000);
        let missed = searched(&mut texts, rows(10_000));
        assert!(missed <= BLOCK / SEARCHED, "{missed}");
    }

    #[test]
    fn a_row_that_is_longer_than_a_block_is_searched() {
        let text = [&[b' '; 2 * BLOCK][..], b"http://h.org/"].concat();
        let finder = Finder::new();
        let mut texts = finder.batch();
        let found = texts.find_iter(&text, 1..text.len()).next().map(|m| m.range());
        assert_eq!(found, Some(2 * BLOCK - 1..2 * BLOCK + 12));
        assert!(!texts.has_anchor(&text, 0..BLOCK));
    }
}
