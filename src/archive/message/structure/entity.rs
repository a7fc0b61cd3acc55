//! What a walk enters: messages and parts, and their bodies.

use std::rc::Rc;

use super::super::envelope::Envelope;
use super::super::mime::Kind;
use super::{DEPTH, Piece, State, What};

/// An entity that is to be entered: a message or a part.
#[derive(Debug)]
pub(super) struct Entity<'m> {
    pub(super) at: usize,
    pub(super) number: String,
    /// The message that it is a part of; `None` if it is one itself.
    pub(super) message: Option<Rc<Envelope<'m>>>,
    pub(super) silent: Kind,
    pub(super) depth: usize,
}

/// The body of an entity, before it is known what becomes of it.
pub(super) struct Body<'m> {
    pub(super) from: usize,
    pub(super) number: String,
    pub(super) message: Rc<Envelope<'m>>,
    pub(super) depth: usize,
    /// Whether the entity is a message, not a part of one.
    pub(super) direct: bool,
}

impl<'m> Body<'m> {
    /// The number of the part that this body is, if it is not a multipart.
    fn part(&self) -> String {
        match (self.direct, self.number.is_empty()) {
            (false, _) => self.number.clone(),
            (true, true) => "1".to_owned(),
            (true, false) => format!("{}.1", self.number),
        }
    }

    pub(super) fn leaf(self, what: What<'m>) -> Piece<'m> {
        Piece { number: self.part(), message: self.message, range: self.from..self.from, what }
    }

    /// The body as a message.
    pub(super) fn message(self) -> State<'m> {
        if self.depth >= DEPTH {
            return State::Body(self.leaf(What::Deep));
        }
        State::Enter(Entity {
            at: self.from,
            number: self.part(),
            message: None,
            silent: Kind::Text,
            depth: self.depth + 1,
        })
    }
}
