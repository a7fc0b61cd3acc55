//! The messages of a document that is in a message: the same splitter as for a file, of bytes in memory.

use super::message::{Message, MessagePiece, Unit};
use super::part_context::PartContext;
use crate::archive::splitter::OpenDocument;

/// The messages of a document that have not been read.
#[derive(Debug)]
pub(super) struct NestedMessages<'r> {
    pub(super) context: PartContext<'r>,
    pub(super) document: OpenDocument,
    /// The state of the document before this piece of the enclosing message.
    pub(super) before: Option<&'r OpenDocument>,
    /// True if it ends in this piece.
    pub(super) last: bool,
}

impl<'r> NestedMessages<'r> {
    /// The next message of the document that is `whole`.
    pub(super) fn next(&mut self, whole: &Message<'r>) -> Option<Unit<'r>> {
        let before = self.before.take();
        let (range, span) = self.document.next(whole.bytes, self.last, 0, whole.options)?;
        let mut message = whole.part(range.clone(), span.shape);
        let end = span.split.map(|(len, split)| (&whole.bytes[range.start..range.start + len], split));
        message.piece = MessagePiece { before: before.and_then(OpenDocument::message), end, declared: None };
        if let Some(before) = before.filter(|before| before.continues()) {
            message.record = before.record.as_ref();
        }
        let mut context = self.context.clone();
        if !self.document.is_single {
            context.number = context.number_of(self.document.count);
        }
        Some(Unit::Message(message, context))
    }
}
