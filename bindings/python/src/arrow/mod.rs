//! `urlgrep.arrow`: columns in, columns out.
//!
//! arrow-array exports and imports the arrays. The capsules around them are our own, in
//! [`capsule`]: pyo3-arrow has them too, but its arrays bring every kernel of arrow into the wheel.
//!
//! | module | contains |
//! |---|---|
//! | [`capsule`] | Python objects that export columns |
//! | [`c_data`] | the import, with all `unsafe` code |
//! | [`column`] | the rows of a column, each checked when it is read |
//! | [`columns`] | the table of columns: names, types, values; failures to read |
//! | [`output_row`] | a match as the columns see it |
//! | [`builder`], [`table`] | the values of one column, and of all that are chosen |
//! | [`search`] | the search of a column |
//! | [`files`] | the search of files, and how far that is |
//! | [`stream`] | batches on their way out |

mod builder;
mod c_data;
mod capsule;
mod column;
mod columns;
mod files;
mod output_row;
mod search;
mod stream;
mod table;

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ListArray, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Fields, Schema};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString, PyTuple};

use crate::interrupt::Clock;
use crate::options::{OnError, Options, SearchScope, wrong_type};
use columns::{Column, ERROR, USUAL};
use files::{FileSearch, Progress};
use search::{Extract, Search, lists};
use stream::{Batched, Exported};
use table::{Chosen, Output};

/// The matches in a column or in files, as batches. Made by `urlgrep.arrow.extract` and `urlgrep.arrow.open`.
///
/// It can be iterated, or passed once to any function that takes an Arrow stream: pyarrow.table,
/// polars.DataFrame, DuckDB. One thread uses it at a time: while one waits for a batch, it is an
/// error in all others.
#[pyclass(frozen, module = "urlgrep.arrow")]
pub struct Batches {
    /// `None` once they have been passed on. A thread never waits for the lock: to hold one while
    /// waiting for Python, which the owner of the other needs, would have no end.
    batches: Mutex<Option<Box<dyn Batched>>>,
    fields: Fields,
}

impl Batches {
    fn new(mut batches: impl Batched + 'static) -> Self {
        let fields = batches.output().chosen.fields();
        Batches { batches: Mutex::new(Some(Box::new(batches))), fields }
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Option<Box<dyn Batched>>>> {
        match self.batches.try_lock() {
            Ok(batches) => Ok(batches),
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "urlgrep.arrow.Batches is used by another thread; give each thread one of its own, or use a lock",
            )),
        }
    }
}

/// An exception, as an error of a search.
fn external(raised: PyErr) -> ArrowError {
    ArrowError::ExternalError(Box::new(raised))
}

/// The error of a search, as the exception that caused it or a new one.
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

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        let mut batches = self.lock()?;
        let batches = batches.as_mut().ok_or_else(consumed)?;
        Ok(py.detach(|| batches.next_batch()).transpose().map_err(raise)?.map(Batch))
    }

    /// The schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &DataType::Struct(self.fields.clone()))
    }

    /// The batches that have not been read, as a capsule. The requested schema is not considered.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.lock()?.take().ok_or_else(consumed)?;
        let schema = Arc::new(Schema::new(self.fields.clone()));
        let stream = FFI_ArrowArrayStream::new(Box::new(Exported(batches, schema)));
        PyCapsule::new_with_value(py, stream, capsule::STREAM)
    }

    /// Ends the search, and releases the column or the file.
    fn close(&self) -> PyResult<()> {
        *self.lock()? = None;
        Ok(())
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&self, exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        let _ = exception;
        self.close()
    }
}

