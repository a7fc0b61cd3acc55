//! Documents in messages: attachments, files in them, values and the bodies of records, each read as
//! [what its bytes are](crate::archive::what).

use std::sync::Arc;

use super::attachment::AttachedFiles;
use super::body::SEARCHED_AS_TEXT;
use super::nested::NestedMessages;
use super::part_context::PartContext;
use super::text::{Text, TextKind};
use super::texts::{Sections, Texts};
use super::values::Values;
use crate::archive::container::format::{Framing, Shape};
use crate::archive::convert::Converter;
use crate::archive::decode::charset;
use crate::archive::limits::Limits;
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::reading::{self, Reading};
use crate::archive::splitter::OpenDocument;
use crate::archive::what::{self, Hint, What, all_lines};

impl<'r> Texts<'r> {
    /// Reads a document, decoded: a part of mail, a file in one, a value, or the body of a record.
    pub(super) fn document(&mut self, mapped: Mapped<'r>, context: PartContext<'r>) {
        self.document_of(what::what(mapped.as_bytes(), Hint::PART), mapped, context);
    }

    /// Reads a document as `what`.
    pub(super) fn document_of(&mut self, what: What, mapped: Mapped<'r>, context: PartContext<'r>) {
        match what {
            What::Lines(framing) => self.lines(mapped, context, framing),
            What::Converted(converter) => self.converted(mapped, context, converter),
            What::Files if self.may_open(&mapped, "was not searched") => {
                let whole = self.keep(mapped);
                self.charge_decoder();
                if let Ok(files) = AttachedFiles::new(whole.bytes, context) {
                    self.push_open_message(whole, Sections::Files(Box::new(files)));
                }
            }
            What::Files => {}
            What::Unsupported(binary) => {
                let note = || format!("is {}", self.message.unsupported(binary));
                self.message.note_file(&mapped, context.kind, note);
                self.bytes_of(mapped, context);
            }
            What::Data => self.bytes_of(mapped, context),
        }
    }

    /// Reads a message that is one text.
    pub(super) fn whole(&mut self, context: PartContext<'r>) {
        let message = self.message;
        let reading = if let Shape::Text(reading) = message.shape { reading } else { &reading::TEXT };
        let own = PartContext { declared: message.piece.declared, ..context.clone() };
        let mut text = message.read_in(own, message.mapped(0..message.bytes.len()), reading);
        if let Some(page) = message.page {
            (text.envelope, text.kind) = (Some(Arc::clone(page)), TextKind::Page);
        }
        match self.values_of(&text, message.bytes, context, reading) {
            Some(values) => self.push_open_message(message, values),
            None => self.push(text),
        }
    }

    /// Reads a text, and the values in it that are documents.
    pub(super) fn text(&mut self, mapped: Mapped<'r>, context: PartContext<'r>, reading: &'static Reading) {
        if reading.values.is_none() {
            return self.push(self.message.read_in(context, mapped, reading));
        }
        let text = self.message.read_in(context.clone(), mapped.clone(), reading);
        if let Some(values) = self.values_of(&text, mapped.as_bytes(), context, reading)
            && self.may_open(&mapped, SEARCHED_AS_TEXT)
        {
            let whole = self.keep(mapped);
            return self.push_open_message(whole, values);
        }
        self.push(text);
    }

    /// The text between the values that are documents, and these values; `None` without any.
    fn values_of(
        &self,
        text: &Text<'r>,
        source: &[u8],
        context: PartContext<'r>,
        reading: &'static Reading,
    ) -> Option<Sections<'r>> {
        let (finder, markup) = (reading.values.as_ref()?, text.markup.as_ref()?);
        if finder.are_attachments && !self.reads_attachments() {
            return None;
        }
        let found = Some((finder.find)(source, markup)).filter(|found| !found.is_empty())?;
        let (values, enclosing) = (found.into_iter(), self.enclosing.clone());
        let values = Values { context, reading, values, at: Some(0), data: None, enclosing, next: None };
        Some(Sections::Values(Box::new(values)))
    }

    pub(super) fn reads_all(&self) -> bool {
        self.message.options.attachments == Attachments::All
    }

    /// Queues the bytes of an attachment that is not text, if they are wanted.
    fn bytes_of(&mut self, mapped: Mapped<'r>, context: PartContext<'r>) {
        if self.reads_all() {
            self.with_files(mapped, context);
        }
    }

    /// Reads a text of a format, or messages.
    pub(super) fn lines(&mut self, mapped: Mapped<'r>, context: PartContext<'r>, framing: &'static Framing) {
        if mapped.as_bytes().is_empty() {
            return;
        }
        match framing.reading.read {
            _ if !framing.is_text() && !self.may_open(&mapped, SEARCHED_AS_TEXT) => {
                self.too_deep(mapped, context);
            }
            _ if !framing.is_text() => {
                let whole = self.keep(mapped);
                // The document is not split, because its bytes are in memory already.
                let document = OpenDocument::new(framing, Limits::default());
                let nested = NestedMessages { context, document, before: None, last: true };
                self.push_open_message(whole, Sections::Nested(Box::new(nested)));
            }
            None => {
                let mapped = mapped.decoded_by(|bytes| charset::decode_file(bytes, &context.kind.label()));
                self.with_files(mapped, context);
            }
            Some(_) => self.text(mapped, context, framing.reading),
        }
    }

    /// Reads bytes that are not lines in a superset of ASCII.
    fn converted(&mut self, mapped: Mapped<'r>, context: PartContext<'r>, converter: Converter) {
        // The document is not another layer, so only memory limits it.
        if !self.has_room() && !self.may_open(&mapped, "was not searched") {
            return;
        }
        self.charge_decoder();
        let (lines, result) = converter.convert(&mapped);
        if let Err(error) = result {
            self.message.note_file(&mapped, context.kind, || match lines.as_bytes() {
                [] => format!("was not searched: {error}"),
                _ => format!("was only partly searched: {error}"),
            });
        }
        let framing = all_lines(lines.as_bytes());
        self.lines(lines, context, framing);
    }

    /// Reads a file of an archive: files that are not text are noted or skipped.
    pub(super) fn member(&mut self, mapped: Mapped<'r>, mut context: PartContext<'r>, name: Option<Vec<u8>>) {
        let mime = context.kind.mime();
        context.kind = match name {
            Some(name) => TextKind::Member(mime, self.keep(Mapped::verbatim(&name, 0)).bytes),
            // The text belongs to the URL of the record.
            None if matches!(context.kind, TextKind::Block(_)) => context.kind,
            None => TextKind::Body(mime),
        };
        match what::what(mapped.as_bytes(), Hint::PART) {
            What::Lines(framing) => self.lines(mapped, context, framing),
            What::Converted(converter) => self.converted(mapped, context, converter),
            _ if self.reads_all() => self.push(self.message.text_in(context, mapped)),
            _ => {}
        }
    }
}
