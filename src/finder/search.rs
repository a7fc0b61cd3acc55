//! The search: the state of a finder while it reads a text, whole or in chunks.
//!
//! The search takes one anchor after the other from the index, and reads the text there with `plain` or `appendix`. A
//! slice and a stream share this code. In a stream, the window is a part of the text, which may be too short to
//! decide about an anchor. Then [`Search::next`] returns `None`, and is called again with a larger window.
//!
//! A [`Scanner`] keeps a rolling buffer: the undecided bytes, and a few kilobytes before
//! them, because the beginning of a line shows how a URL is quoted. It drops all bytes before
//! that. Text is pushed into the buffer, or read directly into it; a [`Stream`] reads all of
//! a reader.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::Finder;
use crate::appendix::delimited_rows::LineCells;
use crate::appendix::implied::LastLine;
use crate::appendix::{self, Notes};
use crate::bytes::buffer::Buffer;
use crate::bytes::class::{HIGH, INSIDE};
use crate::bytes::position::LineCounter;
use crate::bytes::window::{LOOK_BACK, Window};
use crate::matches::Match;
use crate::matches::readings::Hyphen;
use crate::plain::{Plain, PlainUrls};
use crate::scan;
use crate::scan::index::{Anchor, Index};

/// The state of a finder while it reads a text.
#[derive(Debug)]
pub(crate) struct Search {
    /// The number of bytes of the text that precede the window.
    base: u64,
    /// The offset at which the last match ended, in the window.
    consumed: usize,
    /// True if a URL that is too long continues at `consumed`.
    skipping: bool,
    /// True if matches do not need filters, positions or other readings.
    direct: bool,
    /// True if matches need filters: see [`Finder::check`].
    has_checks: bool,
    /// True if matches that the filters reject are returned as well.
    any: bool,
    /// True if the URLs within a match follow it.
    nests: bool,
    index: Index<Plain>,
    lines: Option<LineCounter>,
    last_line: Option<LastLine>,
    /// The cached cells of the line that contained the last URL.
    cells: Option<Box<LineCells>>,
    /// The other readings of the last match, and the URLs within it, the next one last.
    readings: Vec<Match<'static>>,
}

impl Search {
    #[inline]
    pub(crate) fn new(finder: &Finder) -> Self {
        Search {
            base: 0,
            consumed: 0,
            skipping: false,
            direct: finder.takes_all(),
            has_checks: finder.has_checks(),
            any: false,
            nests: cfg!(feature = "unwrap") && finder.config.nested,
            index: Index::default(),
            lines: finder.counts_lines().then(LineCounter::default),
            last_line: None,
            cells: None,
            readings: Vec::new(),
        }
    }

    /// Returns a search whose matches have no [position](Match::position), and are not followed by
    /// the URLs within them.
    #[cfg(feature = "archive")]
    #[inline]
    pub(crate) fn without_lines(finder: &Finder) -> Self {
        Search { lines: None, nests: false, ..Search::new(finder) }
    }

    /// Returns a search that also yields the matches that the filters reject.
    #[cfg(feature = "archive")]
    #[inline]
    pub(crate) fn for_any(finder: &Finder) -> Self {
        Search { any: true, ..Search::without_lines(finder) }
    }

    /// A search that begins at `start` of the window, as if nothing before it belonged to a match.
    pub(super) fn from(finder: &Finder, start: usize) -> Self {
        let mut search =
            Search { lines: None, nests: false, direct: false, consumed: start, ..Search::new(finder) };
        search.index.skip_to(start);
        search
    }

    /// Begins at the first colon of a text, if every URL has one.
    #[inline]
    pub(super) fn begin_at(&mut self, colon: usize) {
        self.index.skip_to(colon);
    }

    /// Returns true if all bytes that can belong to a match at `offset` of the window have been searched. The match of
    /// an anchor that needs more bytes may begin as far before it as any rule looks back.
    pub(super) fn is_past(&self, offset: usize) -> bool {
        match self.index.indexed() {
            Some(anchor) => anchor.at > offset + LOOK_BACK,
            None => self.index.reached() > offset,
        }
    }

    /// Starts another text, and keeps the memory.
    pub(crate) fn reset(&mut self) {
        (self.base, self.consumed, self.skipping) = (0, 0, false);
        self.index.clear();
        self.lines = self.lines.take().map(|_| LineCounter::default());
        (self.last_line, self.cells) = (None, None);
        self.readings.clear();
    }

