//! The buffered bytes of a text, and whether they are all of it.
//!
//! Every stage reads the text through a [`Window`]. For a slice the window is the whole
//! text. For a stream it is the part of the text that is buffered. If a stage looks past
//! its end, the window records that, the decision of the stage is discarded, and the
//! stage runs again when more bytes are buffered. So a stage is written once, as if it
//! had the whole text, and a stream has the same matches as a slice.

use std::cell::Cell;
use std::ops::Range;

use super::class::BREAK;

/// The distance before a colon within which any stage may read, in bytes.
///
/// A stream keeps this many bytes before the position it has reached. The bound also
/// applies to a slice, so that both have the same matches.
pub(crate) const LOOK_BACK: usize = 8 * 1024;

/// The buffered bytes of a text, and whether they are all of it.
#[derive(Debug)]
pub(crate) struct Window<'h> {
    bytes: &'h [u8],
    last: bool,
    is_value: bool,
    needs_more: Cell<bool>,
}

impl<'h> Window<'h> {
    /// A whole text.
    pub(crate) fn whole(bytes: &'h [u8]) -> Self {
        Self::new(bytes, true)
    }

    /// A part of a text; `last` if nothing follows it.
    pub(crate) fn new(bytes: &'h [u8], last: bool) -> Self {
        Window { bytes, last, is_value: false, needs_more: Cell::new(false) }
    }

    /// A whole text that something delimits, as the quotation marks of a JSON string do.
    #[cfg(feature = "archive")]
    pub(crate) fn value(bytes: &'h [u8]) -> Self {
        Window { is_value: true, ..Self::whole(bytes) }
    }

    /// Returns this window, whose text was decoded from the text in `source`.
    pub(crate) fn like(self, source: &Window<'_>) -> Self {
        Window { is_value: source.is_value, ..self }
    }

    /// Returns true if the start and the end of the text are delimiters.
    pub(crate) fn is_value(&self) -> bool {
        self.is_value
    }

    /// All bytes that are buffered. Only for the index, the fast path and the line
    /// counter, which do not depend on where these end. The rules use [`Window::ahead`]
    /// and [`Window::before`].
    pub(crate) fn buffered(&self) -> &'h [u8] {
        self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn is_last(&self) -> bool {
        self.last
    }

    /// Returns true if a stage has looked past the buffered bytes since the last call of this,
    /// and more bytes may come. Then its decision must be discarded.
    pub(crate) fn take_needs_more(&self) -> bool {
        self.needs_more.replace(false)
    }

    /// The byte at `at`, or `None` where the text ends.
    pub(crate) fn get(&self, at: usize) -> Option<u8> {
        let byte = self.bytes.get(at).copied();
        if byte.is_none() {
            self.reach_end();
        }
        byte
    }

