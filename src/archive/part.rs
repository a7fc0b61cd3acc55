//! A text of a message: what there is to search, where it stood, and whose it is.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use super::envelope::Envelope;
use super::flowed;
use super::header::{Field, Fields};
use super::html;
use super::lines::Lines;
use super::mime::Mime;
use super::text::Mapped;
use crate::bytes::position::Position;

/// How far back the beginning of a line is looked for, in bytes.
const LINE: usize = 8 * 1024;

/// The length of the longest name of a field, in bytes: that of the longest line
/// (RFC 5322 §2.1.1).
const LONGEST_NAME: usize = 998;

/// A text that is in a message: a body, decoded, or fields of the head.
///
/// Fields that stand side by side and need no decoding are one text, names and
/// all.
#[derive(Debug)]
pub struct Text<'m> {
    pub(crate) mapped: Mapped<'m>,
    pub(crate) part: Cow<'static, str>,
    pub(crate) envelope: Option<Rc<Envelope<'m>>>,
    pub(crate) role: Role<'m>,
    pub(crate) index: u64,
    pub(crate) joins: Vec<usize>,
    pub(crate) links: Vec<html::Link>,
    pub(crate) lines: Option<Lines<'m>>,
    /// The field of the head that was asked for last.
    pub(crate) field: RefCell<Option<Field>>,
}

