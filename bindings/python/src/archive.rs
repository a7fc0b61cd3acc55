//! `open`, `split` and `read_split`: the matches in files, and in ranges of them.

use std::borrow::Cow;
use std::ffi::CString;
use std::io::{self, Read, Seek, SeekFrom};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyTuple};
use urlgrep::archive::internal::{Division, became_shorter, format_by_name};
use urlgrep::archive::{self, Archive, Format, Part};

use crate::input::{self, Input, Opened, Raised, os_error};
use crate::matched::Match;
use crate::options::{self, OnError, Options, SearchScope};

/// The number of bytes that are counted at a time.
const BLOCK: usize = 256 * 1024;

/// The matches in a file, in file order. Made by `open` and `read_split`.
///
/// An error in the middle is raised after the matches before it; the iterator can be advanced
/// past it, to the archive members that follow.
#[pyclass(module = "urlgrep")]
pub struct ArchiveMatches {
    /// Python requires types that threads can share; the lock is never contended.
    matches: Mutex<Option<urlgrep::ArchiveMatches<Input>>>,
    path: Option<PathBuf>,
    /// The file object that is read, if it is one. It may refer to this iterator.
    object: Option<Arc<Py<PyAny>>>,
    raised: Raised,
    errors: OnError,
    unwraps: bool,
}

impl ArchiveMatches {
    /// Returns the matches in a path or file object.
    pub fn open(file: &Bound<'_, PyAny>, options: &Options) -> PyResult<Self> {
        Self::new(file, options, |input, _| input.archive())
    }

    /// The matches in what `make` reads, at the path of the file.
    fn new(
        file: &Bound<'_, PyAny>,
        options: &Options,
        make: impl FnOnce(Input, Option<&Path>) -> io::Result<Archive<Input>> + Send,
    ) -> PyResult<Self> {
        let py = file.py();
        let Opened { input, raised, path, object, .. } = input::open(file)?;
        let made = py.detach(|| make(input, path.as_deref()));
        let archive =
            made.map_err(|error| raised.take().unwrap_or_else(|| os_error(py, path.as_deref(), error)))?;
        let archive = match &path {
            Some(path) => archive.at_path(path),
            None => archive,
        };
        let matches = options.finder.find_in_archive(archive.with_options(&options.read));
        let matches = Mutex::new(Some(matches));
        let (errors, unwraps) = (options.errors, options.unwraps);
        Ok(ArchiveMatches { matches, path, object, raised, errors, unwraps })
    }
}