    /// The bytes in `range`, fewer where the text ends.
    #[inline(always)]
    pub(crate) fn ahead(&self, range: Range<usize>) -> &'h [u8] {
        self.bytes.get(range.clone()).unwrap_or_else(|| self.rest(range.start))
    }

    /// The bytes from `from` on, when they are fewer than the caller asked for.
    #[cold]
    fn rest(&self, from: usize) -> &'h [u8] {
        self.reach_end();
        self.bytes.get(from..).unwrap_or_default()
    }

    /// The bytes before `at`, from `floor` on.
    pub(crate) fn before(&self, at: usize, floor: usize) -> &'h [u8] {
        &self.bytes[floor.min(at)..at]
    }

    /// The byte before `at`, or `None` where the text starts.
    pub(crate) fn byte_before(&self, at: usize) -> Option<u8> {
        at.checked_sub(1).map(|i| self.bytes[i])
    }

    /// The offset of the first byte at or after `from` that is not `wanted`; or else `limit`, or
    /// the end of the text. Never less than `from`.
    pub(crate) fn skip(&self, from: usize, limit: usize, wanted: impl Fn(u8) -> bool) -> usize {
        let end = limit.min(self.len());
        let run = self.bytes.get(from..end).unwrap_or_default();
        match run.iter().position(|&b| !wanted(b)) {
            Some(n) => from + n,
            None => {
                if end < limit {
                    self.reach_end();
                }
                from + run.len()
            }
        }
    }

    /// The start of the run of `wanted` bytes that ends before `at`; `floor` at least.
    pub(crate) fn skip_back(&self, at: usize, floor: usize, wanted: impl Fn(u8) -> bool) -> usize {
        at - self.before(at, floor).iter().rev().take_while(|&&b| wanted(b)).count()
    }

    /// Returns true if `word` is at `at` (case-insensitive).
    pub(crate) fn has(&self, at: usize, word: &[u8]) -> bool {
        (0..word.len()).all(|i| self.get(at + i).is_some_and(|b| b.eq_ignore_ascii_case(&word[i])))
    }

    /// The start of the line that contains `at`; `None` if that is before `floor`.
    pub(crate) fn line_start(&self, at: usize, floor: usize) -> Option<usize> {
        match memchr::memrchr2(b'\n', b'\r', self.before(at, floor)) {
            Some(n) => Some(floor + n + 1),
            None => (floor == 0).then_some(0),
        }
    }

    /// Returns true if a line ends at `at`, and another one may follow.
    pub(crate) fn is_break(&self, at: usize) -> bool {
        self.get(at).is_some_and(|b| BREAK.has(b))
    }

    /// Returns the end of the line that continues at `from`, without its line break, or `limit` if
    /// that is earlier.
    pub(crate) fn line_end(&self, from: usize, limit: usize) -> usize {
        let end = limit.min(self.len());
        match memchr::memchr2(b'\n', b'\r', self.bytes.get(from..end).unwrap_or_default()) {
            Some(n) => from + n,
            None => {
                if end < limit {
                    self.reach_end();
                }
                end.max(from)
            }
        }
    }

    /// Returns the offset at which the line after the break at `at` starts. A break is LF, CR, CR
    /// LF, LF CR or CR CR LF.
    pub(crate) fn after_break(&self, at: usize) -> usize {
        let len = match (self.get(at), self.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(b'\r'), Some(b'\r')) if self.get(at + 2) == Some(b'\n') => 3,
            (Some(b'\n'), Some(b'\r')) if self.get(at + 2) != Some(b'\n') => 2,
            _ => 1,
        };
        at + len
    }

    /// Returns the offset at which the break that ends at `at` starts, looking back to `floor` at
    /// most.
    pub(crate) fn before_break(&self, at: usize, floor: usize) -> usize {
        let len = match self.before(at, floor) {
            [.., b'\r', b'\r', b'\n'] => 3,
            [.., b'\r', b'\n'] | [.., b'\n', b'\r'] => 2,
            _ => 1,
        };
        at.saturating_sub(len)
    }

    /// Records that a stage looked past the buffered bytes.
    #[inline]
    fn reach_end(&self) {
        if !self.last {
            self.needs_more.set(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_past_the_end_needs_more_only_if_more_may_come() {
        let part = Window::new(b"ab", false);
        assert_eq!(part.get(1), Some(b'b'));
        assert!(!part.take_needs_more());
        assert_eq!(part.get(2), None);
        assert!(part.take_needs_more());
        assert!(!part.take_needs_more());
        let whole = Window::whole(b"ab");
        assert_eq!(whole.get(2), None);
        assert!(!whole.take_needs_more());
    }

    #[test]
    fn a_skip_that_reaches_its_limit_needs_no_more() {
        let part = Window::new(b"aaaa", false);
        assert_eq!(part.skip(1, 3, |b| b == b'a'), 3);
        assert!(!part.take_needs_more());
        assert_eq!(part.skip(1, 9, |b| b == b'a'), 4);
        assert!(part.take_needs_more());
    }

    #[test]
    fn one_line_break() {
        for (text, next) in [
            ("\na", 1),
            ("\r\na", 2),
            ("\r\r\na", 3),
            ("\r\ra", 1),
            ("\n\ra", 2),
            ("\n\r\na", 1),
            ("\n\n", 1),
        ] {
            assert_eq!(Window::whole(text.as_bytes()).after_break(0), next, "{text:?}");
        }
    }

    #[test]
    fn a_line_ends_before_its_break() {
        let part = Window::new(b"one\r\ntwo", false);
        assert_eq!(part.line_end(0, 8), 3);
        assert_eq!(part.line_end(3, 8), 3);
        assert_eq!(part.line_end(0, 2), 2);
        assert_eq!(part.line_end(5, 8), 8);
        assert!(!part.take_needs_more());
        assert_eq!(part.line_end(5, 9), 8);
        assert!(part.take_needs_more());
    }

    #[test]
    fn a_line_that_starts_too_far_back_is_not_seen() {
        let text = Window::whole(b"one\ntwo\rthree");
        assert_eq!(text.line_start(13, 0), Some(8));
        assert_eq!(text.line_start(8, 0), Some(8));
        assert_eq!(text.line_start(6, 0), Some(4));
        assert_eq!(text.line_start(2, 0), Some(0));
        assert_eq!(text.line_start(13, 9), None);
    }
}