/// What a text is in its message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role<'m> {
    /// Fields of the head, as they stand.
    Fields(&'m [u8]),
    /// One field of the head, decoded; its name.
    Field(&'m [u8]),
    Body(Mime<'m>),
    /// What is no part of a structure.
    Plain,
    /// The same, because the structure is too deep.
    Deep,
}

impl<'m> Text<'m> {
    /// The text, as a reader would see it, in UTF-8 or another charset that
    /// writes ASCII as ASCII.
    pub fn as_bytes(&self) -> &[u8] {
        self.mapped.as_bytes()
    }

    /// The ranges of the file that encode `range` of the text, in order: byte
    /// offsets from 0, the ends exclusive.
    ///
    /// Costs a binary search for each decoder that was at work.
    pub fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        self.mapped.sources(range)
    }

    /// The range of the file from the first byte that encodes `range` to the
    /// last; `None` if none does.
    pub fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        self.mapped.source(range)
    }

    /// The line and column of a byte of the message, if the reader was asked to
    /// [count lines](super::Reader::line_numbers).
    ///
    /// `at` is its offset in the file. Costs a pass over what stands between it
    /// and the last one that was asked for.
    pub fn place(&self, at: usize) -> Option<Position> {
        self.lines.map(|lines| lines.place(at))
    }

    /// What the message says in whose head or body the text stands, which may be
    /// one inside another; `None` for a file of text or HTML.
    pub fn envelope(&self) -> Option<&Envelope<'m>> {
        self.envelope.as_deref()
    }

    /// How many messages of the archive stand before the one that this is in, not
    /// counting those inside others.
    pub fn message_index(&self) -> u64 {
        self.index
    }

    /// The number of the part that the text belongs to, as in IMAP (RFC 3501
    /// §6.4.5): `1.2` is the second part of the first. `None` for the head of
    /// the message itself.
    pub fn part(&self) -> Option<&str> {
        (!self.part.is_empty()).then_some(&*self.part)
    }

    /// The media type of a body in lower case, `text/html`; `text/plain` if the
    /// head says nothing that makes sense. `None` for fields.
    pub fn content_type(&self) -> Option<String> {
        match self.role {
            Role::Fields(_) | Role::Field(_) => None,
            Role::Body(mime) => Some(mime.media().unwrap_or_else(|| "text/plain".to_owned())),
            Role::Plain | Role::Deep => self.envelope.as_ref().map(|_| "text/plain".to_owned()),
        }
    }

    /// Whether this was not taken apart because it is nested more than
    /// [`DEPTH`](super::DEPTH) deep.
    pub fn is_too_deep(&self) -> bool {
        matches!(self.role, Role::Deep)
    }

    /// The name of the header field in which the byte at `at` of the text stands;
    /// `None` in a body, and if the name is longer than a line may be.
    ///
    /// Costs a pass over what stands between it and the last one that was asked for,
    /// or over all that stands before it if it is not behind that one.
    pub fn header(&self, at: usize) -> Option<&'m str> {
        let name = match self.role {
            Role::Field(name) => name,
            Role::Fields(fields) => self.field_of(fields, at)?.name(fields),
            Role::Body(_) | Role::Plain | Role::Deep => return None,
        };
        std::str::from_utf8(name).ok().filter(|name| (1..=LONGEST_NAME).contains(&name.len()))
    }

    /// How often the line is quoted on which the byte at `at` of the text stands:
    /// the number of `>` that it begins with. 0 in a header field.
    pub fn quote_depth(&self, at: usize) -> usize {
        let text = self.as_bytes();
        let line = line_start(text, at);
        let marks = text[line..at].iter().filter(|&&b| b != b' ').take_while(|&&b| b == b'>');
        if matches!(self.role, Role::Fields(_) | Role::Field(_)) { 0 } else { marks.count() }
    }

    /// Whether lines were put together inside `range` of the text by a rule that
    /// leaves nothing to guess: `format=flowed` (RFC 3676), or the folds of a
    /// header field between the delimiters of a URL.
    pub fn is_joined(&self, range: Range<usize>) -> bool {
        let next = self.joins.partition_point(|&join| join <= range.start);
        self.joins.get(next).is_some_and(|&join| join < range.end)
    }

    /// The URLs in attributes of HTML (`href`, `src` and others), in the order of
    /// the file.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.links.iter().map(|link| Link { link, mapped: &self.mapped })
    }

    /// The link of this number.
    pub(crate) fn link(&self, number: usize) -> Option<Link<'_>> {
        self.links.get(number).map(|link| Link { link, mapped: &self.mapped })
    }

    /// The range of the header field in which the byte at `at` of the text stands,
    /// if the text is of several.
    pub(crate) fn field(&self, at: usize) -> Option<Range<usize>> {
        let Role::Fields(fields) = self.role else {
            return None;
        };
        self.field_of(fields, at).map(|field| field.range)
    }

    /// The field of these in which the byte at `at` stands. One behind the last that
    /// was asked for is looked for from there on.
    fn field_of(&self, fields: &[u8], at: usize) -> Option<Field> {
        let last = self.field.take().filter(|last| last.range.start <= at);
        let field = match last {
            Some(last) if at < last.range.end => Some(last),
            last => {
                let from = last.map_or(0, |last| last.range.end);
                Fields::new(fields, from).find(|field| field.range.contains(&at))
            }
        };
        self.field.replace(field.clone());
        field
    }

    /// The same text, its HTML read.
    pub(super) fn html(mut self) -> Self {
        let html = html::read(self.as_bytes());
        self.mapped = self.mapped.decoded(html.text);
        self.links = html.links;
        self
    }

    /// The same text, its paragraphs put together.
    pub(super) fn unflowed(mut self, delsp: bool) -> Self {
        if let Some(flowed) = flowed::unflow(self.as_bytes(), delsp) {
            self.mapped = self.mapped.decoded(flowed.decoded);
            self.joins = flowed.joins;
        }
        self
    }
}

/// A URL in an attribute of HTML.
///
/// It may be relative, or no URL at all.
#[derive(Clone, Copy, Debug)]
pub struct Link<'t> {
    link: &'t html::Link,
    mapped: &'t Mapped<'t>,
}

impl<'t> Link<'t> {
    /// The value of the attribute, references decoded.
    pub fn as_bytes(&self) -> &'t [u8] {
        &self.link.url.bytes
    }

    /// The ranges of the file that encode `range` of the value, in order.
    pub fn sources(&self, range: Range<usize>) -> Vec<Range<usize>> {
        self.mapped.sources_beside(&self.link.url.map, range)
    }

    /// Where the element begins in the text.
    pub fn at(&self) -> usize {
        self.link.at
    }

    /// What of the text stands in the anchor whose attribute this is; empty for
    /// other elements.
    pub fn content(&self) -> Range<usize> {
        self.link.content.clone()
    }
}

/// Where the line begins in which `at` stands, or somewhere in it if it is long.
fn line_start(text: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(LINE);
    memchr::memrchr(b'\n', &text[floor..at]).map_or(floor, |n| floor + n + 1)
}
