//! A message.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use super::arena::Arena;
use super::data::ValuePosition;
use super::digest;
use super::envelope::Envelope;
use super::mime::Mime;
use super::page;
use super::part_context::PartContext;
use super::passthrough;
use super::record::{Block, Record};
use super::structure::{MessageSplit, Section};
use super::text::{MessageLines, Text, TextKind};
use super::text_cache::TextCache;
use super::undecoded::Undecoded;
use crate::archive::container::format::{self, Shape};
use crate::archive::decode::charset::{self, Charset};
use crate::archive::decode::inline_file;
use crate::archive::decode::members::RecordNotation;
use crate::archive::header::{HeaderFields, line_end};
use crate::archive::mapped::{Mapped, Origin};
use crate::archive::memory::Share;
use crate::archive::options::{Attachments, ReadOptions};
use crate::archive::reading::{self, Declared, Reading};
use crate::archive::splitter::piece::Unclosed;
use crate::simd::lines::next_line;

/// A piece of a message that is too long.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MessagePiece<'r> {
    /// The structure that was open before it.
    pub(crate) before: Option<&'r Unclosed>,
    /// Its bytes and some after it, and where it ends; `None` if it is the last one.
    pub(crate) end: Option<(&'r [u8], MessageSplit)>,
    /// The declarations of a page outside of mail.
    pub(crate) declared: Option<&'r Declared>,
}

/// A message in an archive, or a piece of a message that is too long.
///
/// The message is borrowed from the reader: see
/// [`Reader::next_message`](crate::archive::Reader::next_message).
#[derive(Clone, Copy, Debug)]
pub struct Message<'r> {
    pub(crate) bytes: &'r [u8],
    /// The offset of the bytes: in `inside`, or in the input as it is buffered.
    pub(crate) base: u64,
    /// The decoded bytes that it lies in; `None` for a message of the file itself.
    pub(crate) inside: Option<&'r Mapped<'static>>,
    /// The number of times that it was decoded to be read as a message.
    pub(crate) depth: usize,
    /// The origin of the message in the file.
    pub(crate) origin: Origin<'r>,
    pub(crate) index: u64,
    pub(crate) shape: Shape,
    /// The pieces of a message that is too long.
    pub(crate) piece: MessagePiece<'r>,
    pub(crate) options: &'r ReadOptions,
    pub(crate) lines: Option<MessageLines<'r>>,
    /// Is set when a text is read verbatim because it is nested too deep.
    pub(crate) depth_exceeded: &'r AtomicBool,
    /// Bodies that were not decoded are noted there.
    pub(crate) undecoded: &'r Undecoded,
    /// The web archive record that it is, or is a part of.
    pub(crate) record: Option<&'r Record>,
    /// The head that is in it, if it is the page of a message.
    pub(crate) page: Option<&'r Arc<Envelope<'static>>>,
    /// The share of the memory for long messages.
    pub(crate) share: Option<&'r Share>,
    /// The arena for bytes that are decoded and read as a message.
    pub(crate) arena: &'r Arena,
}