#[pymethods]
impl ArchiveMatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.object.as_deref())
    }

    fn __clear__(&mut self) {
        self.close();
    }

    /// Ends the search, and closes the file if it was opened here. Then the iterator has ended.
    fn close(&mut self) {
        *self.matches.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        self.object = None;
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*exception))]
    fn __exit__(&mut self, exception: &Bound<'_, PyTuple>) {
        let _ = exception;
        self.close();
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Match>> {
        loop {
            let matches = self.matches.get_mut().unwrap_or_else(PoisonError::into_inner);
            let Some(matches) = matches else { return Ok(None) };
            match py.detach(|| matches.next()) {
                None => {
                    let notes: Vec<_> = matches.take_notes().collect();
                    self.close();
                    for note in notes {
                        match &self.path {
                            Some(path) => warn(py, &format!("{}: {note}", path.display()))?,
                            None => warn(py, &note.to_string())?,
                        }
                    }
                    return Ok(None);
                }
                Some(Ok(matched)) => {
                    let member = matched.context().and_then(|context| context.member());
                    let path = self.path.as_deref().map(|path| path.as_os_str().as_encoded_bytes());
                    let path = place(path, member).map(Cow::into_owned);
                    return Ok(Some(Match::in_archive(matched, path, self.unwraps)));
                }
                Some(Err(error)) => {
                    // An exception of the file object or of a signal ends the iteration.
                    if let Some(raised) = self.raised.take() {
                        self.close();
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

/// Returns the path of a match as the program prints it: `a.zip!/b`.
pub fn place<'p>(path: Option<&'p [u8]>, member: Option<&'p [u8]>) -> Option<Cow<'p, [u8]>> {
    match (path, member) {
        (Some(path), Some(member)) => Some([path, b"!/", member].concat().into()),
        (path, member) => path.or(member).map(Cow::Borrowed),
    }
}

/// Returns the URLs in a file of mail, news, HTML or text, in file order, as an
/// iterator.
///
/// The file may be compressed, or a zip archive. Mail is decoded: transfer encodings, charsets, HTML. Memory
/// depends on the longest message, 16 MiB at most, not on the file.
///
/// file: a path, a binary file object that is read from where it is, or an object with a method
/// open() that returns one. The result has close(), and can be used with `with`. A match has the
/// attributes path and message; its offsets and lines refer to the file after decompression, in
/// bytes.
///
/// Options: the options of find_iter, and format ('auto', 'text', 'mail', 'mbox', 'rnews', 'html',
/// 'json', 'warc', 'calendar'), attachments (also search parts that are not text), headers (False:
/// not the header fields), dot_stuffing, base (the URL of a page, for its relative links), errors
/// ('raise', or 'warn' and search the rest).
///
/// Raises OSError, with the path, if the file cannot be opened; while iterating, if it cannot be
/// read, is damaged or becomes shorter, after the matches before the damage. Raises the exceptions of a file object.
/// An image, a sound or a program in a zip or tar archive is skipped; other members in an unsupported format are errors.
/// A body of a web archive that cannot be decoded is an UrlgrepWarning at the end, and so is more
/// nesting than is decoded.
#[pyfunction]
#[pyo3(signature = (file, /, **options))]
pub fn open(file: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<ArchiveMatches> {
    ArchiveMatches::open(file, &Options::new(options, SearchScope::Archive)?)
}

/// Returns the URLs in a part of a file: see `urlgrep.read_split`.
#[pyfunction]
#[pyo3(signature = (file, split, /, **options))]
pub fn read_split(
    file: &Bound<'_, PyAny>,
    split: &Bound<'_, PyTuple>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<ArchiveMatches> {
    let options = Options::new(options, SearchScope::Archive)?;
    let split = Split::new(split)?;
    ArchiveMatches::new(file, &options, |input, path| split.open(input, path, options.read.format))
}

/// The fields of `urlgrep.Split`: start, length, the lines and messages before it, the layout, and
/// its start and length after decompression.
type SplitFields<'s> = (u64, u64, u64, u64, &'s str, u64, u64);

/// A part of a file, to be read.
pub struct Split {
    range: Range<u64>,
    lines: u64,
    messages: u64,
    /// `None` for a range that need not be one of `split`.
    part: Option<Part>,
}

impl Split {
    /// The number of fields of `urlgrep.Split`.
    pub const FIELDS: usize = 7;

    /// # Errors
    ///
    /// `TypeError` for other tuples; `ValueError` for an unknown layout.
    pub fn new(split: &Bound<'_, PyTuple>) -> PyResult<Split> {
        let (start, length, lines, messages, layout, offset, decompressed) = split.extract()?;
        let layout: PyBackedStr = layout;
        let range = start..u64::saturating_add(start, length);
        let inside = (decompressed > 0).then(|| offset..u64::saturating_add(offset, decompressed));
        let part = Part::new(range.clone(), &layout, inside);
        if part.is_none() && !layout.is_empty() {
            return Err(PyValueError::new_err(format!(
                "layout: expected the layout of a urlgrep.Split, found {layout:?}"
            )));
        }
        Ok(Split { range, lines, messages, part })
    }

    /// Returns true if the offsets of its matches are those in the file: see [`Part::has_offsets`].
    pub fn has_offsets(&self) -> bool {
        self.part.as_ref().is_none_or(Part::has_offsets)
    }

    /// Returns the archive that it is, in the file at `path`.
    pub fn open(
        &self,
        mut input: Input,
        path: Option<&Path>,
        format: Option<Format>,
    ) -> io::Result<Archive<Input>> {
        input.expect(self.range.clone());
        // A range of the caller may be longer than the file.
        let least = if self.part.is_some() { self.range.end } else { self.range.start };
        if input.seek(SeekFrom::End(0))? < least {
            return Err(became_shorter());
        }
        let archive = match &self.part {
            Some(part) => part.open(input),
            None => Division::of(&mut input, by_name(path, format))?.range(input, self.range.clone()),
        };
        Ok(archive?.with_base(self.lines, self.messages))
    }
}

/// Returns the format in which a file is divided, which its path may show.
fn by_name(path: Option<&Path>, format: Option<Format>) -> Option<Format> {
    path.map_or(format, |path| format_by_name(path, format))
}

/// Returns the parts of a file: see `urlgrep.split`.
#[pyfunction]
#[pyo3(signature = (file, size, count, format, /))]
pub fn split(
    file: &Bound<'_, PyAny>,
    size: u64,
    count: bool,
    format: &Bound<'_, PyAny>,
) -> PyResult<Vec<SplitFields<'static>>> {
    if size == 0 {
        return Err(PyValueError::new_err("size: expected a number of bytes above 0, found 0"));
    }
    let (py, format) = (file.py(), options::format(format)?);
    let Opened { mut input, raised, path, .. } = input::open(file)?;
    let format = by_name(path.as_deref(), format);
    let splits = py.detach(|| -> io::Result<_> {
        input.expect_division()?;
        let mut parts = archive::parts(&mut input, size, format)?;
        if count && parts[0].is_compressed() {
            // Counting the bytes before a part would take as long as searching them.
            parts = archive::parts(&mut input, u64::MAX, format)?;
        }
        // The tar members have lines and messages of their own.
        let counted =
            if count && parts[0].layout() != "tar" { count_before(&mut input, &parts)? } else { Vec::new() };
        let counts = counted.into_iter().chain(iter::repeat((0, 0)));
        let fields = |(part, (lines, messages)): (&Part, (u64, u64))| {
            let (Range { start, end }, inside) = (part.range(), part.decompressed().unwrap_or(0..0));
            (start, end - start, lines, messages, part.layout(), inside.start, inside.end - inside.start)
        };
        Ok(parts.iter().zip(counts).map(fields).collect())
    });
    splits.map_err(|error| raised.take().unwrap_or_else(|| os_error(py, path.as_deref(), error)))
}

/// Counts the lines and messages before each part, with two passes over the file.
fn count_before(input: &mut Input, parts: &[Part]) -> io::Result<Vec<(u64, u64)>> {
    input.expect(0..u64::MAX);
    let (mut lines, mut messages, mut counted) = (0, 0, Vec::new());
    let mut block = Vec::with_capacity(BLOCK);
    for part in parts {
        counted.push((lines, messages));
        let Range { start, end } = part.range();
        input.seek(SeekFrom::Start(start))?;
        let mut bytes = input.by_ref().take(end - start);
        while bytes.by_ref().take(BLOCK as u64).read_to_end(&mut block)? > 0 {
            lines += memchr::memchr_iter(b'\n', &block).count() as u64;
            block.clear();
        }
        let mut archive = part.open(&mut *input)?.with_base(0, messages);
        while let Some(message) = archive.next_message()? {
            messages = message.index() + 1;
        }
    }
    Ok(counted)
}
