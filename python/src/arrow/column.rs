//! A column of strings or bytes, whatever its layout is.

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeStringArray,
    StringArray, StringViewArray, downcast_dictionary_array,
};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, DataType};

/// The rows of a column.
pub enum Column {
    Utf8(StringArray),
    LargeUtf8(LargeStringArray),
    Utf8View(StringViewArray),
    Binary(BinaryArray),
    LargeBinary(LargeBinaryArray),
    BinaryView(BinaryViewArray),
    FixedSizeBinary(FixedSizeBinaryArray),
    /// Indices of the values; `None` is null.
    Dictionary(Vec<Option<usize>>, Box<Column>),
    /// This many rows, all of them null.
    Null(usize),
}

/// Whether a column can have this type.
///
/// # Errors
///
/// If not, an error that says which can.
pub fn check(data_type: &DataType) -> Result<(), ArrowError> {
    let found = match data_type {
        DataType::Dictionary(_, values) => match **values {
            DataType::Dictionary(..) => data_type,
            _ => return check(values),
        },
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Null => return Ok(()),
        other => other,
    };
    let hint = match found {
        DataType::Struct(_) => " (a table or several columns: pass one column of it)",
        _ => "",
    };
    Err(ArrowError::SchemaError(format!("expected a column of strings or bytes, found one of {found}{hint}")))
}

impl Column {
    /// The rows of `array`.
    ///
    /// # Errors
    ///
    /// If its type is neither strings nor bytes.
    pub fn new(array: &ArrayRef) -> Result<Column, ArrowError> {
        check(array.data_type())?;
        Ok(match array.data_type() {
            DataType::Utf8 => Column::Utf8(array.as_string().clone()),
            DataType::LargeUtf8 => Column::LargeUtf8(array.as_string().clone()),
            DataType::Utf8View => Column::Utf8View(array.as_string_view().clone()),
            DataType::Binary => Column::Binary(array.as_binary().clone()),
            DataType::LargeBinary => Column::LargeBinary(array.as_binary().clone()),
            DataType::BinaryView => Column::BinaryView(array.as_binary_view().clone()),
            DataType::FixedSizeBinary(_) => Column::FixedSizeBinary(array.as_fixed_size_binary().clone()),
            DataType::Dictionary(..) => Column::dictionary(array)?,
            _ => Column::Null(array.len()),
        })
    }

    fn dictionary(array: &ArrayRef) -> Result<Column, ArrowError> {
        downcast_dictionary_array!(
            array => {
                let values = Column::new(array.values())?;
                Ok(Column::Dictionary(indices(array.keys()), Box::new(values)))
            }
            // Only a dictionary comes here.
            other => Err(ArrowError::SchemaError(format!("expected a dictionary, found {other}")))
        )
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Utf8(array) => array.len(),
            Column::LargeUtf8(array) => array.len(),
            Column::Utf8View(array) => array.len(),
            Column::Binary(array) => array.len(),
            Column::LargeBinary(array) => array.len(),
            Column::BinaryView(array) => array.len(),
            Column::FixedSizeBinary(array) => array.len(),
            Column::Dictionary(indices, _) => indices.len(),
            Column::Null(len) => *len,
        }
    }

    /// The bytes of a row; `None` if it is null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Column::Utf8(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Column::LargeUtf8(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Column::Utf8View(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Column::Binary(array) => array.is_valid(row).then(|| array.value(row)),
            Column::LargeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Column::BinaryView(array) => array.is_valid(row).then(|| array.value(row)),
            Column::FixedSizeBinary(array) => array.is_valid(row).then(|| array.value(row)),
            Column::Dictionary(indices, values) => values.get(indices[row]?),
            Column::Null(_) => None,
        }
    }
}

fn indices<K: ArrowDictionaryKeyType>(keys: &arrow_array::PrimitiveArray<K>) -> Vec<Option<usize>> {
    keys.iter().map(|key| key.map(ArrowNativeType::as_usize)).collect()
}
