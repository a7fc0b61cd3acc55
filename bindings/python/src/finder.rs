//! `Finder`: options for many searches, of texts, files and columns.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

use crate::archive::ArchiveMatches;
use crate::arrow::{self, Batches, Lists};
use crate::matched::Match;
use crate::options::{Options, SearchScope, is_list, names};
use crate::text::{ANCHORED, COVERING, FindIter, all, at, has};

/// The default maximum number of rows in a batch of a table.
const ROWS: usize = 65536;

/// A set of options, for many searches. It can be pickled, and threads can share it. Two are equal if they were made
/// with the same options.
///
/// It takes the options of find_iter and, for open, read_split and archives in columns, the options
/// of open. To make one takes a few microseconds.
#[pyclass(frozen, module = "urlgrep")]
#[derive(Debug)]
pub struct Finder {
    options: Options,
    given: Py<PyDict>,
}

impl Finder {
    /// Returns the values to compare: the options that were given, regardless of their order. One
    /// name is a list of one.
    fn key(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        let given = self.given.bind(py).iter();
        let pair = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            let name: String = name.extract()?;
            let value = match is_list(&name) {
                true => names(&name, &value)?.join(","),
                false => value.repr()?.to_string(),
            };
            Ok((name, value))
        };
        given.map(pair).collect()
    }
}

#[pymethods]
impl Finder {
    #[new]
    #[pyo3(signature = (**options))]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Finder> {
        let given = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?.unbind();
        Ok(Finder { options: Options::new(options, SearchScope::Archive)?, given })
    }

    /// The URLs in a text, as an iterator: see urlgrep.find_iter.
    #[pyo3(signature = (text, /))]
    fn find_iter(&self, text: &Bound<'_, PyAny>) -> PyResult<FindIter> {
        FindIter::new(text, &self.options)
    }

    /// The URLs in a text, as a list: see urlgrep.find_iter.
    #[pyo3(signature = (text, /))]
    fn find_all(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Match>> {
        all(text, &self.options)
    }

    /// Returns True if a text contains a URL: see urlgrep.is_match.
    #[pyo3(signature = (text, /))]
    fn is_match(&self, text: &Bound<'_, PyAny>) -> PyResult<bool> {
        has(text, &self.options)
    }

    /// The match that covers an offset of a text: see urlgrep.find_covering.
    #[pyo3(signature = (text, offset, /))]
    fn find_covering(&self, text: &Bound<'_, PyAny>, offset: usize) -> PyResult<Option<Match>> {
        at(text, offset, &self.options, COVERING)
    }

    /// The match that starts at an offset of a text: see urlgrep.match_at.
    #[pyo3(signature = (text, offset, /))]
    fn match_at(&self, text: &Bound<'_, PyAny>, offset: usize) -> PyResult<Option<Match>> {
        at(text, offset, &self.options, ANCHORED)
    }

    /// The URLs in a file: see urlgrep.open.
    #[pyo3(signature = (file, /))]
    fn open(&self, file: &Bound<'_, PyAny>) -> PyResult<ArchiveMatches> {
        ArchiveMatches::open(file, &self.options)
    }

    /// The URLs in a column, as a table: see urlgrep.arrow.extract.
    #[pyo3(signature = (source, column=None, *, columns=None, keep=None, batch_size=ROWS, archive=false))]
    fn extract<'py>(
        this: &Bound<'py, Self>,
        source: &Bound<'py, PyAny>,
        column: Option<&Bound<'py, PyAny>>,
        columns: Option<&Bound<'py, PyAny>>,
        keep: Option<Bound<'py, PyAny>>,
        batch_size: usize,
        archive: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let keep = keep.unwrap_or_else(|| PyTuple::empty(py).into_any());
        if column.is_none() && !keep.is_truthy()? {
            let batches = this.get()._extract(source, None, columns, batch_size, archive)?;
            return Ok(Bound::new(py, batches)?.into_any());
        }
        let search = py.import("functools")?.getattr("partial")?;
        let archive = [("archive", archive)].into_py_dict(py)?;
        let search = search.call((this.getattr("_extract")?,), Some(&archive))?;
        let extract = py.import("urlgrep._tables")?.getattr("extract")?;
        extract.call1((search, source, column, columns, keep, batch_size))
    }

    /// Searches a path in a source, without the kept values.
    #[pyo3(signature = (source, column, columns, batch_size, *, archive))]
    fn _extract(
        &self,
        source: &Bound<'_, PyAny>,
        column: Option<&str>,
        columns: Option<&Bound<'_, PyAny>>,
        batch_size: usize,
        archive: bool,
    ) -> PyResult<Batches> {
        arrow::batches(source, column, columns, batch_size, archive, |_| Ok(self.options.clone()))
    }

    /// The URLs in a column, one list for each row: see urlgrep.arrow.extract_list.
    #[pyo3(signature = (source, column=None, *, columns=None, archive=false))]
    fn extract_list(
        &self,
        source: &Bound<'_, PyAny>,
        column: Option<&str>,
        columns: Option<&Bound<'_, PyAny>>,
        archive: bool,
    ) -> PyResult<Lists> {
        arrow::lists_of(source, column, columns, archive, |_| Ok(self.options.clone()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Finder) -> PyResult<bool> {
        Ok(self.key(py)? == other.key(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.key(py)?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut options = Vec::new();
        for (name, value) in self.given.bind(py) {
            options.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("urlgrep.Finder({})", options.join(", ")))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyTuple>, Bound<'py, PyDict>) {
        (PyTuple::empty(py), self.given.bind(py).clone())
    }
}