    /// The next position where a URL may start, from `from` on, before the search for a match.
    pub(super) fn next_anchor(&mut self, finder: &Finder, window: &Window<'_>, from: usize) -> Option<usize> {
        self.index.skip_to(from);
        self.peek(finder, window, false).map(|anchor| anchor.at)
    }

    /// The next match. `None` if the window contains no more, or not enough bytes to decide.
    ///
    /// A plain URL that needs no filter and no position is returned at once.
    #[inline]
    pub(crate) fn next<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if self.direct
            && !self.skipping
            && let Some(anchor) = self.index.indexed()
            && let Some(plain) = self.next_plain(window, anchor)
        {
            return Some(plain);
        }
        self.next_of_block(finder, window)
    }

    /// The slow path of [`next`](Self::next), which may index a block. It checks the end of the
    /// window before it calls the rules, because most short texts do not contain an anchor.
    #[inline(never)]
    fn next_of_block<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if self.direct && !self.skipping {
            let anchor = self.peek(finder, window, finder.config.plain)?;
            if let Some(plain) = self.next_plain(window, anchor) {
                return Some(plain);
            }
        }
        self.next_by_rules(finder, window)
    }

    /// Returns the plain URL at `anchor`, if any, as the next match.
    #[inline(always)]
    fn next_plain<'h>(&mut self, window: &Window<'h>, anchor: Anchor<Plain>) -> Option<Match<'h>> {
        let mut plain = self.plain(window, anchor)?;
        self.consume(plain.range().end);
        plain.set_base(self.base);
        Some(plain)
    }

    /// The slow path of [`next`](Self::next), which may need the rules.
    #[inline(never)]
    fn next_by_rules<'h>(&mut self, finder: &Finder, window: &Window<'h>) -> Option<Match<'h>> {
        if let Some(reading) = self.readings.pop() {
            return Some(reading);
        }
        let rules = finder.rules();
        loop {
            if self.skipping && !self.skip(window) {
                return None;
            }
            let anchor = self.peek(finder, window, finder.config.plain)?;
            let notes = Notes::of(self.last_line, self.cells.take());
            // Build the match in the return slot: a move would have to wait until all of its fields
            // are written.
            let mut matched = match self.plain(window, anchor) {
                Some(plain) => Some(plain),
                None => match scan::candidate(window, anchor.at, self.consumed, &rules.scan) {
                    Some(candidate) => {
                        appendix::read(window, rules, candidate, anchor.at, self.consumed, &notes)
                    }
                    None if window.take_needs_more() => return None,
                    None => {
                        self.index.skip_to(anchor.at + 1);
                        continue;
                    }
                },
            };
            (self.last_line, self.cells) = (notes.last_line.get(), notes.cells.take());
            let needs_more = window.take_needs_more();
            if needs_more || !self.admit(finder, window, anchor.at, &mut matched, notes.too_long.get()) {
                matched = None;
            }
            if needs_more || matched.is_some() {
                return matched;
            }
        }
    }

    /// Returns the next anchor, with the plain URL there if plain URLs are enabled (`on`).
    #[inline(never)]
    fn peek(&mut self, finder: &Finder, window: &Window<'_>, on: bool) -> Option<Anchor<Plain>> {
        self.index.peek(window, &finder.rules().scan, &PlainUrls { on })
    }

    /// Continues after the match that ends at `end`.
    #[inline(always)]
    fn consume(&mut self, end: usize) {
        self.consumed = end;
        self.index.skip_to(end);
    }

    /// The plain URL at `anchor`, if any, unless a part of it is consumed.
    #[inline(always)]
    fn plain<'h>(&self, window: &Window<'h>, anchor: Anchor<Plain>) -> Option<Match<'h>> {
        let plain = anchor.shortcut?;
        let span = plain.span(anchor.at);
        let (url, form) = plain.url(&span);
        let is_new = span.start >= self.consumed;
        is_new.then(|| Match::verbatim(&window.buffered()[url.clone()], url.start, span, form))
    }

    /// Skips the rest of a URL that is too long. Returns whether its end was reached.
    fn skip(&mut self, window: &Window<'_>) -> bool {
        self.consumed = window.skip(self.consumed, window.len(), |b| INSIDE.without(HIGH).has(b));
        self.index.skip_to(self.consumed);
        self.skipping = self.consumed == window.len();
        !self.skipping
    }

    /// Continues after the match at `anchor`. Returns true if the search yields this match.
    #[inline]
    fn admit(
        &mut self,
        finder: &Finder,
        window: &Window<'_>,
        anchor: usize,
        found: &mut Option<Match<'_>>,
        too_long: Option<usize>,
    ) -> bool {
        self.index.skip_to(anchor + 1);
        if let Some(matched) = found {
            self.consume(matched.range().end);
            return self.complete(finder, window, matched);
        }
        if let Some(at) = too_long {
            (self.consumed, self.skipping) = (at, true);
        }
        false
    }

    /// Applies the filters to a match and completes it. Returns whether it passed.
    #[inline]
    fn complete(&mut self, finder: &Finder, window: &Window<'_>, matched: &mut Match<'_>) -> bool {
        if self.has_checks && !finder.check(matched) && !self.any {
            return false;
        }
        let (base, lines) = (self.base, &mut self.lines);
        let mut place = |matched: &mut Match<'_>| {
            if let Some(lines) = lines {
                lines.move_to(base + matched.range().start as u64, window.buffered(), base);
                matched.set_position(lines.position());
            }
            matched.set_base(base);
        };
        // The URLs within the match are taken from it before its offsets are converted, so their offsets refer to the
        // window as well. They are converted in the order of the text, because lines are counted forwards. Without
        // the feature, all of this is left out.
        if cfg!(feature = "unwrap") && self.nests {
            self.readings = finder.nested_owned(matched);
        }
        place(matched);
        self.readings.iter_mut().rev().for_each(place);
        if finder.config.rules.hyphen == Hyphen::Both {
            self.readings.extend(matched.readings_in_text().into_iter().skip(1).rev());
        }
        true
    }

    /// Returns the number of bytes at the start of the window that are no longer needed.
    pub(crate) fn spent(&self) -> usize {
        // Keep one byte more, so that a line that starts there does not look like the first line of
        // the text.
        self.index.reached().saturating_sub(LOOK_BACK + 1)
    }

    /// Returns the number of bytes at the end of the window that cannot be decided without more text.
    pub(crate) fn pending(&self, window: &Window<'_>) -> usize {
        window.len() - self.index.reached().min(window.len())
    }

    /// Subtracts `n` from all offsets: the first `n` bytes of `window`, all of them
    /// [spent](Self::spent), will not be in the next one.
    pub(crate) fn drop_front(&mut self, window: &Window<'_>, n: usize) {
        let next = self.base + n as u64;
        if let Some(lines) = self.lines.as_mut().filter(|lines| lines.at() < next) {
            lines.move_to(next, window.buffered(), self.base);
        }
        self.index.shift_back(n);
        (self.last_line, self.cells) = (None, None);
        self.consumed = self.consumed.saturating_sub(n);
        self.base = next;
    }
}

