//! The table of columns: the fields of the library, and the columns that only Arrow tables have (`row`, `item`,
//! `url_bytes`, errors). All functions of `urlgrep.arrow` read it, and `arrow.py` lists it.

use std::io;
use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field as ArrowField, Fields};
use urlgrep::table::{Field, Kind, Scope as Of, Value, fields};

/// A column.
pub struct Column {
    pub name: &'static str,
    /// The matches that it has a value for.
    pub scope: Scope,
    pub source: Source,
}

/// The subject of a column.
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

/// The source of a column's values, which decides its type.
pub enum Source {
    /// The row of the column that is searched.
    Row,
    /// The item of the list that the row is.
    Item,
    /// The path of the file, with the member.
    Path,
    /// The name of the archive member.
    Member,
    /// The URL as bytes.
    Bytes,
    /// A field.
    Field(&'static Field),
    /// A part of a failure.
    Failure(DataType, fn(&Failure) -> Value<'_>),
    /// A struct of the fields of an object.
    Struct(&'static str, Vec<Column>),
}

/// The columns that are not in a struct.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let mut columns = vec![
        Column { name: "row", scope: Scope::Rows, source: Source::Row },
        Column { name: "item", scope: Scope::Rows, source: Source::Item },
    ];
    // The field `hyphen` is left out, because no caller decides about hyphens here.
    for run in fields().chunk_by(|a, b| a.object().is_some() && a.object() == b.object()) {
        if let Some(name) = run[0].object() {
            let keys = run.iter().map(|field| Column::of_field(field.key(), field)).collect();
            columns.push(Column { name, scope: scope(&run[0]), source: Source::Struct(name, keys) });
        }
        let run = run.iter().filter(|field| field.name() != "hyphen");
        columns.extend(run.map(|field| Column::of_field(field.column(), field)));
    }
    let url = columns.iter().position(|column| column.name == "url").unwrap_or_default();
    columns.insert(url + 1, Column { name: "url_bytes", scope: Scope::All, source: Source::Bytes });
    columns
});

/// A failure to read, in place of a match.
#[derive(Debug)]
pub struct Failure {
    /// `open`, `read`, `damaged`, `unsupported` or `undecoded`.
    pub kind: &'static str,
    pub message: String,
    /// The number of bytes of the file that were read before.
    pub bytes_read: Option<u64>,
}

impl Failure {
    /// Returns the kind of a read error.
    pub fn kind_of(error: &io::Error) -> &'static str {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                "damaged"
            }
            io::ErrorKind::Unsupported => "unsupported",
            _ => "read",
        }
    }
}

/// The column that a caller gets with `errors='column'`.
pub static ERROR: LazyLock<Column> = LazyLock::new(|| {
    let column = |name, source| Column { name, scope: Scope::All, source };
    let keys = vec![
        column("path", Source::Path),
        column("kind", Source::Failure(DataType::Utf8, |failure| Value::Name(failure.kind))),
        column(
            "message",
            Source::Failure(DataType::Utf8, |failure| Value::Text(failure.message.as_bytes().into())),
        ),
        column(
            "bytes_read",
            Source::Failure(DataType::Int64, |failure| failure.bytes_read.map_or(Value::Null, Value::Number)),
        ),
    ];
    column("error", Source::Struct("error", keys))
});

/// Returns the subject of a field.
fn scope(field: &Field) -> Scope {
    match field.scope() {
        Of::Page | Of::Message | Of::Head | Of::Record => Scope::Archives,
        _ if field.name() == "path" => Scope::Files,
        _ => Scope::All,
    }
}

/// The columns of a match that a caller gets who chooses none.
pub const USUAL: [&str; 9] = ["url", "url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"];

/// The columns with a value for every match.
const ALWAYS: [&str; 8] = ["row", "url_bytes", "start", "end", "scheme", "form", "role", "grade"];

/// The fields that count bytes from the start of a file.
const OFFSETS: [&str; 4] = ["start", "end", "pieces", "message.offset"];

impl Column {
    fn of_field(name: &'static str, field: &'static Field) -> Column {
        let source = match field.name() {
            "path" => Source::Path,
            "member" => Source::Member,
            _ => Source::Field(field),
        };
        Column { name, scope: scope(field), source }
    }

    /// Returns the column of this name, if the searched input has it.
    ///
    /// # Errors
    ///
    /// A text that lists the columns.
    pub fn of(name: &str, scope: Scope) -> Result<&'static Column, String> {
        let is_there = |column: &&Column| match column.scope {
            Scope::All => true,
            Scope::Archives => scope != Scope::Rows,
            // With `archive=True`, the columns of rows exist as well.
            Scope::Rows => scope != Scope::Files,
            Scope::Files => scope == Scope::Files,
        };
        let found = COLUMNS.iter().find(|column| column.name == name);
        found.filter(is_there).ok_or_else(|| {
            let hint = match found.map(|column| column.scope) {
                Some(Scope::Archives) => " (it is for archives: urlgrep.arrow.open, or archive=True)",
                Some(Scope::Files) => " (it is for files: urlgrep.arrow.open)",
                _ => "",
            };
            let names: Vec<_> = COLUMNS.iter().filter(is_there).map(|column| column.name).collect();
            format!("unknown column {name:?}{hint}; expected some of {}", names.join(", "))
        })
    }

    /// Returns the field of a schema. `errors` means that some rows are errors, of which all is
    /// null. A part of a file may have no offsets.
    pub fn field(&self, scope: Scope, errors: bool) -> ArrowField {
        let may_be_displaced = scope == Scope::Files && OFFSETS.contains(&self.name);
        let nullable = errors || may_be_displaced || !ALWAYS.contains(&self.name);
        ArrowField::new(self.name, self.data_type(), nullable)
    }

    /// Returns the type of the column.
    pub fn data_type(&self) -> DataType {
        let field = match &self.source {
            Source::Row | Source::Item => return DataType::Int64,
            Source::Path | Source::Member => return DataType::Utf8,
            Source::Bytes => return DataType::Binary,
            Source::Failure(data_type, _) => return data_type.clone(),
            Source::Struct(_, columns) => {
                let field = |column: &Column| ArrowField::new(column.name, column.data_type(), true);
                return DataType::Struct(columns.iter().map(field).collect());
            }
            Source::Field(field) => field,
        };
        match field.kind() {
            Kind::Number => DataType::Int64,
            Kind::Port => DataType::Int32,
            Kind::Texts => DataType::List(item(DataType::Utf8)),
            Kind::Ranges => DataType::List(item(DataType::Struct(range_fields()))),
            _ => DataType::Utf8,
        }
    }
}

/// The item of a list.
fn item(data_type: DataType) -> Arc<ArrowField> {
    Arc::new(ArrowField::new("item", data_type, false))
}

/// The fields of a range.
fn range_fields() -> Fields {
    let offset = |name| ArrowField::new(name, DataType::Int64, false);
    Fields::from(vec![offset("start"), offset("end")])
}
