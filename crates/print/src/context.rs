//! The text around a match, for `--context`, `--explain` and `--report`.
//!
//! A match is known when its closing delimiter has been read. The line before it
//! was read long before, and the line after it is not read yet. So the end of the
//! input is buffered, and matches wait until enough text after them is buffered.
//!
//! Text that is more than [`LIMIT`] bytes away from a match is not used, so neither
//! memory nor output depends on the length of lines.

use std::collections::VecDeque;
use std::ops::Range;

use urlgrep::Match;

/// The maximum number of bytes before and after a match that are used.
pub const LIMIT: usize = 2000;

/// The number of lines before and after a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextLines {
    /// The number of lines before the match.
    pub before: usize,
    /// The number of lines after the match.
    pub after: usize,
}

impl ContextLines {
    /// Returns the number of lines that both need.
    pub fn or_more(self, other: ContextLines) -> ContextLines {
        ContextLines { before: self.before.max(other.before), after: self.after.max(other.after) }
    }
}

/// The end of an input, and the matches that wait for the text after them.
pub struct ContextBuffer {
    lines: ContextLines,
    /// The maximum distance from the start of a match to the end of the buffer when the match
    /// becomes known.
    reach: usize,
    bytes: Vec<u8>,
    /// The offset of the first byte.
    start: u64,
    /// True after the end of the input.
    pub ended: bool,
    /// Matches, and the decisions about their hyphens.
    waiting: VecDeque<(Match<'static>, Option<HyphenDecision>)>,
}

/// The decision about the hyphens at line breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HyphenDecision {
    /// The option `--hyphen`.
    ByRule,
    /// Only this reading occurs elsewhere.
    ByEvidence,
}

impl HyphenDecision {
    /// Returns the name as it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            HyphenDecision::ByRule => "rule",
            HyphenDecision::ByEvidence => "evidence",
        }
    }
}

/// The lines of a match, and a number of lines before and after it.
#[derive(Debug, PartialEq, Eq)]
pub struct Context<'t> {
    /// The text of the lines, without the last line break.
    pub text: &'t [u8],
    /// The offset of the text.
    pub start: u64,
    /// The range of the match in the text; empty for a match in an attribute, at its element.
    pub span: Range<usize>,
    /// At most [`LIMIT`] bytes after the match.
    pub after: &'t [u8],
}

impl ContextBuffer {
    /// Returns an empty buffer. URLs are at most `max_len` bytes long.
    pub fn new(lines: ContextLines, max_len: usize) -> ContextBuffer {
        // A complete match may wait for another `max_len` bytes before it is graded.
        let reach = max_len.saturating_mul(2).saturating_add(LIMIT);
        ContextBuffer { lines, reach, bytes: Vec::new(), start: 0, ended: false, waiting: VecDeque::new() }
    }

    /// Appends a block of the input.
    pub fn push(&mut self, block: &[u8]) {
        let first = self.waiting.front();
        let needed = first.map_or(usize::MAX, |(matched, _)| self.index(matched.span().start));
        let spent = self.bytes.len().saturating_sub(self.reach).min(needed.saturating_sub(LIMIT));
        // The bytes are moved only when more than half of them are spent.
        if spent > self.bytes.len() / 2 {
            self.bytes.drain(..spent);
            self.start += spent as u64;
        }
        self.bytes.extend_from_slice(block);
    }

    /// Adds a match, which waits for the text after it.
    pub fn wait(&mut self, matched: Match<'static>, decision: Option<HyphenDecision>) {
        self.waiting.push_back((matched, decision));
    }