/// The number of bytes that a stream reads at a time.
const READ: usize = 128 * 1024;

/// The number of bytes of the buffer that may be spent before they are dropped, because each time
/// the search has to move its own offsets as well.
const SPENT: usize = 64 * 1024;

/// The number of bytes that may be read again for each byte that arrives.
///
/// A match at the end of the buffer is read again whenever more bytes arrive. With chunks of one
/// byte, that would take quadratic time, so each byte adds only this much credit.
const CREDIT: usize = 16;

impl Finder {
    /// Returns a scanner, which searches text that you push into it chunk by chunk. It shares the
    /// rules of this finder and borrows nothing, so a struct can hold it.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// let finder = Finder::new();
    /// let mut scanner = finder.scanner();
    /// let mut urls = Vec::new();
    /// for chunk in ["see <URL:http://h.or", "g/a>, http://h.org/", "b"] {
    ///     scanner.push(chunk, |m| urls.push(m.as_bytes().to_vec()));
    /// }
    /// scanner.finish(|m| urls.push(m.as_bytes().to_vec()));
    /// assert_eq!(urls, [b"http://h.org/a", b"http://h.org/b"]);
    /// ```
    pub fn scanner(&self) -> Scanner {
        let (search, buffer) = (Search::new(self), Buffer::default());
        Scanner { finder: self.clone(), search, buffer, credit: SPENT, pending: 0 }
    }

    /// Returns the URLs in the data that `reader` yields, in the order in which they start.
    ///
    /// Offsets refer to the whole input. Memory is at most [`max_len`](crate::FinderBuilder::max_len)
    /// plus about 200 KB, and the matches of one read of at most 128 KB.
    ///
    /// # Errors
    ///
    /// An error of the reader follows the matches before it, and ends the stream;
    /// [`Interrupted`](io::ErrorKind::Interrupted) is retried.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::Finder;
    ///
    /// let finder = Finder::new();
    /// let reader: &[u8] = b"found it under <ftp://info.cern.ch/pub>";
    /// for m in finder.stream(reader) {
    ///     assert_eq!(m?.as_bytes(), b"ftp://info.cern.ch/pub");
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stream<R: Read>(&self, reader: R) -> Stream<R> {
        Stream { scanner: self.scanner(), reader: Some(reader), matches: VecDeque::new(), failed: None }
    }
}

