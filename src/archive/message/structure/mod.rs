//! The structure of a message: its parts, and the parts of those (RFC 2046).
//!
//! The bytes of a message are passed once, from one delimiter to the next, with the
//! open multiparts on a stack. A delimiter closes all multiparts inside the one that it
//! belongs to, so that a part which was cut off takes nothing with it. There is no
//! recursion: a message may be nested to any depth.
//!
//! # Damage
//!
//! Bytes that the structure does not account for are read verbatim:
//!
//! - A line that begins with `--` and is followed by a Content field is a damaged
//!   delimiter, if it is before the first part, or in a body that is not read or is
//!   encoded. If no valid one follows, it shows what the delimiter is; a multipart that
//!   has neither is text.
//! - A head ends before a delimiter: the empty line between them is missing.
//! - A delimiter that closes its multipart does not if a Content field follows it.
//! - The bytes before the first part or after the last are not read, unless there is a
//!   Content field in them: then they are a part whose delimiter is missing; or unless
//!   another part follows after all.
//! - Parts that are nested too deep are text.

mod delimiter;
mod entity;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::envelope::Envelope;
use super::mime::{MediaKind, Mime, TransferEncoding};
use crate::archive::header::{Field, Fields, line_end};
use delimiter::{after_boundary, before_break, before_content, content, delimiters, has_content};
use entity::{Body, Entity, Multipart};

pub use entity::MAX_DEPTH;

/// A range of a message that is read by itself.
#[derive(Clone, Debug)]
pub(crate) struct Section<'m> {
    /// The number of the part that it belongs to, as in IMAP; empty for the message
    /// itself.
    pub(crate) number: String,
    /// The envelope of the message that it belongs to.
    pub(crate) message: Arc<Envelope<'m>>,
    pub(crate) range: Range<usize>,
    pub(crate) kind: SectionKind<'m>,
}

/// The kind of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SectionKind<'m> {
    Head,
    /// A body, its kind and its Content fields.
    Body(MediaKind, Mime<'m>),
    /// Bytes outside of the structure.
    Raw,
    /// A body that is nested too deep.
    TooDeep,
}

/// What comes next in the message.
#[derive(Debug)]
enum Cursor<'m> {
    Entity(Entity<'m>),
    /// The rest of a body.
    Body(Section<'m>),
    /// Bytes between the parts of a multipart, from this offset on.
    Outside(usize),
    Nothing,
}

/// A line that delimits parts.
struct Delimiter {
    line: Range<usize>,
    /// Which of the open multiparts it belongs to.
    level: usize,
    /// Whether it closes the multipart.
    closing: bool,
}

/// The sections of a message, in order.
#[derive(Debug)]
pub(crate) struct Structure<'m> {
    bytes: &'m [u8],
    /// Where the head of the message ends and its body begins, if they do not touch.
    apart: Option<(usize, usize)>,
    open: Vec<Multipart<'m>>,
    next: Cursor<'m>,
    sections: VecDeque<Section<'m>>,
}

impl<'m> Structure<'m> {
    /// The structure of the message that begins at `at`.
    pub(crate) fn new(bytes: &'m [u8], at: usize) -> Self {
        let message = Entity { at, number: String::new(), message: None, default: MediaKind::Text, depth: 0 };
        let next = Cursor::Entity(message);
        Structure { bytes, apart: None, open: Vec::new(), next, sections: VecDeque::new() }
    }

    /// The structure of a message whose body begins at `body`, not where its `head` ends.
    pub(crate) fn apart(bytes: &'m [u8], head: Range<usize>, body: usize) -> Self {
        Structure { apart: Some((head.end, body)), ..Structure::new(bytes, head.start) }
    }

    fn step(&mut self) {
        self.next = match std::mem::replace(&mut self.next, Cursor::Nothing) {
            Cursor::Entity(entity) => self.entity(entity),
            Cursor::Body(section) => self.body(section),
            Cursor::Outside(from) => self.outside(from),
            Cursor::Nothing => Cursor::Nothing,
        };
    }

