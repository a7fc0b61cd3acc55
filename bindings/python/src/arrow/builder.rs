//! Builders: the values of one column, as an array.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, Fields};
use urlgrep::table::{Kind, Value};

use super::columns::{Column, Source, range_fields, struct_fields};
use super::found::Found;

/// The maximum number of bytes of one batch's strings: offsets of Utf8 and Binary are signed and 32
/// bits wide. This also limits the items of a list.
const MOST: usize = i32::MAX as usize;

/// The number of bytes of a batch.
#[derive(Debug, Default)]
pub struct Size(pub usize);

impl Size {
    /// Adds a value.
    ///
    /// # Errors
    ///
    /// Returns an error if that is too many.
    pub fn add(&mut self, bytes: usize) -> Result<(), ArrowError> {
        self.0 = self.0.saturating_add(bytes);
        if self.0 <= MOST {
            return Ok(());
        }
        let why = "the matches take more than 2 GiB; pass fewer rows at a time, or use urlgrep.arrow.extract";
        Err(ArrowError::InvalidArgumentError(why.to_owned()))
    }
}

/// The builder of a column.
pub struct Builder {
    column: &'static Column,
    values: Values,
}

enum Values {
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Int(Int64Builder),
    Short(Int32Builder),
    Texts(ListBuilder<StringBuilder>),
    Ranges(ListBuilder<StructBuilder>),
    Struct(NullBufferBuilder, Vec<Builder>),
}

impl Builder {
    /// Returns an empty builder.
    pub fn new(column: &'static Column) -> Builder {
        let values = match (&column.source, column.data_type()) {
            (Source::Struct(_, columns), _) => {
                Values::Struct(NullBufferBuilder::new(0), columns.iter().map(Builder::new).collect())
            }
            (_, DataType::Int64) => Values::Int(Int64Builder::new()),
            (_, DataType::Int32) => Values::Short(Int32Builder::new()),
            (_, DataType::Binary) => Values::Bytes(BinaryBuilder::new()),
            (Source::Field(field), DataType::List(item)) if field.kind() == Kind::Ranges => {
                let offsets = [(); 2].map(|()| Box::new(Int64Builder::new()) as Box<dyn ArrayBuilder>);
                let ranges = StructBuilder::new(range_fields(), offsets.into());
                Values::Ranges(ListBuilder::new(ranges).with_field(item))
            }
            (_, DataType::List(item)) => {
                Values::Texts(ListBuilder::new(StringBuilder::new()).with_field(item))
            }
            _ => Values::Text(StringBuilder::new()),
        };
        Builder { column, values }
    }

    /// Adds the column's value for a match.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has more than 2 GiB then.
    pub fn push(&mut self, found: &Found<'_>, size: &mut Size) -> Result<(), ArrowError> {
        match (&self.column.source, &mut self.values) {
            (Source::Row, Values::Int(to)) => to.append_option(found.place.row),
            (Source::Item, Values::Int(to)) => to.append_option(found.place.item),
            (Source::Path, Values::Text(to)) => push_text(to, found.place.name().as_deref(), size)?,
            (Source::Member, Values::Text(to)) => push_text(to, found.place.member.as_deref(), size)?,
            (Source::Bytes, Values::Bytes(to)) => {
                size.add(found.url().len())?;
                to.append_value(found.url());
            }
            (Source::Struct(name, _), Values::Struct(nulls, builders)) if found.has_object(name) => {
                nulls.append_non_null();
                builders.iter_mut().try_for_each(|builder| builder.push(found, size))?;
            }
            (Source::Field(field), values) => return push_value(values, found.value(field), size),
            _ => self.push_null(),
        }
        Ok(())
    }

    /// Adds a null.
    pub fn push_null(&mut self) {
        match &mut self.values {
            Values::Text(to) => to.append_null(),
            Values::Bytes(to) => to.append_null(),
            Values::Int(to) => to.append_null(),
            Values::Short(to) => to.append_null(),
            Values::Texts(to) => to.append_null(),
            Values::Ranges(to) => to.append_null(),
            Values::Struct(nulls, builders) => {
                nulls.append_null();
                builders.iter_mut().for_each(Builder::push_null);
            }
        }
    }

    /// Adds an error: where it was, and else a null.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has more than 2 GiB then.
    pub fn push_failure(
        &mut self,
        failure: &Failure,
        row: Option<i64>,
        size: &mut Size,
    ) -> Result<(), ArrowError> {
        match (self.column.name, &mut self.values) {
            ("path", Values::Text(to)) => return push_text(to, failure.path.as_deref(), size),
            ("row", Values::Int(to)) => to.append_option(row),
            _ => self.push_null(),
        }
        Ok(())
    }

