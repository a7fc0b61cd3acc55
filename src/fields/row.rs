//! A match, from which the values of its fields are read.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

#[cfg(feature = "archive")]
use super::value::Value;
use super::{Field, Scope};
#[cfg(feature = "archive")]
use crate::archive::{Envelope, Record};
use crate::bytes::position::Position;
use crate::found::Match;
#[cfg(feature = "archive")]
use crate::found::context::Context;
use crate::grammar::{Assessment, ParseError};

/// A match, and where it is from, as a row of a table: the values of its [fields](crate::fields()) are read from it.
///
/// What several fields need is computed once. For an example see [`Field`].
#[derive(Debug)]
pub struct Row<'r> {
    pub(super) matched: &'r Match<'r>,
    pub(super) path: Option<Cow<'r, [u8]>>,
    /// What is added to all offsets.
    pub(super) offset: u64,
    pub(super) hyphen: Option<&'static str>,
    /// Another spelling of the URL, of which the path and the query are.
    url: Option<Cow<'r, [u8]>>,
    /// Where in a message or in a record it is.
    #[cfg(feature = "archive")]
    message: Option<Context<'r>>,
    /// The record, and what is not in one: a message has an envelope.
    #[cfg(feature = "archive")]
    record: Option<&'r Record>,
    #[cfg(feature = "archive")]
    envelope: Option<&'r Envelope<'r>>,
    #[cfg(feature = "archive")]
    head: Option<&'r Head>,
    #[cfg(feature = "archive")]
    own_head: OnceCell<Box<Head>>,
    places: OnceCell<(Range<u64>, Vec<Range<u64>>)>,
    position: OnceCell<Option<Position>>,
    assessment: OnceCell<Assessment>,
}

impl<'r> Row<'r> {
    /// The row of a match of a text without a path.
    pub fn new(matched: &'r Match<'r>) -> Self {
        #[cfg(feature = "archive")]
        let context = matched.context();
        #[cfg(feature = "archive")]
        let record = context.and_then(|context| context.record());
        #[cfg(feature = "archive")]
        let envelope = context.filter(|_| record.is_none()).and_then(|context| context.envelope());
        Row {
            matched,
            path: None,
            offset: 0,
            hyphen: None,
            url: None,
            #[cfg(feature = "archive")]
            message: context.filter(|_| record.is_some() || envelope.is_some()),
            #[cfg(feature = "archive")]
            record,
            #[cfg(feature = "archive")]
            envelope,
            #[cfg(feature = "archive")]
            head: None,
            #[cfg(feature = "archive")]
            own_head: OnceCell::new(),
            places: OnceCell::new(),
            position: OnceCell::new(),
            assessment: OnceCell::new(),
        }
    }

    /// The row with the path of the file.
    pub fn with_path(self, path: impl Into<Cow<'r, [u8]>>) -> Self {
        Row { path: Some(path.into()), ..self }
    }

    /// The row of a match in a part of a file that starts at `offset`, of which the offsets of the match count.
    pub fn with_offset(self, offset: u64) -> Self {
        Row { offset, ..self }
    }

    /// The row with the way in which a caller decided about the hyphens at line ends: the field `hyphen`.
    pub fn with_hyphen(self, hyphen: Option<&'static str>) -> Self {
        Row { hyphen, ..self }
    }

    /// The row with another spelling of the URL: normalized, or without its password. The fields `url_path` and `query`
    /// are parts of it: the password of `ftp://me:se/cret@h.org/` is in what else would be the path.
    pub fn with_url(self, url: impl Into<Cow<'r, [u8]>>) -> Self {
        Row { url: Some(url.into()), ..self }
    }

    /// The match.
    pub fn matched(&self) -> &'r Match<'r> {
        self.matched
    }

    /// Why the grade is not better; `None` if the URL has the best one.
    pub fn reason(&self) -> Option<&ParseError> {
        self.assessment().reason()
    }

    /// Whether the [object](crate::Field::object) of this name has its fields; null otherwise.
    pub fn has_object(&self, name: &str) -> bool {
        match name {
            "reason" => self.reason().is_some(),
            "ending" => self.matched.ending().is_some(),
            #[cfg(feature = "archive")]
            "message" => self.message().is_some(),
            _ => true,
        }
    }

    /// Whether the object of a field has its key: those of records are only in messages that are records.
    pub fn has_key(&self, field: &Field) -> bool {
        #[cfg(feature = "archive")]
        if field.scope() == Scope::Record {
            return self.record().is_some();
        }
        field.scope() != Scope::Record
    }

    /// The URL as it is spelled.
    pub(super) fn url(&self) -> &[u8] {
        self.url.as_deref().unwrap_or_else(|| self.matched.as_bytes())
    }

    pub(super) fn assessment(&self) -> &Assessment {
        self.assessment.get_or_init(|| self.matched.assess())
    }

    /// The range of the match, and the pieces.
    pub(super) fn places(&self) -> &(Range<u64>, Vec<Range<u64>>) {
        self.places.get_or_init(|| {
            let (mut span, mut pieces) = self.matched.places();
            for range in pieces.iter_mut().chain([&mut span]) {
                *range = range.start + self.offset..range.end + self.offset;
            }
            (span, pieces)
        })
    }

    pub(super) fn position(&self) -> Option<Position> {
        let start = || self.places().0.start - self.offset;
        *self.position.get_or_init(|| self.matched.position_at(start))
    }
}

#[cfg(feature = "archive")]
impl<'r> Row<'r> {
    /// The row with what is remembered of the head of its message, which must be [that of the match](Head::read).
    pub fn with_head(self, head: &'r Head) -> Self {
        Row { head: Some(head), ..self }
    }

    pub(super) fn context(&self) -> Option<Context<'r>> {
        self.matched.context()
    }

    /// Where in a message or in a record of a web archive the match is; `None` outside of these.
    pub fn message(&self) -> Option<Context<'r>> {
        self.message
    }

    /// The record of a web archive.
    pub fn record(&self) -> Option<&'r Record> {
        self.record
    }

    /// A field of the head of the message.
    pub(super) fn of_head(&self, field: HeadField) -> Value<'_> {
        let Some(envelope) = self.envelope else { return Value::Null };
        let head = self.head.unwrap_or_else(|| self.own_head.get_or_init(Box::default));
        Value::text(head.get(envelope, field))
    }
}

/// A field of the head of a message.
#[cfg(feature = "archive")]
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

/// How many of them there are.
#[cfg(feature = "archive")]
const HEAD_FIELDS: usize = HeadField::InReplyTo as usize + 1;

/// The fields of the head of the message of the last match, decoded.
///
/// Many matches have the same head: to decode its fields for each of them takes longer than to find it.
#[cfg(feature = "archive")]
#[derive(Debug, Default)]
pub struct Head {
    /// The address and length of the head.
    place: Option<(usize, usize)>,
    /// Those that were asked for.
    fields: [OnceCell<Option<String>>; HEAD_FIELDS],
}

#[cfg(feature = "archive")]
impl Head {
    /// Forgets the head. This must be called before the memory of its message is reused.
    pub fn clear(&mut self) {
        *self = Head::default();
    }

    /// Turns to the head of the message of `matched`, and returns whether it is another than that of the last call.
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
