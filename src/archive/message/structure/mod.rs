//! The structure of a message: its parts, and the parts of those (RFC 2046).
//!
//! The walk goes through the bytes of a message once, from one delimiter to the
//! next, with the multiparts that are open on a stack. A delimiter closes all
//! that is open inside the multipart it belongs to, so that a part which was cut
//! off takes nothing with it. Nothing is called recursively: a message can be
//! nested as deep as it likes.
//!
//! # Damage
//!
//! What the structure does not account for is read as it stands:
//!
//! - A line that begins with `--` and that a Content field follows is a delimiter
//!   that was damaged, if it stands before the first part, or in a body that is
//!   not read, or not as it stands. If no sound one comes, it shows what the
//!   delimiter is; a multipart that has neither is text.
//! - A head ends before a delimiter: the empty line between them was forgotten.
//! - A delimiter that says that no part follows is not believed if a Content field
//!   follows.
//! - What stands before the first part or behind the last is not read, unless there
//!   is a Content field in it: then it is a part whose delimiter is gone; or unless
//!   another part comes after all.
//! - What is nested too deep is text.

mod delimiter;
mod entity;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::envelope::Envelope;
use super::mime::{Encoding, Kind, Mime};
use crate::archive::header::{Field, Fields, line_end};
use delimiter::{before_break, before_content, behind_boundary, content, delimiters, has_content};
use entity::{Body, Entity};

/// How deep parts are taken apart; what is deeper is read as text.
pub const DEPTH: usize = 100;

/// A piece of a message that can be read by itself.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'m> {
    /// The part of the message it belongs to, numbered as in IMAP; empty for
    /// the message itself.
    pub(crate) number: String,
    /// What is said by the head of the message that it belongs to.
    pub(crate) message: Rc<Envelope<'m>>,
    pub(crate) range: Range<usize>,
    pub(crate) what: What<'m>,
}

/// What a piece is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What<'m> {
    Head,
    /// A body, and what is said about it.
    Body(Kind, Mime<'m>),
    /// What could not be taken apart.
    Raw,
    /// What was not taken apart because it is nested too deep.
    Deep,
}

/// A multipart that has been entered.
#[derive(Debug)]
struct Multipart<'m> {
    boundary: Cow<'m, [u8]>,
    /// What stands before the numbers of its parts.
    prefix: String,
    /// What its parts are if they do not say so.
    silent: Kind,
    message: Rc<Envelope<'m>>,
    depth: usize,
    parts: usize,
    /// Where what stands before the next delimiter begins, if that is no part.
    outside: Option<usize>,
    /// Whether the boundary was guessed.
    guessed: bool,
}

/// Where the walk stands.
#[derive(Debug)]
enum State<'m> {
    Enter(Entity<'m>),
    /// In a body.
    Body(Piece<'m>),
    /// Between the parts of a multipart, from this offset on.
    Outside(usize),
    Done,
}

/// A line that delimits parts.
struct Delimiter {
    line: Range<usize>,
    /// The multipart that it belongs to.
    level: usize,
    /// Whether it says that no part follows.
    last: bool,
}

/// A walk through the pieces of a message.
#[derive(Debug)]
pub(crate) struct Walk<'m> {
    bytes: &'m [u8],
    open: Vec<Multipart<'m>>,
    state: State<'m>,
    pieces: VecDeque<Piece<'m>>,
}

impl<'m> Walk<'m> {
    /// A walk through the message that begins at `at`.
    pub(crate) fn new(bytes: &'m [u8], at: usize) -> Self {
        let message = Entity { at, number: String::new(), message: None, silent: Kind::Text, depth: 0 };
        Walk { bytes, open: Vec::new(), state: State::Enter(message), pieces: VecDeque::new() }
    }

