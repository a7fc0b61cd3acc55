//! A match, from which the values of its fields are read.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

#[cfg(feature = "archive")]
use super::mail::{Head, Mail};
use super::{Field, Scope};
#[cfg(feature = "archive")]
use crate::archive::Record;
use crate::bytes::position::Position;
use crate::grammar::{Assessment, ParseError};
use crate::matches::Match;
#[cfg(feature = "archive")]
use crate::matches::context::Context;

/// A match and its origin, as a row of a table, from which the values of its
/// [fields](crate::table::fields()) are read.
///
/// Values that several fields need are computed only once. For an example, see [`Field`].
#[derive(Debug)]
pub struct Row<'r> {
    pub(super) matched: &'r Match<'r>,
    pub(super) path: Option<Cow<'r, [u8]>>,
    /// The number that is added to all offsets.
    pub(super) offset: u64,
    pub(super) hyphen: Option<&'static str>,
    /// Another spelling of the URL, which the fields for the path and the query use as well.
    url: Option<Cow<'r, [u8]>>,
    #[cfg(feature = "archive")]
    pub(super) mail: Mail<'r>,
    places: OnceCell<(Range<u64>, Vec<Range<u64>>)>,
    position: OnceCell<Option<Position>>,
    assessment: OnceCell<Assessment>,
}

impl<'r> Row<'r> {
    /// Creates the row of a match of bytes, without a path.
    ///
    /// [`Match::into_bytes`](crate::Match::into_bytes) converts a match in a string; [`with_path`](Row::with_path) adds a
    /// path.
    pub fn new(matched: &'r Match<'r>) -> Self {
        Row {
            matched,
            path: None,
            offset: 0,
            hyphen: None,
            url: None,
            #[cfg(feature = "archive")]
            mail: Mail::of(matched),
            places: OnceCell::new(),
            position: OnceCell::new(),
            assessment: OnceCell::new(),
        }
    }

    /// Returns the row with the path of the file.
    pub fn with_path(self, path: impl Into<Cow<'r, [u8]>>) -> Self {
        Row { path: Some(path.into()), ..self }
    }

    /// Returns the row of a match in a part of a file, if the part starts at `offset` and the match's
    /// offsets count from there.
    pub fn with_offset(self, offset: u64) -> Self {
        Row { offset, ..self }
    }

    /// Returns the row with the field `hyphen`, which shows how the caller decided about the hyphens at
    /// line breaks.
    pub fn with_hyphen(self, hyphen: Option<&'static str>) -> Self {
        Row { hyphen, ..self }
    }

    /// Returns the row with another spelling of the URL: normalized, or without its password. The fields `url_path` and
    /// `query` are parts of this spelling, because the password in `ftp://me:se/cret@h.org/` would otherwise be in the
    /// path.
    pub fn with_url(self, url: impl Into<Cow<'r, [u8]>>) -> Self {
        Row { url: Some(url.into()), ..self }
    }

    /// Returns the match.
    pub fn matched(&self) -> &'r Match<'r> {
        self.matched
    }

    /// Returns the reason why the grade is not better, or `None` if the URL has the best grade.
    pub fn reason(&self) -> Option<&ParseError> {
        self.assessment().reason()
    }

    /// Returns true if the row has the [object](crate::table::Field::object) of this name. If not,
    /// the object is null.
    pub fn has_object(&self, name: &str) -> bool {
        match name {
            "reason" => self.reason().is_some(),
            #[cfg(feature = "domains")]
            "invalid" => self.matched.invalid().is_some(),
            "ending" => self.matched.ending().is_some(),
            #[cfg(feature = "archive")]
            "message" | "header" => self.message().is_some(),
            _ => true,
        }
    }

    /// Returns true if the object of a field contains the field's key. Only messages that are
    /// records contain the keys of records.
    pub fn has_key(&self, field: &Field) -> bool {
        #[cfg(feature = "archive")]
        if field.scope() == Scope::Record {
            return self.record().is_some();
        }
        field.scope() != Scope::Record
    }

    /// The URL in the row's spelling.
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
    /// Returns the row with the cached header of its message, which must be [the header of the
    /// match](Head::read).
    pub fn with_head(self, head: &'r Head) -> Self {
        Row { mail: self.mail.with_head(head), ..self }
    }

    pub(super) fn context(&self) -> Option<Context<'r>> {
        self.matched.context()
    }

    /// Returns the position of the match in a message or in a web archive record, or `None` outside
    /// of these.
    pub fn message(&self) -> Option<Context<'r>> {
        self.mail.message
    }

    /// Returns the web archive record.
    pub fn record(&self) -> Option<&'r Record> {
        self.mail.record
    }
}
