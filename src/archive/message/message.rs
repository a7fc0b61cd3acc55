//! A message, and the iterator over its texts.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use memchr::memmem;

use super::envelope::Envelope;
use super::lines::MessageLines;
use super::mime::{MediaKind, Mime, TransferEncoding};
use super::passthrough::Passthrough;
use super::record::{Block, Record};
use super::structure::{Section, SectionKind, Structure};
use super::text::{Role, Text};
use super::undecoded::Undecoded;
use super::unfold;
use crate::archive::decode::{charset, dot_stuffing, encoded_word, transfer};
use crate::archive::header::{Field, Fields, line_end};
use crate::archive::source_map::{Mapped, Origin};

/// Which parts of a message are read, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageOptions {
    pub(crate) attachments: bool,
    pub(crate) headers: bool,
    /// Whether dots that NNTP and SMTP added are removed.
    pub(crate) dot_stuffing: bool,
}

/// What a message is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A head and a body; the head begins at this offset of its bytes.
    Mail(usize),
    /// A head and a body that do not touch each other: the head takes the bytes from
    /// `head` to `head_end`.
    Apart {
        head: usize,
        head_end: usize,
        body: usize,
    },
    Html,
    /// A record of a web archive.
    Record,
    /// Text of no message, or of the message before it.
    #[default]
    Text,
}

/// A message of an archive.
///
/// It is borrowed from the reader: see [`Reader::next_message`](crate::archive::Reader::next_message).
#[derive(Clone, Copy, Debug)]
pub struct Message<'r> {
    pub(crate) bytes: &'r [u8],
    /// The offset of the bytes in the input as it is buffered.
    pub(crate) base: u64,
    /// Where that comes from in the file.
    pub(crate) origin: Origin<'r>,
    pub(crate) index: u64,
    pub(crate) shape: Shape,
    pub(crate) options: MessageOptions,
    pub(crate) lines: Option<MessageLines<'r>>,
    /// Is set when a text is read verbatim because it is nested too deep.
    pub(crate) depth_exceeded: &'r AtomicBool,
    /// Bodies that were not decoded are noted there.
    pub(crate) undecoded: &'r Undecoded,
    /// The record of a web archive that it is, or is a part of.
    pub(crate) record: Option<&'r Record>,
    /// The address that relative links are resolved against, if the file has no other.
    pub(crate) base_url: Option<&'r str>,
}

impl<'r> Message<'r> {
    /// How many messages of the archive come before this one.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The range of the file that the message takes, with the separator before it: byte
    /// offsets from 0, the end exclusive.
    pub fn span(&self) -> Range<u64> {
        self.origin.span(self.base..self.base + self.bytes.len() as u64)
    }

    /// The fields of the head that describe the message; `None` for a file of text or
    /// HTML.
    pub fn envelope(&self) -> Option<Envelope<'r>> {
        let head = match self.shape {
            Shape::Mail(start) => &self.bytes[start..],
            Shape::Apart { head, head_end, .. } => &self.bytes[head..head_end],
            Shape::Html | Shape::Record | Shape::Text => return None,
        };
        Some(Envelope::new(head))
    }

    /// The record that the message is; `None` outside of web archives.
    pub fn record(&self) -> Option<&'r Record> {
        self.record
    }

    /// The message, if it needs no decoding, and if that is easily seen.
    pub(crate) fn passthrough(&self) -> Option<PassthroughMessage<'r>> {
        let Shape::Mail(start) = self.shape else {
            return None;
        };
        let parts = Passthrough::read(self.bytes, start).filter(|_| !self.options.dot_stuffing)?;
        let body = match self.options.headers {
            true => line_end(self.bytes, parts.head.end),
            // Lines that are text to the structure are not left out with the head.
            false => Fields::new(self.bytes, start).into_body(),
        };
        Some(PassthroughMessage { message: *self, parts, body })
    }

    /// The texts of the message, in the order of the file: the fields of its
    /// head, its bodies, and those of the messages inside it.
    ///
    /// Each is decoded when the iterator reaches it. Time is linear in the length of the
    /// message, however it is nested.
    pub fn texts(&self) -> Texts<'r> {
        let structure = match self.shape {
            Shape::Mail(start) => Structure::new(self.bytes, start),
            Shape::Apart { head, head_end, body } => Structure::apart(self.bytes, head..head_end, body),
            Shape::Record => {
                let unread = Block::read(self.bytes).map_or(Unread::Nothing, Unread::Block);
                return Texts { message: *self, unread };
            }
            Shape::Html | Shape::Text => return Texts { message: *self, unread: Unread::Whole },
        };
        Texts { message: *self, unread: Unread::Sections(Box::new(structure), None) }
    }
}