    /// Reads the head of an entity.
    fn entity(&mut self, entity: Entity<'m>) -> Cursor<'m> {
        let apart = self.apart.take();
        let head_limit = apart.map_or(self.bytes.len(), |(head_end, _)| head_end);
        let mut fields = Fields::new(&self.bytes[..head_limit], entity.at);
        let mut mime = Mime::default();
        let mut boundary = None;
        let delimiter = fields.find_map(|field| {
            if self.is_delimiter(&field, boundary.as_deref()) {
                return Some(field.range.start);
            }
            if mime.note(field.name(self.bytes), field.value(self.bytes)) && boundary.is_none() {
                boundary = mime.boundary();
            }
            None
        });
        let head = entity.at..delimiter.unwrap_or(fields.end());
        let from = apart.map_or(delimiter.unwrap_or(fields.body()), |(_, body)| body);
        let is_message = entity.message.is_none();
        let envelope = || Arc::new(Envelope::new(&self.bytes[head.clone()]));
        let message = entity.message.unwrap_or_else(envelope);
        if !head.is_empty() {
            let (number, message) = (entity.number.clone(), Arc::clone(&message));
            self.sections.push_back(Section { number, message, range: head, kind: SectionKind::Head });
        }
        let body = Body { from, number: entity.number, message, depth: entity.depth, is_message };
        match mime.kind(entity.default) {
            MediaKind::Multipart => self.multipart(body, boundary.unwrap_or_default(), &mime),
            MediaKind::Message if mime.encoding() == TransferEncoding::Identity => {
                match body.into_message() {
                    Ok(message) => Cursor::Entity(message),
                    Err(too_deep) => Cursor::Body(too_deep),
                }
            }
            kind => Cursor::Body(body.into_section(SectionKind::Body(kind, mime))),
        }
    }

    /// Whether a field is a delimiter: of an open multipart, or of the one whose head
    /// this is, if the head has its `boundary`.
    fn is_delimiter(&self, field: &Field, boundary: Option<&[u8]>) -> bool {
        let start = field.range.start;
        if !self.bytes[start..].starts_with(b"--") {
            return false;
        }
        let content = content(&self.bytes[start..line_end(self.bytes, start)]);
        let open = self.open.iter().map(|multipart| &*multipart.boundary);
        open.chain(boundary).any(|boundary| after_boundary(content, boundary).is_some())
    }

    /// Opens a multipart.
    fn multipart(&mut self, body: Body<'m>, boundary: Cow<'m, [u8]>, mime: &Mime<'m>) -> Cursor<'m> {
        if body.depth >= MAX_DEPTH {
            return Cursor::Body(body.into_section(SectionKind::TooDeep));
        }
        let from = body.from;
        self.open.push(Multipart::new(body, boundary, mime));
        Cursor::Outside(from)
    }

    /// Passes a body up to the delimiter that ends it.
    fn body(&mut self, mut section: Section<'m>) -> Cursor<'m> {
        let from = section.range.start;
        let damaged = match section.kind {
            SectionKind::Body(MediaKind::Other, _) => true,
            SectionKind::Body(_, mime) => mime.encoding() != TransferEncoding::Identity,
            _ => false,
        };
        let delimiter = self.delimiter(from, damaged && !self.open.is_empty());
        section.range.end = match &delimiter {
            Some(delimiter) => before_break(self.bytes, from, delimiter.line.start),
            None => self.bytes.len(),
        };
        self.sections.push_back(section);
        self.pass(delimiter)
    }

    /// Passes bytes outside of all parts up to the next delimiter.
    fn outside(&mut self, from: usize) -> Cursor<'m> {
        let valid = self.delimiter(from, false);
        let preamble = self.open.last().is_some_and(|multipart| multipart.parts == 0);
        let own = valid.as_ref().is_some_and(|valid| valid.level + 1 == self.open.len());
        match preamble && own {
            true => {
                let first = self.delimiter(from, true);
                self.pass(first)
            }
            false => self.pass(valid),
        }
    }

    /// Passes a delimiter, or the end if there is none.
    fn pass(&mut self, delimiter: Option<Delimiter>) -> Cursor<'m> {
        let at = delimiter.as_ref().map_or(self.bytes.len(), |delimiter| delimiter.line.start);
        let keep = delimiter.as_ref().map_or(0, |delimiter| delimiter.level + 1);
        while self.open.len() > keep {
            if let Some(next) = self.guess(at) {
                return next;
            }
            self.close(at);
        }
        match delimiter {
            Some(delimiter) => self.next_part(&delimiter),
            None => Cursor::Nothing,
        }
    }

    /// If the innermost multipart has no part before `end`, restarts it with the
    /// boundary that its body seems to have.
    fn guess(&mut self, end: usize) -> Option<Cursor<'m>> {
        let bytes = self.bytes;
        let multipart = self.open.last_mut()?;
        let from = multipart.outside.filter(|_| multipart.parts == 0 && !multipart.guessed)?;
        let boundary = delimiters(&bytes[..end], from).find(|line| before_content(bytes, line.end))?;
        multipart.boundary = Cow::Borrowed(content(&bytes[boundary]));
        multipart.guessed = true;
        Some(Cursor::Outside(from))
    }

