//! `find_iter`, `find_all`, `is_match`, `find_covering` and `match_at`: the search of a `str` or of bytes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use urlgrep::Scanner;

use crate::buffer::Bytes;
use crate::interrupt::Clock;
use crate::matched::{Match, Place};
use crate::options::{Options, SearchScope};

/// Texts up to this length are searched at once, and longer ones in pieces of it, so that
/// memory is bounded and signals are seen. It is 1 MiB, which takes a millisecond.
const PIECE: usize = 1 << 20;

/// A shorter text is searched without releasing the interpreter: to release it costs more.
const SHORT: usize = 2048;

/// A text to be searched.
struct Text {
    bytes: Bytes,
    of_str: bool,
    /// True if links are replaced by the URLs within them.
    unwraps: bool,
    /// Counts the units before a match, if offsets do not count bytes.
    code_points: Option<CodePoints>,
}

impl Text {
    fn new(text: &Bound<'_, PyAny>, unwraps: bool) -> PyResult<Text> {
        let Ok(text) = text.cast::<PyString>() else {
            return Ok(Text { bytes: Bytes::new(text, PIECE)?, of_str: false, unwraps, code_points: None });
        };
        let utf8 = match text.encode_utf8() {
            Ok(utf8) => utf8,
            // The string contains lone surrogates.
            Err(_) => text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into::<PyBytes>()?,
        };
        let code_points = (utf8.as_bytes().len() != text.code_point_len()?).then(CodePoints::default);
        Ok(Text { bytes: Bytes::Fixed(utf8.into()), of_str: true, unwraps, code_points })
    }

    /// The match as a Python object.
    fn wrap(&mut self, matched: urlgrep::Match<'static>) -> Match {
        let utf8 = self.bytes.fixed();
        let mut at = |offset: u64| match &mut self.code_points {
            Some(code_points) => code_points.at(utf8, offset as usize),
            None => offset,
        };
        let span = matched.span();
        let start = at(span.start);
        let pieces = matched.pieces().map(|range| (at(range.start), at(range.end))).collect();
        let span = (start, at(span.end));
        Match::in_text(matched, Place { span, pieces }, self.of_str, self.unwraps)
    }
}

/// A position in UTF-8 that moves along with the matches.
///
/// Matches come in the order in which they start, so all of them cost one pass.
#[derive(Debug, Default)]
struct CodePoints {
    byte: usize,
    code_point: u64,
}

impl CodePoints {
    /// The number of code points before the byte at `to`, which starts one.
    ///
    /// Costs a pass over the bytes since the last call.
    fn at(&mut self, utf8: &[u8], to: usize) -> u64 {
        match to >= self.byte {
            true => self.code_point += count(&utf8[self.byte..to]),
            false => self.code_point -= count(&utf8[to..self.byte]),
        }
        self.byte = to;
        self.code_point
    }
}

/// The number of code points that start in `utf8`; surrogates that are encoded like other
/// code points count as well.
fn count(utf8: &[u8]) -> u64 {
    // A continuation byte is 10xxxxxx.
    utf8.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64
}

/// The matches in a text, in the order in which they start. Made by `find_iter`.
///
/// The text is searched as the iterator advances, 1 MiB at a time.
#[pyclass(module = "urlgrep")]
pub struct FindIter {
    text: Text,
    /// The number of bytes that have been searched.
    searched: usize,
    /// The search of a text that is searched in pieces, and the clock for it: to read the clock
    /// takes a fifth of the time of a short text. Python requires types that threads can share; the
    /// lock is never contended.
    pieces: Option<(Mutex<Scanner>, Clock)>,
    finder: urlgrep::Finder,
    matches: VecDeque<urlgrep::Match<'static>>,
    done: bool,
}

impl FindIter {
    /// Returns the matches in a text.
    ///
    /// # Errors
    ///
    /// `TypeError` if it is neither a `str` nor bytes.
    pub fn new(text: &Bound<'_, PyAny>, options: &Options) -> PyResult<FindIter> {
        let (text, finder) = (Text::new(text, options.unwraps)?, options.finder.clone());
        let pieces = (text.bytes.len() > PIECE).then(|| (Mutex::new(finder.scanner()), Clock::default()));
        Ok(FindIter { text, searched: 0, pieces, finder, matches: VecDeque::new(), done: false })
    }

    /// Searches the next piece; false after the last.
    fn advance(&mut self, py: Python<'_>) -> PyResult<bool> {
        if self.done {
            return Ok(false);
        }
        if self.text.bytes.len() <= SHORT {
            self.search(None);
        } else {
            let end = self.text.bytes.len().min(self.searched + PIECE);
            let copy = self.text.bytes.copy(py, self.searched, end)?;
            py.detach(|| self.search(copy.as_deref()));
        }
        if self.done {
            self.text.bytes.release(py);
        }
        if let Some((_, clock)) = &mut self.pieces {
            clock.check()?;
        }
        Ok(true)
    }

