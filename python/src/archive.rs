//! `open`, `split` and `read_split`: the matches in files, and in ranges of them.

use std::ffi::CString;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use urlgrep::archive::{Archive, Division};

use crate::input::{self, Input, Opened, Raised, os_error};
use crate::matched::Match;
use crate::options::{OnError, Options, Scope};

/// How many bytes are counted at a time.
const BLOCK: usize = 256 * 1024;

/// The matches in a file, in the order of the file. Made by `open` and `read_split`.
///
/// An error in the middle is raised after the matches before it; the iterator can be advanced
/// past it, to the members of an archive that follow.
#[pyclass(module = "urlgrep")]
pub struct ArchiveMatches {
    /// Python wants what threads can share; nobody else has the lock.
    matches: Mutex<Option<urlgrep::ArchiveMatches<Input>>>,
    path: Option<PathBuf>,
    raised: Raised,
    errors: OnError,
    unwraps: bool,
}

impl ArchiveMatches {
    /// The matches in a path or file object.
    pub fn open(file: &Bound<'_, PyAny>, options: &Options) -> PyResult<Self> {
        Self::new(file, options, Archive::new)
    }

    /// The matches in what `make` reads.
    fn new(
        file: &Bound<'_, PyAny>,
        options: &Options,
        make: impl FnOnce(Input) -> io::Result<Archive<Input>> + Send,
    ) -> PyResult<Self> {
        let py = file.py();
        let Opened { input, raised, path, .. } = input::open(file)?;
        let made = py.detach(|| make(input));
        let archive =
            made.map_err(|error| raised.take().unwrap_or_else(|| os_error(py, path.as_deref(), error)))?;
        let archive = match &path {
            Some(path) => archive.at_path(path),
            None => archive,
        };
        let matches = options.finder.find_in_archive(archive.with_options(&options.read));
        let matches = Mutex::new(Some(matches));
        let (errors, unwraps) = (options.errors, options.unwraps);
        Ok(ArchiveMatches { matches, path, raised, errors, unwraps })
    }

    /// Warns of bodies that were not searched, since they cannot be decoded.
    fn warn_of(&self, py: Python<'_>, undecoded: Option<String>) -> PyResult<()> {
        match (undecoded, &self.path) {
            (Some(undecoded), Some(path)) => warn(py, &format!("{}: {undecoded}", path.display())),
            (Some(undecoded), None) => warn(py, &undecoded),
            (None, _) => Ok(()),
        }
    }