    /// Returns the array. The builder is empty then.
    ///
    /// # Errors
    ///
    /// Returns an error if a struct does not fit its columns, which it does.
    pub fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match &mut self.values {
            Values::Text(values) => Arc::new(values.finish()),
            Values::Bytes(values) => Arc::new(values.finish()),
            Values::Int(values) => Arc::new(values.finish()),
            Values::Short(values) => Arc::new(values.finish()),
            Values::Texts(values) => Arc::new(values.finish()),
            Values::Ranges(values) => Arc::new(values.finish()),
            Values::Struct(nulls, builders) => {
                let Source::Struct(_, columns) = &self.column.source else {
                    unreachable!("a builder is made for its column")
                };
                let nulls = nulls.finish();
                let arrays = builders.iter_mut().map(Builder::finish).collect::<Result<_, _>>()?;
                Arc::new(StructArray::try_new(struct_fields(columns), arrays, nulls)?)
            }
        })
    }
}

/// Adds the value of a field. A URL that is not UTF-8 is null; in other texts, invalid UTF-8 is
/// replaced.
fn push_value(values: &mut Values, value: Value<'_>, size: &mut Size) -> Result<(), ArrowError> {
    match (values, value) {
        (Values::Text(to), value) => match value {
            Value::Name(name) => push_text(to, Some(name), size)?,
            Value::Url(url) => push_text(to, std::str::from_utf8(&url).ok(), size)?,
            Value::Text(text) => push_text(to, Some(&String::from_utf8_lossy(&text)), size)?,
            _ => to.append_null(),
        },
        (Values::Int(to), value) => to.append_option(number(&value).map(u64::cast_signed)),
        (Values::Short(to), value) => {
            to.append_option(number(&value).and_then(|number| i32::try_from(number).ok()));
        }
        (Values::Texts(to), value) => {
            let texts = texts(&value);
            // An empty string counts as well: so the items fit 32 bits.
            size.add(texts.len())?;
            texts.iter().try_for_each(|text| push_text(to.values(), Some(text), size))?;
            to.append(true);
        }
        (Values::Ranges(to), Value::Ranges(ranges)) => {
            size.add(16 * ranges.len())?;
            for range in &*ranges {
                for (column, offset) in [range.start, range.end].into_iter().enumerate() {
                    let offsets = to.values().field_builder::<Int64Builder>(column);
                    offsets.into_iter().for_each(|offsets| offsets.append_value(offset.cast_signed()));
                }
                to.values().append(true);
            }
            to.append(true);
        }
        (Values::Ranges(to), Value::Null) => to.append_null(),
        _ => unreachable!("a builder is made for its column"),
    }
    Ok(())
}

fn number(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Number(number) | Value::Counted(_, number) => Some(*number),
        _ => None,
    }
}

fn texts<'v>(value: &'v Value<'_>) -> Vec<Cow<'v, str>> {
    match value {
        Value::Names(names) => names.iter().map(|&name| name.into()).collect(),
        Value::Urls(urls) => urls.iter().map(|url| String::from_utf8_lossy(url)).collect(),
        _ => Vec::new(),
    }
}

fn push_text(to: &mut StringBuilder, text: Option<&str>, size: &mut Size) -> Result<(), ArrowError> {
    size.add(text.map_or(0, str::len))?;
    to.append_option(text);
    Ok(())
}

/// A failure to read, in place of a match.
#[derive(Debug)]
pub struct Failure {
    /// `open`, `read`, `damaged`, `unsupported` or `undecoded`.
    pub kind: &'static str,
    pub path: Option<String>,
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

/// The builder of the column `error`.
#[derive(Default)]
pub struct Errors {
    nulls: Vec<bool>,
    path: StringBuilder,
    kind: StringBuilder,
    message: StringBuilder,
    bytes_read: Int64Builder,
}

impl Errors {
    /// Returns the type of the column.
    pub fn data_type() -> DataType {
        DataType::Struct(Errors::fields())
    }

    fn fields() -> Fields {
        let text = |name| arrow_schema::Field::new(name, DataType::Utf8, true);
        let bytes = arrow_schema::Field::new("bytes_read", DataType::Int64, true);
        Fields::from(vec![text("path"), text("kind"), text("message"), bytes])
    }

    /// Adds an error; `None` for a match.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has more than 2 GiB then.
    pub fn push(&mut self, failure: Option<&Failure>, size: &mut Size) -> Result<(), ArrowError> {
        self.nulls.push(failure.is_some());
        push_text(&mut self.path, failure.and_then(|failure| failure.path.as_deref()), size)?;
        push_text(&mut self.kind, failure.map(|failure| failure.kind), size)?;
        push_text(&mut self.message, failure.map(|failure| &*failure.message), size)?;
        self.bytes_read.append_option(failure.and_then(|failure| failure.bytes_read).map(u64::cast_signed));
        Ok(())
    }

    /// Returns the array. The builder is empty then.
    ///
    /// # Errors
    ///
    /// Returns an error if the columns were not of the same length, which they are.
    pub fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.path.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.message.finish()),
            Arc::new(self.bytes_read.finish()),
        ];
        let nulls = std::mem::take(&mut self.nulls);
        Ok(Arc::new(StructArray::try_new(Errors::fields(), columns, Some(nulls.into()))?))
    }
}
