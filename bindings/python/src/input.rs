//! The source of an archive: a file, or a readable Python object.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyException, PyOSError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use urlgrep::archive::Archive;
use urlgrep::archive::internal::check_not_shortened;

use crate::fsspec_cache;
use crate::interrupt::Clock;
use crate::options::{type_name, wrong_type};
use crate::read_ahead::{MEMBER, ReadAhead};

/// An exception that was raised while the archive was read. The library returns another error
/// for it, which may say less.
#[derive(Clone, Debug, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Returns the exception, if there is one.
    pub fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps the first exception: the second Ctrl-C comes after it.
    fn set(&self, error: PyErr) -> io::Error {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        // Use `ErrorKind::Other`, because the library retries `Interrupted`. Do not format the exception here, because
        // that runs Python code, which signals may interrupt.
        io::Error::other("an exception was raised while the file was read")
    }
}

/// The input of an archive, which also looks for signals.
#[derive(Debug)]
pub struct Input {
    source: InputSource,
    clock: Clock,
    raised: Raised,
    bytes_read: Arc<AtomicU64>,
}

#[derive(Debug)]
enum InputSource {
    File(File),
    Object(ReadAhead<Object>),
}

/// A file object.
#[derive(Debug)]
struct Object {
    file: Arc<Py<PyAny>>,
    raised: Raised,
    /// True if it was opened here, so that it is closed here.
    is_ours: bool,
    /// The cache of the file object, which is removed while this crate reads it.
    cache: Option<Py<PyAny>>,
    /// The length of the file when it was opened, or 0 if unknown, and the offset of the next read.
    len: u64,
    at: u64,
}

impl Drop for Object {
    fn drop(&mut self) {
        if !self.is_ours && self.cache.is_none() {
            return;
        }
        // The interpreter may be gone.
        Python::try_attach(|py| {
            let file = self.file.bind(py);
            match &self.cache {
                // Ignore an error of `close`, because the file has been read.
                _ if self.is_ours => drop(file.call_method0(intern!(py, "close"))),
                // Ignore an error: the file is closed or unusable.
                Some(cache) => drop(file.setattr(intern!(py, "cache"), cache)),
                None => {}
            }
        });
    }
}

/// An input, and the facts about it.
pub struct Opened {
    pub input: Input,
    pub raised: Raised,
    /// The path, if the caller gave one, or the file name object.
    pub path: Option<PathBuf>,
    /// The number of bytes that have been read.
    pub bytes_read: Arc<AtomicU64>,
    /// The file object, for the garbage collector.
    pub object: Option<Arc<Py<PyAny>>>,
}

/// Opens a path, a file object, or an object that opens one.
///
/// # Errors
///
/// `OSError` with the path if it cannot be opened; `TypeError` for other objects; what its `open` raises.
pub fn open(file: &Bound<'_, PyAny>) -> PyResult<Opened> {
    let py = file.py();
    let (raised, path) = (Raised::default(), path_of(file)?);
    let source = if file.hasattr(intern!(py, "read"))? {
        InputSource::object(file, &raised, false)?
    } else if is_opener(file)? {
        InputSource::object(&file.call_method0(intern!(py, "open"))?, &raised, true)?
    } else {
        let path = path.as_deref().unwrap_or(Path::new(""));
        InputSource::File(py.detach(|| File::open(path)).map_err(|error| os_error(py, Some(path), error))?)
    };
    let bytes_read = Arc::default();
    let input = Input {
        source,
        clock: Clock::default(),
        raised: raised.clone(),
        bytes_read: Arc::clone(&bytes_read),
    };
    let object = match &input.source {
        InputSource::File(_) => None,
        InputSource::Object(object) => Some(Arc::clone(&object.reader.file)),
    };
    Ok(Opened { input, raised, path, bytes_read, object })
}

impl InputSource {
    fn object(file: &Bound<'_, PyAny>, raised: &Raised, is_ours: bool) -> PyResult<InputSource> {
        let (cache, raised) = (fsspec_cache::take(file)?, raised.clone());
        let (len, at) = extent(file)?;
        let object = Object { file: Arc::new(file.clone().unbind()), raised, is_ours, cache, len, at };
        Ok(InputSource::Object(ReadAhead::new(object)))
    }
}

/// Returns whether it is neither a path nor a file, but opens one, such as the result of
/// `fsspec.open`.
fn is_opener(file: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = file.py();
    Ok(!file.hasattr(intern!(py, "__fspath__"))? && file.hasattr(intern!(py, "open"))?)
}

/// Returns whether it can be [opened](open).
pub fn is_file(file: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = file.py();
    let is_path = file.is_instance_of::<PyString>() || file.is_instance_of::<PyBytes>();
    Ok(is_path
        || file.hasattr(intern!(py, "__fspath__"))?
        || file.hasattr(intern!(py, "read"))?
        || is_opener(file)?)
}

/// Returns the path, or a file name object if it has one.
///
/// # Errors
///
/// `TypeError` for other objects.
pub fn path_of(file: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let py = file.py();
    if file.hasattr(intern!(py, "read"))? || is_opener(file)? {
        let names = [intern!(py, "full_name"), intern!(py, "name")];
        for name in names {
            match file.getattr(name).and_then(|name| name.extract()) {
                Ok(path) => return Ok(Some(path)),
                Err(error) if error.is_instance_of::<PyException>(py) => {}
                Err(error) => return Err(error),
            }
        }
        return Ok(None);
    }
    let path = py.import("os")?.call_method1("fsdecode", (file,)).map_err(|error| {
        wrong_type(file, error, |found| format!("expected a path or a binary file object, found {found}"))
    })?;
    path.extract().map(Some)
}