/// A search of a text that arrives in chunks.
///
/// Made by [`Finder::scanner`]. It yields the matches that [`Finder::find_iter`] yields for the
/// whole text, at the same offsets, wherever the chunks end.
#[derive(Debug)]
pub struct Scanner {
    finder: Finder,
    search: Search,
    buffer: Buffer,
    /// The number of bytes that may be read again.
    credit: usize,
    /// The number of bytes that wait to be checked again.
    pending: usize,
}

impl Scanner {
    /// Appends `chunk`, and calls `each` with the matches that have become certain.
    ///
    /// A match is certain as soon as the bytes that end it have arrived. Time is linear in the
    /// length of all chunks, however short they are.
    pub fn push<T: AsRef<[u8]> + ?Sized>(&mut self, chunk: &T, mut each: impl FnMut(Match<'_>)) {
        for part in chunk.as_ref().chunks(READ) {
            self.buffer.push(part);
            self.advance(part.len(), &mut each);
        }
    }

    /// Appends the result of one read of `reader`, at most 128 KB, and calls `each` with the
    /// matches that have become certain. Returns the number of bytes read: 0 at the end, after
    /// which you must still call [`Scanner::finish`].
    ///
    /// Searches like [`Scanner::push`], but you need no buffer of your own.
    ///
    /// # Errors
    ///
    /// Returns the reader's error, after which the scanner can still be used;
    /// [`Interrupted`](io::ErrorKind::Interrupted) is retried.
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
        let len = self.buffer.read_from(reader, READ)?;
        if len > 0 {
            self.advance(len, each);
        }
        Ok(len)
    }

