//! The same finds from a text that comes in pieces.
//!
//! A [`Scanner`] keeps a rolling buffer: what cannot be judged yet, and a few
//! kilobytes before it, because the beginning of a line tells how a URL is
//! quoted. Everything before that is dropped. Text is pushed into the buffer, or
//! read straight into it; a [`Stream`] does the latter with a whole reader.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::bytes::read::read_some;
use crate::bytes::window::Window;
use crate::finder::{Finder, Search};
use crate::found::Match;

/// How many bytes a stream reads at a time.
const READ: usize = 128 * 1024;

/// How much of the buffer may be spent before it is dropped, in bytes: enough
/// that moving the rest down costs little.
const SPENT: usize = 64 * 1024;

/// What the place that is read to is a multiple of, in bytes: the length of a
/// line of the cache. A kernel copies to where one begins a seventh faster than
/// to anywhere else.
const LINE: usize = 64;

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
    /// [limit](crate::FinderBuilder::max_len) of a URL, some 200 KB, and the finds
    /// of one read of at most 128 KB.
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
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, piece: &T, mut each: impl FnMut(Match<'_>)) {
        for part in piece.as_ref().chunks(READ) {
            self.room(part.len()).copy_from_slice(part);
            self.grown(part.len(), &mut each);
        }
    }

    /// Goes on with what one call of `reader` gives, 128 KB at most, and gives
    /// `each` the finds that are certain now. Returns how many bytes came; 0 at
    /// the end, which [`Scanner::finish`] still has to be told of.
    ///
    /// This is [`Scanner::push`] without a buffer in between.
    ///
    /// # Errors
    ///
    /// An error of the reader is passed on, and the text can be gone on with;
    /// [`Interrupted`](io::ErrorKind::Interrupted) is tried again.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// let finder = Finder::new();
    /// let mut scanner = finder.scanner();
    /// let mut urls = 0;
    /// let mut reader: &[u8] = b"found it under <ftp://info.cern.ch/pub>";
    /// while scanner.read_from(&mut reader, |_| urls += 1)? > 0 {}
    /// scanner.finish(|_| urls += 1);
    /// assert_eq!(urls, 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn read_from<R: Read + ?Sized>(
        &mut self,
        reader: &mut R,
        each: impl FnMut(Match<'_>),
    ) -> io::Result<usize> {
        let len = read_some(reader, self.room(READ))?;
        if len > 0 {
            self.grown(len, each);
        }
        Ok(len)
    }

    /// Says that the text has ended, and gives `each` the finds that were not
    /// certain before.
    ///
    /// What comes after that is another text. It is searched in the memory of
    /// this one, so a scanner that goes through many texts is cheaper than many
    /// scanners.
    pub fn finish(&mut self, each: impl FnMut(Match<'_>)) {
        self.search(true, each);
        self.search.reset();
        self.filled = 0;
        self.credit = SPENT;
        self.starved = 0;
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
    fn grown(&mut self, len: usize, each: impl FnMut(Match<'_>)) {
        self.filled += len;
        self.credit = self.credit.saturating_add(len.saturating_mul(CREDIT));
        if self.credit >= self.starved {
            self.search(false, each);
        }
    }

    fn search(&mut self, last: bool, mut each: impl FnMut(Match<'_>)) {
        let window = Window::new(&self.buffer[..self.filled], last);
        while let Some(found) = self.search.next(self.finder, &window) {
            each(found);
        }
        self.credit = self.credit.saturating_sub(self.starved);
        self.starved = self.search.pending(&window);
        let spent = self.search.spent();
        if spent >= SPENT {
            let end = self.buffer[self.filled - spent..].as_ptr().addr();
            let spent = spent - end.wrapping_neg() % LINE;
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
    found: VecDeque<Match<'static>>,
    failed: Option<io::Error>,
}

impl<R: Read> Iterator for Stream<'_, R> {
    type Item = io::Result<Match<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.pop_front() {
                return Some(Ok(found));
            }
            let Some(reader) = &mut self.reader else {
                return self.failed.take().map(Err);
            };
            let mut keep = |found: Match<'_>| self.found.push_back(found.into_owned());
            let read = self.scanner.read_from(reader, &mut keep);
            if !matches!(read, Ok(1..)) {
                self.scanner.finish(keep);
                self.reader = None;
                self.failed = read.err();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that is interrupted before each piece, and gives an error for a
    /// piece that is not there.
    struct Pieces(VecDeque<Result<&'static str, io::ErrorKind>>);

    impl Read for Pieces {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            match self.0.pop_front() {
                Some(Ok(piece)) => {
                    room[..piece.len()].copy_from_slice(piece.as_bytes());
                    Ok(piece.len())
                }
                Some(Err(kind)) => Err(kind.into()),
                None => Ok(0),
            }
        }
    }

    fn line(found: &Match<'_>) -> String {
        let span = found.span();
        format!("{} {}..{}", String::from_utf8_lossy(found.as_bytes()), span.start, span.end)
    }

    #[test]
    fn an_error_of_the_reader_loses_nothing() {
        let finder = Finder::new();
        let mut scanner = finder.scanner();
        let mut reader = Pieces(VecDeque::from([
            Ok("a <URL:ftp://h.o"),
            Err(io::ErrorKind::Interrupted),
            Ok("rg/a"),
            Err(io::ErrorKind::TimedOut),
            Ok("b>, "),
        ]));
        let mut finds = Vec::new();
        let mut read = || scanner.read_from(&mut reader, |found| finds.push(line(&found)));
        assert_eq!(read().unwrap(), 16);
        assert_eq!(read().unwrap(), 4);
        assert_eq!(read().unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(read().unwrap(), 4);
        assert_eq!(read().unwrap(), 0);
        assert_eq!(finds, ["ftp://h.org/ab 2..22"]);
    }

    #[test]
    fn behind_the_end_a_new_text_begins() {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let mut scanner = finder.scanner();
        let mut finds = Vec::new();
        let mut keep = |found: Match<'_>| {
            let place = found.place().unwrap();
            finds.push(format!("{} at {}:{}", line(&found), place.line, place.column));
        };
        // Longer than what is kept, and it ends where more could follow.
        scanner.push(&"\n".repeat(2 * SPENT), &mut keep);
        scanner.push("ftp://h.org/one", &mut keep);
        scanner.finish(&mut keep);
        scanner.push("two http://h.org/three", &mut keep);
        scanner.finish(&mut keep);
        scanner.finish(&mut keep);
        assert_eq!(finds, ["ftp://h.org/one 131072..131087 at 131073:1", "http://h.org/three 4..22 at 1:5"]);
    }
}
