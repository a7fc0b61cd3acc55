//! The messages of a document that is in a message: the same splitter as for a file, of bytes in memory.

use super::message::Message;
use super::part_context::PartContext;
use crate::archive::container::format::{Buffered, Framing, Limits};
use crate::archive::splitter::Splitter;

/// Nothing is cut: the bytes are in memory already.
const LIMITS: Limits = Limits { message: usize::MAX / 2, margin: 0, choice: 0 };

/// The messages of a document that have not been read.
#[derive(Debug)]
pub(super) struct Nested<'r> {
    context: PartContext<'r>,
    splitter: Splitter,
    /// Where the next one begins, or what is before it.
    at: usize,
    /// How many have been read.
    count: usize,
    /// Whether there is one message. Then the part that the document is needs no further number.
    is_single: bool,
}

impl<'r> Nested<'r> {
    pub(super) fn new(framing: &'static Framing, context: PartContext<'r>) -> Self {
        let splitter = Splitter::recognised(LIMITS, framing);
        Nested { context, splitter, at: 0, count: 0, is_single: false }
    }

    /// The next message of the document that is `whole`.
    pub(super) fn next(&mut self, whole: &Message<'r>) -> Option<(Message<'r>, PartContext<'r>)> {
        self.skip(whole)?;
        self.splitter.next_len(self.rest(whole))?;
        let start = self.at;
        let span = self.splitter.take(&whole.bytes[start..], whole.options.attachments)?;
        self.at += span.len;
        self.count += 1;
        if self.count == 1 {
            self.skip(whole)?;
            self.is_single = self.at == whole.bytes.len();
        }
        let mut context = self.context.clone();
        if !self.is_single {
            context.number = context.number_of(self.count);
        }
        Some((whole.part(start..start + span.len, span.shape), context))
    }

    /// Skips what is before the next message, or after the last one.
    fn skip(&mut self, whole: &Message<'r>) -> Option<()> {
        self.at += self.splitter.skip(self.rest(whole))?;
        Some(())
    }

    fn rest<'m>(&self, whole: &Message<'m>) -> Buffered<'m> {
        Buffered { bytes: &whole.bytes[self.at..], first: self.at == 0, last: true }
    }
}