    fn end(&mut self) {
        *self.matches.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[pymethods]
impl ArchiveMatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Ends the search, and closes the file if it was opened here. There are no more matches then.
    fn close(&mut self) {
        self.end();
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&mut self, exception: &Bound<'_, PyTuple>) {
        let _ = exception;
        self.end();
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Match>> {
        loop {
            let matches = self.matches.get_mut().unwrap_or_else(PoisonError::into_inner);
            let Some(matches) = matches else { return Ok(None) };
            match py.detach(|| matches.next()) {
                None => {
                    let undecoded = matches.archive().undecoded().map(ToString::to_string);
                    self.end();
                    return self.warn_of(py, undecoded).map(|()| None);
                }
                Some(Ok(matched)) => {
                    let path = place(self.path.as_deref(), matched.member());
                    return Ok(Some(Match::in_archive(matched, path, self.unwraps)));
                }
                Some(Err(error)) => {
                    // It came from the file object or a signal, and ends all.
                    if let Some(raised) = self.raised.take() {
                        self.end();
                        return Err(raised);
                    }
                    match self.errors {
                        OnError::Raise => return Err(error.into()),
                        OnError::Warn | OnError::Column => warn(py, &error.to_string())?,
                    }
                }
            }
        }
    }
}

/// Warns of an error that ends a file or a member, but not the search.
pub fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let category = py.import("urlgrep._types")?.getattr("UrlgrepWarning")?;
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    PyErr::warn(py, &category, &message, 1)
}

/// The path of a match: as the program prints it.
fn place(path: Option<&Path>, member: Option<&[u8]>) -> Option<Vec<u8>> {
    let path = path.map(|path| path.as_os_str().as_encoded_bytes());
    match (path, member) {
        (Some(path), Some(member)) => Some([path, b"!/", member].concat()),
        (path, member) => path.or(member).map(<[u8]>::to_vec),
    }
}

/// The URLs in a file of mail, news, HTML or text, in the order of the file, as an iterator.
///
/// The file may be compressed, or a zip archive. Mail is decoded: transfer encodings, charsets, HTML. Memory
/// depends on the longest message, 16 MiB at most, not on the file.
///
/// file: a path, a binary file object that is read from where it is, or an object with a method open() that
/// returns one. The result has close(), and can be used with `with`. A match has the attributes path and
/// message; its offsets and lines are those of the file after decompression, in bytes.
///
/// Options: those of find_iter, and format ('auto', 'text', 'mail', 'mbox', 'rnews', 'html', 'warc', 'calendar'),
/// attachments (also search parts that are not text), headers (False: not the header fields),
/// dot_stuffing, base (the URL of a page, for its relative links), errors ('raise', or 'warn' and search the rest).
///
/// Raises OSError, with the path, if the file cannot be opened; while iterating, if it cannot be read or is
/// damaged, after the matches before the damage. Raises what a file object raises. A body of a web archive
/// that cannot be decoded is an UrlgrepWarning at the end.
#[pyfunction]
#[pyo3(signature = (file, /, **options))]
pub fn open(file: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<ArchiveMatches> {
    ArchiveMatches::open(file, &Options::new(options, Scope::Archive)?)
}

/// The URLs in a part of a file: see `urlgrep.read_split`.
#[pyfunction]
#[pyo3(signature = (file, start, length, lines = 0, messages = 0, /, **options))]
pub fn read_split(
    file: &Bound<'_, PyAny>,
    start: u64,
    length: u64,
    lines: u64,
    messages: u64,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<ArchiveMatches> {
    if options.is_some_and(|options| options.contains("format").unwrap_or(false)) {
        let why = "option \"format\": a split is read in the format that the file begins with";
        return Err(PyValueError::new_err(why));
    }
    let options = Options::new(options, Scope::Archive)?;
    let range = start..start.saturating_add(length);
    ArchiveMatches::new(file, &options, |input| {
        Ok(Archive::of_range(input, range)?.with_base(lines, messages))
    })
}

/// Start, length, and the lines and messages before it.
type Split = (u64, u64, u64, u64);

/// The parts of a file: see `urlgrep.split`.
#[pyfunction]
#[pyo3(signature = (file, size, count, /))]
pub fn split(file: &Bound<'_, PyAny>, size: u64, count: bool) -> PyResult<Vec<Split>> {
    if size == 0 {
        return Err(PyValueError::new_err("size: expected a number of bytes above 0, found 0"));
    }
    let py = file.py();
    let Opened { mut input, raised, path, .. } = input::open(file)?;
    let splits = py.detach(|| splits(&mut input, size, count));
    splits.map_err(|error| raised.take().unwrap_or_else(|| os_error(py, path.as_deref(), error)))
}

fn splits(input: &mut Input, size: u64, count: bool) -> io::Result<Vec<Split>> {
    let division = Division::of(input, None)?;
    let len = input.seek(SeekFrom::End(0))?;
    if !division.is_divisible() || len == 0 {
        return Ok(vec![(0, len, 0, 0)]);
    }
    let starts = (0..len).step_by(usize::try_from(size).unwrap_or(usize::MAX));
    let mut splits: Vec<Split> = starts.map(|start| (start, size.min(len - start), 0, 0)).collect();
    // The members of a tar archive have lines and messages of their own.
    if count && division.format().is_some() {
        count_before(input, &division, &mut splits)?;
    }
    Ok(splits)
}

/// Sets how many lines and messages precede each part. Two passes over the file.
fn count_before(input: &mut Input, division: &Division, splits: &mut [Split]) -> io::Result<()> {
    let (mut lines, mut messages, mut counted) = (0, 0, 0);
    for split in splits {
        let start = division.align(input, split.0)?;
        lines += count_lines(input, counted, start)?;
        counted = start;
        (split.2, split.3) = (lines, messages);
        let mut archive = division.range(&mut *input, split.0..split.0 + split.1)?;
        archive = archive.with_base(0, messages);
        while let Some(message) = archive.next_message()? {
            messages = message.index() + 1;
        }
    }
    Ok(())
}

fn count_lines(input: &mut Input, start: u64, end: u64) -> io::Result<u64> {
    input.seek(SeekFrom::Start(start))?;
    let mut input = input.take(end.saturating_sub(start));
    let mut block = Vec::with_capacity(BLOCK);
    let mut lines = 0;
    while input.by_ref().take(BLOCK as u64).read_to_end(&mut block)? > 0 {
        lines += memchr::memchr_iter(b'\n', &block).count() as u64;
        block.clear();
    }
    Ok(lines)
}