/// The texts of a message, in the order of the file.
///
/// Made by [`Message::texts`].
#[derive(Debug)]
pub struct Texts<'r> {
    message: Message<'r>,
    unread: Unread<'r>,
}

/// The part of a message that has not been read.
#[derive(Debug)]
enum Unread<'r> {
    /// The sections of its structure, after the rest of a head.
    Sections(Box<Structure<'r>>, Option<Head<'r>>),
    /// The HTTP fields of a record, and its body.
    Block(Block<'r>),
    /// All of it: it is one text.
    Whole,
    Nothing,
}

/// The fields of a head that have not been read.
#[derive(Debug)]
struct Head<'r> {
    section: Section<'r>,
    fields: Fields<'r>,
    /// A field that needs a text of its own, after those that do not.
    apart: Option<Field>,
    /// Whether there may be encoded words.
    encoded_words: bool,
}

impl<'r> Iterator for Texts<'r> {
    type Item = Text<'r>;

    fn next(&mut self) -> Option<Text<'r>> {
        match &mut self.unread {
            Unread::Sections(structure, head) => self.message.next_text(structure, head),
            Unread::Block(block) => self.message.next_of_block(block),
            Unread::Whole => {
                self.unread = Unread::Nothing;
                Some(self.message.whole())
            }
            Unread::Nothing => None,
        }
    }
}

/// A message that needs no decoding.
#[derive(Debug)]
pub(crate) struct PassthroughMessage<'r> {
    message: Message<'r>,
    parts: Passthrough<'r>,
    /// Where the body begins.
    body: usize,
}

impl<'r> PassthroughMessage<'r> {
    /// The bytes that are read: the head, if the options say so, and the body.
    pub(crate) fn as_bytes(&self) -> &'r [u8] {
        &self.message.bytes[self.body - self.head_len()..]
    }

    /// How many of these bytes come before the body.
    pub(crate) fn head_len(&self) -> usize {
        if self.message.options.headers { self.body - self.parts.head.start } else { 0 }
    }

    /// The body: the text that [`Message::texts`] yields last.
    pub(crate) fn body(&self) -> Text<'r> {
        let mapped = self.message.mapped(self.body..self.message.bytes.len());
        let mut text = self.message.text("1".into(), Role::Body(self.parts.mime), mapped);
        text.envelope = Some(Arc::new(Envelope::new(&self.message.bytes[self.parts.head.clone()])));
        text
    }
}

impl<'r> Head<'r> {
    fn new(bytes: &'r [u8], section: Section<'r>) -> Self {
        let range = section.range.clone();
        let encoded_words = memmem::find(&bytes[range.clone()], b"=?").is_some();
        Head { fields: Fields::new(&bytes[..range.end], range.start), section, apart: None, encoded_words }
    }
}

