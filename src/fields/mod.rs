//! The fields of a match: the values that JSON, tables, templates and the packages for other languages can contain.
//!
//! | module | contains |
//! |---|---|
//! | here | [`Field`], and the table of them |
//! | [`row`] | [`Row`]: a match, from which the values of its fields are read |
//! | `mail` | the message or record of a row's match, with the feature `archive` |
//! | [`value`] | [`Value`]: the value of a field, and its spellings |
//! | `serialize` | a match in the formats of serde, with the feature `serde` |
//!
//! A field is stated once, as a row of the table. An output is a loop over the table.

#[cfg(feature = "archive")]
pub(crate) mod mail;
pub(crate) mod row;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
mod table;
pub(crate) mod value;

#[cfg(feature = "archive")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "archive")]
use mail::Mail;
use row::Row;
use table::TABLE;
use value::Value;

#[cfg(feature = "archive")]
use crate::archive::{Envelope, Record};

/// A field of a match: its name, its type, its meaning, and a function that reads its value.
///
/// # Example
///
/// ```
/// use urlgrep::table::Row;
///
/// let m = urlgrep::find(b"at http://www.h.org:81/a").unwrap();
/// let row = Row::new(&m);
/// let values: Vec<_> = urlgrep::table::fields()
///     .iter()
///     .filter(|field| ["start", "host", "port", "form"].contains(&field.name()))
///     .map(|field| format!("{} {}", field.name(), field.value(&row)))
///     .collect();
/// assert_eq!(values, ["start 3", "host www.h.org", "port 81", "form bare"]);
/// ```
#[derive(Debug)]
pub struct Field {
    name: &'static str,
    column: &'static str,
    kind: Kind,
    scope: Scope,
    is_usual: bool,
    doc: &'static str,
    read: ReadValue,
}

/// The function that reads a value, given the name of the field.
#[derive(Clone, Copy, Debug)]
enum ReadValue {
    /// From the match.
    Row(for<'r> fn(&'r Row<'_>, &'static str) -> Value<'r>),
    /// From the head of its message.
    #[cfg(feature = "archive")]
    Head(for<'r> fn(&'r Mail<'_>, &'static str) -> Value<'r>),
}

/// The type of a field. A value of any type may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A string: UTF-8 unless the input contains other bytes.
    Text,
    /// A number from 0 on, of at most 64 bits.
    Number,
    /// A number from 0 to 65,535.
    Port,
    /// A list of strings.
    Texts,
    /// A list of ranges of byte offsets, the ends exclusive.
    Ranges,
}

/// The object that a field describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// The match, in any input.
    Match,
    /// The URL: the value is the same for all its matches.
    Url,
    /// The link of a page, or the member of an archive, that contains the match; null for other matches.
    Page,
    /// The position in a message or a record; null outside of these.
    Message,
    /// The message header: the value is the same for all matches in the message.
    Head,
    /// The web archive record; null outside of web archives.
    Record,
}

/// The prefix of the names of record fields.
const RECORD: &str = "record.";

/// The prefixes of the names of header fields and of formatted dates.
#[cfg(feature = "archive")]
const HEADER: &str = "header.";
#[cfg(feature = "archive")]
const DATE: &str = "message.date:";

/// Returns the fields of a match, in the order in which they are printed.
///
/// The list contains only the fields of compiled features. The usual fields are the keys of `urlgrep --json` and of a
/// match that serde writes:
///
/// | key | contains |
/// |---|---|
/// | `path`, `line`, `column`, `start`, `end`, `pieces` | where it is; serde has no `path` |
/// | `url`, `scheme`, `host`, `port`, `ascii` | the URL and its parts; `ascii` with the feature `idna` |
/// | `form`, `text`, `role`, `element` | how it is written, and its role in a page; `text` and `element` with `archive` |
/// | `grade`, `reason` | how well formed it is; an object with `production`, `offset`, `message`, or null |
/// | `join`, `alternatives`, `warnings` | how lines were joined, the other readings, warnings |
/// | `message` | an object with the head of the message and the place in it, or null; with `archive` |
///
/// A text that is not UTF-8 is an object there: `{"bytes": "base64"}`.
pub fn fields() -> &'static [Field] {
    TABLE
}