/// A part of a message.
#[allow(clippy::large_enum_variant, reason = "nearly all are texts, and a box is an allocation for each")]
pub(super) enum Unit<'r> {
    Text(Text<'r>),
    Block(Box<(Block<'r>, PartContext<'r>)>),
    Message(Message<'r>, PartContext<'r>),
    /// A value of a text, decoded, and the records around it.
    Document(Mapped<'r>, PartContext<'r>, Option<Arc<ValuePosition<'r>>>),
    Section(Section<'r>),
    /// A file of an archive, in the part that contains the archive; its name is `None` if it is only compressed.
    Member(Mapped<'r>, PartContext<'r>, Option<Vec<u8>>),
}

impl<'r> Message<'r> {
    /// Returns the number of messages before this one in its file, which may be a member of an archive.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns the range of the message in the file, with the separator before it: byte offsets
    /// from 0, the end exclusive.
    pub fn span(&self) -> Range<u64> {
        self.origin.span(self.base..self.base + self.bytes.len() as u64)
    }

    /// Returns the header fields that describe the message, or `None` for a text file, and for an
    /// HTML file unless it is the page of a list archive that shows a message.
    pub fn envelope(&self) -> Option<Envelope<'r>> {
        match (self.shape, self.piece.before) {
            _ if self.page.is_some() => self.page.map(|page| Envelope::new(page.as_bytes())),
            (Shape::Mail(start), _) => Some(Envelope::after(&self.bytes[..start], &self.bytes[start..])),
            (Shape::Detached { head, head_end, .. }, _) => Some(Envelope::new(&self.bytes[head..head_end])),
            (Shape::Continued, Some(before)) => Some((*before.structure.envelope).clone()),
            _ => None,
        }
    }

    /// Returns true if the message is a text that may contain data records, which have fields like
    /// a message, for their own matches.
    pub fn may_have_data(&self) -> bool {
        matches!(self.shape, Shape::Text(reading) if self.notation(reading).is_some())
    }

    /// The notation of the data records in a text of it with this reading, if they are read.
    pub(super) fn notation(&self, reading: &Reading) -> Option<&'static RecordNotation> {
        reading.records.filter(|_| self.options.records)
    }

    /// Returns the web archive record that is this message, or `None` outside of web archives.
    pub fn record(&self) -> Option<&'r Record> {
        self.record
    }

    /// The message, if it needs no decoding, and if that is easily seen.
    pub(crate) fn passthrough(&self) -> Option<PassthroughMessage<'r>> {
        let Shape::Mail(start) = self.shape else { return None };
        let (head, mime) = passthrough::read(self.bytes, start).filter(|_| !self.options.dot_stuffing)?;
        if !charset::is_verbatim(self.bytes) {
            return None;
        }
        let body = line_end(self.bytes, head.end);
        match self.options.attachments {
            Attachments::None if mime.is_attachment() => return None,
            Attachments::Documents | Attachments::All if format::has_start(&self.bytes[body..]) => {
                return None;
            }
            _ => {}
        }
        let body = match self.options.headers {
            true => body,
            // Lines that are text to the structure are not left out with the head.
            false => HeaderFields::new(self.bytes, start).into_body(),
        };
        Some(PassthroughMessage { message: *self, head, mime, body })
    }
}

/// The first bytes of the lines that may begin a text inside a body: inline files, and the line
/// before the first message of a digest.
const INNER: [u8; 5] = {
    let [a, b, c, d] = inline_file::FIRST;
    [a, b, c, d, b'-']
};

/// A message that needs no decoding.
#[derive(Debug)]
pub(crate) struct PassthroughMessage<'r> {
    message: Message<'r>,
    head: Range<usize>,
    mime: Mime<'r>,
    /// The offset at which the body begins.
    body: usize,
}

impl<'r> PassthroughMessage<'r> {
    /// The bytes that are read: the header, if the options include it, and the body.
    pub(crate) fn as_bytes(&self) -> &'r [u8] {
        &self.message.bytes[self.body - self.head_len()..]
    }

    /// Returns the number of these bytes before the body.
    pub(crate) fn head_len(&self) -> usize {
        if self.message.options.headers { self.body - self.head.start } else { 0 }
    }

    /// Returns true if the body may contain texts other than itself: a file that is not text, or the
    /// messages of a digest. Costs a pass over the message.
    pub(crate) fn has_inner_texts(&self) -> bool {
        // Lines that are text to the structure may be in the head here, so all lines count.
        let bytes = self.message.bytes;
        let next = |&at: &usize| next_line(bytes, at, INNER);
        let mut lines = std::iter::successors(Some(self.head.start), next);
        lines.any(|at| inline_file::begins_at(bytes, at) || digest::may_begin(bytes, at))
    }

    /// Returns true if the body may have texts that are encoded: files, or the messages of a digest. Costs a quick pass
    /// over the message.
    pub(crate) fn may_have_encoded_texts(&self) -> bool {
        if digest::may_be_in(self.as_bytes(), self.head_len()) {
            return true;
        }
        match self.message.options.attachments {
            Attachments::None => false,
            Attachments::Documents => inline_file::may_be_named_in(self.message.bytes),
            Attachments::All => self.has_inner_texts(),
        }
    }

    /// The body: the text that [`Message::texts`] yields last.
    pub(crate) fn body(&self) -> Text<'r> {
        let mapped = self.message.mapped(self.body..self.message.bytes.len());
        let mut text = self.message.text("1".into(), TextKind::Body(self.mime), mapped);
        let before = &self.message.bytes[..self.head.start];
        let head = &self.message.bytes[self.head.clone()];
        text.envelope = Some(Arc::new(Envelope::after(before, head)));
        text
    }
}

