//! The Arrow C data interface: columns from other libraries, without a copy. All `unsafe` code of
//! the package is here.
//!
//! The interface passes pointers without sizes. The length of a buffer follows from the length and
//! the offset of its array, from the last offset in it, or, for views, from a buffer of sizes. The
//! exporter guarantees that and the pointers. arrow-array imports the rest, and adds and multiplies
//! the numbers in the structs without checks. So [`check`] compares these numbers before.
//! [`BorrowedColumn`] checks the content of the buffers when a row is read, as safe code must.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface.html>

#![expect(unsafe_code, reason = "the C data interface passes pointers; each use says why it is sound")]

use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::column::{BorrowedColumn, Rows, check_type, invalid, is_nothing};
use super::raise;

/// A struct of the interface.
trait FfiStruct: Sized {
    /// The name of a capsule that contains one.
    const NAME: &CStr;

    /// A released struct.
    fn empty() -> Self;

    fn is_released(&self) -> bool;
}

macro_rules! structs {
    ($($type:ident, $name:literal;)*) => {$(
        impl FfiStruct for $type {
            const NAME: &CStr = $name;

            fn empty() -> Self {
                $type::empty()
            }

            fn is_released(&self) -> bool {
                self.release().is_none()
            }
        }
    )*};
}

structs! {
    FFI_ArrowSchema, c"arrow_schema";
    FFI_ArrowArray, c"arrow_array";
    FFI_ArrowArrayStream, c"arrow_array_stream";
}

/// Moves the struct out of a capsule, and leaves a released one there.
fn take<T: FfiStruct>(capsule: &Bound<'_, PyCapsule>) -> PyResult<T> {
    let pointer: NonNull<T> = capsule.pointer_checked(Some(T::NAME))?.cast();
    // SAFETY: the name belongs to the interface, which guarantees that such a capsule points to an
    // initialized, aligned struct of this type, valid while the capsule is alive; `capsule` keeps
    // it alive. No code of Python runs in between, so other code does not use the struct.
    let taken = unsafe { pointer.replace(T::empty()) };
    if taken.is_released() {
        return Err(PyValueError::new_err("the Arrow column has been consumed"));
    }
    Ok(taken)
}

/// Returns the column in a pair of capsules: its type, and its rows. With a path it is a field of
/// structs.
///
/// # Errors
///
/// `TypeError` if it contains neither strings nor bytes; `ValueError` if the content of the
/// capsules is not valid, or has been taken, or the field is unknown.
pub fn import_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
    path: Option<&str>,
) -> PyResult<BorrowedColumn> {
    let (schema, array) = (take(schema)?, take(array)?);
    import_type(&schema, path).and_then(|data_type| import(array, &data_type, path)).map_err(raise)
}

/// The chunks of a column.
pub struct Chunks {
    stream: FFI_ArrowArrayStream,
    data_type: DataType,
    path: Option<String>,
}

impl Chunks {
    /// Returns the column in a capsule. With a path it is a field of structs.
    ///
    /// # Errors
    ///
    /// `TypeError` if it contains neither strings nor bytes; `ValueError` if the content of the
    /// capsule is not valid, or has been taken, or the exporter fails, or the field is unknown.
    pub fn import(stream: &Bound<'_, PyCapsule>, path: Option<&str>) -> PyResult<Chunks> {
        let mut stream = take::<FFI_ArrowArrayStream>(stream)?;
        let get_schema = stream.get_schema();
        let schema = call(&mut stream, get_schema).map_err(raise)?;
        let data_type = import_type(&schema, path).map_err(raise)?;
        Ok(Chunks { stream, data_type, path: path.map(str::to_owned) })
    }
}

impl Iterator for Chunks {
    type Item = Result<BorrowedColumn, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next();
        match call(&mut self.stream, get_next) {
            // The end.
            Ok(array) if array.is_released() => None,
            array => Some(array.and_then(|array| import(array, &self.data_type, self.path.as_deref()))),
        }
    }
}

