//! Compressed data on its way to a decoder.

use std::io::{self, Read};

use memchr::memchr_iter;

use crate::bytes::read::read_some;

/// How much is read at a time.
const BLOCK: usize = 64 * 1024;

/// A reader with a look ahead.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    buffer: Vec<u8>,
    /// What is read and not yet used.
    start: usize,
    end: usize,
    /// Whether there is nothing behind it.
    ended: bool,
    /// Whether somebody wanted more than there was.
    missed: bool,
    /// Why reading failed, if it did while a decoder read: what it says of that is
    /// not of interest.
    failure: Option<io::Error>,
}

impl<R: Read> Input<R> {
    pub(super) fn new(inner: R) -> Self {
        Input { inner, buffer: Vec::new(), start: 0, end: 0, ended: false, missed: false, failure: None }
    }

    /// What is at hand, at least `len` bytes unless the end is near.
    pub(super) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.start < len && !self.ended {
            self.read_more(BLOCK)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// What is at hand, if `wanted` as long as it is short, `len` bytes at most.
    pub(super) fn peek_while(&mut self, len: usize, wanted: impl Fn(&[u8]) -> bool) -> io::Result<&[u8]> {
        while self.end - self.start < len && !self.ended && wanted(&self.buffer[self.start..self.end]) {
            self.read_more(len - (self.end - self.start))?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Reads once, up to `len` bytes behind those at hand.
    fn read_more(&mut self, len: usize) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.buffer.len() < self.end + len {
            self.buffer.resize(self.end + len, 0);
        }
        let read = read_some(&mut self.inner, &mut self.buffer[self.end..self.end + len])?;
        self.ended = read == 0;
        self.end += read;
        Ok(())
    }

    pub(super) fn consume(&mut self, len: usize) {
        self.start += len.min(self.end - self.start);
    }

    /// Goes past zeros, with which tapes and disks are filled up.
    pub(super) fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.peek(1)?;
            let skipped = bytes.iter().take_while(|&&b| b == 0).count();
            let stop = skipped < bytes.len() || bytes.is_empty();
            self.consume(skipped);
            if stop {
                return Ok(());
            }
        }
    }

    /// Goes past `len` bytes; says whether there were so many.
    pub(super) fn skip(&mut self, mut len: u64) -> io::Result<bool> {
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

    /// Goes on to the first place where one of `marks` stands, or to the end.
    pub(super) fn skip_to(&mut self, marks: &[[u8; 4]]) -> io::Result<()> {
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

    /// Passes on what is read without keeping it, what is at hand first.
    pub(super) fn pass(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let ahead = &self.buffer[self.start..self.end];
        if ahead.is_empty() {
            return self.inner.read(buf);
        }
        let len = ahead.len().min(buf.len());
        buf[..len].copy_from_slice(&ahead[..len]);
        self.start += len;
        Ok(len)
    }

    /// Says that from now on is of interest whether more is wanted than there is.
    pub(super) fn expect(&mut self) {
        self.missed = false;
    }

    /// Whether more was wanted than there was.
    pub(super) fn is_missed(&self) -> bool {
        self.missed
    }

    /// Why a decoder that read could not.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }
}

/// For decoders that read by themselves.
impl<R: Read> Read for Input<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let bytes = match self.peek(1) {
            Ok(bytes) => bytes,
            Err(error) => {
                let kind = error.kind();
                self.failure = Some(error);
                return Err(kind.into());
            }
        };
        let len = bytes.len().min(buf.len());
        buf[..len].copy_from_slice(&bytes[..len]);
        self.missed |= bytes.is_empty() && !buf.is_empty();
        self.consume(len);
        Ok(len)
    }
}