impl<'r> Message<'r> {
    /// Notes why a body, or a part of it, was not read.
    pub(super) fn note(&self, body: &Mapped<'_>, why: impl FnOnce() -> String) {
        self.note_file(body, TextKind::Raw, why);
    }

    /// Notes why a body, or a part of it, was not read, by the name of its file, if it has one.
    pub(super) fn note_file(&self, body: &Mapped<'_>, kind: TextKind<'_>, why: impl FnOnce() -> String) {
        let source = body.source(0..1.min(body.as_bytes().len()));
        let offset = source.map_or_else(|| self.offset(0), |source| source.start);
        self.undecoded.note_file(offset, || kind.filename(), why);
    }

    /// The bytes at `range` of the message, not decoded further; for a piece, including the bytes
    /// after it.
    pub(super) fn mapped(&self, range: Range<usize>) -> Mapped<'r> {
        let bytes = self.piece.end.map_or(self.bytes, |(bytes, _)| bytes);
        let mapped = match self.inside {
            None => Mapped::verbatim(&bytes[range.clone()], self.base + range.start as u64),
            // Decoded bytes are in memory, so their offsets fit.
            Some(whole) => {
                let base = self.base as usize;
                Mapped::part(whole, base + range.start..base + range.end)
            }
        };
        mapped.converted(self.origin)
    }

    /// Returns the offset at which the byte at `at` of the message is in the file.
    pub(super) fn offset(&self, at: usize) -> u64 {
        let range = at..self.bytes.len().min(at + 1);
        match self.inside {
            None => self.base + at as u64,
            Some(whole) => self.mapped(range).source(0..1).map_or(whole.base, |source| source.start),
        }
    }

    /// The message that these decoded bytes of it are. They have no piece, and no page.
    pub(super) fn nested(&self, whole: &'r Mapped<'static>) -> Message<'r> {
        let (bytes, shape, piece) = (whole.as_bytes(), Shape::TEXT, MessagePiece::default());
        Message {
            bytes,
            base: 0,
            inside: Some(whole),
            depth: self.depth + 1,
            shape,
            piece,
            page: None,
            ..*self
        }
    }

    /// The message at `range` of it.
    pub(super) fn part(&self, range: Range<usize>, shape: Shape) -> Message<'r> {
        let base = self.base + range.start as u64;
        Message { bytes: &self.bytes[range], base, shape, ..*self }
    }

    /// A text of a document that is this part, read.
    pub(super) fn read_in(
        &self,
        context: PartContext<'r>,
        mapped: Mapped<'r>,
        reading: &'static Reading,
    ) -> Text<'r> {
        if let Some(warning) = (reading.warning)(mapped.as_bytes()) {
            self.note(&mapped, || warning.to_owned());
        }
        // The reader finds the head of a page that is the file itself, of which this may be a further piece.
        let is_inner = reading.may_be_page && context.kind.may_be_file();
        let mut text = Text { declared: context.declared, ..self.text_in(context, mapped) };
        if is_inner && let Some(head) = page::head(text.as_bytes()) {
            text.envelope = Some(Arc::new(Envelope::new(head)));
        }
        text.read(reading)
    }

    /// A text of a document that is this part.
    #[inline]
    pub(super) fn text_in(&self, context: PartContext<'r>, mapped: Mapped<'r>) -> Text<'r> {
        let mut text = self.text(context.number.into(), context.kind, mapped);
        text.envelope = context.envelope;
        text
    }

    #[inline]
    pub(super) fn text(&self, part: Cow<'static, str>, kind: TextKind<'r>, mapped: Mapped<'r>) -> Text<'r> {
        Text {
            mapped,
            part,
            envelope: None,
            kind,
            index: self.index,
            joins: Vec::new(),
            ends: None,
            reading: &reading::TEXT,
            markup: None,
            lines: self.lines,
            last_field: Mutex::default(),
            cache: TextCache::default(),
            data: None,
            enclosing: None,
            rows: OnceLock::new(),
            record: self.record.cloned(),
            options: self.options,
            undecoded: self.undecoded,
            charset: Charset::default(),
            declared: None,
        }
    }
}
