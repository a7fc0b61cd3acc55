//! The Arrow PyCapsule interface: arrays in and out without a copy. All `unsafe` code of the
//! package is here.
//!
//! An exporter has a method that returns a capsule, or a pair of them. A capsule has a name
//! and a pointer to a struct of the C data interface, which has a function to release it. The
//! importer moves the struct out and leaves a released one there, so that the capsule releases
//! nothing when Python drops it. Export needs no `unsafe` code: PyO3 boxes a value, and drops it
//! with the capsule, which releases what nobody has moved out.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

#![expect(unsafe_code, reason = "the C data interface passes pointers; each use says why it is sound")]

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::column;
use crate::options::type_name;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The arrays of a column, one after the other.
pub type Arrays = Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>> + Send>;

/// The arrays of an object that exports a column: an array, or a stream of chunks.
///
/// # Errors
///
/// `TypeError` if it exports neither, or a column of neither strings nor bytes.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<Arrays> {
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let array = import_array(&schema, &array)?;
        checked(array.data_type())?;
        return Ok(Box::new(std::iter::once(Ok(array))));
    }
    if object.hasattr("__arrow_c_stream__")? {
        let stream = import_stream(&object.call_method0("__arrow_c_stream__")?.cast_into()?)?;
        checked(stream.field().data_type())?;
        return Ok(Box::new(stream));
    }
    let found = type_name(object);
    Err(PyTypeError::new_err(format!(
        "expected an Arrow array or stream (of pyarrow, Polars, DuckDB or others), found {found}"
    )))
}

fn checked(data_type: &DataType) -> PyResult<()> {
    column::check(data_type).map_err(|error| match error {
        ArrowError::SchemaError(why) => PyTypeError::new_err(why),
        other => PyValueError::new_err(other.to_string()),
    })
}

/// The struct that a capsule of this name points to.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

fn import_array(schema: &Bound<'_, PyCapsule>, array: &Bound<'_, PyCapsule>) -> PyResult<ArrayRef> {
    let schema = pointer::<FFI_ArrowSchema>(schema, SCHEMA)?;
    let array = pointer::<FFI_ArrowArray>(array, ARRAY)?;
    // SAFETY: PyCapsule_GetPointer has checked that the names are those of the interface, which
    // says that such capsules point to initialized, aligned structs of these types, valid while
    // the capsules are alive; `capsules` in the caller keeps them alive. No reference to them
    // exists: they are ours to move out of, once. `from_raw` leaves a released struct there, so
    // nothing is released twice, and a second import sees that.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow array has been consumed"));
    }
    // SAFETY: the exporter promises that `array` has the layout that `schema` describes. `array`
    // is moved in and owns its buffers, which are released with the last array that uses them.
    let data = unsafe { from_ffi(array, &schema) };
    Ok(make_array(data.map_err(|error| PyValueError::new_err(error.to_string()))?))
}

fn import_stream(stream: &Bound<'_, PyCapsule>) -> PyResult<ArrayStreamReader> {
    let stream = pointer::<FFI_ArrowArrayStream>(stream, STREAM)?;
    // SAFETY: as for an array: the name is checked, the caller keeps the capsule alive, and the
    // struct is moved out of it. The reader owns it from here and releases it once. The interface
    // allows calls from any thread, one at a time; the reader makes them through `&mut self`.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
    if stream.release().is_none() {
        return Err(PyValueError::new_err("the Arrow stream has been consumed"));
    }
    ArrayStreamReader::try_new(stream).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An array as the pair of capsules that `__arrow_c_array__` returns.
///
/// # Errors
///
/// If the type cannot be exported.
pub fn export_array<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) =
        to_ffi(&array.to_data()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// A type as the capsule that `__arrow_c_schema__` returns.
///
/// # Errors
///
/// If the type cannot be exported.
pub fn export_schema<'py>(py: Python<'py>, data_type: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema =
        FFI_ArrowSchema::try_from(data_type).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Batches as the capsule that `__arrow_c_stream__` returns.
///
/// # Errors
///
/// If Python has no memory.
pub fn export_stream<'py>(
    py: Python<'py>,
    batches: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}