impl Field {
    /// Returns the field `record.KEY`: the value of a key in the record that contains the
    /// match, if the reader [keeps](crate::archive::ReadOptions::keep) this key. [`fields()`] does
    /// not list it. Each new key allocates a field that is never freed, so do not pass keys from
    /// untrusted input.
    #[cfg(feature = "archive")]
    pub fn of_record(key: &str) -> &'static Field {
        table::OF_RECORD.with_key(key)
    }

    /// Returns the field `header.NAME`: the values of all header fields of this name, in any letter
    /// case, in the message that contains the match. Like [`of_record`](Self::of_record), it never
    /// frees a field.
    #[cfg(feature = "archive")]
    pub fn of_header(name: &str) -> &'static Field {
        table::OF_HEADER.with_key(name)
    }

    /// Returns the field `message.date:FORMAT`, such as `message.date:%Y-%m`: the date of the message in the sender's
    /// time zone. Like [`of_record`](Self::of_record), it never frees a field. Returns `None` if the format contains a
    /// conversion other than `%Y`, `%m`, `%d`, `%H` and `%M`.
    #[cfg(feature = "archive")]
    pub fn of_date(format: &str) -> Option<&'static Field> {
        mail::formatted(b"2001-03-02T10:11", format)?;
        Some(table::OF_DATE.with_key(format))
    }

    /// Returns the field whose name is this prefix and a key.
    #[cfg(feature = "archive")]
    fn with_key(self, key: &str) -> &'static Field {
        static FIELDS: Mutex<Vec<&'static Field>> = Mutex::new(Vec::new());
        let mut fields = FIELDS.lock().unwrap_or_else(PoisonError::into_inner);
        let name = [self.name, key].concat();
        if let Some(field) = fields.iter().find(|field| field.name == name) {
            return field;
        }
        let name = &*name.leak();
        let field = &*Box::leak(Box::new(Field { name, column: name, ..self }));
        fields.push(field);
        field
    }

    /// Returns the key of a field [of a record](Self::of_record), or `None` for another field.
    pub fn record_key(&self) -> Option<&'static str> {
        self.name.strip_prefix(RECORD)
    }

    /// Returns the name that templates and CSV use. For a field of a JSON object, such as
    /// `reason.offset`, this is the name of the object, a dot, and the [key](Self::key).
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name of the JSON object that contains the field, or `None` outside of objects.
    pub fn object(&self) -> Option<&'static str> {
        Some(self.name.split_once('.')?.0)
    }

    /// Returns the key of the field in its object.
    pub fn key(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(_, key)| key)
    }

    /// Returns the column name in a table without objects: `message_index`. No two
    /// [`fields()`] share it.
    pub fn column(&self) -> &'static str {
        self.column
    }

    /// Returns the type of the values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the subject of the field.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns true if the field is printed by default. Other fields are printed only on request.
    #[inline]
    pub fn is_usual(&self) -> bool {
        self.is_usual
    }

    /// Returns a sentence that describes the value.
    pub fn doc(&self) -> &'static str {
        self.doc
    }

    /// Returns the value for a match.
    #[inline]
    pub fn value<'r>(&self, row: &'r Row<'_>) -> Value<'r> {
        match self.read {
            ReadValue::Row(read) => read(row, self.name),
            #[cfg(feature = "archive")]
            ReadValue::Head(read) => read(&row.mail, self.name),
        }
    }

    /// Returns the value for all matches in a message with this `envelope`, or in a `record` of a web
    /// archive. Returns `None` if the field does not have the scope [`Head`](Scope::Head), because
    /// then the values of matches differ.
    ///
    /// For a match in a message that is inside another one, [`value`](Self::value) reads the inner head.
    #[cfg(feature = "archive")]
    pub fn value_of_head(
        &self,
        envelope: Option<&Envelope<'_>>,
        record: Option<&Record>,
    ) -> Option<Value<'static>> {
        let ReadValue::Head(read) = self.read else { return None };
        Some(read(&Mail::of_head(envelope, record), self.name).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_columns_are_unique() {
        for (n, field) in TABLE.iter().enumerate() {
            assert!(TABLE[..n].iter().all(|other| other.name != field.name), "{}", field.name);
            assert!(TABLE[..n].iter().all(|other| other.column != field.column), "{}", field.column);
            assert!(field.doc.ends_with('.'), "{}", field.name);
        }
    }

    /// Each is made once, and its prefix tells it from another with its key.
    #[cfg(feature = "archive")]
    #[test]
    fn fields_with_a_key() {
        let made = || {
            [
                Field::of_header("%Y"),
                Field::of_record("%Y"),
                Field::of_date("%Y").unwrap(),
                Field::of_header("a.%Y"),
            ]
        };
        assert_eq!(made().map(Field::name), ["header.%Y", "record.%Y", "message.date:%Y", "header.a.%Y"]);
        assert!(made().into_iter().zip(made()).all(|(one, other)| std::ptr::eq(one, other)));
        assert_eq!(Field::of_record("a").record_key(), Some("a"));
    }

    /// JSON writes an object when its first field comes.
    #[test]
    fn the_fields_of_an_object_are_next_to_each_other() {
        let runs = TABLE.chunk_by(|a, b| a.object() == b.object());
        let objects: Vec<_> = runs.filter_map(|run| run[0].object()).collect();
        let is_there = |name: &&str| match *name {
            "message" => cfg!(feature = "archive"),
            "invalid" => cfg!(feature = "domains"),
            _ => true,
        };
        let expected = ["reason", "message", "ending", "invalid"].into_iter().filter(is_there);
        assert_eq!(objects, expected.collect::<Vec<_>>());
    }

    /// The keys are a contract: they are never renamed, and their order is the order of the CSV
    /// columns.
    #[test]
    fn the_names() {
        let usual: Vec<_> = TABLE.iter().filter(|field| field.is_usual).map(|field| field.name).collect();
        let names = "path line column start end pieces url scheme host port ascii form text role element grade \
            reason.production reason.offset reason.message join alternatives warnings message.index message.id \
            message.from message.date message.subject message.newsgroups message.to message.cc message.list_id \
            message.in_reply_to message.part message.content_type message.header message.quote_depth \
            message.filename message.uri message.type message.offset";
        let is_there = |name: &&str| match *name {
            "ascii" => cfg!(feature = "idna"),
            "text" | "element" => cfg!(feature = "archive"),
            name => cfg!(feature = "archive") || !name.starts_with("message."),
        };
        assert_eq!(usual, names.split_whitespace().filter(is_there).collect::<Vec<_>>());
    }
}