    /// Searches the next piece, of which there is a copy if it is one of a view.
    fn search(&mut self, copy: Option<&[u8]>) {
        let bytes = self.text.bytes.fixed();
        let matches = &mut self.matches;
        let Some((scanner, _)) = &mut self.pieces else {
            matches.extend(self.finder.find_iter(bytes).map(urlgrep::Match::into_owned));
            self.done = true;
            return;
        };
        let scanner = scanner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let end = self.text.bytes.len().min(self.searched + PIECE);
        let piece = copy.unwrap_or_else(|| &bytes[self.searched..end]);
        scanner.push(piece, |matched| matches.push_back(matched.into_owned()));
        self.searched = end;
        if end == self.text.bytes.len() {
            scanner.finish(|matched| matches.push_back(matched.into_owned()));
            self.done = true;
        }
    }

    /// The next match, as the library has it.
    fn first(&mut self, py: Python<'_>) -> PyResult<Option<urlgrep::Match<'static>>> {
        while self.matches.is_empty() && self.advance(py)? {}
        Ok(self.matches.pop_front())
    }
}

#[pymethods]
impl FindIter {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Match>> {
        Ok(self.first(py)?.map(|matched| self.text.wrap(matched)))
    }
}

/// Returns the matches in a text, as a list.
///
/// # Errors
///
/// The errors of [`FindIter::new`], and the exception of a signal handler.
pub fn all(text: &Bound<'_, PyAny>, options: &Options) -> PyResult<Vec<Match>> {
    let mut iter = FindIter::new(text, options)?;
    let mut matches = Vec::new();
    while let Some(matched) = iter.__next__(text.py())? {
        matches.push(matched);
    }
    Ok(matches)
}

/// Returns the URLs in a text, in the order in which they start, as an iterator.
///
/// text: a str, or bytes, bytearray, memoryview, mmap or another buffer, in any encoding that is a
/// superset of ASCII. Offsets of a str count code points, all others bytes. A buffer of more than 1
/// MiB is not copied as a whole: 1 MiB is copied when the iterator reaches it, so earlier changes
/// there are seen. It cannot be resized or closed until the iterator has ended or is gone.
///
/// Options, as on the command line:
///
#[doc = include_str!("options.txt")]
///
/// Time is linear in the length of any text. Other threads run meanwhile.
///
/// Raises TypeError for a text or an option of another type, ValueError for the value of an option.
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn find_iter(text: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<FindIter> {
    FindIter::new(text, &Options::new(options, SearchScope::Text)?)
}

/// Returns the URLs in a text, as a list: see find_iter.
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn find_all(text: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Match>> {
    all(text, &Options::new(options, SearchScope::Text)?)
}

/// Returns True if a text contains a URL: see find_iter. The text is searched up to the first one.
#[pyfunction]
#[pyo3(signature = (text, /, **options))]
pub fn is_match(text: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    has(text, &Options::new(options, SearchScope::Text)?)
}

/// A search at an offset, such as [`urlgrep::Finder::find_covering`].
pub type AtOffset = for<'h> fn(&urlgrep::Finder, &'h [u8], usize) -> Option<urlgrep::Match<'h>>;

pub const COVERING: AtOffset = |finder, text, offset| finder.find_covering(text, offset);
pub const ANCHORED: AtOffset = |finder, text, offset| finder.match_at(text, offset);

/// Returns the match of `search` at an offset of a text. A `str` counts code points.
///
/// # Errors
///
/// Those of [`FindIter::new`].
pub fn at(
    text: &Bound<'_, PyAny>,
    offset: usize,
    options: &Options,
    search: AtOffset,
) -> PyResult<Option<Match>> {
    let py = text.py();
    let mut text = Text::new(text, options.unwraps)?;
    let copy = text.bytes.copy(py, 0, text.bytes.len())?;
    let bytes = copy.as_deref().unwrap_or_else(|| text.bytes.fixed());
    // The byte at the offset as Python counts it: every byte except a continuation byte starts a code point.
    let byte = match text.code_points {
        None => Some(offset).filter(|at| *at < bytes.len()),
        Some(_) => (0..bytes.len()).filter(|&at| bytes[at] & 0xC0 != 0x80).nth(offset),
    };
    let matched = byte.and_then(|byte| search(&options.finder, bytes, byte));
    let matched = matched.map(urlgrep::Match::into_owned);
    Ok(matched.map(|matched| text.wrap(matched)))
}

/// Returns the match that covers an offset of a text, including delimiters, or None. A click there
/// opens this URL.
///
/// text and options: as for find_iter. offset: code points for a str, bytes for other types, from
/// 0. Only the text near the offset is searched.
///
/// Raises the errors of find_iter, and OverflowError for an offset below 0.
#[pyfunction]
#[pyo3(signature = (text, offset, /, **options))]
pub fn find_covering(
    text: &Bound<'_, PyAny>,
    offset: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Match>> {
    at(text, offset, &Options::new(options, SearchScope::Text)?, COVERING)
}

/// Returns the match that starts at an offset of a text, delimiters included, as if the text began there, or None.
///
/// This is for parsers that have decided that a link may start here: the text before is not read. Arguments and errors: as
/// for find_covering.
#[pyfunction]
#[pyo3(signature = (text, offset, /, **options))]
pub fn match_at(
    text: &Bound<'_, PyAny>,
    offset: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Match>> {
    at(text, offset, &Options::new(options, SearchScope::Text)?, ANCHORED)
}

/// Returns whether a text contains a match.
///
/// # Errors
///
/// Those of [`all`].
pub fn has(text: &Bound<'_, PyAny>, options: &Options) -> PyResult<bool> {
    Ok(FindIter::new(text, options)?.first(text.py())?.is_some())
}