fn consumed() -> PyErr {
    PyValueError::new_err("the batches have been consumed or closed; search again")
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

/// Returns the matches in a column, as batches: see `urlgrep.arrow.extract`. `column` is a path in
/// `source`.
#[pyfunction]
#[pyo3(signature = (source, column, columns, batch_size, archive, /, **options))]
pub fn extract(
    source: &Bound<'_, PyAny>,
    column: Option<&str>,
    columns: Option<&Bound<'_, PyAny>>,
    batch_size: usize,
    archive: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batches> {
    batches(source, column, columns, batch_size, archive, |scope| Options::new(options, scope))
}

/// Returns the batches of a column.
///
/// # Errors
///
/// Those of [`capsule::import`]; `TypeError` or `ValueError` for options or names of columns, and for batches without rows.
pub fn batches(
    source: &Bound<'_, PyAny>,
    column: Option<&str>,
    columns: Option<&Bound<'_, PyAny>>,
    batch_size: usize,
    archive: bool,
    options: impl FnOnce(SearchScope) -> PyResult<Options>,
) -> PyResult<Batches> {
    let (search, chosen) = search(columns, Some("row"), archive, options)?;
    check_size(batch_size)?;
    let columns = capsule::import(source, column)?;
    Ok(Batches::new(Extract::new(columns, search, Output::new(chosen, batch_size))))
}

/// Returns the matches in a column, one list for each row: see `urlgrep.arrow.extract_list`.
/// `column` is a path in `source`.
#[pyfunction]
#[pyo3(signature = (source, column, columns, archive, /, **options))]
pub fn extract_list(
    source: &Bound<'_, PyAny>,
    column: Option<&str>,
    columns: Option<&Bound<'_, PyAny>>,
    archive: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Lists> {
    lists_of(source, column, columns, archive, |scope| Options::new(options, scope))
}

/// Returns the lists of a column.
///
/// # Errors
///
/// Those of [`capsule::import`] and [`batches`]; `ValueError` for lists that are too long.
pub fn lists_of(
    source: &Bound<'_, PyAny>,
    column: Option<&str>,
    columns: Option<&Bound<'_, PyAny>>,
    archive: bool,
    options: impl FnOnce(SearchScope) -> PyResult<Options>,
) -> PyResult<Lists> {
    let py = source.py();
    let name = columns.filter(|names| names.is_instance_of::<PyString>());
    let names = name.map(|name| PyList::new(py, [name])).transpose()?;
    let names = names.as_ref().map(|names| names.as_any()).or(columns);
    let (search, chosen) = search(names, None, archive, options)?;
    let bare = name.is_some();
    if bare && search.options.errors == OnError::Column {
        return Err(PyValueError::new_err("columns: expected a list of str for errors='column', found str"));
    }
    let columns = capsule::import(source, column)?;
    let lists = py.detach(|| lists(columns, search, Output::whole(chosen), bare)).map_err(raise)?;
    Ok(Lists(Arc::new(lists)))
}

/// Returns the matches in files, as batches: see `urlgrep.arrow.open`.
#[pyfunction(name = "open_files")]
#[pyo3(signature = (files, columns, batch_size, progress, total, /, **options))]
pub fn open_files(
    files: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    batch_size: usize,
    progress: Option<&Bound<'_, PyAny>>,
    total: Option<u64>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batches> {
    check_size(batch_size)?;
    let (options, chosen) =
        parse(columns, Some("path"), columns::Scope::Files, |scope| Options::new(options, scope))?;
    let progress = progress.map(|function| Progress::new(function, total)).transpose()?;
    Ok(Batches::new(FileSearch::new(files, options, Output::new(chosen, batch_size), progress)?))
}

fn check_size(batch_size: usize) -> PyResult<()> {
    match batch_size {
        0 => Err(PyValueError::new_err("batch_size: expected a number of rows above 0, found 0")),
        _ => Ok(()),
    }
}

/// Returns the search for a column, and the columns of its table.
fn search(
    names: Option<&Bound<'_, PyAny>>,
    first: Option<&'static str>,
    archive: bool,
    options: impl FnOnce(SearchScope) -> PyResult<Options>,
) -> PyResult<(Search, Chosen)> {
    let scope = if archive { columns::Scope::Archives } else { columns::Scope::Rows };
    let (options, chosen) = parse(names, first, scope, options)?;
    Ok((Search { options, archive, clock: Clock::default() }, chosen))
}

/// The options, and the columns with these names, or `first` and the usual columns.
fn parse(
    names: Option<&Bound<'_, PyAny>>,
    first: Option<&'static str>,
    scope: columns::Scope,
    options: impl FnOnce(SearchScope) -> PyResult<Options>,
) -> PyResult<(Options, Chosen)> {
    let mut columns = match names {
        Some(names) => chosen(names, scope)?,
        None => {
            let usual = first.into_iter().chain(USUAL);
            let usual = usual.map(|name| Ok((name.to_owned(), Column::of(name, scope)?)));
            usual.collect::<Result<Vec<_>, String>>().map_err(PyValueError::new_err)?
        }
    };
    let lines = columns.iter().any(|(_, column)| matches!(column.name, "line" | "column"));
    let options_scope = if scope == columns::Scope::Rows { SearchScope::Text } else { SearchScope::Table };
    let options = options(options_scope)?;
    let options = if lines { options.counting_lines()? } else { options };
    let errors = options.errors == OnError::Column;
    columns.extend(errors.then(|| (ERROR.name.to_owned(), &*ERROR)));
    Ok((options, Chosen { columns, scope, errors }))
}

/// The columns of a list of names, or of a dict of new names and names.
fn chosen(names: &Bound<'_, PyAny>, scope: columns::Scope) -> PyResult<Vec<(String, &'static Column)>> {
    let pairs: PyResult<Vec<(String, String)>> = match names.cast::<PyDict>() {
        Ok(names) => names.items().extract(),
        Err(_) => {
            names.extract().map(|names: Vec<String>| names.into_iter().map(|n| (n.clone(), n)).collect())
        }
    };
    let pairs = pairs.map_err(|error| {
        wrong_type(names, error, |found| {
            format!("columns: expected a list of str, or a dict of them, found {found}")
        })
    })?;
    let mut columns: Vec<(String, &Column)> = Vec::new();
    for (new, name) in pairs {
        let column = Column::of(&name, scope).map_err(PyValueError::new_err)?;
        if columns.iter().any(|(other, _)| *other == new) {
            return Err(PyValueError::new_err(format!("columns: {new:?} occurs twice")));
        }
        columns.push((new, column));
    }
    if columns.is_empty() {
        return Err(PyValueError::new_err("columns: expected at least one name, found none"));
    }
    Ok(columns)
}
