//! The bytes of a text: of `bytes`, or of a buffer that other code may change while it is searched.
//!
//! A buffer, such as a mapped file, may be longer than memory. And memory that others may write to
//! cannot be read in Rust without a copy. So a long one is copied in pieces, by the interpreter,
//! when they are searched.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PySlice};

use crate::options::wrong_type;

/// The bytes of a text.
pub enum Bytes {
    /// Immutable bytes.
    Fixed(PyBackedBytes),
    /// A memoryview of bytes, and how many there are. It is held until they have been read.
    View(Py<PyAny>, usize),
}

impl Bytes {
    /// Returns the bytes of `bytes` or of an object with a buffer: a `bytearray`, a memoryview, an
    /// array, a mapped file. A buffer that is not longer than `short` is copied at once.
    ///
    /// # Errors
    ///
    /// `TypeError` for other objects.
    pub fn new(object: &Bound<'_, PyAny>, short: usize) -> PyResult<Bytes> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Bytes::Fixed(bytes.clone().into()));
        }
        if let Ok(bytes) = object.cast::<PyByteArray>()
            && bytes.len() <= short
        {
            return Ok(Bytes::Fixed(bytes.clone().into()));
        }
        let py = object.py();
        let view = py.import("builtins")?.getattr("memoryview")?.call1((object,)).map_err(|error| {
            wrong_type(object, error, |found| {
                format!(
                    "expected str or bytes, found {found}; urlgrep.open searches files, urlgrep.arrow.extract columns"
                )
            })
        })?;
        let len: usize = view.getattr("nbytes")?.extract()?;
        if len > short
            // Not if there are gaps between the items, or they are of a type that is not native.
            && let Ok(view) = view.call_method1("cast", ("B",))
        {
            return Ok(Bytes::View(view.unbind(), len));
        }
        Ok(Bytes::Fixed(view.call_method0("tobytes")?.cast_into::<PyBytes>()?.into()))
    }

    /// Returns their number.
    pub fn len(&self) -> usize {
        match self {
            Bytes::Fixed(bytes) => bytes.len(),
            Bytes::View(_, len) => *len,
        }
    }

    /// Returns a copy of the bytes of a view from `start` to `end`; `None` for bytes that do not
    /// change.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub fn copy(&self, py: Python<'_>, start: usize, end: usize) -> PyResult<Option<PyBackedBytes>> {
        let Bytes::View(view, _) = self else { return Ok(None) };
        let piece = view.bind(py).get_item(PySlice::new(py, start as isize, end as isize, 1))?;
        Ok(Some(piece.call_method0("tobytes")?.cast_into::<PyBytes>()?.into()))
    }

    /// Returns the bytes that do not change, or `None` for a view.
    pub fn fixed(&self) -> &[u8] {
        match self {
            Bytes::Fixed(bytes) => bytes,
            Bytes::View(..) => &[],
        }
    }

    /// Releases a view, of which nothing more is read.
    pub fn release(&mut self, py: Python<'_>) {
        if let Bytes::View(..) = self {
            *self = Bytes::Fixed(PyBytes::new(py, b"").into());
        }
    }
}