    /// Returns the next match whose context is complete, and the decision about its hyphens.
    pub fn next_match(&mut self) -> Option<(Match<'static>, Option<HyphenDecision>, Context<'_>)> {
        let end = self.waiting.front()?.0.span().end;
        let after = &self.bytes[self.index(end)..];
        let enough =
            after.len() >= LIMIT || memchr::memchr_iter(b'\n', after).nth(self.lines.after).is_some();
        if !enough && !self.ended {
            return None;
        }
        let (matched, decision) = self.waiting.pop_front()?;
        let span = matched.span();
        let context = Context::of(&self.bytes, self.index(span.start)..self.index(span.end), self.lines);
        Some((matched, decision, Context { start: self.start + context.start, ..context }))
    }

    /// The index in the buffer of an offset of the input.
    fn index(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.start))
            .map_or(self.bytes.len(), |at| at.min(self.bytes.len()))
    }
}

impl<'t> Context<'t> {
    /// Returns the context of `span` in `text`.
    pub fn of(text: &'t [u8], span: Range<usize>, lines: ContextLines) -> Context<'t> {
        let before = &text[span.start.saturating_sub(LIMIT)..span.start];
        let after = &text[span.end..text.len().min(span.end.saturating_add(LIMIT))];
        let above = lines_above(before, lines);
        // No line follows a line end at the end of the text.
        let below = lines_below(after, lines).unwrap_or(after.strip_suffix(b"\n").unwrap_or(after).len());
        let start = span.start - above;
        let text = &text[start..span.end + below];
        Context { text, start: start as u64, span: above..span.end - start, after }
    }

    /// Returns the same context with fewer lines.
    pub fn narrowed(&self, lines: ContextLines) -> Context<'t> {
        let Range { start, end } = self.span;
        let above = lines_above(&self.text[..start], lines);
        let below = lines_below(&self.text[end..], lines).unwrap_or(self.text.len() - end);
        let cut = start - above;
        Context {
            text: &self.text[cut..end + below],
            start: self.start + cut as u64,
            span: above..end - cut,
            after: self.after,
        }
    }

    /// Returns the context of a match in an archive, in the decoded text.
    ///
    /// For a match in an attribute, the lines belong to its element, but the text after it belongs
    /// to the attribute. For a match in a JSON string, they belong to the string. `None` for a
    /// match outside of archives, or without its text.
    pub fn of_archive(matched: &'t Match<'t>, lines: ContextLines) -> Option<Context<'t>> {
        let place = matched.context()?;
        let whole = place.text()?.as_bytes();
        let string = place.text()?.string(place.at()).unwrap_or(0..whole.len());
        let (text, start) = (&whole[string.clone()], string.start);
        let (span, at) = (matched.in_text().range(), place.at() - start);
        // The span of a match in an attribute counts from the start of the attribute.
        let context = match place.attribute() {
            None => Context::of(text, span.start - start..span.end - start, lines),
            Some(value) => {
                let Context { after, .. } = Context::of(value, span, lines);
                Context { after, ..Context::of(text, at..at, lines) }
            }
        };
        Some(Context { start: context.start + start as u64, ..context })
    }

    /// Returns the lines without their line breaks, and the offset of each.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &'t [u8])> {
        let mut start = self.start;
        self.text.split(|&byte| byte == b'\n').map(move |line| {
            let at = start;
            start += line.len() as u64 + 1;
            (at, line.strip_suffix(b"\r").unwrap_or(line))
        })
    }
}

/// The length of the lines at the end of the text before a match.
fn lines_above(before: &[u8], lines: ContextLines) -> usize {
    before.len() - memchr::memrchr_iter(b'\n', before).nth(lines.before).map_or(0, |at| at + 1)
}