/// Returns the exception for an error of reading, which names the file if that is known.
pub fn os_error(py: Python<'_>, path: Option<&Path>, error: io::Error) -> PyErr {
    let Some(path) = path.map(Path::as_os_str) else { return error.into() };
    if let (Some(errno), true) = (error.raw_os_error(), cfg!(unix)) {
        let text = py.import("os").and_then(|os| os.call_method1("strerror", (errno,))?.extract::<String>());
        return text.map_or_else(|error| error, |text| PyOSError::new_err((errno, text, path.to_owned())));
    }
    io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}

impl Object {
    /// Calls a method of the file object with the interpreter attached.
    fn call<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
        let called = Python::attach(|py| call(self.file.bind(py)));
        called.map_err(|error| self.raised.set(error))
    }
}

impl Read for Object {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.call(|file| read_object(file, room))?;
        self.at += read as u64;
        if read == 0 && !room.is_empty() {
            // The error is returned once.
            check_not_shortened(self.at, std::mem::take(&mut self.len), || self.call(len_of))?;
        }
        Ok(read)
    }
}

impl Seek for Object {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.call(|file| match to {
            SeekFrom::Start(at) => file.call_method1("seek", (at,))?.extract(),
            SeekFrom::Current(at) => file.call_method1("seek", (at, 1))?.extract(),
            SeekFrom::End(at) => file.call_method1("seek", (at, 2))?.extract(),
        })?;
        Ok(self.at)
    }
}

/// The length of a file object that reads a file of the system, and its position; 0 and 0 for other objects.
fn extent(object: &Bound<'_, PyAny>) -> PyResult<(u64, u64)> {
    // A `SpooledTemporaryFile` would be written to disk.
    if object.hasattr(intern!(object.py(), "rollover"))? {
        return Ok((0, 0));
    }
    let position = || object.call_method0(intern!(object.py(), "tell"))?.extract();
    match len_of(object).and_then(|len| Ok((len, position()?))) {
        Err(error) if error.is_instance_of::<PyException>(object.py()) => Ok((0, 0)),
        extent => extent,
    }
}

/// The length of the file that the object reads.
fn len_of(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    let py = object.py();
    let descriptor = object.call_method0(intern!(py, "fileno"))?;
    py.import("os")?.call_method1(intern!(py, "fstat"), (descriptor,))?.getattr("st_size")?.extract()
}

/// Copies the output of an object, at most `room.len()` bytes.
fn read_object(object: &Bound<'_, PyAny>, room: &mut [u8]) -> PyResult<usize> {
    let read = object.call_method1(intern!(object.py(), "read"), (room.len(),))?;
    let bytes = match (read.cast::<PyBytes>(), read.cast::<PyByteArray>()) {
        (Ok(bytes), _) => bytes.clone(),
        (_, Ok(bytes)) => PyBytes::new(object.py(), &bytes.to_vec()),
        _ if read.is_none() => return Ok(0),
        _ => {
            let found = type_name(&read);
            return Err(PyTypeError::new_err(format!(
                "expected a file opened in binary mode ('rb'), but its read() returned {found}"
            )));
        }
    };
    let bytes = bytes.as_bytes();
    let Some(room) = room.get_mut(..bytes.len()) else {
        let (found, expected) = (bytes.len(), room.len());
        return Err(PyOSError::new_err(format!(
            "expected at most {expected} bytes from read({expected}) of the file object, found {found}"
        )));
    };
    room.copy_from_slice(bytes);
    Ok(bytes.len())
}

impl Input {
    /// Returns the archive in this input, from the start. A file may also be an Outlook mailbox, which
    /// needs seeking; a file object need not be able to seek.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read.
    pub fn archive(self) -> io::Result<Archive<Input>> {
        let is_file = match &self.source {
            InputSource::File(file) => file.metadata()?.is_file(),
            InputSource::Object(_) => false,
        };
        if is_file { Archive::seekable(self) } else { Archive::new(self) }
    }

    /// Announces the range of a file object that will be read; the default is the whole file.
    pub fn expect(&mut self, range: Range<u64>) {
        if let InputSource::Object(object) = &mut self.source {
            object.expected = range;
        }
    }

    /// Announces that a gzip file is divided, if it is one.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read.
    pub fn expect_division(&mut self) -> io::Result<()> {
        self.expect(0..0);
        let mut magic = Vec::new();
        self.rewind()?;
        self.by_ref().take(2).read_to_end(&mut magic)?;
        match &mut self.source {
            InputSource::Object(object) if magic == [0x1f, 0x8b] => object.near = MEMBER,
            _ => {}
        }
        Ok(())
    }
}

impl Read for Input {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.clock.check().map_err(|error| self.raised.set(error))?;
        let read = match &mut self.source {
            InputSource::File(file) => file.read(room),
            InputSource::Object(object) => object.read(room),
        }?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.source {
            InputSource::File(file) => file.seek(to),
            InputSource::Object(object) => object.seek(to),
        }
    }
}
