//! The offsets at which an mbox, a text or JSON can be split: where a message starts, after an
//! empty line, after a line.
//!
//! The bytes around a position decide that: [`LOOKBEHIND`] before it and, in an mbox,
//! [`LOOKAHEAD`](super::internal::LOOKAHEAD) after it.

use std::io::{self, Read, Seek, SeekFrom};

use super::container::format::{Divides, Format};

/// The number of bytes before an offset that show whether an empty line ends there: LF CR LF.
pub(super) const LOOKBEHIND: usize = 3;

/// The number of bytes that are read at a time.
const BLOCK: u64 = 32 * 1024;

/// Returns the first position from `from` on at which a file of this format can be divided, if
/// `bytes`, a part of the file, show it: where a message of an mbox starts, after an empty line of
/// a text, or after a line of JSON. It is never before the fourth byte, because the bytes before it
/// matter.
///
/// Returns `None` for other formats as well: [`Division`](super::internal::Division) knows where to
/// divide those.
///
/// # Example
///
/// ```
/// use urlgrep::archive::Format;
/// use urlgrep::archive::internal::first_split_point;
///
/// let text = b"one\n\ntwo\n\r\nthree\n";
/// assert_eq!(first_split_point(Format::Text, text, 0), Some(5));
/// assert_eq!(first_split_point(Format::Text, text, 6), Some(11));
/// assert_eq!(first_split_point(Format::Text, text, 12), None);
/// ```
pub fn first_split_point(format: Format, bytes: &[u8], from: usize) -> Option<usize> {
    find(format, bytes, &mut (from.max(LOOKBEHIND) - 1), false)
}

/// Finds the first split point after `searched`, and advances `searched` past the bytes that contain none. If `last` is
/// true, the end of the bytes is a split point.
fn find(format: Format, bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    *searched = bytes.len().min(*searched);
    match format.framing().divides {
        Some(Divides::Messages(end)) => end(bytes, searched, last),
        Some(Divides::Lines { is_split_point, .. }) => {
            let from = std::mem::replace(searched, bytes.len());
            let mut ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end + 1);
            let split_point = ends.find(|&end| is_split_point(bytes, end));
            split_point.or(last.then_some(bytes.len()))
        }
        Some(Divides::Records { .. }) | None => None,
    }
}

/// The first position from `at` on, which is not 0, where a file of this format, an mbox, a text or
/// JSON, can be split; otherwise the end of the file.
pub(super) fn next_split_point<R: Read + Seek>(input: &mut R, format: Format, at: u64) -> io::Result<u64> {
    let at = at.min(input.seek(SeekFrom::End(0))?);
    let base = at.saturating_sub(LOOKBEHIND as u64);
    input.seek(SeekFrom::Start(base))?;
    SplitReader::new(format, base).skip(input, at)
}

/// A reader of the bytes from one split point to another.
#[derive(Debug)]
pub(super) struct SplitReader {
    format: Format,
    /// The first split point from this offset on ends the bytes.
    end: u64,
    /// Bytes that were read, and the offset of the first.
    bytes: Vec<u8>,
    base: u64,
    /// The number of bytes that were yielded, and of bytes that can be: those known to be before
    /// the end.
    yielded: usize,
    decided: usize,
    /// The number of bytes that were searched for the end.
    searched: usize,
    /// True if the bytes that can be yielded are the last.
    ended: bool,
    /// The reason why reading failed.
    error: Option<io::Error>,
}

impl SplitReader {
    /// All bytes of an input, the first of which has this offset.
    pub(super) fn new(format: Format, base: u64) -> SplitReader {
        SplitReader {
            format,
            end: u64::MAX,
            bytes: Vec::new(),
            base,
            yielded: 0,
            decided: 0,
            searched: 0,
            ended: false,
            error: None,
        }
    }

    /// Skips the bytes before the first split point from `at` on, and returns its offset, or the end of
    /// the input.
    pub(super) fn skip<R: Read>(&mut self, input: &mut R, at: u64) -> io::Result<u64> {
        self.until(at);
        while !self.ended {
            self.yielded = self.decided;
            self.fill(input);
        }
        self.yielded = self.decided;
        // A file is not split before a part that cannot be read.
        let error = self.error.take_if(|_| self.decided == self.bytes.len());
        error.map_or(Ok(self.base + self.decided as u64), Err)
    }

    /// Ends the bytes at the first split point from `end` on, or else at the end of the input.
    pub(super) fn until(&mut self, end: u64) {
        (self.end, self.searched) = (end, self.yielded);
        self.decide(false);
    }

    /// Looks for the end in the bytes that were read, after which nothing comes if they are the `last`.
    fn decide(&mut self, last: bool) {
        let end = usize::try_from(self.end.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.searched = self.searched.max(end.saturating_sub(1));
        let split_point = find(self.format, &self.bytes, &mut self.searched, last);
        self.ended = split_point.is_some();
        self.decided = split_point.unwrap_or(self.searched.saturating_sub(LOOKBEHIND)).max(self.yielded);
    }

    /// Drops the yielded bytes, and reads more.
    fn fill<R: Read>(&mut self, input: &mut R) {
        let dropped = self.yielded.saturating_sub(LOOKBEHIND);
        self.bytes.drain(..dropped);
        self.base += dropped as u64;
        self.yielded -= dropped;
        self.searched = self.searched.saturating_sub(dropped);
        let read = input.take(BLOCK).read_to_end(&mut self.bytes);
        self.decide(*read.as_ref().unwrap_or(&0) < BLOCK as usize);
        self.error = read.err().or(self.error.take());
    }

    /// Reads on.
    pub(super) fn read<R: Read>(&mut self, input: &mut R, room: &mut [u8]) -> io::Result<usize> {
        while self.yielded == self.decided && !self.ended {
            self.fill(input);
        }
        let read = (&self.bytes[self.yielded..self.decided]).read(room)?;
        self.yielded += read;
        self.error.take_if(|_| read == 0 && !room.is_empty()).map_or(Ok(read), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes before a position decide about it, so none is before the fourth byte.
    #[test]
    fn the_first_bytes() {
        for (format, text, first) in [
            (Format::Text, "a\n\nb\n", Some(3)),
            (Format::Text, "\n\r\nb\n", Some(3)),
            (Format::Text, "\n\nb\n\nc", Some(5)),
            (Format::Text, "ab\n\nc\n", Some(4)),
            (Format::Json, "[]\n{}\n", Some(3)),
            (Format::Json, "1\n2\n", Some(4)),
            (Format::Mbox, "a\n\nFrom a@h.org Fri Mar  2 10:11:12 2001\nA: b\n", Some(3)),
        ] {
            for from in 0..=3 {
                assert_eq!(first_split_point(format, text.as_bytes(), from), first, "{from} of {text:?}");
            }
        }
    }
}
