//! The Arrow PyCapsule interface: arrays in and out without a copy.
//!
//! An exporter has a method that returns a capsule, or a pair of them. A capsule has a name and a
//! pointer to a struct of the C data interface, which has a function to release it. The importer
//! moves the struct out and leaves a released one there, so that the capsule releases nothing when
//! Python drops it. For export, PyO3 boxes a value, and drops it with the capsule, which releases
//! it unless it was moved out.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;
use std::iter;

use arrow_array::Array;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyTuple, PyType};

use super::c_data::{Chunks, import_array};
use super::column::BorrowedColumn;
use super::external;
use crate::options::type_name;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
pub const STREAM: &CStr = c"arrow_array_stream";

/// The chunks of a column, one after the other.
pub type Columns = Box<dyn Iterator<Item = Result<BorrowedColumn, ArrowError>> + Send>;

/// Returns the column that an object exports: an array, or a stream of chunks; or the columns of an
/// iterator of such objects. With a path it is a column of a table or a field of structs: names
/// with dots between them.
///
/// # Errors
///
/// `TypeError` if it exports neither and is not an iterator, or if it is not a column of strings or
/// bytes; `ValueError` if the column is invalid or missing.
pub fn import(object: &Bound<'_, PyAny>, path: Option<&str>) -> PyResult<Columns> {
    let object = &sized(object)?;
    // Read a `RecordBatchReader` batch by batch, because only its batches can be validated.
    let is_reader = path.is_some() && READER.has(object)?;
    // An object with both, such as an array of nanoarrow, may have chunks, which are not a single
    // array.
    if object.hasattr("__arrow_c_stream__")? && !is_reader {
        let stream = object.call_method0("__arrow_c_stream__")?.cast_into()?;
        return Ok(Box::new(Chunks::import(&stream, path)?));
    }
    if object.hasattr("__arrow_c_array__")? {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        return Ok(Box::new(iter::once(Ok(import_array(&schema, &array, path)?))));
    }
    if object.hasattr("__next__")? {
        let (arrays, path) = (object.clone().unbind(), path.map(str::to_owned));
        let next = move |py: Python<'_>| {
            let next = arrays.bind(py).try_iter()?.next().transpose()?;
            next.map(|array| import(&array, path.as_deref())).transpose()
        };
        let columns = iter::from_fn(move || Python::attach(&next).transpose());
        return Ok(Box::new(columns.flat_map(|chunks| {
            chunks.unwrap_or_else(|raised| Box::new(iter::once(Err(external(raised)))))
        })));
    }
    let found = type_name(object);
    Err(PyTypeError::new_err(format!(
        "expected an Arrow array or stream (of pyarrow, Polars, DuckDB or others), found {found}"
    )))
}

/// Returns `object` after pyarrow has validated the sizes of its buffers.
///
/// pyarrow exports arrays from files without validation. The C data interface does not transfer
/// the sizes of buffers, so only pyarrow can compare them. This does not examine the rows.
/// Series of pandas are made of arrays of pyarrow, or pyarrow makes one of their objects, which
/// pandas 2 does not do itself.
fn sized<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if SERIES.has(object)? {
        let values = object.getattr("array")?;
        if let Some(export) = values.getattr_opt("__arrow_array__")? {
            return sized(&export.call0()?);
        }
        if !object.hasattr("__arrow_c_stream__")?
            && let Ok(pyarrow) = object.py().import("pyarrow")
        {
            return pyarrow.getattr("Array")?.call_method1("from_pandas", (object,));
        }
    }
    for class in &SIZED {
        if class.has(object)? {
            object.call_method0("validate")?;
            break;
        }
    }
    Ok(object.clone())
}

/// A class of a module that may not be there.
struct Class(&'static str, &'static str, PyOnceLock<Py<PyType>>);

static SERIES: Class = Class("pandas", "Series", PyOnceLock::new());
static READER: Class = Class("pyarrow", "RecordBatchReader", PyOnceLock::new());

/// The classes that know the sizes of their buffers, and compare them in `validate`.
static SIZED: [Class; 4] = [
    Class("pyarrow", "Array", PyOnceLock::new()),
    Class("pyarrow", "ChunkedArray", PyOnceLock::new()),
    Class("pyarrow", "Table", PyOnceLock::new()),
    Class("pyarrow", "RecordBatch", PyOnceLock::new()),
];

impl Class {
    /// Returns whether an object is of the class. It is looked up once, as small columns come one
    /// by one.
    fn has(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (Class(module, name, class), py) = (self, object.py());
        if class.get(py).is_none() {
            // An object cannot come from a module that was not imported. One that is being
            // imported may not have the class.
            let modules = py.import("sys")?.getattr("modules")?;
            if modules.call_method1("get", (module,))?.getattr_opt(name)?.is_none() {
                return Ok(false);
            }
        }
        object.is_instance(class.import(py, module, name)?)
    }
}

/// Returns an array as the pair of capsules that `__arrow_c_array__` returns.
///
/// # Errors
///
/// Returns an error if the type cannot be exported.
pub fn export_array<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) =
        to_ffi(&array.to_data()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema, array])
}

/// Returns a type as the capsule that `__arrow_c_schema__` returns.
///
/// # Errors
///
/// Returns an error if the type cannot be exported.
pub fn export_schema<'py>(py: Python<'py>, data_type: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema =
        FFI_ArrowSchema::try_from(data_type).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