type Callback<T> = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int;

/// Calls a callback of this stream, and returns the struct that it fills in.
fn call<T: FfiStruct>(
    stream: &mut FFI_ArrowArrayStream,
    callback: Option<Callback<T>>,
) -> Result<T, ArrowError> {
    let callback =
        callback.ok_or_else(|| invalid("expected an Arrow stream, found a stream without functions"))?;
    let mut filled = T::empty();
    // SAFETY: the callback is one of this stream, which is not released before it is dropped.
    // `&mut` excludes concurrent calls. It writes at most a struct to its second argument.
    let code = unsafe { callback(stream, &raw mut filled) };
    if code == 0 {
        return Ok(filled);
    }
    // After a failed call, the content of the struct is undefined, so it is not released.
    std::mem::forget(filled);
    // SAFETY: as above; this callback may be called after another one has failed, which is the case here.
    let text = stream.get_last_error().map(|callback| unsafe { callback(stream) });
    let text = text.filter(|text| !text.is_null());
    // SAFETY: it is not null, so it is a string that ends with a zero, valid until the next call
    // on the stream. It is copied before.
    let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
    Err(invalid(text.unwrap_or_else(|| format!("the Arrow stream failed with code {code}"))))
}

/// The type of a column, which is one that is read.
fn import_type(schema: &FFI_ArrowSchema, path: Option<&str>) -> Result<DataType, ArrowError> {
    catch_panic(|| {
        let data_type = importable(&DataType::try_from(schema)?);
        check_type(&data_type, path, false)?;
        Ok(data_type)
    })
}

fn import(
    array: FFI_ArrowArray,
    data_type: &DataType,
    path: Option<&str>,
) -> Result<BorrowedColumn, ArrowError> {
    catch_panic(|| {
        // An array without rows may have no buffers, which arrow-array would look for.
        if array.is_empty() {
            return Ok(BorrowedColumn { nulls: None, first: 0, len: 0, rows: Rows::Null });
        }
        check(&array, data_type)?;
        // SAFETY: the exporter vouches for the pointers, and for as many bytes behind them as the lengths declare,
        // which `check` has verified: their sums and products do not overflow, and what arrow-array reads from a
        // buffer, the last offset and the sizes, is aligned and not negative. The code does not rely on UTF-8 in
        // strings, because `BorrowedColumn` contains bytes.
        BorrowedColumn::new(&unsafe { from_ffi_and_data_type(array, data_type.clone()) }?, path)
    })
}

/// Imports a struct. arrow-array panics at null pointers and at a type that is not UTF-8, but the
/// caller is not Rust.
fn catch_panic<T>(import: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    catch_unwind(AssertUnwindSafe(import)).unwrap_or_else(|_| {
        Err(invalid("expected an Arrow column, found null pointers or invalid UTF-8 in it"))
    })
}

