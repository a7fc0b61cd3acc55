//! The table of columns: the name of each, its type, and what it has of a match. All functions of
//! `urlgrep.arrow` read it, and `arrow.py` lists it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use arrow_schema::{DataType, Field as ArrowField, Fields};
use urlgrep::TextMatch;
use urlgrep::archive::Record;
use urlgrep::grammar::ParseError;

use super::found::{Field, Found};

/// A column.
pub struct Column {
    pub name: &'static str,
    /// Where there is one.
    pub scope: Scope,
    pub value: Value,
}

/// What has a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All that is searched.
    All,
    /// The rows of a column.
    Rows,
    /// Files.
    Files,
    /// Files, and rows that are messages or files.
    Archives,
}

/// What a column has of a match. That decides its type.
pub enum Value {
    /// A string.
    Text(for<'f> fn(&'f Found<'f>) -> Option<Cow<'f, str>>),
    /// A field of the message: a string.
    Field(Field),
    /// Bytes.
    Bytes(for<'f> fn(&'f Found<'f>) -> Cow<'f, [u8]>),
    /// An int64.
    Int(fn(&Found<'_>) -> Option<u64>),
    /// An int32.
    Short(fn(&Found<'_>) -> Option<i32>),
    /// A list of strings.
    Texts(for<'f> fn(&'f Found<'f>) -> Vec<Cow<'f, str>>),
    /// A list of structs with `start` and `end`.
    Ranges(fn(&Found<'_>) -> Vec<Range<u64>>),
    /// A struct, which is null if the function says no.
    Struct(fn(&Found<'_>) -> bool, &'static [Column]),
}

macro_rules! columns {
    ($($(#[$cfg:meta])? $scope:ident $name:literal $value:expr;)*) => {
        &[$($(#[$cfg])? Column { name: $name, scope: Scope::$scope, value: $value }),*]
    };
}

/// The columns that are not in a struct.
pub static COLUMNS: &[Column] = columns! {
    Rows "row" Value::Int(|found| found.place.row.map(i64::cast_unsigned));
    Files "path" Value::Text(|found| found.place.name());
    Archives "member" Value::Text(|found| found.place.member.as_deref().map(Cow::Borrowed));
    All "line" Value::Int(|found| found.line());
    All "column" Value::Int(|found| found.column());
    All "start" Value::Int(|found| Some(found.span().start));
    All "end" Value::Int(|found| Some(found.span().end));
    All "segments" Value::Ranges(|found| found.segments());
    All "url" Value::Text(|found| found.matched.as_str().map(Cow::Borrowed));
    All "url_bytes" Value::Bytes(|found| Cow::Borrowed(found.matched.as_bytes()));
    All "scheme" Value::Text(|found| Some(found.matched.scheme()));
    All "host" Value::Text(|found| found.matched.host());
    All "port" Value::Short(|found| found.matched.port().map(i32::from));
    All "ascii" Value::Text(|found| found.matched.ascii().map(Cow::Owned));
    #[cfg(feature = "domains")]
    All "registered_domain" Value::Text(|found| found.matched.registered_domain().map(Cow::Owned));
    All "form" Value::Text(|found| Some(found.matched.form().as_str().into()));
    Archives "text" Value::Text(|found| Some(lossy(found.archived?.link_text()?)));
    All "role" Value::Text(|found| Some(found.archived.map_or("text", |m| m.role().as_str()).into()));
    Archives "element" Value::Text(|found| found.archived?.element().map(Cow::Borrowed));
    Archives "rel" Value::Text(|found| found.archived?.rel().map(String::from_utf8_lossy));
    All "grade" Value::Text(|found| Some(found.assessment().grade().as_str().into()));
    All "reason" Value::Struct(|found| found.reason().is_some(), OF_REASON);
    All "join" Value::Text(|found| found.joined().map(|joined| joined.as_str().into()));
    All "alternatives" Value::Texts(|found| found.matched.alternatives().into_iter().map(lossy).collect());
    All "warnings" Value::Texts(|found| found.warnings().into_iter().map(Cow::Borrowed).collect());
    All "unwrapped" Value::Texts(|found| found.matched.unwrapped_from().iter().map(|&name| name.into()).collect());
    Archives "message" Value::Struct(|found| found.in_message().is_some(), OF_MESSAGE);
    Archives "message_index" INDEX;
    Archives "message_id" Value::Field(Field::Id);
    Archives "from" Value::Field(Field::From);
    Archives "date" Value::Field(Field::Date);
    Archives "subject" Value::Field(Field::Subject);
    Archives "newsgroups" Value::Field(Field::Newsgroups);
    Archives "to" Value::Field(Field::To);
    Archives "cc" Value::Field(Field::Cc);
    Archives "list_id" Value::Field(Field::ListId);
    Archives "in_reply_to" Value::Field(Field::InReplyTo);
    Archives "part" PART;
    Archives "content_type" CONTENT_TYPE;
    Archives "header" HEADER;
    Archives "quote_depth" QUOTE_DEPTH;
    Archives "filename" FILENAME;
    Archives "uri" URI;
    Archives "record_type" RECORD_TYPE;
    Archives "record_offset" RECORD_OFFSET;
};

/// The fields of `reason`.
static OF_REASON: &[Column] = columns! {
    All "production" Value::Text(|found| found.reason().map(|reason| reason.production().into()));
    All "offset" Value::Int(|found| found.reason().map(|reason: &ParseError| reason.offset() as u64));
    All "message" Value::Text(|found| found.reason().map(|reason| reason.to_string().into()));
};

/// The fields of `message`: the keys of `urlgrep --json`.
static OF_MESSAGE: &[Column] = columns! {
    All "index" INDEX;
    All "id" Value::Field(Field::Id);
    All "from" Value::Field(Field::From);
    All "date" Value::Field(Field::Date);
    All "subject" Value::Field(Field::Subject);
    All "newsgroups" Value::Field(Field::Newsgroups);
    All "to" Value::Field(Field::To);
    All "cc" Value::Field(Field::Cc);
    All "list_id" Value::Field(Field::ListId);
    All "in_reply_to" Value::Field(Field::InReplyTo);
    All "part" PART;
    All "content_type" CONTENT_TYPE;
    All "header" HEADER;
    All "quote_depth" QUOTE_DEPTH;
    All "filename" FILENAME;
    All "uri" URI;
    All "type" RECORD_TYPE;
    All "offset" RECORD_OFFSET;
};

const INDEX: Value = Value::Int(|found| {
    let index = found.in_message()?.text().message_index();
    (!found.place.uncounted).then_some(index)
});
const PART: Value = Value::Text(|found| found.mail()?.text().part().map(Cow::Borrowed));
const CONTENT_TYPE: Value = Value::Text(|found| found.in_message()?.text().content_type().map(Cow::Owned));
const HEADER: Value = Value::Text(|found| found.in_message()?.header().map(Cow::Borrowed));
const QUOTE_DEPTH: Value = Value::Int(|found| found.archived.map(|m: &TextMatch<'_>| m.quote_depth() as u64));
const FILENAME: Value = Value::Text(|found| found.mail()?.text().filename().map(Cow::Owned));
const URI: Value = Value::Text(|found| found.record().and_then(Record::uri).map(Cow::Borrowed));
const RECORD_TYPE: Value = Value::Text(|found| found.record().and_then(Record::kind).map(Cow::Borrowed));
const RECORD_OFFSET: Value = Value::Int(|found| found.record().map(Record::offset));

/// Bytes as a string; what is not UTF-8 is replaced.
fn lossy<'f>(bytes: Vec<u8>) -> Cow<'f, str> {
    Cow::Owned(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// The columns of a match that a caller gets who chooses none.
pub const USUAL: [&str; 9] = ["url", "url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"];

/// The columns that no match is without.
const ALWAYS: [&str; 8] = ["row", "url_bytes", "start", "end", "scheme", "form", "role", "grade"];

impl Column {
    /// The column of this name, if what is searched has it.
    ///
    /// # Errors
    ///
    /// A text that says which there are.
    pub fn of(name: &str, scope: Scope) -> Result<&'static Column, String> {
        let is_there = |column: &&Column| match column.scope {
            Scope::All => true,
            Scope::Archives => scope != Scope::Rows,
            // A row that is an archive is a row.
            Scope::Rows => scope != Scope::Files,
            Scope::Files => scope == Scope::Files,
        };
        let found = COLUMNS.iter().find(|column| column.name == name);
        found.filter(is_there).ok_or_else(|| {
            let hint = match found.map(|column| column.scope) {
                Some(Scope::Archives) => " (it is for archives: urlgrep.arrow.open, or archive=True)",
                Some(Scope::Files) => " (it is for files: urlgrep.arrow.open)",
                None if name == "registered_domain" => " (the package was built without the feature domains)",
                _ => "",
            };
            let names: Vec<_> = COLUMNS.iter().filter(is_there).map(|column| column.name).collect();
            format!("unexpected column {name:?}{hint}; expected some of {}", names.join(", "))
        })
    }

    /// Whether a line has to be counted for it.
    pub fn counts_lines(&self) -> bool {
        matches!(self.name, "line" | "column")
    }

    /// The field of a schema. `errors` says that some rows are errors, of which all is null.
    pub fn field(&self, errors: bool) -> ArrowField {
        let nullable = errors || !ALWAYS.contains(&self.name);
        ArrowField::new(self.name, self.value.data_type(), nullable)
    }
}

impl Value {
    /// The type of the column.
    pub fn data_type(&self) -> DataType {
        match self {
            Value::Text(_) | Value::Field(_) => DataType::Utf8,
            Value::Bytes(_) => DataType::Binary,
            Value::Int(_) => DataType::Int64,
            Value::Short(_) => DataType::Int32,
            Value::Texts(_) => DataType::List(item(DataType::Utf8)),
            Value::Ranges(_) => DataType::List(item(DataType::Struct(range_fields()))),
            Value::Struct(_, columns) => DataType::Struct(struct_fields(columns)),
        }
    }
}

/// The item of a list.
pub fn item(data_type: DataType) -> Arc<ArrowField> {
    Arc::new(ArrowField::new("item", data_type, false))
}

/// The fields of a range.
pub fn range_fields() -> Fields {
    let offset = |name| ArrowField::new(name, DataType::Int64, false);
    Fields::from(vec![offset("start"), offset("end")])
}

/// The fields of a struct of columns.
pub fn struct_fields(columns: &[Column]) -> Fields {
    columns.iter().map(|column| ArrowField::new(column.name, column.value.data_type(), true)).collect()
}
