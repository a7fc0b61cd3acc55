//! A row of the output: a match or an error, with its source.

use std::borrow::Cow;

use urlgrep::table::{Counted, Row, Value};

use super::columns::{ERROR, Failure, Source};
use crate::archive::place;

/// The source of a match, besides its position in a text or a file.
#[derive(Debug, Default)]
pub struct MatchSource {
    /// The row of the column.
    pub row: Option<u64>,
    /// The item of the list that the row is.
    pub item: Option<u64>,
    /// The path of the file.
    pub path: Option<String>,
    /// The name of the archive member.
    pub member: Option<String>,
    /// True if the lines and messages before the text are not known.
    pub uncounted: bool,
    /// True if the bytes before it are not known, either.
    pub displaced: bool,
}

impl MatchSource {
    /// Returns the path as the program prints it: `a.zip!/b`.
    pub fn name(&self) -> Option<Cow<'_, [u8]>> {
        let [path, member] = [&self.path, &self.member].map(|text| text.as_deref().map(str::as_bytes));
        place(path, member)
    }
}

/// A match, or a failure, and where it is from.
pub struct OutputRow<'f> {
    pub place: &'f MatchSource,
    /// A failure has no values except its place and the column `error`.
    pub row: Result<Row<'f>, &'f Failure>,
}

impl OutputRow<'_> {
    /// Returns the value of a column. Counts from an unknown start are null.
    pub fn value(&self, source: &Source) -> Value<'_> {
        let MatchSource { row, item, displaced, uncounted, .. } = *self.place;
        match (source, &self.row) {
            (Source::Row, _) => row.map_or(Value::Null, Value::Number),
            (Source::Path, _) => self.place.name().map_or(Value::Null, Value::Text),
            (Source::Failure(_, value), Err(failure)) => value(failure),
            (Source::Item, Ok(_)) => item.map_or(Value::Null, Value::Number),
            (Source::Member, Ok(_)) => {
                let member = self.place.member.as_deref();
                member.map_or(Value::Null, |member| Value::Text(member.as_bytes().into()))
            }
            (Source::Bytes, Ok(row)) => Value::Url(row.matched().as_bytes().into()),
            (Source::Field(field), Ok(row)) => match field.value(row) {
                Value::Counted(Counted::Offset, _) | Value::Ranges(_) if displaced => Value::Null,
                Value::Counted(Counted::Line | Counted::Message, _) if uncounted => Value::Null,
                value => value,
            },
            _ => Value::Null,
        }
    }

    /// Returns true if the object of this name is not null.
    pub fn has_object(&self, name: &str) -> bool {
        let is_error = name == ERROR.name;
        self.row.as_ref().map_or(is_error, |row| !is_error && row.has_object(name))
    }
}
