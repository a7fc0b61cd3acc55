//! The fields of a row about the message or the record that contains its match.

use std::cell::OnceCell;
use std::ops::Range;

use super::value::Value;
use crate::archive::{Envelope, Record};
use crate::matches::Match;
use crate::matches::context::Context;

/// The message or the record of a match.
#[derive(Debug)]
pub(super) struct Mail<'r> {
    /// The position of the match in it.
    pub(super) message: Option<Context<'r>>,
    /// The web archive record of the match.
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
        Mail { message, ..Mail::of_head(envelope, record) }
    }

    /// The head of a message, or else of a record.
    pub(super) fn of_head(envelope: Option<&'r Envelope<'r>>, record: Option<&'r Record>) -> Self {
        let envelope = envelope.filter(|_| record.is_none());
        Mail { message: None, record, envelope, head: None, own_head: OnceCell::new() }
    }

    pub(super) fn with_head(self, head: &'r Head) -> Self {
        Mail { head: Some(head), ..self }
    }

    /// A header field of the message.
    pub(super) fn field(&self, field: HeadField) -> Value<'_> {
        let head = || self.head.unwrap_or_else(|| self.own_head.get_or_init(Box::default));
        Value::text(self.envelope.and_then(|envelope| head().get(envelope, field)))
    }

    /// The date, in the form of RFC 3339 or as it was written.
    pub(super) fn date(&self) -> Value<'_> {
        match self.record {
            Some(record) => Value::text(record.date()),
            None => self.field(HeadField::Date),
        }
    }

    /// All header fields of this name.
    pub(super) fn fields(&self, name: &str) -> Value<'_> {
        let values = self.envelope.into_iter().flat_map(|envelope| envelope.fields(name));
        let values: Vec<_> = values.map(|value| value.into_bytes().into()).collect();
        if values.is_empty() { Value::Null } else { Value::Texts(values) }
    }
}

/// The conversions of a date format, as in strftime, and where they are in a date of RFC 3339.
const CONVERSIONS: [(char, Range<usize>); 5] =
    [('Y', 0..4), ('m', 5..7), ('d', 8..10), ('H', 11..13), ('M', 14..16)];

/// Returns a date of RFC 3339 by the sender's clock in this format: `%Y-%m`. `None` if the date is another text, or
/// the format has other conversions.
pub(super) fn formatted(date: &[u8], format: &str) -> Option<String> {
    let date = str::from_utf8(date).ok().filter(|date| date.get(10..11) == Some("T"))?;
    let (mut text, mut chars) = (String::new(), format.chars());
    while let Some(char) = chars.next() {
        if char != '%' {
            text.push(char);
            continue;
        }
        let name = chars.next()?;
        let (_, range) = CONVERSIONS.iter().find(|(other, _)| *other == name)?;
        text.push_str(date.get(range.clone())?);
    }
    Some(text)
}

/// A header field of a message.
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

/// A cache of the decoded header fields of a message, so that its later matches reuse them.
///
/// Many matches share a header, and decoding its fields takes longer than finding a match.
#[derive(Debug, Default)]
pub struct Head {
    /// The address and length of the header.
    place: Option<(usize, usize)>,
    /// The fields that were requested.
    fields: [OnceCell<Option<String>>; HEAD_FIELDS],
}

impl Head {
    /// Clears the fields. Call this before the memory of the message is reused. Otherwise, a message
    /// at the same address is mistaken for the last one.
    pub fn clear(&mut self) {
        *self = Head::default();
    }

    /// Selects the header of the message that contains `matched`, and returns true if it differs
    /// from the header of the last call.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_a_format() {
        let date = b"2001-03-02T23:30:00-01:00";
        for (format, text) in [
            ("%Y-%m", Some("2001-03")),
            ("%d.%m.%Y %H:%M", Some("02.03.2001 23:30")),
            ("", Some("")),
            ("%", None),
            ("%y", None),
        ] {
            assert_eq!(formatted(date, format).as_deref(), text, "{format}");
        }
        assert_eq!(formatted(b"last week", "%Y"), None);
        assert_eq!(formatted(b"", "%Y"), None);
    }
}
