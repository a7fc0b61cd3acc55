//! The values of rows, as arrays.

use std::any::Any;
use std::borrow::Cow;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_schema::{ArrowError, DataType, Fields};
use urlgrep::table::Value;

use super::columns::{Column, Source};
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

/// Returns an empty builder of structs of these fields.
pub fn structs(fields: &Fields) -> StructBuilder {
    StructBuilder::new(fields.clone(), fields.iter().map(|field| builder(field.data_type())).collect())
}

/// An empty builder of the values of a column.
fn builder(data_type: &DataType) -> Box<dyn ArrayBuilder> {
    match data_type {
        DataType::Int64 => Box::new(Int64Builder::new()),
        DataType::Int32 => Box::new(Int32Builder::new()),
        DataType::Binary => Box::new(BinaryBuilder::new()),
        DataType::Struct(fields) => Box::new(structs(fields)),
        DataType::List(item) => match item.data_type() {
            DataType::Struct(fields) => Box::new(ListBuilder::new(structs(fields)).with_field(item.clone())),
            _ => Box::new(ListBuilder::new(StringBuilder::new()).with_field(item.clone())),
        },
        _ => Box::new(StringBuilder::new()),
    }
}

/// Adds the values of these columns for a row; `None` adds a null. The builder is made for the columns.
///
/// # Errors
///
/// Returns an error if the batch has more than 2 GiB then.
pub fn push<'c>(
    to: &mut StructBuilder,
    columns: impl IntoIterator<Item = &'c Column>,
    found: Option<&OutputRow<'_>>,
    size: &mut Size,
) -> Result<(), ArrowError> {
    for (column, to) in columns.into_iter().zip(to.field_builders_mut()) {
        let to = to.as_any_mut();
        match &column.source {
            Source::Struct(name, columns) => {
                let found = found.filter(|found| found.has_object(name));
                let Some(to) = to.downcast_mut() else { unreachable!("a builder is made for its column") };
                push(to, columns, found, size)?;
            }
            source => push_value(to, found.map_or(Value::Null, |found| found.value(source)), size)?,
        }
    }
    to.append(found.is_some());
    Ok(())
}

/// Adds the value of a field. A URL that is not UTF-8 is null; in other texts, invalid UTF-8 is
/// replaced.
fn push_value(to: &mut dyn Any, value: Value<'_>, size: &mut Size) -> Result<(), ArrowError> {
    if let Some(to) = to.downcast_mut::<StringBuilder>() {
        match value {
            Value::Name(name) => push_text(to, Some(name), size)?,
            Value::Url(url) => push_text(to, std::str::from_utf8(&url).ok(), size)?,
            Value::Text(text) => push_text(to, Some(&String::from_utf8_lossy(&text)), size)?,
            _ => to.append_null(),
        }
    } else if let Some(to) = to.downcast_mut::<Int64Builder>() {
        to.append_option(number(&value).map(u64::cast_signed));
    } else if let Some(to) = to.downcast_mut::<BinaryBuilder>() {
        match value {
            Value::Url(url) => {
                size.add(url.len())?;
                to.append_value(&url);
            }
            _ => to.append_null(),
        }
    } else if let Some(to) = to.downcast_mut::<Int32Builder>() {
        to.append_option(number(&value).and_then(|number| i32::try_from(number).ok()));
    } else if let Some(to) = to.downcast_mut::<ListBuilder<StringBuilder>>() {
        let texts = texts(&value);
        // An empty string counts as well: so the items fit 32 bits.
        size.add(texts.len())?;
        texts.iter().try_for_each(|text| push_text(to.values(), Some(text), size))?;
        to.append(value != Value::Null);
    } else if let Some(to) = to.downcast_mut::<ListBuilder<StructBuilder>>() {
        let ranges: &[_] = if let Value::Ranges(ranges) = &value { ranges } else { &[] };
        size.add(16 * ranges.len())?;
        for range in ranges {
            for (column, offset) in [range.start, range.end].into_iter().enumerate() {
                let offsets = to.values().field_builder::<Int64Builder>(column);
                offsets.into_iter().for_each(|offsets| offsets.append_value(offset.cast_signed()));
            }
            to.values().append(true);
        }
        to.append(value != Value::Null);
    } else {
        unreachable!("a builder is made for its column");
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
