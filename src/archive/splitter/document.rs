//! A document in a message, which the splitter splits like a file: as a whole, or as far as a piece
//! of the message contains it.

use std::ops::Range;

use super::{Extent, Splitter, Unclosed};
use crate::archive::container::format::{Buffered, Framing};
use crate::archive::limits::Limits;
use crate::archive::message::record::Record;
use crate::archive::options::ReadOptions;

/// Data that are in memory already are not split.
const MESSAGE: usize = usize::MAX / 2;

/// A document in a message, as far as it has been split.
#[derive(Clone, Debug)]
pub(crate) struct OpenDocument {
    splitter: Splitter,
    pub(crate) framing: &'static Framing,
    /// The start of the next message, or of the bytes before it.
    pub(crate) at: usize,
    /// The number of documents that have begun.
    pub(crate) count: usize,
    /// True if the document is one message. Its part then does not need a further number.
    pub(crate) is_single: bool,
    /// True if these bytes are not the first of the document.
    is_rest: bool,
    /// True if the last message is split. Its rest is in the next piece.
    is_split: bool,
    /// The last record.
    pub(crate) record: Option<Record>,
}

impl OpenDocument {
    /// A document in this format; messages are split by `margin` and `choice` of these limits.
    pub(crate) fn new(framing: &'static Framing, limits: Limits) -> Self {
        let limits = Limits { message: MESSAGE, depth: limits.depth.saturating_sub(1), ..limits };
        let splitter = Splitter::recognised(limits, framing);
        OpenDocument {
            splitter,
            framing,
            at: 0,
            count: 0,
            is_single: framing.single.is_some() || framing.is_text(),
            is_rest: false,
            is_split: false,
            record: None,
        }
    }

    /// The structures that were open before the message at the start of the bytes, if that is the
    /// rest of a message.
    pub(crate) fn message(&self) -> Option<&Unclosed> {
        self.splitter.after.as_deref()
    }

    /// The rest of the document, in the bytes of the next piece; the first `skip` have been read.
    pub(crate) fn in_next_piece(self, skip: usize) -> Self {
        OpenDocument { at: skip, is_rest: true, is_split: false, ..self }
    }

    /// True if the bytes begin with the rest of a message or a record.
    pub(crate) fn continues(&self) -> bool {
        self.splitter.continues()
    }

    /// The next message of the document in `bytes`, which start at `base` of the file, and continue unless they are the
    /// `last`.
    ///
    /// A message that does not end in these bytes is left to the next piece. If that would leave
    /// nearly all bytes, the message is split.
    pub(crate) fn next(
        &mut self,
        bytes: &[u8],
        last: bool,
        base: u64,
        options: &ReadOptions,
    ) -> Option<(Range<usize>, Extent)> {
        if self.is_split {
            return None;
        }
        let limits = self.splitter.limits;
        let mut len = self.len(bytes, last);
        let rest = bytes.len() - self.at;
        if len.is_none() && !last && self.at <= bytes.len() / 8 && rest > 2 * limits.margin {
            self.splitter.set_limit(rest - limits.margin);
            len = self.len(bytes, last);
        }
        let (start, continues) = (self.at, self.splitter.continues());
        let span = len.and_then(|_| self.splitter.take(&bytes[start..], base + start as u64, options));
        self.splitter.limits = limits;
        let span = span?;
        self.at += span.len;
        self.count += usize::from(!continues);
        self.is_split = self.splitter.continues();
        if self.count == 1 && !self.is_split && !continues {
            self.skip(bytes, last);
            self.is_single = last && self.at == bytes.len();
        }
        Some((start..start + span.len, span))
    }

    /// The length of the next message.
    fn len(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        self.skip(bytes, last)?;
        self.splitter.next_len(self.rest(bytes, last))
    }

    /// Skips the bytes before the next message, or after the last one.
    fn skip(&mut self, bytes: &[u8], last: bool) -> Option<()> {
        self.at += self.splitter.skip(self.rest(bytes, last))?;
        Some(())
    }

    fn rest<'b>(&self, bytes: &'b [u8], last: bool) -> Buffered<'b> {
        Buffered { bytes: &bytes[self.at..], first: self.at == 0 && !self.is_rest, last }
    }
}
