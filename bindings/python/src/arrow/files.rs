//! `arrow.open`: the matches in files, one file after the other.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyTuple};
use urlgrep::archive::Archive;

use super::columns::Failure;
use super::external;
use super::stream::Batched;
use super::table::Output;
use crate::archive::Split;
use crate::input::{self, Input, Opened, Raised, os_error};
use crate::interrupt::Clock;
use crate::options::{OnError, Options, type_name, wrong_type};

/// The number of bytes of batches that may wait. A message with more matches is searched again for
/// the rest.
const WAITING: usize = 64 << 20;

/// Returns an iterator over `files`, which is an iterable, or one file; and true if it is one file.
fn files_of(files: &Bound<'_, PyAny>) -> PyResult<(Py<PyIterator>, bool)> {
    let is_one = input::is_file(files)? || part_of(files)?.is_some();
    let iterator = match is_one {
        true => PyTuple::new(files.py(), [files])?.try_iter(),
        false => files.try_iter().map_err(|error| {
            wrong_type(files, error, |found| {
                format!("expected a path, a binary file object, or several of them, found {found}")
            })
        }),
    };
    Ok((iterator?.unbind(), is_one))
}

/// A part of a file.
struct Part {
    split: Split,
    /// True if its lines and messages are those before it.
    counted: bool,
}

/// The file and its part, a `urlgrep.Split`, if it is a pair of them. One field more says whether lines
/// and messages were counted.
fn part_of<'py>(file: &Bound<'py, PyAny>) -> PyResult<Option<(Bound<'py, PyAny>, Part)>> {
    let Ok(pair) = file.cast::<PyTuple>() else { return Ok(None) };
    let (Ok(inner), Ok(part)) = (pair.get_item(0), pair.get_item(1)) else { return Ok(None) };
    let Ok(part) = part.cast_into::<PyTuple>() else { return Ok(None) };
    if pair.len() != 2 {
        return Ok(None);
    }
    let counted = part.len() <= Split::FIELDS || part.get_item(Split::FIELDS)?.extract()?;
    Ok(Some((inner, Part { split: Split::new(&part.get_slice(0, Split::FIELDS))?, counted })))
}

/// The number of bytes that have been read, for a function that is called now and then.
pub struct Progress {
    function: Py<PyAny>,
    /// The length of all files, if it is known.
    total: Option<u64>,
    /// The number of bytes of the files before the current one.
    before: u64,
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
    fn tell(&mut self, read: u64) -> PyResult<()> {
        if self.clock.is_due() { self.call(read) } else { Ok(()) }
    }

    /// Reports the number of bytes read: all bytes of finished files, and `read` bytes of the current one.
    ///
    /// # Errors
    ///
    /// Returns the exception of the function.
    fn call(&self, read: u64) -> PyResult<()> {
        let read = self.before + read;
        // Some bytes are read twice, or after the end of a part.
        let read = self.total.map_or(read, |total| read.min(total));
        Python::attach(|py| self.function.call1(py, (read, self.total)).map(drop))
    }
}

/// The file that is searched.
struct Current {
    archive: Archive<Input>,
    raised: Raised,
    bytes_read: Arc<AtomicU64>,
    /// The number of added matches of the current message, if they are not complete.
    added: Option<usize>,
}

/// The batches of files.
pub struct FileSearch {
    /// The files to come; `None` after the end.
    files: Option<Py<PyIterator>>,
    options: Options,
    output: Output,
    current: Option<Current>,
    progress: Option<Progress>,
    clock: Clock,
}

impl FileSearch {
    /// Returns the batches of a file, or of several. A single one is opened at once if its errors
    /// are raised.
    ///
    /// # Errors
    ///
    /// `TypeError` if it is neither; the error of a single file.
    pub fn new(
        files: &Bound<'_, PyAny>,
        options: Options,
        output: Output,
        progress: Option<Progress>,
    ) -> PyResult<Self> {
        let ((files, is_one), clock) = (files_of(files)?, Clock::default());
        let mut search = FileSearch { files: Some(files), options, output, current: None, progress, clock };
        if is_one && search.options.errors == OnError::Raise {
            search.next_file().map_err(super::raise)?;
        }
        Ok(search)
    }

