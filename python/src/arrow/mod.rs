//! `urlgrep.arrow`: columns in, columns out.
//!
//! What goes out is arrays of arrow-array, which all of Rust uses. What comes in is read in
//! [`c_data`], which trusts less than arrow-array does. The capsules around both are our own, in
//! [`capsule`]: pyo3-arrow has them too, but its arrays bring every kernel of arrow into the wheel.

mod c_data;
mod capsule;
mod column;
mod search;
mod table;

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ListArray, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};

use crate::options::{Options, Scope};
use search::{Exported, Extract, lists};

/// The matches in a column, as batches. Made by `urlgrep.arrow.extract`.
///
/// It can be iterated, or passed once to whatever takes an Arrow stream: pyarrow.table,
/// polars.DataFrame, DuckDB.
#[pyclass(module = "urlgrep.arrow")]
pub struct Batches {
    /// `None` once they have been passed on. Python wants what threads can share; nobody else
    /// has the lock.
    extract: Mutex<Option<Extract>>,
}

/// The error of a search, as the exception that caused it or one that says so.
fn raise(error: ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(raised) => *raised,
            Err(error) => PyValueError::new_err(error.to_string()),
        },
        ArrowError::SchemaError(why) => PyTypeError::new_err(why),
        ArrowError::CDataInterface(why) | ArrowError::InvalidArgumentError(why) => PyValueError::new_err(why),
        other => PyValueError::new_err(other.to_string()),
    }
}

#[pymethods]
impl Batches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let extract = self.extract.get_mut().unwrap_or_else(PoisonError::into_inner);
        let extract = extract.as_mut().ok_or_else(consumed)?;
        Ok(py.detach(|| extract.next()).transpose().map_err(raise)?.map(Batch))
    }

    /// The schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &DataType::Struct(table::schema().fields().clone()))
    }

    /// The batches that have not been read, as a capsule. The requested schema is not considered.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &mut self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let extract = self.extract.get_mut().unwrap_or_else(PoisonError::into_inner);
        let extract = extract.take().ok_or_else(consumed)?;
        capsule::export_stream(py, Box::new(Exported(extract)))
    }
}

fn consumed() -> PyErr {
    PyValueError::new_err("the batches have been consumed; call urlgrep.arrow.extract again")
}

/// A batch of matches, for pyarrow.record_batch and others.
#[pyclass(frozen, module = "urlgrep.arrow")]
pub struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    /// The number of matches.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &DataType::Struct(self.0.schema().fields().clone()))
    }

    /// The batch, as a pair of capsules. The requested schema is not considered.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsule::export_array(py, &StructArray::from(self.0.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<urlgrep.arrow.Batch of {} matches>", self.0.num_rows())
    }
}

/// A list of matches for each row of a column, for pyarrow.array and others.
#[pyclass(frozen, module = "urlgrep.arrow")]
pub struct Lists(Arc<ListArray>);

#[pymethods]
impl Lists {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The type, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, self.0.data_type())
    }

    /// The array, as a pair of capsules. The requested schema is not considered.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        capsule::export_array(py, &*self.0)
    }

    fn __repr__(&self) -> String {
        format!("<urlgrep.arrow.Lists of {} rows>", self.0.len())
    }
}

/// The matches in a column, as batches: see `urlgrep.arrow.extract`.
#[pyfunction]
#[pyo3(signature = (column, archive, /, **options))]
pub fn extract(
    column: &Bound<'_, PyAny>,
    archive: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batches> {
    let options = parse(archive, options)?;
    let extract = Extract::new(capsule::import(column)?, options, archive);
    Ok(Batches { extract: Mutex::new(Some(extract)) })
}

/// The matches in a column, one list for each row: see `urlgrep.arrow.extract_list`.
#[pyfunction]
#[pyo3(signature = (column, archive, /, **options))]
pub fn extract_list(
    column: &Bound<'_, PyAny>,
    archive: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Lists> {
    let options = parse(archive, options)?;
    let columns = capsule::import(column)?;
    let lists = column.py().detach(|| lists(columns, options, archive)).map_err(raise)?;
    Ok(Lists(Arc::new(lists)))
}

fn parse(archive: bool, options: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    Options::new(options, if archive { Scope::Archive } else { Scope::Text })
}
