//! The input of a reader, and the part of it that is buffered.
//!
//! Most inputs are buffered verbatim. An input that has to be [converted](super::convert) is
//! converted while it is read; then the [origin](Origin) maps offsets in the buffer to offsets in
//! the file.

use std::io::{self, Read};
use std::sync::Mutex;

use super::container::format::Buffered;
use super::convert::StreamConverter;
use super::mapped::Origin;
use super::memory::{self, Share};
use super::what::{self, Hint};
use crate::bytes::buffer::{Buffer, read_some};
use crate::bytes::position::LineCounter;

/// The number of bytes that are read first: many files are short. Each read that yields as many
/// as it asked for doubles this, up to [`LONGEST_READ`].
const FIRST_READ: usize = 8 * 1024;
const LONGEST_READ: usize = 128 * 1024;

/// The part of a file before an input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Base {
    pub(super) offset: u64,
    pub(super) lines: u64,
    pub(super) messages: u64,
}

impl Base {
    /// A line counter at its first byte.
    pub(super) fn line_counter(&self) -> Mutex<LineCounter> {
        Mutex::new(LineCounter::starting_at(self.offset, self.lines))
    }
}

/// The input and the part of it that is buffered.
#[derive(Debug)]
pub(super) struct Input<R> {
    pub(super) inner: R,
    pub(super) buffer: Buffer,
    /// True if it is known if the input is converted.
    settled: bool,
    converter: Option<Box<dyn StreamConverter>>,
    /// The number of bytes that are read next.
    read_len: usize,
    /// The share of the memory for long messages.
    pub(super) share: Option<Share>,
    room: usize,
    /// The greatest length of a message, if the system has no memory for a longer one.
    pub(super) limit: Option<usize>,
    /// True if nothing more can be read, and why, if that is an error.
    pub(super) ended: bool,
    pub(super) error: Option<io::Error>,
}

impl<R: Read> Input<R> {
    pub(super) fn new(inner: R) -> Self {
        Input {
            inner,
            buffer: Buffer::default(),
            settled: false,
            converter: None,
            read_len: FIRST_READ,
            share: None,
            room: memory::SHORT,
            limit: None,
            ended: false,
            error: None,
        }
    }

    /// Returns this input, buffered in the memory of an earlier one.
    pub(super) fn in_memory_of<S>(self, earlier: Input<S>) -> Self {
        let Input { mut buffer, read_len, mut share, .. } = earlier;
        buffer.reset(0);
        if let Some(share) = &mut share
            && share.shrink(0)
        {
            buffer.shrink();
        }
        Input { buffer, read_len, share, ..self }
    }

    /// Begins with the data that the input yields after its end, which is at `offset` of its file.
    pub(super) fn restart(&mut self, offset: u64) {
        self.buffer.reset(offset);
        (self.settled, self.converter) = (false, None);
        (self.ended, self.error) = (false, None);
    }

    pub(super) fn buffered(&self) -> Buffered<'_> {
        Buffered { bytes: self.buffer.buffered(), first: self.buffer.offset() == 0, last: self.ended }
    }

    /// Returns true if it is known if the input is converted; if not, it needs more bytes. If so, the
    /// buffered bytes have been converted.
    pub(super) fn settle(&mut self, hint: Hint) -> bool {
        // The bytes before the first buffered one decided.
        self.settled |= self.buffer.offset() > 0;
        if self.settled {
            return true;
        }
        let Some(conversion) = what::conversion(self.buffer.buffered(), self.ended, hint) else {
            return false;
        };
        if let Some(converter) = conversion {
            let raw = self.buffer.buffered().to_vec();
            self.buffer.reset(0);
            self.converter.insert(converter.of_stream()).push(&raw, &mut self.buffer);
            self.finish();
        }
        self.settled = true;
        true
    }

    /// Converts the pending bytes at the end of the input.
    fn finish(&mut self) {
        if let Some(converter) = self.converter.as_mut().filter(|_| self.ended)
            && let Err(error) = converter.finish(&mut self.buffer)
        {
            self.error.get_or_insert(error);
        }
    }

    pub(super) fn is_converted(&self) -> bool {
        self.converter.is_some()
    }

    /// Returns the origin of the buffered bytes.
    pub(super) fn origin(&self) -> Origin<'_> {
        self.converter.as_ref().map_or(Origin::Same, |converter| converter.origin(&self.buffer))
    }

    /// Returns the number of bytes of the file that have been read.
    pub(super) fn bytes_read(&self) -> u64 {
        self.converter.as_ref().map_or(self.buffer.end_offset(), |converter| converter.bytes_read())
    }

    /// Consumes the first `len` buffered bytes.
    pub(super) fn consume(&mut self, len: usize) {
        if let Some(converter) = &mut self.converter {
            converter.consume(len, &self.buffer);
        }
        self.buffer.consume(len);
    }

    /// Reads once. Waits if memory is short for a longer message.
    pub(super) fn fill(&mut self) {
        let held = self.converter.as_ref().map_or(0, |converter| converter.held());
        let len = self.buffer.buffered().len() + held + self.read_len;
        if let Some(share) = &mut self.share {
            if share.shrink(len) {
                self.buffer.shrink();
            }
            share.grow(len);
        }
        self.limit = memory::limit(&mut self.room, len).or(self.limit);
        let read = match &mut self.converter {
            None => self.buffer.read_from(&mut self.inner, self.read_len),
            Some(converter) => {
                let mut raw = vec![0; self.read_len];
                let read = read_some(&mut self.inner, &mut raw);
                converter.push(&raw[..*read.as_ref().unwrap_or(&0)], &mut self.buffer);
                read
            }
        };
        match read {
            Ok(0) => self.ended = true,
            Ok(len) if len == self.read_len => self.read_len = LONGEST_READ.min(2 * len),
            Ok(_) => {}
            Err(error) => (self.ended, self.error) = (true, Some(error)),
        }
        self.finish();
    }

    /// Yields the bytes that have not been consumed, converted or not.
    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.is_converted() && self.buffer.buffered().is_empty() && !self.ended {
            self.fill();
        }
        let mut buffered = self.buffer.buffered();
        if !buffered.is_empty() {
            let len = buffered.read(room)?;
            self.consume(len);
            return Ok(len);
        }
        match self.ended {
            false => read_some(&mut self.inner, room),
            true => self.error.take().map_or(Ok(0), Err),
        }
    }
}
