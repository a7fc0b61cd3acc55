//! The text around a find.
//!
//! A find is known when what delimits it has been read, which is long after the
//! line before it went by, and before the line behind it has come. So the last
//! of the input is kept, and finds wait until there is enough behind them.
//!
//! What is farther from a find than [`LIMIT`] is not looked at, so that neither
//! memory nor output depends on the length of lines.

use std::collections::VecDeque;
use std::ops::Range;

use urlgrep::{ArchiveMatch, Match};

use crate::hit::Settled;

/// How many bytes before a find, and how many behind it, are shown at most.
const LIMIT: usize = 2000;

/// The last of an input, and the finds that wait for what follows them.
pub struct Tail {
    /// How many lines before and behind a find are wanted.
    lines: usize,
    /// How far a find may stand from the end of what was read when it becomes
    /// known.
    reach: usize,
    bytes: Vec<u8>,
    /// The offset of the first of them.
    start: usize,
    ended: bool,
    waiting: VecDeque<Waiting>,
}

/// A find that waits, and what settled how its hyphens are read.
pub struct Waiting {
    pub found: Match<'static>,
    pub settled: Option<Settled>,
}

/// The lines that a find stood in, and so many before and behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Around<'t> {
    /// The text of the lines, without the last line end.
    pub text: &'t [u8],
    /// The offset at which it begins.
    pub start: usize,
    /// What stands before the find in the input, near it.
    pub before: &'t [u8],
    /// What stands behind it.
    pub behind: &'t [u8],
}

impl Tail {
    /// Nothing yet. URLs are at most `max_len` bytes long.
    pub fn new(lines: usize, max_len: usize) -> Tail {
        // What is certain may have to wait for as much again to be judged.
        let reach = max_len.saturating_mul(2).saturating_add(LIMIT);
        Tail { lines, reach, bytes: Vec::new(), start: 0, ended: false, waiting: VecDeque::new() }
    }

    /// Goes on with what was read.
    pub fn push(&mut self, block: &[u8]) {
        let needed =
            self.waiting.front().map_or(usize::MAX, |next| next.found.span().start.saturating_sub(LIMIT));
        let spent = self.bytes.len().saturating_sub(self.reach).min(needed.saturating_sub(self.start));
        // Moved down only if it is worth it.
        if spent > self.bytes.len() / 2 {
            self.bytes.drain(..spent);
            self.start += spent;
        }
        self.bytes.extend_from_slice(block);
    }

    /// Says that the input has ended.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Lets a find wait for what follows it.
    pub fn wait(&mut self, found: Match<'static>, settled: Option<Settled>) {
        self.waiting.push_back(Waiting { found, settled });
    }

    /// The next find that need not wait any more, and what stands around it.
    pub fn next(&mut self) -> Option<(Waiting, Around<'_>)> {
        let end = self.waiting.front()?.found.span().end;
        let behind = &self.bytes[self.at(end)..];
        let enough = behind.len() >= LIMIT || memchr::memchr_iter(b'\n', behind).nth(self.lines).is_some();
        if !enough && !self.ended {
            return None;
        }
        let waiting = self.waiting.pop_front()?;
        let around = self.around(waiting.found.span());
        Some((waiting, around))
    }

    fn around(&self, span: Range<usize>) -> Around<'_> {
        let around = Around::of(&self.bytes, self.at(span.start)..self.at(span.end), self.lines);
        Around { start: self.start + around.start, ..around }
    }

    /// Where an offset of the input is in what is kept.
    fn at(&self, offset: usize) -> usize {
        offset.saturating_sub(self.start).min(self.bytes.len())
    }
}

impl<'t> Around<'t> {
    /// What stands around `span` in `text`, with so many lines before and behind.
    pub fn of(text: &'t [u8], span: Range<usize>, lines: usize) -> Around<'t> {
        let before = &text[span.start.saturating_sub(LIMIT)..span.start];
        let behind = &text[span.end..text.len().min(span.end.saturating_add(LIMIT))];
        let above = memchr::memrchr_iter(b'\n', before).nth(lines);
        let above = before.len() - above.map_or(0, |at| at + 1);
        let below = memchr::memchr_iter(b'\n', behind).nth(lines);
        // A line end at the end of the text has no line behind it.
        let below = below.unwrap_or(behind.strip_suffix(b"\n").unwrap_or(behind).len());
        let start = span.start - above;
        Around { text: &text[start..span.end + below], start, before, behind }
    }

    /// What stands around a find in an archive: the text as it was decoded, with so
    /// many lines before and behind.
    ///
    /// If the find is in an attribute, the lines are those where its element
    /// stands, but what stands before and behind it is of the attribute.
    pub fn of_located(located: &'t ArchiveMatch<'t>, lines: usize) -> Around<'t> {
        let text = located.text().map_or(&b""[..], |text| text.as_bytes());
        let at = located.at();
        let span = located.in_text().span();
        let Some(value) = located.attribute() else { return Around::of(text, span, lines) };
        let Around { before, behind, .. } = Around::of(value, span, 0);
        Around { before, behind, ..Around::of(text, at..at, lines) }
    }

    /// The lines, without what ends them, and the offset at which each begins.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &'t [u8])> {
        let mut start = self.start;
        self.text.split(|&byte| byte == b'\n').map(move |line| {
            let at = start;
            start += line.len() + 1;
            (at, line.strip_suffix(b"\r").unwrap_or(line))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines around each find in a text that comes in pieces of `size`.
    fn around(text: &str, lines: usize, size: usize) -> Vec<Vec<String>> {
        let finder = urlgrep::Finder::new();
        let mut scanner = finder.scanner();
        let mut tail = Tail::new(lines, 65_536);
        let mut all = Vec::new();
        let mut drain = |tail: &mut Tail| {
            while let Some((_, around)) = tail.next() {
                let texts = around.lines().map(|(_, line)| String::from_utf8_lossy(line).into_owned());
                all.push(texts.collect());
            }
        };
        for block in text.as_bytes().chunks(size) {
            tail.push(block);
            scanner.push(block, |found| tail.wait(found.into_owned(), None));
            drain(&mut tail);
        }
        scanner.finish(|found| tail.wait(found.into_owned(), None));
        tail.end();
        drain(&mut tail);
        all
    }

    const TEXT: &str = "one\r\n<URL:http://h.org/\nb> two\nthree http://h.org/c\n";

    #[test]
    fn lines_before_and_behind() {
        for size in [1, 7, 1000] {
            assert_eq!(
                around(TEXT, 0, size),
                [&["<URL:http://h.org/", "b> two"][..], &["three http://h.org/c"]]
            );
            assert_eq!(
                around(TEXT, 1, size),
                [
                    &["one", "<URL:http://h.org/", "b> two", "three http://h.org/c"][..],
                    &["b> two", "three http://h.org/c"]
                ]
            );
        }
        assert_eq!(around("http://h.org/\n\n", 2, 1000), [["http://h.org/", ""]]);
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}http://h.org/{}\n", "a ".repeat(100_000), " b".repeat(100_000));
        let lines = around(&text, 3, 4096);
        assert_eq!(lines[0].len(), 1);
        assert_eq!(lines[0][0].len(), LIMIT + "http://h.org/".len() + LIMIT);
    }

    #[test]
    fn memory_does_not_grow_with_the_input() {
        let mut tail = Tail::new(1, 1000);
        (0..1000).for_each(|_| tail.push(&[b'\n'; 4096]));
        assert!(tail.bytes.capacity() < 64 * 1024);
        assert_eq!(tail.start + tail.bytes.len(), 4096 * 1000);
    }
}