/// Compares the numbers of an array that arrow-array relies on, and of the arrays in it.
fn check(array: &FFI_ArrowArray, data_type: &DataType) -> Result<(), ArrowError> {
    // The numbers are signed; negative ones are above `isize::MAX` here.
    let count = |count: usize| isize::try_from(count).ok();
    let end = count(array.offset()).zip(count(array.len())).and_then(|(first, len)| first.checked_add(len));
    let bits = match data_type {
        DataType::FixedSizeBinary(width) => width.unsigned_abs() as usize * 8,
        // The rows of these types are in their children, if they are stored at all.
        DataType::Struct(_) | DataType::FixedSizeList(..) | DataType::RunEndEncoded(..) => 0,
        // The widest type.
        _ => 256,
    };
    let end = end.map(isize::cast_unsigned).filter(|end| end.saturating_add(1).checked_mul(bits).is_some());
    let Some(end) = end else {
        let found =
            format!("offset {} and length {}", array.offset().cast_signed(), array.len().cast_signed());
        return Err(invalid(format!("expected a valid offset and length of an array, found {found}")));
    };
    let (buffers, nulls) = (array.num_buffers(), array.null_count().cast_signed());
    let views = matches!(data_type, DataType::Utf8View | DataType::BinaryView);
    if buffers > isize::MAX as usize / 8 || views && buffers < 3 {
        return Err(invalid(format!("expected 3 buffers of a column, found {}", buffers.cast_signed())));
    }
    // The bits are in the first buffer. A null count of -1 means that the nulls have not been counted.
    let without = buffers > 0 && array.buffer(0).is_null() && !is_nothing(data_type);
    if nulls < -1 || nulls > if without { 0 } else { array.len().cast_signed() } {
        return Err(invalid(format!("expected a number of nulls in an array, found {nulls}")));
    }
    match data_type {
        _ if views => (0..buffers - 3).try_for_each(|at| {
            // SAFETY: the last buffer contains the sizes of all other buffers except three.
            unsafe { check_size::<i64>(array.buffer(buffers - 1), at) }
        })?,
        // SAFETY: the second buffer has an offset for each row, and one for the end of the last.
        DataType::Utf8 | DataType::Binary if buffers > 2 => {
            unsafe { check_size::<i32>(array.buffer(1), end) }?
        }
        // SAFETY: as above.
        DataType::LargeUtf8 | DataType::LargeBinary if buffers > 2 => {
            unsafe { check_size::<i64>(array.buffer(1), end) }?
        }
        _ => {}
    }
    if let (DataType::Dictionary(_, values), Some(dictionary)) = (data_type, array.dictionary()) {
        check(dictionary, values)?;
    }
    let children = children(data_type);
    let found = array.num_children().cast_signed();
    if found != children.len().cast_signed() {
        return Err(invalid(format!("expected {} children of a column, found {found}", children.len())));
    }
    children.iter().enumerate().try_for_each(|(at, field)| check(array.child(at), field.data_type()))
}

/// Compares a size that arrow-array reads.
///
/// # Safety
///
/// `buffer` must be null, or hold at least `at + 1` values of type `T`.
unsafe fn check_size<T: Into<i64>>(buffer: *const u8, at: usize) -> Result<(), ArrowError> {
    let sizes = buffer.cast::<T>();
    if sizes.is_null() || !sizes.is_aligned() {
        return Err(invalid("expected aligned offsets and sizes, found unaligned ones; copy the column"));
    }
    // SAFETY: it is aligned and not null; the rest is the caller's.
    match unsafe { sizes.add(at).read() }.into() {
        0.. => Ok(()),
        _ => Err(invalid("expected ascending offsets, found a negative one")),
    }
}

/// The type with which arrow-array imports a column of this one. Polars exports nulls with a buffer, which
/// arrow-array refuses: a struct without fields has as little, and may have one.
fn importable(data_type: &DataType) -> DataType {
    let field =
        |field: &FieldRef| Arc::new(field.as_ref().clone().with_data_type(importable(field.data_type())));
    match data_type {
        DataType::Null => DataType::Struct(Fields::empty()),
        DataType::List(item) => DataType::List(field(item)),
        DataType::LargeList(item) => DataType::LargeList(field(item)),
        DataType::ListView(item) => DataType::ListView(field(item)),
        DataType::LargeListView(item) => DataType::LargeListView(field(item)),
        DataType::FixedSizeList(item, width) => DataType::FixedSizeList(field(item), *width),
        DataType::Struct(fields) if !fields.is_empty() => {
            DataType::Struct(fields.iter().map(field).collect())
        }
        DataType::RunEndEncoded(ends, values) => DataType::RunEndEncoded(ends.clone(), field(values)),
        DataType::Dictionary(keys, values) => DataType::Dictionary(keys.clone(), importable(values).into()),
        other => other.clone(),
    }
}

fn children(data_type: &DataType) -> Vec<&FieldRef> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![item],
        DataType::Struct(fields) => fields.iter().collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends, values],
        _ => Vec::new(),
    }
}
