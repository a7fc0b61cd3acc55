//! Builders: the values of one column, as an array.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType};
use urlgrep::table::{Kind, Value};

use super::columns::{Column, Source, range_fields, struct_fields};
use super::output_row::OutputRow;

/// The maximum number of bytes of one batch's strings: offsets of Utf8 and Binary are signed and 32
/// bits wide. This also limits the items of a list.
const MAX_BATCH_BYTES: usize = i32::MAX as usize;

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
        if self.0 <= MAX_BATCH_BYTES {
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

    /// Adds the column's value for a row; `None` adds a null.
    ///
    /// # Errors
    ///
    /// Returns an error if the batch has more than 2 GiB then.
    pub fn push(&mut self, found: Option<&OutputRow<'_>>, size: &mut Size) -> Result<(), ArrowError> {
        match (&self.column.source, &mut self.values) {
            (Source::Struct(name, _), Values::Struct(nulls, builders)) => {
                let found = found.filter(|found| found.has_object(name));
                nulls.append(found.is_some());
                builders.iter_mut().try_for_each(|builder| builder.push(found, size))
            }
            (source, values) => {
                push_value(values, found.map_or(Value::Null, |found| found.value(source)), size)
            }
        }
    }

    /// Returns the array. The builder is empty then.
    ///
    /// # Errors
    ///
    /// Returns the error of `StructArray::try_new`, which does not occur, because the builders are made for the columns.
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
        (Values::Bytes(to), Value::Url(url)) => {
            size.add(url.len())?;
            to.append_value(&url);
        }
        (Values::Bytes(to), _) => to.append_null(),
        (Values::Int(to), value) => to.append_option(number(&value).map(u64::cast_signed)),
        (Values::Short(to), value) => {
            to.append_option(number(&value).and_then(|number| i32::try_from(number).ok()));
        }
        (Values::Texts(to), Value::Null) => to.append_null(),
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
