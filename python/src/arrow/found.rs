//! A match as the columns see it: what is computed for one column serves the others.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use urlgrep::archive::{Envelope, Record};
use urlgrep::grammar::{Assessment, ParseError};
use urlgrep::{Joined, Match, TextMatch};

/// Where a match is from, besides its place in a text or a file.
#[derive(Debug, Default)]
pub struct Place {
    /// The row of the column.
    pub row: Option<i64>,
    /// The path of the file.
    pub path: Option<String>,
    /// The name of the member of an archive.
    pub member: Option<String>,
    /// Whether the lines and messages before the text are not known.
    pub uncounted: bool,
}

impl Place {
    /// The path as the program prints it: `a.zip!/b`.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        match (&self.path, &self.member) {
            (Some(path), Some(member)) => Some(Cow::Owned(format!("{path}!/{member}"))),
            (path, member) => path.as_deref().or(member.as_deref()).map(Cow::Borrowed),
        }
    }
}

/// How many fields of a head may be read.
const FIELDS: usize = Field::InReplyTo as usize + 1;

/// The fields of the message of the last match: many matches have the same.
#[derive(Debug, Default)]
pub struct Memo {
    /// The address and length of the head, within one message of the archive.
    head: Option<(usize, usize)>,
    /// Those that were asked for.
    fields: [Option<Option<String>>; FIELDS],
}

impl Memo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        *self = Memo::default();
    }

    fn get(&mut self, envelope: &Envelope<'_>, field: Field) -> Option<&str> {
        let head = envelope.as_bytes();
        let head = Some((head.as_ptr().addr(), head.len()));
        if self.head != head {
            *self = Memo { head, ..Memo::default() };
        }
        let value = &mut self.fields[field as usize];
        value.get_or_insert_with(|| field.of(envelope)).as_deref()
    }
}

/// A field of a head.
#[derive(Clone, Copy, Debug)]
pub enum Field {
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

impl Field {
    fn of(self, envelope: &Envelope<'_>) -> Option<String> {
        match self {
            Field::Id => envelope.id(),
            Field::From => envelope.from(),
            Field::Date => envelope.date(),
            Field::Subject => envelope.subject(),
            Field::Newsgroups => envelope.newsgroups(),
            Field::To => envelope.to(),
            Field::Cc => envelope.cc(),
            Field::ListId => envelope.list_id(),
            Field::InReplyTo => envelope.in_reply_to(),
        }
    }
}

/// A match, and what the columns have asked of it.
pub struct Found<'f> {
    pub matched: &'f Match<'f>,
    /// The same in an archive; `None` in a text.
    pub archived: Option<&'f TextMatch<'f>>,
    pub place: &'f Place,
    memo: &'f RefCell<Memo>,
    span: OnceCell<Range<u64>>,
    assessment: OnceCell<Assessment>,
}

impl<'f> Found<'f> {
    /// A match in a text.
    pub fn new(matched: &'f Match<'f>, place: &'f Place, memo: &'f RefCell<Memo>) -> Self {
        let (span, assessment) = (OnceCell::new(), OnceCell::new());
        Found { matched, archived: None, place, memo, span, assessment }
    }

    /// A match in an archive.
    pub fn archived(matched: &'f TextMatch<'f>, place: &'f Place, memo: &'f RefCell<Memo>) -> Self {
        Found { archived: Some(matched), ..Found::new(matched.in_text(), place, memo) }
    }

    /// The range of the text or the file, delimiters included.
    pub fn span(&self) -> &Range<u64> {
        self.span.get_or_init(|| self.archived.map_or_else(|| self.matched.span(), TextMatch::span))
    }

    /// The ranges that the URL is made of.
    pub fn segments(&self) -> Vec<Range<u64>> {
        self.archived.map_or_else(|| self.matched.segments().collect(), TextMatch::segments)
    }

    /// The line, from 1, if it is counted.
    pub fn line(&self) -> Option<u64> {
        let position = match self.archived {
            Some(archived) => archived.text().position(self.span().start),
            None => self.matched.position(),
        };
        position.filter(|_| !self.place.uncounted).map(|position| position.line)
    }

    /// The byte of that line, from 1.
    pub fn column(&self) -> Option<u64> {
        let position = match self.archived {
            Some(archived) => archived.text().position(self.span().start),
            None => self.matched.position(),
        };
        position.map(|position| position.column)
    }

    pub fn joined(&self) -> Option<Joined> {
        self.archived.map_or_else(|| self.matched.joined(), TextMatch::joined)
    }

    /// How well formed the URL is.
    pub fn assessment(&self) -> &Assessment {
        self.assessment.get_or_init(|| self.matched.assess())
    }

    /// Why it is not better formed.
    pub fn reason(&self) -> Option<&ParseError> {
        self.assessment().reason()
    }

    pub fn warnings(&self) -> Vec<&'static str> {
        let warnings = self.archived.map_or_else(|| self.matched.warnings(), TextMatch::warnings);
        warnings.into_iter().map(|warning| warning.as_str()).collect()
    }

    /// The record of a web archive.
    pub fn record(&self) -> Option<&'f Record> {
        self.archived?.text().record()
    }

    /// The match if it is in mail, and not in a record, which has a name and a date of its own.
    pub fn mail(&self) -> Option<&'f TextMatch<'f>> {
        let archived = self.archived?;
        (archived.text().record().is_none() && archived.text().envelope().is_some()).then_some(archived)
    }

    /// The match if it is in a message or a record.
    pub fn in_message(&self) -> Option<&'f TextMatch<'f>> {
        let archived = self.archived?;
        (archived.text().record().is_some() || archived.text().envelope().is_some()).then_some(archived)
    }

    /// Passes on a field of the message, or of the record that has one of the kind.
    pub fn with_field<T>(&self, field: Field, read: impl FnOnce(Option<&str>) -> T) -> T {
        if let Some(record) = self.record() {
            return read(match field {
                Field::Id => record.id(),
                Field::Date => record.date(),
                _ => None,
            });
        }
        let mut memo = self.memo.borrow_mut();
        let envelope = self.archived.and_then(|archived| archived.text().envelope());
        read(envelope.and_then(|envelope| memo.get(envelope, field)))
    }
}
