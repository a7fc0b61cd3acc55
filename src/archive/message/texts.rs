//! The iterator over the message texts.
//!
//! The texts are a stack of open messages. The message itself is at the bottom. A document in it with its own structure,
//! such as a message, an archive or JSON, is pushed and read before the rest.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::vec;

use super::arena::Arena;
use super::attachment::AttachedFiles;
use super::data::ValuePosition;
use super::envelope::is_content;
use super::message::{Message, Unit};
use super::mime::Mime;
use super::nested::NestedMessages;
use super::part_context::PartContext;
use super::record::{Block, Record};
use super::structure::{Section, SectionKind, Structure};
use super::text::{Text, TextKind};
use super::unfold;
use super::values::Values;
use crate::archive::container::format::Shape;
use crate::archive::container::markup;
use crate::archive::decode::{charset, encoded_word};
use crate::archive::header::{HeaderField, HeaderFields, begins_with};
use crate::archive::limits::{DECODER, MAX_KEPT, MAX_NESTED};
use crate::archive::mapped::Mapped;
use crate::archive::source_map::Decoded;
use crate::archive::splitter::piece;

impl<'r> Message<'r> {
    /// Returns the message's texts in file order: its header fields, its bodies, and the texts of
    /// the messages inside it.
    ///
    /// Each is decoded when the iterator reaches it. Time is linear in the length of the
    /// message, however it is nested.
    pub fn texts(&self) -> Texts<'r> {
        Texts::new(*self)
    }
}

/// The message texts, in file order.
///
/// Made by [`Message::texts`].
#[derive(Debug)]
pub struct Texts<'r> {
    /// The message that is read: the innermost one.
    pub(super) message: Message<'r>,
    /// The open messages; the last one is read first.
    open_messages: Vec<OpenMessage<'r>>,
    /// The records around the document that the last section is in.
    pub(super) enclosing: Option<Arc<ValuePosition<'r>>>,
    /// The texts of a body with several.
    queue: VecDeque<Text<'r>>,
    /// The arena of the next message.
    arena: &'r Arena,
    /// The number of bytes that are kept.
    kept_len: usize,
}

/// An open message, and the sections that have not been read.
#[derive(Debug)]
struct OpenMessage<'r> {
    message: Message<'r>,
    sections: Sections<'r>,
    /// The records around the document that it is in.
    enclosing: Option<Arc<ValuePosition<'r>>>,
    /// The rest of a head.
    head: Option<RemainingHeader<'r>>,
}

