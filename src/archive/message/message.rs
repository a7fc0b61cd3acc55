//! A message, and the texts that are in it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use memchr::memmem;

use super::envelope::Envelope;
use super::mime::{Encoding, Kind, Mime};
use super::passthrough::Plain;
use super::structure::{Piece, Walk, What};
use super::text::{Role, Text};
use super::unfold;
use crate::archive::decode::{charset, dot_stuffing, encoded_word, transfer};
use crate::archive::header::{Field, Fields, line_end};
use crate::archive::lines::Lines;
use crate::archive::source_map::Mapped;

/// What of a message is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanOptions {
    pub(crate) attachments: bool,
    pub(crate) headers: bool,
    /// Whether the dots that NNTP and SMTP stuff are to be taken out.
    pub(crate) dots: bool,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A head and a body; the head begins at this offset of its bytes.
    Mail(usize),
    Html,
    /// Text that belongs to no message, or to the one before it.
    Text,
}

/// A message of an archive.
///
/// It is borrowed from the reader: see [`Reader::next_message`](super::Reader::next_message).
#[derive(Clone, Copy, Debug)]
pub struct Message<'r> {
    pub(crate) bytes: &'r [u8],
    /// Where the bytes stand in the file.
    pub(crate) base: usize,
    pub(crate) index: u64,
    pub(crate) shape: Shape,
    pub(crate) wanted: ScanOptions,
    pub(crate) lines: Option<Lines<'r>>,
    /// Is set when a text is read as it stands because it is nested too deep.
    pub(crate) too_deep: &'r Cell<bool>,
}

impl<'r> Message<'r> {
    /// How many messages stand before this one.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The range of the file in which the message stands, with what separates it
    /// from the one before: byte offsets from 0, the end exclusive.
    pub fn span(&self) -> Range<usize> {
        self.base..self.base + self.bytes.len()
    }

    /// What the head says; `None` if this is no message, but a file of text or
    /// HTML.
    pub fn envelope(&self) -> Option<Envelope<'r>> {
        let Shape::Mail(start) = self.shape else {
            return None;
        };
        Some(Envelope::new(&self.bytes[start..]))
    }

    /// The message, if it needs nothing done, as can be seen at a glance.
    pub(crate) fn plain(&self) -> Option<PlainMessage<'r>> {
        let Shape::Mail(start) = self.shape else {
            return None;
        };
        let plain = Plain::read(self.bytes, start).filter(|_| !self.wanted.dots)?;
        let body = match self.wanted.headers {
            true => line_end(self.bytes, plain.head.end),
            // What the walk takes for text is not left out with the head.
            false => Fields::new(self.bytes, start).into_body(),
        };
        Some(PlainMessage { message: *self, plain, body })
    }

    /// The texts of the message, in the order of the file: the fields of its
    /// head, its bodies, and those of the messages inside it.
    ///
    /// Each is decoded as the iterator comes to it. Costs time linear in the
    /// length of the message, however it is nested.
    pub fn texts(&self) -> Texts<'r> {
        let state = match self.shape {
            Shape::Mail(start) => State::Walk(Box::new(Walk::new(self.bytes, start)), None),
            Shape::Html | Shape::Text => State::Whole,
        };
        Texts { message: *self, state }
    }
}

/// The texts of a message, in the order of the file.
///
/// Made by [`Message::texts`].
#[derive(Debug)]
pub struct Texts<'r> {
    message: Message<'r>,
    state: State<'r>,
}

/// How the texts of a message come about.
#[derive(Debug)]
enum State<'r> {
    /// A walk, and the head that it came to last.
    Walk(Box<Walk<'r>>, Option<Head<'r>>),
    /// There is one text, the whole of it.
    Whole,
    Done,
}

/// The fields of a head that have not been read yet.
#[derive(Debug)]
struct Head<'r> {
    piece: Piece<'r>,
    fields: Fields<'r>,
    /// A field that needs a text of its own, behind those that do not.
    apart: Option<Field>,
    /// Whether there are encoded words.
    words: bool,
}

impl<'r> Iterator for Texts<'r> {
    type Item = Text<'r>;

    fn next(&mut self) -> Option<Text<'r>> {
        match &mut self.state {
            State::Walk(walk, head) => self.message.next_piece(walk, head),
            State::Whole => {
                self.state = State::Done;
                Some(self.message.whole())
            }
            State::Done => None,
        }
    }
}

/// A message that needs nothing done.
#[derive(Debug)]
pub(crate) struct PlainMessage<'r> {
    message: Message<'r>,
    plain: Plain<'r>,
    /// Where the body begins.
    body: usize,
}

impl<'r> PlainMessage<'r> {
    /// What of the message is read: the head, if that is wanted, and the body.
    pub(crate) fn as_bytes(&self) -> &'r [u8] {
        &self.message.bytes[self.body - self.head_len()..]
    }

    /// The length of what stands before the body in that.
    pub(crate) fn head_len(&self) -> usize {
        if self.message.wanted.headers { self.body - self.plain.head.start } else { 0 }
    }

    /// The body: the text that [`Message::texts`] gives last.
    pub(crate) fn body(&self) -> Text<'r> {
        let mapped = Mapped::plain(&self.message.bytes[self.body..], self.message.base + self.body);
        let mut text = self.message.text("1".into(), Role::Body(self.plain.mime), mapped);
        text.envelope = Some(Rc::new(Envelope::new(&self.message.bytes[self.plain.head.clone()])));
        text
    }
}

