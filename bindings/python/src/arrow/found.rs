//! A match as the columns see it.

use std::borrow::Cow;

use urlgrep::Match;
use urlgrep::table::{Counted, Field, Head, Row, Value};

/// The source of a match, besides its position in a text or a file.
#[derive(Debug, Default)]
pub struct Place {
    /// The row of the column.
    pub row: Option<i64>,
    /// The item of the list that the row is.
    pub item: Option<i64>,
    /// The path of the file.
    pub path: Option<String>,
    /// The name of the archive member.
    pub member: Option<String>,
    /// True if the lines and messages before the text are not known.
    pub uncounted: bool,
    /// True if the bytes before it are not known, either.
    pub displaced: bool,
}

/// The fields that count bytes from the start of a file.
const OFFSETS: [&str; 4] = ["start", "end", "pieces", "message.offset"];

/// Returns true if a column counts bytes from the start of a file, and nothing else.
pub fn is_offset(column: &str) -> bool {
    OFFSETS.contains(&column)
}

impl Place {
    /// Returns the path as the program prints it: `a.zip!/b`.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        match (&self.path, &self.member) {
            (Some(path), Some(member)) => Some(Cow::Owned(format!("{path}!/{member}"))),
            (path, member) => path.as_deref().or(member.as_deref()).map(Cow::Borrowed),
        }
    }
}

/// A match, and where it is from.
pub struct Found<'f> {
    pub place: &'f Place,
    row: Row<'f>,
}

impl<'f> Found<'f> {
    /// Returns a match, of whose message `head` has the head.
    pub fn new(matched: &'f Match<'f>, place: &'f Place, head: &'f Head) -> Self {
        Found { place, row: Row::new(matched).with_head(head) }
    }

    pub fn url(&self) -> &'f [u8] {
        self.row.matched().as_bytes()
    }

    /// Returns the value of a field. Counts from an unknown start are null.
    pub fn value(&self, field: &Field) -> Value<'_> {
        let Place { displaced, uncounted, .. } = *self.place;
        match field.value(&self.row) {
            Value::Counted(Counted::Offset, _) | Value::Ranges(_) if displaced => Value::Null,
            Value::Counted(Counted::Line | Counted::Message, _) if uncounted => Value::Null,
            value => value,
        }
    }

    /// Returns true if the object of this name is not null.
    pub fn has_object(&self, name: &str) -> bool {
        self.row.has_object(name)
    }
}