/// The sections of a message that have not been read.
#[derive(Debug)]
pub(super) enum Sections<'r> {
    /// The HTTP fields of a record, and its body.
    Record(Option<Box<(Block<'r>, PartContext<'r>)>>),
    Structure(Box<Structure<'r>>),
    Listed(VecDeque<Section<'r>>),
    /// The messages of a document.
    Nested(Box<NestedMessages<'r>>),
    /// A text that contains documents.
    Values(Box<Values<'r>>),
    /// The files of an archive.
    Files(Box<AttachedFiles<'r>>),
}

impl<'r> Sections<'r> {
    fn next(&mut self, message: &Message<'r>) -> Option<Unit<'r>> {
        let section = match self {
            Sections::Record(record) => {
                let (block, context) = &mut **record.as_mut()?;
                let field = message.http_field(block, context);
                return field.map(Unit::Text).or_else(|| record.take().map(Unit::Block));
            }
            Sections::Structure(structure) => structure.next(),
            Sections::Listed(sections) => sections.pop_front(),
            Sections::Nested(nested) => return nested.next(message),
            Sections::Values(values) => return values.next(message),
            Sections::Files(files) => return files.next(message),
        };
        section.map(Unit::Section)
    }
}

/// The header fields that have not been read.
#[derive(Debug)]
struct RemainingHeader<'r> {
    section: Section<'r>,
    fields: iter::Chain<vec::IntoIter<HeaderField>, HeaderFields<'r>>,
    /// A field that needs a separate text, after the fields that do not.
    separate: Option<HeaderField>,
    /// True if the fields may contain encoded words.
    encoded_words: bool,
    /// The charset of the body, if fields may be in it.
    charset: Option<Cow<'r, [u8]>>,
}

impl<'r> Texts<'r> {
    pub(super) fn new(message: Message<'r>) -> Self {
        // Most messages contain no other, and memory for more is slow to get.
        let (open_messages, queue) = (Vec::with_capacity(1), VecDeque::new());
        let mut texts =
            Texts { message, open_messages, enclosing: None, queue, arena: message.arena, kept_len: 0 };
        let file = PartContext { number: String::new(), envelope: None, kind: TextKind::Raw, declared: None };
        texts.read(message, file);
        texts
    }

    /// Opens a message, which is this part.
    pub(super) fn read(&mut self, message: Message<'r>, context: PartContext<'r>) {
        let piece_end = message.piece.end;
        let (bytes, split) = (piece_end.map_or(message.bytes, |end| end.0), piece_end.map(|end| end.1));
        // The structure needs bytes after the split point to find it; its sections end there.
        let sections = match piece::structure(bytes, message.shape, message.piece.before) {
            Some(structure) => {
                // A part whose type is a message type is a message of its own. Any other document without mail fields
                // takes the number and the envelope of the part that contains it.
                let is_part = !matches!(context.kind, TextKind::Raw) && !context.number.is_empty();
                let is_entity = || {
                    let mut fields = HeaderFields::new(message.bytes, 0);
                    matches!(message.shape, Shape::Mail(0))
                        && fields.all(|field| is_content(field.name(message.bytes)))
                };
                let mut structure = match context.envelope {
                    Some(outer) if is_part && is_entity() => {
                        Structure::of_entity(bytes, 0, context.number, Some(outer))
                    }
                    _ => structure.of_number(context.number),
                };
                structure.split = split;
                Sections::Structure(Box::new(structure))
            }
            None if matches!(message.shape, Shape::Record) => {
                Sections::Record(Block::read(message.bytes).map(|block| Box::new((block, context))))
            }
            None => {
                self.message = message;
                return self.whole(context);
            }
        };
        self.push_open_message(message, sections);
    }

    pub(super) fn push_open_message(&mut self, message: Message<'r>, sections: Sections<'r>) {
        self.open_messages.push(OpenMessage {
            message,
            sections,
            enclosing: self.enclosing.clone(),
            head: None,
        });
    }

    /// Queues a text.
    pub(super) fn push(&mut self, text: Text<'r>) {
        // The text is nearly always the only one, and memory for four is slow to allocate.
        if self.queue.capacity() == 0 {
            self.queue.reserve_exact(1);
        }
        self.queue.push_back(text);
    }

    /// Returns true if these bytes may be opened as a message. If not, they are recorded, and their treatment
    /// `instead`.
    pub(super) fn may_open(&self, mapped: &Mapped<'_>, instead: &str) -> bool {
        let why = if self.message.depth >= MAX_NESTED {
            format!("is nested too deeply (in {MAX_NESTED} encoded messages or archives)")
        } else if !self.has_room() {
            format!(
                "exceeds the limit for its message: {} MiB of decoded data, or {} archives and converted documents",
                MAX_KEPT >> 20,
                MAX_KEPT / DECODER
            )
        } else {
            return true;
        };
        self.message.note(mapped, || format!("{instead}, because it {why}"));
        false
    }

    /// Keeps decoded bytes as long as the message that contains them, and returns them as a
    /// message.
    pub(super) fn keep(&mut self, mapped: Mapped<'_>) -> Message<'r> {
        let kept = self.arena.keep(mapped, None);
        (self.arena, self.kept_len) = (&kept.rest, self.kept_len + kept.mapped.as_bytes().len());
        self.message.nested(&kept.mapped)
    }

    /// Returns true if this message has memory for more decoded bytes and decoders.
    pub(super) fn has_room(&self) -> bool {
        self.kept_len < MAX_KEPT
    }

    /// Notes that a decoder was used in this message.
    pub(super) fn charge_decoder(&mut self) {
        self.kept_len += DECODER;
    }

    /// Reads a section.
    fn section(&mut self, mut section: Section<'r>) {
        match &mut section.kind {
            SectionKind::Head(first) => {
                let first = std::mem::take(first);
                if let Some(innermost) =
                    self.open_messages.last_mut().filter(|_| self.message.options.headers)
                {
                    innermost.head = Some(RemainingHeader::new(self.message.bytes, section, first));
                }
            }
            &mut SectionKind::Body(kind, mime) => self.body(&section, kind, mime),
            SectionKind::Message => {
                let context = PartContext::of(&section, TextKind::Raw);
                self.read(self.message.part(section.range, Shape::Mail(0)), context);
            }
            SectionKind::Raw => {
                // Eudora drops the delimiters of a message with parts, and begins HTML with its own tag.
                let mapped = self.message.mapped(section.range.clone());
                let is_page = begins_with(mapped.as_bytes().trim_ascii_start(), b"<x-html>");
                let text = self.message.text_in(PartContext::of(&section, TextKind::Raw), mapped);
                self.push(if is_page { text.read(&markup::PAGE) } else { text });
            }
            SectionKind::TooDeep => {
                self.message.depth_exceeded.store(true, Ordering::Relaxed);
                let mapped = self.message.mapped(section.range.clone());
                self.push(self.message.text_in(PartContext::of(&section, TextKind::TooDeep), mapped));
            }
        }
    }
}

impl<'r> Iterator for Texts<'r> {
    type Item = Text<'r>;

    fn next(&mut self) -> Option<Text<'r>> {
        loop {
            if let Some(text) = self.queue.pop_front() {
                return Some(text.enclosed(&self.enclosing));
            }
            let innermost = self.open_messages.last_mut()?;
            if let Some(fields) =
                innermost.head.as_mut().and_then(|head| head.next_fields(&innermost.message))
            {
                return Some(fields.enclosed(&innermost.enclosing));
            }
            innermost.head = None;
            let Some(unit) = innermost.sections.next(&innermost.message) else {
                self.open_messages.pop();
                continue;
            };
            self.message = innermost.message;
            self.enclosing.clone_from(&innermost.enclosing);
            match unit {
                Unit::Text(text) => return Some(text.enclosed(&self.enclosing)),
                Unit::Block(record) => self.block_body(&record.0, &record.1),
                Unit::Message(mut message, context) => {
                    if matches!(message.shape, Shape::Record) {
                        let record = Record::read(message.bytes, message.offset(0));
                        let kept = self.arena.keep(Mapped::verbatim(b"", 0), record);
                        (message.record, self.arena) = (kept.record.as_ref(), &kept.rest);
                    }
                    self.read(message, context);
                }
                Unit::Document(mapped, context, enclosing) => {
                    self.enclosing = enclosing;
                    self.document(mapped, context);
                }
                Unit::Section(section) => self.section(section),
                Unit::Member(mapped, context, name) => self.member(mapped, context, name),
            }
        }
    }
}

impl<'r> RemainingHeader<'r> {
    /// The header section of `bytes`, which begins with the fields `first`.
    fn new(bytes: &'r [u8], section: Section<'r>, first: Vec<HeaderField>) -> Self {
        let range = section.range.clone();
        let fields = |from| HeaderFields::new(&bytes[..range.end], from);
        let encoded_words = encoded_word::may_be_in(&bytes[range.clone()]);
        let may_be_encoded = charset::may_be_in_field(&bytes[range.clone()]);
        let mime = || Mime::of(bytes, fields(range.start));
        let charset = may_be_encoded.then(|| mime().param(b"charset").unwrap_or_default());
        let rest = fields(first.last().map_or(range.start, |last| last.range.end));
        let fields = first.into_iter().chain(rest);
        RemainingHeader { fields, section, separate: None, encoded_words, charset }
    }

    /// Decodes a value from the charset of the body; `None` if it can be read verbatim.
    fn decode(&self, value: &[u8]) -> Option<Decoded> {
        charset::decode_field(value, self.charset.as_ref()?)
    }

    fn next_fields(&mut self, message: &Message<'r>) -> Option<Text<'r>> {
        let bytes = message.bytes;
        let mut run: Option<Range<usize>> = None;
        while let Some(field) = self.separate.take().or_else(|| self.fields.next()) {
            if !field.is_read(bytes) {
                if run.is_some() {
                    break;
                }
            } else if self.encoded_words && encoded_word::may_be_in(&bytes[field.range.clone()])
                || unfold::applies(field.name(bytes), field.value(bytes))
                || self.decode(field.value(bytes)).is_some()
            {
                if run.is_some() {
                    self.separate = Some(field);
                    break;
                }
                return Some(self.field(message, &field));
            } else {
                let start = run.map_or(field.range.start, |run| run.start);
                run = Some(start..field.range.end);
            }
        }
        let run = run?;
        let kind = TextKind::Fields(&bytes[run.clone()]);
        Some(message.text_in(PartContext::of(&self.section, kind), message.mapped(run)))
    }

    /// One field, decoded.
    fn field(&self, message: &Message<'r>, field: &HeaderField) -> Text<'r> {
        let bytes = message.bytes;
        let mapped = message.mapped(field.range.clone());
        let kind = TextKind::Field(field.name(bytes));
        if let Some(unfolded) = unfold::unfold(field, bytes) {
            let mut text =
                message.text_in(PartContext::of(&self.section, kind), mapped.decoded(unfolded.decoded));
            text.joins = unfolded.joins;
            return text;
        }
        let mapped = mapped.decoded_by(|bytes| self.decode(bytes));
        message.text_in(PartContext::of(&self.section, kind), mapped.decoded_by(encoded_word::decode))
    }
}