    /// Closes the innermost multipart, which ends at `end`.
    fn close(&mut self, end: usize) {
        if let Some(multipart) = self.open.pop() {
            let bytes = self.bytes;
            let counts = |from: &usize| multipart.parts == 0 || has_content(&bytes[*from..end]);
            if let Some(from) = multipart.outside.filter(counts) {
                self.sections.push_back(multipart.raw(bytes, from..end));
            }
        }
    }

    /// Passes a delimiter of the innermost multipart.
    fn next_part(&mut self, delimiter: &Delimiter) -> Cursor<'m> {
        let bytes = self.bytes;
        let after = delimiter.line.end;
        let Some(multipart) = self.open.last_mut() else {
            return Cursor::Nothing;
        };
        if let Some(from) = multipart.outside.take() {
            let outside = from..delimiter.line.start;
            let misplaced = (multipart.parts > 0) != delimiter.closing;
            if misplaced || has_content(&bytes[outside.clone()]) {
                self.sections.push_back(multipart.raw(bytes, outside));
            }
        }
        if delimiter.closing {
            multipart.parts = multipart.parts.max(1);
            multipart.outside = Some(after);
            return Cursor::Outside(after);
        }
        Cursor::Entity(multipart.next_part(after))
    }

    /// The next delimiter from `from` on, the beginning of a line. If `damaged`, it may
    /// be one that only the Content field after it shows.
    fn delimiter(&self, from: usize, damaged: bool) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        delimiters(self.bytes, from).find_map(|line| {
            let content = content(&self.bytes[line.clone()]);
            let known = self.open.iter().enumerate().rev().find_map(|(level, multipart)| {
                let rest = after_boundary(content, &multipart.boundary)?;
                let closing = !rest.is_empty() && !before_content(self.bytes, line.end);
                Some(Delimiter { line: line.clone(), level, closing })
            });
            let guessed =
                || (damaged && before_content(self.bytes, line.end)).then(|| self.innermost(line.clone()));
            known.or_else(guessed)
        })
    }

    /// A delimiter of the innermost multipart.
    fn innermost(&self, line: Range<usize>) -> Delimiter {
        Delimiter { line, level: self.open.len() - 1, closing: false }
    }
}

impl<'m> Iterator for Structure<'m> {
    type Item = Section<'m>;

    fn next(&mut self) -> Option<Section<'m>> {
        while self.sections.is_empty() && !matches!(self.next, Cursor::Nothing) {
            self.step();
        }
        self.sections.pop_front()
    }
}

#[cfg(test)]
mod tests;
