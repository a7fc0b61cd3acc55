//! The rolling buffer: the part of an input that has been read and is still needed.
//!
//! Bytes are read to the end of the buffer and consumed from its front. Before a
//! read, the bytes that are left move to the front if more has been consumed than
//! is left; otherwise the buffer grows. So each byte is moved once on average,
//! memory depends on the longest run of bytes that is needed together, and a
//! reader that consumes as fast as it reads stays in one part of the cache.

use std::io::{self, Read};

use super::large;

/// The length of a cache line, in bytes.
///
/// The bytes that are left are moved so that the next read begins at a multiple of
/// this: a kernel copies to such an address a seventh faster than to others.
const CACHE_LINE: usize = 64;

/// The part of an input that has been read and is still needed.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// The buffered bytes are those from `start` to `end`; the rest is room.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset of the first buffered byte in the input.
    offset: u64,
}

impl Buffer {
    /// The bytes that have been read and not consumed.
    #[inline(always)]
    pub(crate) fn buffered(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The offset of the first buffered byte in the input.
    #[cfg(any(test, feature = "archive"))]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of bytes of the input that have been read.
    #[cfg(any(test, feature = "archive"))]
    pub(crate) fn end_offset(&self) -> u64 {
        self.offset + self.buffered().len() as u64
    }

    /// Consumes the first `len` buffered bytes.
    pub(crate) fn consume(&mut self, len: usize) {
        debug_assert!(len <= self.buffered().len());
        self.start += len;
        self.offset += len as u64;
    }

    /// Reads once, `len` bytes at most; returns how many came, 0 at the end.
    ///
    /// # Errors
    ///
    /// Returns the reader's errors, except that [`Interrupted`](io::ErrorKind::Interrupted)
    /// is retried.
    pub(crate) fn read_from<R: Read + ?Sized>(&mut self, reader: &mut R, len: usize) -> io::Result<usize> {
        self.push_with(len, |room| read_some(reader, room))
    }

    /// Appends what `write` writes into room for `len` bytes, and returns its length.
    ///
    /// # Errors
    ///
    /// Returns the error of `write`; then nothing is appended.
    pub(crate) fn push_with(
        &mut self,
        len: usize,
        write: impl FnOnce(&mut [u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let written = write(self.room(len))?;
        self.end += written;
        Ok(written)
    }

    /// Appends `bytes`.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Forgets the input, but keeps the memory for another, which starts at `offset`.
    pub(crate) fn reset(&mut self, offset: u64) {
        (self.start, self.end, self.offset) = (0, 0, offset);
    }

    /// Gives back the memory that the buffered bytes do not need.
    #[cfg(any(test, feature = "archive"))]
    pub(crate) fn shrink(&mut self) {
        self.bytes = self.buffered().to_vec();
        (self.start, self.end) = (0, self.bytes.len());
    }

    /// Room for `len` bytes after the buffered ones.
    fn room(&mut self, len: usize) -> &mut [u8] {
        let left = self.end - self.start;
        if self.start >= left.max(CACHE_LINE) {
            let past_line = (self.bytes.as_ptr().addr() + left) % CACHE_LINE;
            let start = (CACHE_LINE - past_line) % CACHE_LINE;
            self.bytes.copy_within(self.start..self.end, start);
            (self.start, self.end) = (start, start + left);
        }
        if self.bytes.len() - self.end < len {
            let len = self.end + len.max(left);
            let more = len.saturating_sub(self.bytes.len());
            large::prepare(&mut self.bytes, more);
            if self.bytes.capacity() == 0 {
                // The allocator knows which of its memory is zero already.
                self.bytes = vec![0; len];
            } else {
                self.bytes.resize(len, 0);
            }
        }
        &mut self.bytes[self.end..self.end + len]
    }
}

/// Reads once into `room`; returns how many bytes came, 0 at the end. A read that a signal
/// interrupts is retried.
///
/// # Errors
///
/// Returns the reader's errors, except that [`Interrupted`](io::ErrorKind::Interrupted) is
/// retried.
pub(crate) fn read_some<R: Read + ?Sized>(reader: &mut R, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_same_wherever_they_move() {
        let input: Vec<u8> = (0..100_000_u32).map(|n| (n / 7) as u8).collect();
        for (len, kept) in [(1, 0), (64, 10), (1000, 3000), (4096, 1)] {
            let mut buffer = Buffer::default();
            let mut reader = &input[..];
            while buffer.read_from(&mut reader, len).unwrap() > 0 {
                let from = usize::try_from(buffer.offset()).unwrap();
                let to = usize::try_from(buffer.end_offset()).unwrap();
                assert_eq!(buffer.buffered(), &input[from..to]);
                buffer.consume(buffer.buffered().len().saturating_sub(kept));
            }
            assert!(buffer.bytes.len() <= 2 * (len + kept) + 2 * CACHE_LINE, "{len} {}", buffer.bytes.len());
        }
    }

    #[test]
    fn memory_is_returned() {
        let mut buffer = Buffer::default();
        buffer.push(&[b'a'; 1_000_000]);
        buffer.consume(999_990);
        buffer.shrink();
        assert_eq!((buffer.buffered(), buffer.offset()), (&[b'a'; 10][..], 999_990));
        assert!(buffer.bytes.capacity() < 100);
        buffer.push(b"b");
        assert_eq!(buffer.buffered(), b"aaaaaaaaaab");
    }

    #[test]
    fn offsets_beyond_32_bits() {
        let mut buffer = Buffer::default();
        buffer.reset(u64::from(u32::MAX) - 1);
        buffer.push(b"abcdef");
        buffer.consume(4);
        assert_eq!((buffer.buffered(), buffer.offset()), (&b"ef"[..], 0x1_0000_0002));
        buffer.reset(0);
        assert_eq!(buffer.end_offset(), 0);
    }
}
