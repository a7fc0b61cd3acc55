//! The reader of compressed data, whose next bytes can be peeked at.

use std::io::{self, Read};

use memchr::memchr_iter;

use crate::bytes::buffer::Buffer;

/// The number of bytes that are read at a time.
const READ_LEN: usize = 64 * 1024;

/// The minimum length of the first read, if few bytes are enough. A short file is then read at
/// once.
const FIRST_READ: usize = 8 * 1024;

/// A reader whose next bytes can be peeked at.
#[derive(Debug)]
pub(crate) struct PeekReader<R> {
    inner: R,
    buffer: Buffer,
    /// True if the input has ended.
    ended: bool,
    /// An error that comes after the buffered bytes.
    error: Option<io::Error>,
    /// True if a decoder read more than there was.
    pub(super) missed: bool,
    /// The reason why reading failed for a decoder that reads by itself, because its own error does
    /// not contain it.
    pub(super) failure: Option<io::Error>,
}

impl<R: Read> PeekReader<R> {
    pub(crate) fn new(inner: R) -> Self {
        PeekReader {
            inner,
            buffer: Buffer::default(),
            ended: false,
            error: None,
            missed: false,
            failure: None,
        }
    }

    /// Creates a reader of `inner` that reuses `memory`.
    pub(crate) fn with_memory(inner: R, mut memory: Buffer) -> Self {
        memory.reset(0);
        PeekReader { buffer: memory, ..PeekReader::new(inner) }
    }

    pub(crate) fn into_inner(self) -> R {
        self.inner
    }

    /// Returns the inner reader, and the buffer.
    pub(crate) fn into_parts(self) -> (R, Buffer) {
        (self.inner, self.buffer)
    }

    pub(crate) fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The next bytes, at least `len` of them unless the input ends before.
    pub(crate) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.buffer.buffered().len() < len && !self.ended {
            self.read_more(READ_LEN)?;
        }
        Ok(self.buffer.buffered())
    }

    /// Returns the number of bytes that have been consumed before the input was read directly.
    pub(crate) fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The bytes that have been read and not consumed.
    pub(crate) fn buffered(&self) -> &[u8] {
        self.buffer.buffered()
    }

    /// The next bytes: reads until there are `len`, or until `needs_more` does not hold for them.
    /// There may be more, but it waits for no more. An error of the input is returned by a later
    /// read, after these bytes.
    pub(crate) fn peek_while(&mut self, len: usize, needs_more: impl Fn(&[u8]) -> bool) -> &[u8] {
        while self.buffer.buffered().len() < len
            && !self.ended
            && self.error.is_none()
            && needs_more(self.buffer.buffered())
        {
            self.error = self.read_more(FIRST_READ.max(len) - self.buffer.buffered().len()).err();
            self.ended &= self.error.is_none();
        }
        self.buffer.buffered()
    }

    /// Reads once, `len` bytes at most. Nothing comes after an error.
    fn read_more(&mut self, len: usize) -> io::Result<()> {
        let error = self.error.take();
        let read = error.map_or_else(|| self.buffer.read_from(&mut self.inner, len), Err);
        self.ended = !matches!(read, Ok(1..));
        read.map(drop)
    }

    pub(crate) fn consume(&mut self, len: usize) {
        self.buffer.consume(len.min(self.buffer.buffered().len()));
    }

    /// The error of the input, if it comes before any byte that has not been consumed.
    pub(crate) fn take_error(&mut self) -> Option<io::Error> {
        if self.buffer.buffered().is_empty() { self.error.take() } else { None }
    }

    /// Skips padding: the zeros of tapes and disks.
    pub(crate) fn skip_any_of(&mut self, padding: &[u8]) -> io::Result<()> {
        loop {
            let bytes = self.peek(1)?;
            let skipped = bytes.iter().take_while(|b| padding.contains(b)).count();
            let stop = skipped < bytes.len() || bytes.is_empty();
            self.consume(skipped);
            if stop {
                return Ok(());
            }
        }
    }

    /// Skips `len` bytes; returns false if the input ends before.
    pub(crate) fn skip(&mut self, mut len: u64) -> io::Result<bool> {
        while len > 0 {
            let bytes = self.peek(1)?.len();
            if bytes == 0 {
                return Ok(false);
            }
            let step = usize::try_from(len).map_or(bytes, |len| len.min(bytes));
            self.consume(step);
            len -= step as u64;
        }
        Ok(true)
    }

    /// Skips all bytes before the first of `marks`, or all there are.
    pub(crate) fn skip_to(&mut self, marks: &[[u8; 4]]) -> io::Result<()> {
        loop {
            let bytes = self.peek(4)?;
            if bytes.len() < 4 {
                let rest = bytes.len();
                self.consume(rest);
                return Ok(());
            }
            let is_mark = |&at: &usize| marks.iter().any(|mark| bytes[at..].starts_with(mark));
            let mark = memchr_iter(marks[0][0], bytes).find(is_mark);
            let step = mark.unwrap_or(bytes.len() - 3);
            self.consume(step);
            if mark.is_some() {
                return Ok(());
            }
        }
    }

    /// Reads the buffered bytes; after them, reads from the input without buffering.
    pub(crate) fn pass(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut buffered = self.buffer.buffered();
        if buffered.is_empty() {
            return match self.error.take() {
                Some(error) => {
                    self.ended = true;
                    Err(error)
                }
                None if self.ended => Ok(0),
                None => self.inner.read(buf),
            };
        }
        let len = buffered.read(buf)?;
        self.buffer.consume(len);
        Ok(len)
    }
}

/// For decoders that read by themselves.
impl<R: Read> Read for PeekReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut bytes = match self.peek(1) {
            Ok(bytes) => bytes,
            Err(error) => {
                let kind = error.kind();
                self.failure = Some(error);
                return Err(kind.into());
            }
        };
        let missed = bytes.is_empty() && !buf.is_empty();
        let len = bytes.read(buf)?;
        self.missed |= missed;
        self.consume(len);
        Ok(len)
    }
}