/// The length of the lines at the start of the text after a match, if they are all there.
fn lines_below(after: &[u8], lines: ContextLines) -> Option<usize> {
    memchr::memchr_iter(b'\n', after).nth(lines.after)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines around each match in a text that is read in blocks of `size` bytes.
    fn contexts(text: &str, lines: usize, size: usize) -> Vec<Vec<String>> {
        let lines = ContextLines { before: lines, after: lines };
        contexts_of(text, lines, size, 65_536)
    }

    /// The same, with URLs of at most `max_len` bytes.
    fn contexts_of(text: &str, lines: ContextLines, size: usize, max_len: usize) -> Vec<Vec<String>> {
        let finder = urlgrep::Finder::new();
        let mut scanner = finder.scanner();
        let mut buffer = ContextBuffer::new(lines, max_len);
        let mut all = Vec::new();
        let mut drain = |buffer: &mut ContextBuffer| {
            while let Some((_, _, context)) = buffer.next_match() {
                let texts = context.lines().map(|(_, line)| String::from_utf8_lossy(line).into_owned());
                all.push(texts.collect());
            }
        };
        for block in text.as_bytes().chunks(size) {
            buffer.push(block);
            scanner.push(block, |matched| buffer.wait(matched.into_owned(), None));
            drain(&mut buffer);
        }
        scanner.finish(|matched| buffer.wait(matched.into_owned(), None));
        buffer.ended = true;
        drain(&mut buffer);
        all
    }

    const TEXT: &str = "one\r\n<URL:http://h.org/\nb> two\nthree http://h.org/c\n";

    #[test]
    fn lines_before_and_after() {
        for size in [1, 7, 1000] {
            assert_eq!(
                contexts(TEXT, 0, size),
                [&["<URL:http://h.org/", "b> two"][..], &["three http://h.org/c"]]
            );
            assert_eq!(
                contexts(TEXT, 1, size),
                [
                    &["one", "<URL:http://h.org/", "b> two", "three http://h.org/c"][..],
                    &["b> two", "three http://h.org/c"]
                ]
            );
        }
        assert_eq!(contexts("http://h.org/\n\n", 2, 1000), [["http://h.org/", ""]]);
    }

    #[test]
    fn fewer_lines() {
        let lines = |n| ContextLines { before: n, after: n };
        let context = Context::of(b"a\nb\nc http://h.org/ d\ne\nf", 6..19, lines(2));
        let narrow = context.narrowed(lines(1));
        assert_eq!((narrow.text, narrow.start, narrow.span), (&b"b\nc http://h.org/ d\ne"[..], 2, 4..17));
        assert_eq!(narrow.after, context.after);
        // The empty line at the end stays.
        let text = b"http://h.org/ x\n\n";
        let narrow = Context::of(text, 0..13, lines(3)).narrowed(lines(2));
        assert_eq!(narrow, Context::of(text, 0..13, lines(2)));
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}http://h.org/{}\n", "a ".repeat(100_000), " b".repeat(100_000));
        let lines = contexts(&text, 3, 4096);
        assert_eq!(lines[0].len(), 1);
        assert_eq!(lines[0][0].len(), LIMIT + "http://h.org/".len() + LIMIT);
    }

    /// The lines before a match stay while it waits for those after it.
    #[test]
    fn a_match_that_waits_keeps_its_lines() {
        let [before, after] = [699, 1949].map(|len| "a ".repeat(len / 2) + "\n");
        let text = before.repeat(6) + "http://h.org/\n" + &after.repeat(3);
        let lines = ContextLines { before: 2, after: 1 };
        let whole = contexts_of(&text, lines, text.len(), 64);
        assert_eq!(whole[0].iter().map(String::len).collect::<Vec<_>>(), [698, 698, 13, 1948]);
        for size in (1..text.len()).step_by(13) {
            assert_eq!(contexts_of(&text, lines, size, 64), whole, "{size}");
        }
    }

    #[test]
    fn memory_does_not_grow_with_the_input() {
        let mut buffer = ContextBuffer::new(ContextLines { before: 1, after: 1 }, 1000);
        (0..1000).for_each(|_| buffer.push(&[b'\n'; 4096]));
        assert!(buffer.bytes.capacity() < 64 * 1024);
        assert_eq!(buffer.start + buffer.bytes.len() as u64, 4096 * 1000);
    }
}
