//! The same finds from a text that comes in pieces.
//!
//! A [`Scanner`] keeps a rolling buffer: what cannot be judged yet, and a few
//! kilobytes before it, because the beginning of a line tells how a URL is
//! quoted. Everything before that is dropped. A [`Stream`] feeds a scanner from
//! a reader.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::finder::{Finder, Search};
use crate::found::Found;
use crate::window::Window;

/// How many bytes a stream reads at a time.
const READ: usize = 128 * 1024;

/// How much of the buffer may be spent before it is dropped, in bytes: enough
/// that moving the rest down costs little.
const SPENT: usize = 64 * 1024;

/// How many bytes may be judged again for each byte that comes.
///
/// A find at the end of what has come is judged again whenever more comes. With
/// pieces of one byte that would take quadratic time, so each byte brings only
/// so much credit.
const CREDIT: usize = 16;

impl Finder {
    /// A scanner that text can be pushed into, piece by piece.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// let finder = Finder::new();
    /// let mut scanner = finder.scanner();
    /// let mut urls = Vec::new();
    /// for piece in ["see <URL:http://h.or", "g/a>, http://h.org/", "b"] {
    ///     scanner.push(piece, |found| urls.push(found.as_bytes().to_vec()));
    /// }
    /// scanner.finish(|found| urls.push(found.as_bytes().to_vec()));
    /// assert_eq!(urls, [b"http://h.org/a", b"http://h.org/b"]);
    /// ```
    pub fn scanner(&self) -> Scanner<'_> {
        Scanner {
            finder: self,
            search: Search::new(self),
            buffer: Vec::new(),
            filled: 0,
            credit: SPENT,
            starved: 0,
        }
    }

    /// The URLs in what `reader` gives, in the order in which they begin.
    ///
    /// Offsets are those of everything read so far. Memory is bounded by the
    /// [limit](crate::FinderBuilder::max_len) of a URL and some 200 KB.
    ///
    /// # Errors
    ///
    /// An error of the reader is passed on behind the finds before it, and ends
    /// the stream; [`Interrupted`](io::ErrorKind::Interrupted) is tried again.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// let finder = Finder::new();
    /// let reader: &[u8] = b"found it under <ftp://info.cern.ch/pub>";
    /// for found in finder.stream(reader) {
    ///     assert_eq!(found?.as_bytes(), b"ftp://info.cern.ch/pub");
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stream<R: Read>(&self, reader: R) -> Stream<'_, R> {
        Stream { scanner: self.scanner(), reader: Some(reader), found: VecDeque::new(), failed: None }
    }
}

/// A search through a text that comes in pieces.
///
/// Made by [`Finder::scanner`]. It finds what [`Finder::find_iter`] finds in the
/// whole text, at the same offsets, wherever the text is cut.
#[derive(Debug)]
pub struct Scanner<'f> {
    finder: &'f Finder,
    search: Search,
    /// The bytes at hand are the first `filled`; the rest is room for more.
    buffer: Vec<u8>,
    filled: usize,
    credit: usize,
    /// How much credit it takes to judge what waits again.
    starved: usize,
}

impl Scanner<'_> {
    /// Goes on with `piece`, and gives `each` the finds that are certain now.
    ///
    /// A find is certain as soon as what delimits it has come. Time is linear
    /// in all that has been pushed, however short the pieces are.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Found<'_>)) {
        for part in piece.as_ref().chunks(READ) {
            self.room(part.len()).copy_from_slice(part);
            self.grown(part.len(), &mut each);
        }
    }

    /// Says that the text has ended, and gives `each` the finds that were not
    /// certain before.
    pub fn finish(mut self, each: impl FnMut(Found<'_>)) {
        self.search(true, each);
    }

    /// Room for `len` bytes behind those at hand.
    fn room(&mut self, len: usize) -> &mut [u8] {
        let end = self.filled + len;
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        &mut self.buffer[self.filled..end]
    }

    /// Searches on after `len` bytes have been put into the room.
    fn grown(&mut self, len: usize, each: impl FnMut(Found<'_>)) {
        self.filled += len;
        self.credit = self.credit.saturating_add(len.saturating_mul(CREDIT));
        if self.credit >= self.starved {
            self.search(false, each);
        }
    }

    fn search(&mut self, last: bool, mut each: impl FnMut(Found<'_>)) {
        let window = Window::new(&self.buffer[..self.filled], last);
        while let Some(found) = self.search.next(self.finder, &window) {
            each(found);
        }
        self.credit = self.credit.saturating_sub(self.starved);
        self.starved = self.search.pending(&window);
        let spent = self.search.spent();
        if spent >= SPENT {
            self.search.drop_front(&window, spent);
            self.buffer.copy_within(spent..self.filled, 0);
            self.filled -= spent;
        }
    }
}

/// The URLs in what a reader gives.
///
/// Made by [`Finder::stream`].
#[derive(Debug)]
pub struct Stream<'f, R> {
    scanner: Scanner<'f>,
    /// `None` when there is nothing more to read.
    reader: Option<R>,
    found: VecDeque<Found<'static>>,
    failed: Option<io::Error>,
}

impl<R: Read> Iterator for Stream<'_, R> {
    type Item = io::Result<Found<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.pop_front() {
                return Some(Ok(found));
            }
            let Some(reader) = &mut self.reader else {
                return self.failed.take().map(Err);
            };
            let read = read_some(reader, self.scanner.room(READ));
            let keep = |found: Found<'_>| self.found.push_back(found.into_owned());
            match read {
                Ok(len) if len > 0 => self.scanner.grown(len, keep),
                end => {
                    self.scanner.search(true, keep);
                    self.reader = None;
                    self.failed = end.err();
                }
            }
        }
    }
}

/// Puts into `room` what one call of `reader` gives, and says how much; 0 at the
/// end.
fn read_some(reader: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
