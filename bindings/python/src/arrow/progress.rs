//! The progress of a search of files, for a function of the caller.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::interrupt::Clock;
use crate::options::type_name;

/// The number of bytes that have been read, for a function that is called now and then.
pub struct Progress {
    function: Py<PyAny>,
    /// The length of all files, if it is known.
    total: Option<u64>,
    /// The number of bytes of the files before the current one.
    pub before: u64,
    clock: Clock,
}

impl Progress {
    /// Calls this function; the files have `total` bytes.
    ///
    /// # Errors
    ///
    /// `TypeError` if it cannot be called.
    pub fn new(function: &Bound<'_, PyAny>, total: Option<u64>) -> PyResult<Self> {
        if !function.is_callable() {
            let found = type_name(function);
            return Err(PyTypeError::new_err(format!("progress: expected a function, found {found}")));
        }
        Ok(Progress { function: function.clone().unbind(), total, before: 0, clock: Clock::default() })
    }

    /// Tells how many bytes of the current file were read, if it is time to.
    ///
    /// # Errors
    ///
    /// Returns the exception of the function.
    pub fn tell(&mut self, read: u64) -> PyResult<()> {
        if self.clock.is_due() { self.call(read) } else { Ok(()) }
    }

    /// Reports the number of bytes read: all bytes of finished files, and `read` bytes of the current one.
    ///
    /// # Errors
    ///
    /// Returns the exception of the function.
    pub fn call(&self, read: u64) -> PyResult<()> {
        let read = self.before + read;
        // Some bytes are read twice, or after the end of a part.
        let read = self.total.map_or(read, |total| read.min(total));
        Python::attach(|py| self.function.call1(py, (read, self.total)).map(drop))
    }
}