    /// Opens the next file, and begins to read it.
    fn next_file(&mut self) -> Result<(), ArrowError> {
        self.clock.check().map_err(external)?;
        Python::attach(|py| {
            let next = self.files.as_ref().and_then(|files| files.bind(py).clone().next());
            let Some(file) = next.transpose().map_err(external)? else {
                self.output.ended = true;
                self.output.flush();
                return Ok(());
            };
            let (file, part) = match part_of(&file).map_err(external)? {
                Some((file, part)) => (file, Some(part)),
                None => (file, None),
            };
            let place = &mut self.output.place;
            let path = input::path_of(&file).map_err(external)?;
            place.path = path.as_deref().map(|path| path.to_string_lossy().into_owned());
            place.member = None;
            place.displaced = part.as_ref().is_some_and(|part| !part.split.has_offsets());
            place.uncounted = place.displaced || part.as_ref().is_some_and(|part| !part.counted);
            let Opened { input, raised, bytes_read, .. } = match input::open(&file) {
                Ok(opened) => opened,
                Err(raised) => return self.failed_in_python("open", raised, 0),
            };
            let archive = py.detach(|| match part {
                None => input.archive(),
                Some(part) => part.split.open(input, path.as_deref(), self.options.read.format),
            });
            match archive {
                Ok(archive) => {
                    let archive = match &path {
                        Some(path) => archive.with_name_hint(path),
                        None => archive,
                    };
                    let archive = archive.with_options(&self.options.read);
                    self.current = Some(Current { archive, raised, bytes_read, added: None });
                    Ok(())
                }
                Err(error) => self.failed(raised.take(), error, bytes_read.load(Ordering::Relaxed)),
            }
        })
    }

    /// Searches the next message, or the rest of the current one.
    fn search_message(&mut self) -> Result<(), ArrowError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let skipped = match current.added.take() {
            Some(added) => added,
            None => match current.archive.next_message() {
                Ok(Some(_)) => 0,
                Ok(None) => return self.end_file(),
                Err(error) => return self.failed_in_file(error),
            },
        };
        let finder = &self.options.finder;
        current.added = self.output.search_message(&current.archive, finder, skipped, WAITING)?;
        Ok(())
    }

    /// Ends a file that was read.
    fn end_file(&mut self) -> Result<(), ArrowError> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let bytes_read = current.bytes_read.load(Ordering::Relaxed);
        self.progress.iter_mut().for_each(|progress| progress.before += bytes_read);
        let mut notes = current.archive.take_notes();
        notes.try_for_each(|note| self.output.report("undecoded", note.to_string(), Some(bytes_read)))
    }

    /// Handles an error in the middle of a file as the options require: the rest of an archive is
    /// searched.
    fn failed_in_file(&mut self, error: io::Error) -> Result<(), ArrowError> {
        let Some(current) = self.current.take() else { return Ok(()) };
        self.output.begin_message(current.archive.member());
        let bytes_read = current.bytes_read.load(Ordering::Relaxed);
        let raised = current.raised.take();
        match raised {
            // An exception of the file object or of a signal ends the file.
            Some(_) => self.progress.iter_mut().for_each(|progress| progress.before += bytes_read),
            None => self.current = Some(current),
        }
        self.failed(raised, error, bytes_read)
    }

    /// Handles a read error as the options require, or the exception that caused it.
    fn failed(&mut self, raised: Option<PyErr>, error: io::Error, bytes_read: u64) -> Result<(), ArrowError> {
        if let Some(raised) = raised {
            return self.failed_in_python("read", raised, bytes_read);
        }
        if self.options.errors == OnError::Raise {
            let name = self.output.place.name();
            let name = name.as_deref().map(String::from_utf8_lossy);
            let path = name.as_deref().map(Path::new);
            return Err(external(Python::attach(|py| os_error(py, path, error))));
        }
        self.output.report(Failure::kind_of(&error), error.to_string(), Some(bytes_read))
    }

    /// Handles an exception as the options require. Ctrl-C and the end of the program are always
    /// raised.
    fn failed_in_python(
        &mut self,
        kind: &'static str,
        raised: PyErr,
        bytes_read: u64,
    ) -> Result<(), ArrowError> {
        let is_of_file = Python::attach(|py| raised.is_instance_of::<PyException>(py));
        if !is_of_file || self.options.errors == OnError::Raise {
            return Err(external(raised));
        }
        self.output.report(kind, message_of(&raised), Some(bytes_read))
    }
}

/// Returns the message of an exception, without the path.
fn message_of(raised: &PyErr) -> String {
    Python::attach(|py| {
        let value = raised.value(py);
        let message = value.getattr("strerror").and_then(|text| text.extract::<String>());
        let message = message.or_else(|_| Ok::<_, PyErr>(value.str()?.to_string_lossy().into_owned()));
        message.ok().filter(|message| !message.is_empty()).unwrap_or_else(|| type_name(value.as_any()))
    })
}

impl Batched for FileSearch {
    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Searches a message, or opens a file, and reports to the caller how far the search is.
    fn advance(&mut self) -> Result<(), ArrowError> {
        match self.current {
            Some(_) => self.search_message()?,
            None => self.next_file()?,
        }
        let Some(progress) = &mut self.progress else { return Ok(()) };
        let told = match &self.current {
            Some(current) => progress.tell(current.bytes_read.load(Ordering::Relaxed)),
            None if self.output.ended => progress.call(0),
            None => Ok(()),
        };
        told.map_err(external)
    }

    fn end(&mut self) {
        self.files = None;
        self.current = None;
        self.output.ended = true;
    }
}