    fn step(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Done) {
            State::Enter(entity) => self.enter(entity),
            State::Body(piece) => self.body(piece),
            State::Outside(from) => self.outside(from),
            State::Done => State::Done,
        };
    }

    /// Reads the head of an entity.
    fn enter(&mut self, entity: Entity<'m>) -> State<'m> {
        let mut fields = Fields::new(self.bytes, entity.at);
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
        let from = delimiter.unwrap_or(fields.body());
        let direct = entity.message.is_none();
        let envelope = || Rc::new(Envelope::new(&self.bytes[head.clone()]));
        let message = entity.message.unwrap_or_else(envelope);
        if !head.is_empty() {
            let (number, message) = (entity.number.clone(), Rc::clone(&message));
            self.pieces.push_back(Piece { number, message, range: head, what: What::Head });
        }
        let body = Body { from, number: entity.number, message, depth: entity.depth, direct };
        match mime.kind(entity.silent) {
            Kind::Multipart => self.multipart(body, boundary.unwrap_or_default(), &mime),
            Kind::Message if mime.encoding() == Encoding::Identity => body.message(),
            kind => State::Body(body.leaf(What::Body(kind, mime))),
        }
    }

    /// Whether what was taken for a field is a delimiter: of a multipart that is open,
    /// or of the one whose head this is, if it has given its `boundary`.
    fn is_delimiter(&self, field: &Field, boundary: Option<&[u8]>) -> bool {
        let start = field.range.start;
        if !self.bytes[start..].starts_with(b"--") {
            return false;
        }
        let content = content(&self.bytes[start..line_end(self.bytes, start)]);
        let open = self.open.iter().map(|multipart| &*multipart.boundary);
        open.chain(boundary).any(|boundary| behind_boundary(content, boundary).is_some())
    }

    /// Enters a multipart.
    fn multipart(&mut self, body: Body<'m>, boundary: Cow<'m, [u8]>, mime: &Mime<'m>) -> State<'m> {
        if body.depth >= DEPTH {
            return State::Body(body.leaf(What::Deep));
        }
        let digest = mime.media().is_some_and(|media| media == "multipart/digest");
        self.open.push(Multipart {
            boundary,
            prefix: if body.number.is_empty() { String::new() } else { format!("{}.", body.number) },
            silent: if digest { Kind::Message } else { Kind::Text },
            message: body.message,
            depth: body.depth,
            parts: 0,
            outside: Some(body.from),
            guessed: false,
        });
        State::Outside(body.from)
    }

    /// Goes through a body to the delimiter that ends it.
    fn body(&mut self, mut piece: Piece<'m>) -> State<'m> {
        let from = piece.range.start;
        let damaged = match piece.what {
            What::Body(Kind::Other, _) => true,
            What::Body(_, mime) => mime.encoding() != Encoding::Identity,
            _ => false,
        };
        let delimiter = self.delimiter(from, damaged && !self.open.is_empty());
        piece.range.end = match &delimiter {
            Some(delimiter) => before_break(self.bytes, from, delimiter.line.start),
            None => self.bytes.len(),
        };
        self.pieces.push_back(piece);
        self.pass(delimiter)
    }

    /// Goes on from outside of all parts to the next delimiter.
    fn outside(&mut self, from: usize) -> State<'m> {
        let sound = self.delimiter(from, false);
        let preamble = self.open.last().is_some_and(|multipart| multipart.parts == 0);
        let own = sound.as_ref().is_some_and(|sound| sound.level + 1 == self.open.len());
        match preamble && own {
            true => {
                let first = self.delimiter(from, true);
                self.pass(first)
            }
            false => self.pass(sound),
        }
    }

    /// Goes on behind a delimiter, or to the end if there is none.
    fn pass(&mut self, delimiter: Option<Delimiter>) -> State<'m> {
        let at = delimiter.as_ref().map_or(self.bytes.len(), |delimiter| delimiter.line.start);
        let keep = delimiter.as_ref().map_or(0, |delimiter| delimiter.level + 1);
        while self.open.len() > keep {
            if let Some(state) = self.guess(at) {
                return state;
            }
            self.close(at);
        }
        match delimiter {
            Some(delimiter) => self.next_part(&delimiter),
            None => State::Done,
        }
    }

    /// If the innermost multipart has no part before `end`, begins it again with
    /// the boundary that its body seems to have.
    fn guess(&mut self, end: usize) -> Option<State<'m>> {
        let bytes = self.bytes;
        let multipart = self.open.last_mut()?;
        let from = multipart.outside.filter(|_| multipart.parts == 0 && !multipart.guessed)?;
        let boundary = delimiters(&bytes[..end], from).find(|line| before_content(bytes, line.end))?;
        multipart.boundary = Cow::Borrowed(content(&bytes[boundary]));
        multipart.guessed = true;
        Some(State::Outside(from))
    }

    /// Leaves the innermost multipart, which ends at `end`.
    fn close(&mut self, end: usize) {
        if let Some(multipart) = self.open.pop() {
            let bytes = self.bytes;
            let counts = |from: &usize| multipart.parts == 0 || has_content(&bytes[*from..end]);
            if let Some(from) = multipart.outside.filter(counts) {
                self.pieces.push_back(multipart.raw(bytes, from..end));
            }
        }
    }

    /// Goes on behind a delimiter of the innermost multipart.
    fn next_part(&mut self, delimiter: &Delimiter) -> State<'m> {
        let bytes = self.bytes;
        let behind = delimiter.line.end;
        let Some(multipart) = self.open.last_mut() else {
            return State::Done;
        };
        if let Some(from) = multipart.outside.take() {
            let outside = from..delimiter.line.start;
            let unsound = multipart.parts > 0 && !delimiter.last || multipart.parts == 0 && delimiter.last;
            if unsound || has_content(&bytes[outside.clone()]) {
                self.pieces.push_back(multipart.raw(bytes, outside));
            }
        }
        if delimiter.last {
            multipart.parts = multipart.parts.max(1);
            multipart.outside = Some(behind);
            return State::Outside(behind);
        }
        multipart.parts += 1;
        State::Enter(Entity {
            at: behind,
            number: format!("{}{}", multipart.prefix, multipart.parts),
            message: Some(Rc::clone(&multipart.message)),
            silent: multipart.silent,
            depth: multipart.depth + 1,
        })
    }

    /// The next delimiter from `from` on, the beginning of a line. If `damaged`,
    /// that may be one that is known only by the Content field behind it.
    fn delimiter(&self, from: usize, damaged: bool) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        delimiters(self.bytes, from).find_map(|line| {
            let content = content(&self.bytes[line.clone()]);
            let known = self.open.iter().enumerate().rev().find_map(|(level, multipart)| {
                let rest = behind_boundary(content, &multipart.boundary)?;
                let last = !rest.is_empty() && !before_content(self.bytes, line.end);
                Some(Delimiter { line: line.clone(), level, last })
            });
            let guessed =
                || (damaged && before_content(self.bytes, line.end)).then(|| self.innermost(line.clone()));
            known.or_else(guessed)
        })
    }

    /// A delimiter of the innermost multipart.
    fn innermost(&self, line: Range<usize>) -> Delimiter {
        Delimiter { line, level: self.open.len() - 1, last: false }
    }
}

impl<'m> Iterator for Walk<'m> {
    type Item = Piece<'m>;

    fn next(&mut self) -> Option<Piece<'m>> {
        while self.pieces.is_empty() && !matches!(self.state, State::Done) {
            self.step();
        }
        self.pieces.pop_front()
    }
}

impl<'m> Multipart<'m> {
    /// What stands outside of its parts.
    fn raw(&self, bytes: &[u8], range: Range<usize>) -> Piece<'m> {
        let number = match self.prefix.strip_suffix('.') {
            Some(number) => number.to_owned(),
            None => "1".to_owned(),
        };
        let range = range.start..before_break(bytes, range.start, range.end);
        Piece { number, message: Rc::clone(&self.message), range, what: What::Raw }
    }
}

#[cfg(test)]
mod tests;
