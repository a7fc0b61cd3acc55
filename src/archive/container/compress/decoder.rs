//! A decoder whose output does not depend on how much it is asked for.
//!
//! Most [`Stream`]s that meet damage drop bytes that they have decoded in the same call, some more
//! and some fewer. So they are always asked for the same bytes: for those up to the next multiple
//! of [`SLICE`] in their output. What the caller has no room for waits here. Those that
//! [drop nothing](Stream::drops_nothing) decode into the room of the caller: slices would take a
//! sixth more time to inflate.

use super::compression::{Compression, HEAD};
use super::step::{Fault, Step, Then};
use super::stream::Stream;

/// How many bytes are decoded at a time.
const SLICE: usize = 16 * 1024;

/// A decoder for one stream.
pub(in crate::archive::container) struct Decoder {
    stream: Stream,
    /// How many bytes of the current slice were decoded.
    decoded: usize,
    /// Bytes that were decoded.
    memory: Vec<u8>,
    waiting: Option<Waiting>,
    /// Whether the last step of a stream that drops nothing filled its room: more may be decoded
    /// without further input.
    filled: bool,
}

/// What a step yields later, after the bytes for which there was no room.
struct Waiting {
    /// How many of the bytes have been yielded.
    from: usize,
    /// How many bytes of the input it consumed. They are passed to the next steps again.
    read: usize,
    then: Then,
}

impl From<Stream> for Decoder {
    fn from(stream: Stream) -> Self {
        Decoder { stream, decoded: 0, memory: Vec::new(), waiting: None, filled: false }
    }
}

impl Decoder {
    /// The decoder of a stream that begins with `head`, with a window of at most `window`
    /// bytes; `None` if the format has none here.
    pub(super) fn new(compression: Compression, head: [u8; HEAD], window: u64) -> Option<Decoder> {
        Stream::new(compression, head, window).map(Decoder::from)
    }

    /// Prepares for the next stream, after the end of one; returns whether it can.
    pub(super) fn restart(&mut self) -> bool {
        self.filled = false;
        self.stream.restart()
    }

    /// The decoder of raw deflate data.
    pub(in crate::archive::container) fn raw_inflate() -> Decoder {
        Stream::raw_inflate().into()
    }

    pub(in crate::archive::container) fn bunzip() -> Decoder {
        Stream::bunzip().into()
    }

    pub(in crate::archive::container) fn unxz(window: u64) -> Decoder {
        Stream::unxz(window).into()
    }

    /// The decoder of lzma data without a header; `length` is that of the decoded data,
    /// `None` if there is an end mark.
    ///
    /// # Errors
    ///
    /// If the properties are not valid, or the dictionary is larger than `window`.
    pub(in crate::archive::container) fn raw_unlzma(
        properties: u8,
        dictionary: u32,
        length: Option<u64>,
        window: u64,
    ) -> Result<Decoder, Fault> {
        Stream::raw_unlzma(properties, dictionary, length, window).map(Decoder::from)
    }

    /// Whether it may need a window of more than some megabytes.
    pub(in crate::archive::container) fn has_large_window(&self) -> bool {
        matches!(self.stream, Stream::Unxz(_) | Stream::Unlzma(_) | Stream::Unlzip(_))
    }

    /// Whether bytes may wait that have not been yielded: the next step needs no input.
    pub(in crate::archive::container) fn is_waiting(&self) -> bool {
        self.waiting.is_some() || self.filled
    }

    /// Decodes; `last` says that no more input follows. A step consumes nothing if bytes wait
    /// after it: the next one is given the same input, or more.
    pub(in crate::archive::container) fn step(
        &mut self,
        input: &[u8],
        last: bool,
        output: &mut [u8],
    ) -> Step {
        if let Some(waiting) = self.waiting.take() {
            return self.yield_from(waiting, output);
        }
        if self.stream.drops_nothing() {
            let step = self.stream.step(input, last && !self.filled, output);
            self.filled = step.wrote == output.len();
            return step;
        }
        let left = SLICE - self.decoded;
        if let Some(output) = output.get_mut(..left) {
            let step = self.stream.step(input, last, output);
            self.decoded = (self.decoded + step.wrote) % SLICE;
            return step;
        }
        self.memory.resize(left, 0);
        let Step { read, wrote, then } = self.stream.step(input, last, &mut self.memory);
        self.memory.truncate(wrote);
        self.decoded = (self.decoded + wrote) % SLICE;
        self.yield_from(Waiting { from: 0, read, then }, output)
    }

    /// Yields as many of the decoded bytes as there is room for.
    fn yield_from(&mut self, waiting: Waiting, output: &mut [u8]) -> Step {
        let bytes = &self.memory[waiting.from..];
        let wrote = bytes.len().min(output.len());
        output[..wrote].copy_from_slice(&bytes[..wrote]);
        if wrote == bytes.len() {
            return Step { read: waiting.read, wrote, then: waiting.then };
        }
        self.waiting = Some(Waiting { from: waiting.from + wrote, ..waiting });
        Step { read: 0, wrote, then: Then::More }
    }
}
