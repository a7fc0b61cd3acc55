//! The fields of a row about the message or the record that contains its match.

use std::cell::OnceCell;

use crate::archive::{Envelope, Record};
use crate::matches::Match;
use crate::matches::context::Context;

/// The message or the record of a match.
#[derive(Debug)]
pub(super) struct Mail<'r> {
    /// The position of the match in it.
    pub(super) message: Option<Context<'r>>,
    /// The record, and the data outside of a record: a message has an envelope.
    pub(super) record: Option<&'r Record>,
    envelope: Option<&'r Envelope<'r>>,
    head: Option<&'r Head>,
    own_head: OnceCell<Box<Head>>,
}

impl<'r> Mail<'r> {
    pub(super) fn of(matched: &'r Match<'r>) -> Self {
        let context = matched.context();
        let record = context.and_then(|context| context.record());
        let envelope = context.filter(|_| record.is_none()).and_then(|context| context.envelope());
        let message = context.filter(|_| record.is_some() || envelope.is_some());
        Mail { message, record, envelope, head: None, own_head: OnceCell::new() }
    }

    pub(super) fn with_head(self, head: &'r Head) -> Self {
        Mail { head: Some(head), ..self }
    }

    /// A field of the head of the message.
    pub(super) fn of_head(&self, field: HeadField) -> Option<&str> {
        let envelope = self.envelope?;
        let head = self.head.unwrap_or_else(|| self.own_head.get_or_init(Box::default));
        head.get(envelope, field)
    }
}

/// A field of the head of a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum HeadField {
    Id,
    From,
    Date,
    Subject,
    Newsgroups,
    To,
    Cc,
    ListId,
    InReplyTo,
}

/// The number of header fields.
const HEAD_FIELDS: usize = HeadField::InReplyTo as usize + 1;

/// The fields of the head of the message of the last match, decoded.
///
/// Many matches have the same head: to decode its fields for each of them takes longer than to find it.
#[derive(Debug, Default)]
pub struct Head {
    /// The address and length of the head.
    place: Option<(usize, usize)>,
    /// Those that were asked for.
    fields: [OnceCell<Option<String>>; HEAD_FIELDS],
}

impl Head {
    /// Forgets the head. This must be called before the memory of its message is reused.
    pub fn clear(&mut self) {
        *self = Head::default();
    }

    /// Turns to the header of the message of `matched`, and returns true if it differs from the
    /// header of the last call.
    pub fn read(&mut self, matched: &Match<'_>) -> bool {
        let Some(envelope) = matched.context().and_then(|context| context.envelope()) else { return false };
        let head = envelope.as_bytes();
        let place = Some((head.as_ptr().addr(), head.len()));
        let is_other = self.place != place;
        if is_other {
            *self = Head { place, ..Head::default() };
        }
        is_other
    }

    fn get(&self, envelope: &Envelope<'_>, field: HeadField) -> Option<&str> {
        let read = || match field {
            HeadField::Id => envelope.id(),
            HeadField::From => envelope.from(),
            HeadField::Date => envelope.date(),
            HeadField::Subject => envelope.subject(),
            HeadField::Newsgroups => envelope.newsgroups(),
            HeadField::To => envelope.to(),
            HeadField::Cc => envelope.cc(),
            HeadField::ListId => envelope.list_id(),
            HeadField::InReplyTo => envelope.in_reply_to(),
        };
        self.fields[field as usize].get_or_init(read).as_deref()
    }
}