impl<'r> Message<'r> {
    /// The next text that the structure has.
    fn next_text(&self, structure: &mut Structure<'r>, head: &mut Option<Head<'r>>) -> Option<Text<'r>> {
        loop {
            if let Some(fields) = head.as_mut().and_then(|head| self.next_fields(head)) {
                return Some(fields);
            }
            *head = None;
            let section = structure.next()?;
            let text = match section.kind {
                SectionKind::Head => {
                    *head = self.options.headers.then(|| Head::new(self.bytes, section));
                    None
                }
                SectionKind::Body(kind, mime) => self.body(&section, kind, mime),
                SectionKind::Raw => Some(self.raw(&section, Role::Raw)),
                SectionKind::TooDeep => {
                    self.depth_exceeded.store(true, Ordering::Relaxed);
                    Some(self.raw(&section, Role::TooDeep))
                }
            };
            if text.is_some() {
                return text;
            }
        }
    }

    /// All of it as one text.
    fn whole(&self) -> Text<'r> {
        let mapped = self.mapped(0..self.bytes.len());
        match self.shape {
            Shape::Html => {
                let mapped = mapped.decoded_by(|bytes| charset::decode(bytes, charset::declared(bytes)));
                self.text(Cow::Borrowed(""), Role::Raw, mapped).html()
            }
            _ => self.text(Cow::Borrowed(""), Role::Raw, mapped),
        }
    }

    /// The next fields of a head: as many as can be read verbatim, or one that cannot.
    fn next_fields(&self, head: &mut Head<'r>) -> Option<Text<'r>> {
        let mut run: Option<Range<usize>> = None;
        while let Some(field) = head.apart.take().or_else(|| head.fields.next()) {
            if !field.is_read(self.bytes) {
                if run.is_some() {
                    break;
                }
            } else if head.encoded_words || unfold::applies(field.name(self.bytes), field.value(self.bytes)) {
                if run.is_some() {
                    head.apart = Some(field);
                    break;
                }
                return Some(self.field(head, &field));
            } else {
                let start = run.map_or(field.range.start, |run| run.start);
                run = Some(start..field.range.end);
            }
        }
        let run = run?;
        Some(self.text_of(&head.section, Role::Fields(&self.bytes[run.clone()]), self.mapped(run)))
    }

    /// One field, decoded.
    fn field(&self, head: &Head<'r>, field: &Field) -> Text<'r> {
        let mapped = self.mapped(field.range.clone());
        let role = Role::Field(field.name(self.bytes));
        match unfold::unfold(field, self.bytes) {
            Some(unfolded) => {
                let mut text = self.text_of(&head.section, role, mapped.decoded(unfolded.decoded));
                text.joins = unfolded.joins;
                text
            }
            None => self.text_of(&head.section, role, mapped.decoded_by(encoded_word::decode)),
        }
    }

    /// The text of a body; `None` if the options leave it out.
    fn body(&self, section: &Section<'r>, kind: MediaKind, mime: Mime<'r>) -> Option<Text<'r>> {
        if kind == MediaKind::Other && !self.options.attachments {
            return None;
        }
        let mut mapped = self.mapped(section.range.clone());
        if self.options.dot_stuffing {
            mapped = mapped.decoded_by(dot_stuffing::unstuff);
        }
        mapped = mapped.decoded_by(|bytes| match mime.encoding() {
            TransferEncoding::Identity => None,
            TransferEncoding::QuotedPrintable => Some(transfer::quoted_printable(bytes)),
            TransferEncoding::Base64 => Some(transfer::base64(bytes)),
        });
        if kind != MediaKind::Other {
            let label = mime.param(b"charset").unwrap_or_default();
            mapped = mapped.decoded_by(|bytes| charset::decode(bytes, &label));
        }
        let text = self.text_of(section, Role::Body(mime), mapped);
        Some(match kind {
            MediaKind::Html => text.html(),
            MediaKind::Text if mime.param_is(b"format", b"flowed") => {
                text.unflowed(mime.param_is(b"delsp", b"yes"))
            }
            _ => text,
        })
    }

    /// A section that is read verbatim.
    fn raw(&self, section: &Section<'r>, role: Role<'r>) -> Text<'r> {
        self.text_of(section, role, self.mapped(section.range.clone()))
    }

    /// The bytes at `range` of the message, not decoded.
    pub(super) fn mapped(&self, range: Range<usize>) -> Mapped<'r> {
        let base = self.base + range.start as u64;
        Mapped::verbatim(&self.bytes[range], base).recoded(self.origin)
    }

    fn text_of(&self, section: &Section<'r>, role: Role<'r>, mapped: Mapped<'r>) -> Text<'r> {
        let mut text = self.text(section.number.clone().into(), role, mapped);
        text.envelope = Some(Arc::clone(&section.message));
        text
    }

    pub(super) fn text(&self, part: Cow<'static, str>, role: Role<'r>, mapped: Mapped<'r>) -> Text<'r> {
        Text {
            mapped,
            part,
            envelope: None,
            role,
            index: self.index,
            joins: Vec::new(),
            links: Vec::new(),
            lines: self.lines,
            last_field: Mutex::default(),
            record: self.record.cloned(),
            base_url: self.base_url,
            base_element: None,
        }
    }
}
