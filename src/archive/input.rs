//! The input of a reader, and the part of it that is buffered.

use std::io::{self, Read};

use super::splitter::Buffered;
use crate::bytes::buffer::Buffer;
use crate::bytes::read::read_some;

/// How many bytes are read first: many files are short. Each read that yields as many
/// as it asked for doubles this, up to [`LONGEST_READ`].
const FIRST_READ: usize = 8 * 1024;
const LONGEST_READ: usize = 128 * 1024;

/// The input and the part of it that is buffered.
#[derive(Debug)]
pub(super) struct Input<R> {
    pub(super) inner: R,
    pub(super) buffer: Buffer,
    /// How many bytes are read next.
    read_len: usize,
    /// Whether nothing more can be read, and why, if that is an error.
    pub(super) ended: bool,
    pub(super) error: Option<io::Error>,
}

impl<R: Read> Input<R> {
    pub(super) fn new(inner: R) -> Self {
        Input { inner, buffer: Buffer::default(), read_len: FIRST_READ, ended: false, error: None }
    }

    /// Begins with what the input yields after its end, which is at `offset` of its file.
    pub(super) fn restart(&mut self, offset: u64) {
        self.buffer.reset(offset);
        (self.ended, self.error) = (false, None);
    }

    pub(super) fn buffered(&self) -> Buffered<'_> {
        Buffered { bytes: self.buffer.buffered(), last: self.ended }
    }

    /// Reads once.
    pub(super) fn fill(&mut self) {
        match self.buffer.read_from(&mut self.inner, self.read_len) {
            Ok(0) => self.ended = true,
            Ok(len) if len == self.read_len => self.read_len = LONGEST_READ.min(2 * len),
            Ok(_) => {}
            Err(error) => (self.ended, self.error) = (true, Some(error)),
        }
    }

    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let mut buffered = self.buffer.buffered();
        if !buffered.is_empty() {
            let len = buffered.read(room)?;
            self.buffer.consume(len);
            return Ok(len);
        }
        match self.ended {
            false => read_some(&mut self.inner, room),
            true => self.error.take().map_or(Ok(0), Err),
        }
    }
}
