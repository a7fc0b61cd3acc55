//! A text that contains documents, such as base64 strings in JSON: yields the text between them and the documents, in
//! the order of the file.
//!
//! A reader may yield a file in chunks, which end where its reads end. So the documents of a chunk must not come after
//! all of its text, or their order would depend on the reads.

use std::sync::Arc;
use std::vec;

use super::data::{DataRecords, ValuePosition};
use super::message::{Message, Unit};
use super::part_context::PartContext;
use super::text::TextKind;
use crate::archive::reading::{Reading, TextValue};

/// The rest of a text with values.
#[derive(Debug)]
pub(super) struct Values<'r> {
    pub(super) context: PartContext<'r>,
    pub(super) reading: &'static Reading,
    pub(super) values: vec::IntoIter<TextValue>,
    /// The offset at which the next run of text begins; `None` after the last one.
    pub(super) at: Option<usize>,
    /// The records of all of it.
    pub(super) data: Option<Arc<DataRecords<'r>>>,
    /// The records around it.
    pub(super) enclosing: Option<Arc<ValuePosition<'r>>>,
    /// The value after the last run.
    pub(super) next: Option<TextValue>,
}

impl<'r> Values<'r> {
    /// The records of `message`, if it may have any.
    fn data(&mut self, message: &Message<'r>) -> Option<Arc<DataRecords<'r>>> {
        let notation = message.notation(self.reading)?;
        let source = || message.mapped(0..message.bytes.len());
        let all = || Arc::new(DataRecords::new(source(), notation, &message.options.keep));
        Some(Arc::clone(self.data.get_or_insert_with(all)))
    }

    /// The next part of the text that `message` is.
    pub(super) fn next(&mut self, message: &Message<'r>) -> Option<Unit<'r>> {
        if let Some(value) = self.next.take() {
            let (at, outer) = (value.content.start, self.enclosing.clone());
            let enclosing = match self.data(message) {
                Some(data) => Some(Arc::new(ValuePosition { data, at, outer })),
                None => outer,
            };
            let value = (value.decode)(message.mapped(value.content), message.options.offsets);
            return Some(Unit::Document(value, self.context.within(TextKind::File), enclosing));
        }
        let start = self.at?;
        self.next = self.values.find(|value| value.left_out.start >= start);
        let end = self.next.as_ref().map_or(message.bytes.len(), |value| value.left_out.start);
        self.at = self.next.as_ref().map(|value| value.left_out.end);
        let mut text = message.read_in(self.context.clone(), message.mapped(start..end), self.reading);
        text.data = self.data(message).map(|data| (data, start));
        Some(Unit::Text(text))
    }
}
