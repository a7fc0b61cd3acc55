//! Lines and columns.

use memchr::{memchr_iter, memrchr};

/// The position of a byte in a text as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The line, from 1. Lines end with a line feed.
    pub line: u64,
    /// The column: the number of the byte in the line, from 1.
    pub column: u64,
}

/// The line counter: a position that moves through an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCounter {
    /// The offset of the byte it is at.
    at: u64,
    /// The line of that byte, from 1, and the offset of the first byte of the line.
    line: u64,
    line_start: u64,
}

impl Default for LineCounter {
    fn default() -> Self {
        LineCounter { at: 0, line: 1, line_start: 0 }
    }
}

impl LineCounter {
    /// A counter at `at`, which starts a line; `lines` line breaks precede it.
    #[cfg(feature = "archive")]
    pub(crate) fn starting_at(at: u64, lines: u64) -> Self {
        LineCounter { at, line: lines + 1, line_start: at }
    }

    /// Moves to the byte at `at`, forward or back. `bytes` are the bytes of the input
    /// from the offset `base`, and hold all from here to there. After a move
    /// back over a line break, a line that begins before them counts as if it began with
    /// them.
    ///
    /// Costs a pass over the bytes between.
    pub(crate) fn move_to(&mut self, at: u64, bytes: &[u8], base: u64) {
        // Both are offsets in `bytes`, so they fit.
        let [from, to] = [self.at, at].map(|offset| (offset - base) as usize);
        if from <= to {
            let passed = &bytes[from..to];
            if let Some(last) = memrchr(b'\n', passed) {
                self.line += memchr_iter(b'\n', passed).count() as u64;
                self.line_start = self.at + last as u64 + 1;
            }
        } else {
            let line_ends = memchr_iter(b'\n', &bytes[to..from]).count() as u64;
            if line_ends > 0 {
                self.line -= line_ends;
                self.line_start = base + memrchr(b'\n', &bytes[..to]).map_or(0, |n| n as u64 + 1);
            }
        }
        self.at = at;
    }

    /// The offset of the byte it is at.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The position of that byte.
    pub(crate) fn position(&self) -> Position {
        Position { line: self.line, column: self.at - self.line_start + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(counter: &mut LineCounter, at: u64, bytes: &[u8], base: u64) -> (u64, u64) {
        counter.move_to(at, bytes, base);
        let Position { line, column } = counter.position();
        (line, column)
    }

    #[test]
    fn forward_and_back() {
        let mut counter = LineCounter::default();
        let mut position = |at| position(&mut counter, at, b"ab\ncd\n\nef", 0);
        assert_eq!(position(4), (2, 2));
        assert_eq!(position(8), (4, 2));
        assert_eq!(position(6), (3, 1));
        assert_eq!(position(1), (1, 2));
        assert_eq!(position(2), (1, 3));
        assert_eq!(position(3), (2, 1));
    }

    #[test]
    fn through_parts_of_the_input() {
        let mut counter = LineCounter::default();
        counter.move_to(6, b"ab\ncd\n", 0);
        assert_eq!(position(&mut counter, 10, b"ef\ngh", 6), (4, 2));
        assert_eq!(position(&mut counter, 6, b"ef\ngh", 6), (3, 1));
    }

    #[test]
    fn a_line_longer_than_a_part_and_32_bits() {
        let base = u64::from(u32::MAX);
        let mut counter = LineCounter { at: base, line: 7, line_start: 0 };
        assert_eq!(position(&mut counter, base + 2, b"abc\nd", base), (7, base + 3));
        assert_eq!(position(&mut counter, base + 1, b"abc\nd", base), (7, base + 2));
        assert_eq!(position(&mut counter, base + 4, b"abc\nd", base), (8, 1));
    }
}