impl<'r> Head<'r> {
    fn new(bytes: &'r [u8], piece: Piece<'r>) -> Self {
        let range = piece.range.clone();
        let words = memmem::find(&bytes[range.clone()], b"=?").is_some();
        Head { fields: Fields::new(&bytes[..range.end], range.start), piece, apart: None, words }
    }
}

impl<'r> Message<'r> {
    /// The next text that a walk comes to.
    fn next_piece(&self, walk: &mut Walk<'r>, head: &mut Option<Head<'r>>) -> Option<Text<'r>> {
        loop {
            if let Some(fields) = head.as_mut().and_then(|head| self.next_fields(head)) {
                return Some(fields);
            }
            *head = None;
            let piece = walk.next()?;
            let text = match piece.what {
                What::Head => {
                    *head = self.wanted.headers.then(|| Head::new(self.bytes, piece));
                    None
                }
                What::Body(kind, mime) => self.body(&piece, kind, mime),
                What::Raw | What::Deep => Some(self.raw(&piece)),
            };
            if text.is_some() {
                return text;
            }
        }
    }

    /// All of it as one text.
    fn whole(&self) -> Text<'r> {
        let mapped = Mapped::plain(self.bytes, self.base);
        match self.shape {
            Shape::Html => {
                let mapped = mapped.decoded_by(|bytes| charset::decode(bytes, charset::declared(bytes)));
                self.text(Cow::Borrowed(""), Role::Plain, mapped).html()
            }
            _ => self.text(Cow::Borrowed(""), Role::Plain, mapped),
        }
    }

    /// The next fields of a head: as many as can be read where they stand, or one
    /// that cannot.
    fn next_fields(&self, head: &mut Head<'r>) -> Option<Text<'r>> {
        let mut run: Option<Range<usize>> = None;
        loop {
            let field = head.apart.take().or_else(|| head.fields.next());
            match field {
                Some(field) if !field.is_read(self.bytes) => {
                    if run.is_some() {
                        break;
                    }
                }
                Some(field)
                    if head.words || unfold::concerns(field.name(self.bytes), field.value(self.bytes)) =>
                {
                    if run.is_some() {
                        head.apart = Some(field);
                        break;
                    }
                    return Some(self.field(head, &field));
                }
                Some(field) => {
                    let start = run.map_or(field.range.start, |run| run.start);
                    run = Some(start..field.range.end);
                }
                None => break,
            }
        }
        let run = run?;
        let mapped = Mapped::plain(&self.bytes[run.clone()], self.base + run.start);
        Some(self.text_of(&head.piece, Role::Fields(&self.bytes[run]), mapped))
    }

    /// One field, decoded.
    fn field(&self, head: &Head<'r>, field: &Field) -> Text<'r> {
        let bytes = &self.bytes[field.range.clone()];
        let mapped = Mapped::plain(bytes, self.base + field.range.start);
        let role = Role::Field(field.name(self.bytes));
        match unfold::unfold(field, self.bytes) {
            Some(unfolded) => {
                let mut text = self.text_of(&head.piece, role, mapped.decoded(unfolded.decoded));
                text.joins = unfolded.joins;
                text
            }
            None => self.text_of(&head.piece, role, mapped.decoded_by(encoded_word::decode)),
        }
    }

    /// What is read of a body.
    fn body(&self, piece: &Piece<'r>, kind: Kind, mime: Mime<'r>) -> Option<Text<'r>> {
        if kind == Kind::Other && !self.wanted.attachments {
            return None;
        }
        let range = piece.range.clone();
        let mut mapped = Mapped::plain(&self.bytes[range.clone()], self.base + range.start);
        if self.wanted.dots {
            mapped = mapped.decoded_by(dot_stuffing::unstuff);
        }
        mapped = mapped.decoded_by(|bytes| match mime.encoding() {
            Encoding::Identity => None,
            Encoding::QuotedPrintable => Some(transfer::quoted_printable(bytes)),
            Encoding::Base64 => Some(transfer::base64(bytes)),
        });
        if kind != Kind::Other {
            let label = mime.param(b"charset").unwrap_or_default();
            mapped = mapped.decoded_by(|bytes| charset::decode(bytes, &label));
        }
        let text = self.text_of(piece, Role::Body(mime), mapped);
        Some(match kind {
            Kind::Html => text.html(),
            Kind::Text if mime.param_is(b"format", b"flowed") => {
                text.unflowed(mime.param_is(b"delsp", b"yes"))
            }
            _ => text,
        })
    }

    /// What could not be taken apart.
    fn raw(&self, piece: &Piece<'r>) -> Text<'r> {
        let range = piece.range.clone();
        let mapped = Mapped::plain(&self.bytes[range.clone()], self.base + range.start);
        let too_deep = matches!(piece.what, What::Deep);
        let role = if too_deep { Role::Deep } else { Role::Plain };
        self.too_deep.set(self.too_deep.get() || too_deep);
        self.text_of(piece, role, mapped)
    }

    fn text_of(&self, piece: &Piece<'r>, role: Role<'r>, mapped: Mapped<'r>) -> Text<'r> {
        let mut text = self.text(piece.number.clone().into(), role, mapped);
        text.envelope = Some(Rc::clone(&piece.message));
        text
    }

    fn text(&self, part: Cow<'static, str>, role: Role<'r>, mapped: Mapped<'r>) -> Text<'r> {
        Text {
            mapped,
            part,
            envelope: None,
            role,
            index: self.index,
            joins: Vec::new(),
            links: Vec::new(),
            lines: self.lines,
            field: RefCell::default(),
        }
    }
}
