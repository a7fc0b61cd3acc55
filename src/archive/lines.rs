//! Line numbers, counted only as far as somebody asks for them.

use std::cell::Cell;

use memchr::{memchr_iter, memrchr};

use crate::bytes::position::Position;

/// A place of the file whose line is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The offset in the file.
    at: usize,
    /// The line that it is on, from 1, and where that begins.
    line: u64,
    start: usize,
}

impl Default for Mark {
    fn default() -> Self {
        Mark { at: 0, line: 1, start: 0 }
    }
}

impl Mark {
    /// Goes to `at`, where `bytes` stand at `base` of the file and reach from here
    /// to there.
    pub(crate) fn go_to(&mut self, at: usize, bytes: &[u8], base: usize) {
        if at >= self.at {
            let passed = &bytes[self.at - base..at - base];
            if let Some(last) = memrchr(b'\n', passed) {
                self.line += memchr_iter(b'\n', passed).count() as u64;
                self.start = self.at + last + 1;
            }
        } else {
            self.line -= memchr_iter(b'\n', &bytes[at - base..self.at - base]).count() as u64;
            self.start = memrchr(b'\n', &bytes[..at - base]).map_or(base, |n| base + n + 1);
        }
        self.at = at;
    }

    fn place(&self) -> Position {
        Position { line: self.line, column: (self.at - self.start) as u64 + 1 }
    }
}

/// The lines of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'r> {
    /// The bytes of the message, and where they stand in the file.
    pub(crate) bytes: &'r [u8],
    pub(crate) base: usize,
    /// A place in them, or where they begin.
    pub(crate) mark: &'r Cell<Mark>,
}

impl Lines<'_> {
    /// The line and column of the byte at `at` of the file.
    ///
    /// Costs a pass over what stands between it and the last one asked for.
    pub(crate) fn place(&self, at: usize) -> Position {
        let mut mark = self.mark.get();
        mark.go_to(at.clamp(self.base, self.base + self.bytes.len()), self.bytes, self.base);
        self.mark.set(mark);
        mark.place()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forth_and_back() {
        let mark = Cell::default();
        let lines = Lines { bytes: b"ab\ncd\n\nef", base: 0, mark: &mark };
        let place = |at| {
            let place = lines.place(at);
            (place.line, place.column)
        };
        assert_eq!(place(4), (2, 2));
        assert_eq!(place(8), (4, 2));
        assert_eq!(place(6), (3, 1));
        assert_eq!(place(1), (1, 2));
        assert_eq!(place(2), (1, 3));
        assert_eq!(place(3), (2, 1));
    }

    #[test]
    fn a_message_begins_where_the_last_one_ended() {
        let mut mark = Mark::default();
        mark.go_to(6, b"ab\ncd\n", 0);
        let mark = Cell::new(mark);
        let lines = Lines { bytes: b"ef\ngh", base: 6, mark: &mark };
        assert_eq!(lines.place(10), Position { line: 4, column: 2 });
        assert_eq!(lines.place(6), Position { line: 3, column: 1 });
    }
}
