//! A document in a message, which the splitter splits like a file: as a whole, or as far as a piece of the message has it.

use std::ops::Range;

use super::{Open, Span, Splitter};
use crate::archive::container::format::{Buffered, Framing, Limits};
use crate::archive::message::record::Record;
use crate::archive::options::ReadOptions;

/// Nothing is cut that is in memory already.
const MESSAGE: usize = usize::MAX / 2;

/// A document in a message, as far as it has been split.
#[derive(Clone, Debug)]
pub(crate) struct OpenDocument {
    splitter: Splitter,
    pub(crate) framing: &'static Framing,
    /// Where the next message begins, or what is before it.
    pub(crate) at: usize,
    /// How many have begun.
    pub(crate) count: usize,
    /// Whether there is one message. Then the part that the document is needs no further number.
    pub(crate) is_single: bool,
    /// Whether these bytes are not the first of the document.
    is_rest: bool,
    /// Whether the last message is cut. The rest of it is in the next piece.
    is_cut: bool,
    /// The record that was the last one.
    pub(crate) record: Option<Record>,
}

impl OpenDocument {
    /// A document that has this format; messages are cut by `margin` and `choice` of these limits.
    pub(crate) fn new(framing: &'static Framing, limits: Limits) -> Self {
        let limits = Limits { message: MESSAGE, depth: limits.depth.saturating_sub(1), ..limits };
        let splitter = Splitter::recognised(limits, framing);
        OpenDocument {
            splitter,
            framing,
            at: 0,
            count: 0,
            is_single: !framing.has_several(),
            is_rest: false,
            is_cut: false,
            record: None,
        }
    }

    /// What was open before the message at the beginning of the bytes, if that is the rest of one.
    pub(crate) fn message(&self) -> Option<&Open> {
        self.splitter.after.as_deref()
    }

    /// The rest of it, in the bytes of the next piece, of which the first `skip` have been read.
    pub(crate) fn in_next_piece(self, skip: usize) -> Self {
        OpenDocument { at: skip, is_rest: true, is_cut: false, ..self }
    }

    /// Whether the bytes begin with the rest of a message or a record.
    pub(crate) fn continues(&self) -> bool {
        self.splitter.continues()
    }

    /// The next message of the document that is `bytes`, from the `base` of the file on, and of more if these are not the
    /// `last`.
    ///
    /// A message that does not end in them is left to the next piece, unless nearly all of them would be: then it is cut.
    pub(crate) fn next(
        &mut self,
        bytes: &[u8],
        last: bool,
        base: u64,
        options: &ReadOptions,
    ) -> Option<(Range<usize>, Span)> {
        if self.is_cut {
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
        self.is_cut = self.splitter.continues();
        if self.count == 1 && !self.is_cut {
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

    /// Skips what is before the next message, or after the last one.
    fn skip(&mut self, bytes: &[u8], last: bool) -> Option<()> {
        self.at += self.splitter.skip(self.rest(bytes, last))?;
        Some(())
    }

    fn rest<'b>(&self, bytes: &'b [u8], last: bool) -> Buffered<'b> {
        Buffered { bytes: &bytes[self.at..], first: self.at == 0 && !self.is_rest, last }
    }
}