    /// Ends the text, and calls `each` with the remaining matches.
    ///
    /// The next chunk begins another text, which reuses the memory, so one scanner for many texts
    /// is cheaper than many scanners.
    pub fn finish(&mut self, each: impl FnMut(Match<'_>)) {
        self.search(true, each);
        self.search.reset();
        self.buffer.reset(0);
        (self.credit, self.pending) = (SPENT, 0);
    }

    /// Returns the offset of the first byte that is still buffered. No later match starts before it, so a
    /// caller that keeps the text can drop the text before it.
    ///
    /// ```
    /// let mut scanner = urlgrep::Finder::new().scanner();
    /// scanner.push(&" ".repeat(1 << 20), |_| {});
    /// assert!(scanner.earliest() > 1 << 19);
    /// ```
    pub fn earliest(&self) -> u64 {
        self.search.base
    }

    /// Continues the search after `len` more bytes have been buffered.
    fn advance(&mut self, len: usize, each: impl FnMut(Match<'_>)) {
        self.credit = self.credit.saturating_add(len.saturating_mul(CREDIT));
        if self.credit >= self.pending {
            self.search(false, each);
        }
    }

    fn search(&mut self, last: bool, mut each: impl FnMut(Match<'_>)) {
        let window = Window::new(self.buffer.buffered(), last);
        while let Some(found) = self.search.next(&self.finder, &window) {
            each(found);
        }
        self.credit = self.credit.saturating_sub(self.pending);
        self.pending = self.search.pending(&window);
        let spent = self.search.spent();
        if spent >= SPENT {
            self.search.drop_front(&window, spent);
            self.buffer.consume(spent);
        }
    }
}

/// The URLs in the data that a reader yields.
///
/// Made by [`Finder::stream`].
#[derive(Debug)]
pub struct Stream<R> {
    scanner: Scanner,
    /// `None` when there is nothing more to read.
    reader: Option<R>,
    matches: VecDeque<Match<'static>>,
    failed: Option<io::Error>,
}

impl<R: Read> Iterator for Stream<R> {
    type Item = io::Result<Match<'static>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.matches.pop_front() {
                return Some(Ok(next));
            }
            let Some(reader) = &mut self.reader else {
                return self.failed.take().map(Err);
            };
            let mut keep = |m: Match<'_>| self.matches.push_back(m.into_owned());
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

    /// A reader that yields chunks and errors in order.
    struct Chunks(VecDeque<Result<&'static str, io::ErrorKind>>);

    impl Read for Chunks {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            match self.0.pop_front() {
                Some(Ok(chunk)) => {
                    room[..chunk.len()].copy_from_slice(chunk.as_bytes());
                    Ok(chunk.len())
                }
                Some(Err(kind)) => Err(kind.into()),
                None => Ok(0),
            }
        }
    }

    fn line(m: &Match<'_>) -> String {
        let span = m.span();
        format!("{} {}..{}", String::from_utf8_lossy(m.as_bytes()), span.start, span.end)
    }

    #[test]
    fn an_error_of_the_reader_loses_nothing() {
        let finder = Finder::new();
        let mut scanner = finder.scanner();
        let mut reader = Chunks(VecDeque::from([
            Ok("a <URL:ftp://h.o"),
            Err(io::ErrorKind::Interrupted),
            Ok("rg/a"),
            Err(io::ErrorKind::TimedOut),
            Ok("b>, "),
        ]));
        let mut matches = Vec::new();
        let mut read = || scanner.read_from(&mut reader, |m| matches.push(line(&m)));
        assert_eq!(read().unwrap(), 16);
        assert_eq!(read().unwrap(), 4);
        assert_eq!(read().unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert_eq!(read().unwrap(), 4);
        assert_eq!(read().unwrap(), 0);
        assert_eq!(matches, ["ftp://h.org/ab 2..22"]);
    }

    /// The facts about a line do not hold for the line at its offset after text was dropped.
    #[test]
    fn what_is_dropped_is_forgotten() {
        let finder =
            Finder::builder().delimited_rows(true).schemeless([crate::Schemeless::Emails]).build().unwrap();
        for (one, two) in [
            ("1,http://h.org/a,x\n", "1;http://h.org/b;x,y;\n"),
            ("Message-ID: <1@h.org>\n", "To: a and b <2@h.org>\n"),
            ("To: a and b <1@h.org>\n", "Message-ID: <2@h.org>\n"),
        ] {
            for before in LOOK_BACK..LOOK_BACK + 4 {
                let text = [&*"\n".repeat(before), one, &"\n".repeat(SPENT + 2000), two].concat();
                let (mut scanner, mut matches) = (finder.scanner(), Vec::new());
                let (first, second) = text.split_at(text.len() - two.len());
                scanner.push(first, |m| matches.push(line(&m)));
                scanner.push(second, |m| matches.push(line(&m)));
                scanner.finish(|m| matches.push(line(&m)));
                let whole: Vec<_> = finder.find_iter(text.as_bytes()).map(|m| line(&m)).collect();
                assert_eq!(matches, whole, "{before}");
            }
        }
    }

    /// The line of the second one starts before the buffered bytes.
    #[cfg(feature = "unwrap")]
    #[test]
    fn urls_within_a_match_have_positions_after_text_was_dropped() {
        let finder = Finder::builder().nested(true).line_numbers(true).build().unwrap();
        let url = "<http://h.org/?u=http%3A%2F%2Fi.org%2Fa&v=http%3A%2F%2Fk\n.org%2F&w=http%3A%2F%2Fl.org>";
        let text = ["\n", &" ".repeat(2 * SPENT), url, "\n", &" ".repeat(2 * SPENT), url].concat();
        let told = |m: Match<'_>| (line(&m), m.position().unwrap());
        let whole: Vec<_> = finder.find_iter(text.as_bytes()).map(told).collect();
        let places: Vec<_> = whole[4..].iter().map(|(_, at)| (at.line, at.column)).collect();
        assert_eq!(places, [(4, 131_073), (4, 131_090), (4, 131_115), (5, 11)]);
        let streamed: Vec<_> = finder.stream(text.as_bytes()).map(|m| told(m.unwrap())).collect();
        assert_eq!(streamed, whole);
    }

    #[test]
    fn after_the_end_a_new_text_begins() {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let mut scanner = finder.scanner();
        let mut matches = Vec::new();
        let mut keep = |m: Match<'_>| {
            let position = m.position().unwrap();
            matches.push(format!("{} at {}:{}", line(&m), position.line, position.column));
        };
        // The URL is longer than the kept text, and ends where it could continue.
        scanner.push(&"\n".repeat(2 * SPENT), &mut keep);
        scanner.push("ftp://h.org/one", &mut keep);
        scanner.finish(&mut keep);
        scanner.push("two http://h.org/three", &mut keep);
        scanner.finish(&mut keep);
        scanner.finish(&mut keep);
        assert_eq!(
            matches,
            ["ftp://h.org/one 131072..131087 at 131073:1", "http://h.org/three 4..22 at 1:5"]
        );
    }
}
